//! The graph of a game as a picture: White's win chances from move to move.

use std::io::Write;

use anyhow::Result;

use crate::formulas::{Eval, FIRST_EVAL, Label};
use crate::params::GRAPH_SIZE;
use crate::report::JudgedGame;

type Rgb = [u8; 3];

const PAPER: Rgb = [0x3a, 0x39, 0x37];
const LIGHT: Rgb = [0xf2, 0xf0, 0xea];
const MIDDLE: Rgb = [0x8a, 0x88, 0x84];

/// A picture of `GRAPH_SIZE` pixels: White's part is light and below, weak moves are dots.
///
/// # Errors
///
/// When it cannot be written.
pub fn write_png(out: impl Write, game: &JudgedGame) -> Result<()> {
    let (width, height) = GRAPH_SIZE;
    let mut encoder = png::Encoder::new(out, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&draw(game, width, height))?;
    writer.finish()?;
    Ok(())
}

/// The colour of the dot of a label.
fn color(label: Label) -> Rgb {
    match label {
        Label::Inaccuracy => [0x56, 0xb4, 0xe9],
        Label::Mistake => [0xe6, 0x9f, 0x00],
        Label::Blunder => [0xdb, 0x30, 0x31],
    }
}

fn draw(game: &JudgedGame, width: u32, height: u32) -> Vec<u8> {
    let mut wins = vec![Eval::Cp(FIRST_EVAL).win_percent()];
    wins.extend(game.moves.iter().map(|mv| mv.win));
    let step = f64::from(width) / (wins.len().max(2) - 1) as f64;
    let top = |index: usize| f64::from(height) * (1.0 - wins[index] / 100.0);
    let mut picture = vec![0; (width * height * 3) as usize];
    for x in 0..width {
        // Where White's part begins, between the two positions about this column.
        let place = (f64::from(x) + 0.5) / step;
        let left = (place as usize).min(wins.len() - 1);
        let right = (left + 1).min(wins.len() - 1);
        let edge = top(left) + (top(right) - top(left)) * (place - left as f64);
        for y in 0..height {
            // How much of this pixel is White's.
            let share = (f64::from(y) + 1.0 - edge).clamp(0.0, 1.0);
            let mut pixel = mix(PAPER, LIGHT, share);
            if y == height / 2 {
                pixel = mix(pixel, MIDDLE, 0.6);
            }
            put(&mut picture, width, x, y, pixel);
        }
    }
    for (index, mv) in game.moves.iter().enumerate() {
        if let Some(label) = mv.label {
            let center = ((index + 1) as f64 * step, top(index + 1));
            dot(&mut picture, (width, height), center, color(label));
        }
    }
    picture
}

/// A round dot with a soft edge.
fn dot(picture: &mut [u8], (width, height): (u32, u32), center: (f64, f64), color: Rgb) {
    const RADIUS: f64 = 5.0;
    let (low_x, high_x) = (center.0 - RADIUS - 1.0, center.0 + RADIUS + 1.0);
    let (low_y, high_y) = (center.1 - RADIUS - 1.0, center.1 + RADIUS + 1.0);
    for y in low_y.max(0.0) as u32..(high_y.max(0.0) as u32 + 1).min(height) {
        for x in low_x.max(0.0) as u32..(high_x.max(0.0) as u32 + 1).min(width) {
            let distance = (f64::from(x) + 0.5 - center.0).hypot(f64::from(y) + 0.5 - center.1);
            let share = (RADIUS + 0.5 - distance).clamp(0.0, 1.0);
            let at = ((y * width + x) * 3) as usize;
            let old = [picture[at], picture[at + 1], picture[at + 2]];
            put(picture, width, x, y, mix(old, color, share));
        }
    }
}

fn put(picture: &mut [u8], width: u32, x: u32, y: u32, pixel: Rgb) {
    let at = ((y * width + x) * 3) as usize;
    picture[at..at + 3].copy_from_slice(&pixel);
}

fn mix(from: Rgb, to: Rgb, share: f64) -> Rgb {
    let blend = |index: usize| {
        let (from, to) = (f64::from(from[index]), f64::from(to[index]));
        (from + (to - from) * share).round() as u8
    };
    [blend(0), blend(1), blend(2)]
}
