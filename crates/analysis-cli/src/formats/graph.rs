//! The graph of a game as a picture: White's chances after each move, with the players' names, the
//! phases and the numbers of the moves.

use std::io::Write;

use anyhow::Result;
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};
use skewer_movegen::{Color, Outcome};

use skewer_analysis::formulas::Label;
use skewer_analysis::judged::JudgedGame;

/// The size of the picture, in pixels.
const GRAPH_SIZE: (u32, u32) = (1000, 420);

type Rgb = [u8; 3];

const PAPER: Rgb = [0xff, 0xff, 0xff];
const INK: Rgb = [0x26, 0x24, 0x1f];
const RULE: Rgb = [0xa8, 0xa2, 0x97];
const FOR_WHITE: Rgb = [0xf6, 0xf4, 0xee];
const FOR_BLACK: Rgb = [0x57, 0x53, 0x4b];

/// Space around the plot, in pixels: left, right, top, bottom.
const MARGINS: (f64, f64, f64, f64) = (64.0, 20.0, 56.0, 52.0);

const HEIGHT: RasterHeight = RasterHeight::Size16;
const WEIGHT: FontWeight = FontWeight::Regular;

/// Writes a picture of [`GRAPH_SIZE`] pixels. White's part is light and below; dots are
/// inaccuracies (blue), mistakes (orange) and blunders (red).
///
/// # Errors
///
/// When it cannot be written.
pub(crate) fn write_png(out: impl Write, game: &JudgedGame) -> Result<()> {
    let (width, height) = GRAPH_SIZE;
    let mut encoder = png::Encoder::new(out, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&draw(game).pixels)?;
    writer.finish()?;
    Ok(())
}

/// The colour of the dot of a label.
fn color(label: Label) -> Rgb {
    match label {
        Label::Inaccuracy => [0x1c, 0x6a, 0x96],
        Label::Mistake => [0xe0, 0x8a, 0x00],
        Label::Blunder => [0xc9, 0x27, 0x27],
    }
}

/// Maps half-moves and win percentages to pixels.
struct Axes {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    plies: f64,
}

impl Axes {
    fn x(&self, ply: f64) -> f64 {
        self.left + (self.right - self.left) * ply / self.plies
    }

    fn y(&self, win: f64) -> f64 {
        self.bottom - (self.bottom - self.top) * win / 100.0
    }
}

fn draw(game: &JudgedGame) -> Picture {
    let mut wins = vec![game.first_win];
    wins.extend(game.moves.iter().map(|mv| mv.win));
    let (width, height) = GRAPH_SIZE;
    let axes = Axes {
        left: MARGINS.0,
        right: f64::from(width) - MARGINS.1,
        top: MARGINS.2,
        bottom: f64::from(height) - MARGINS.3,
        plies: (wins.len().max(2) - 1) as f64,
    };
    let mut picture = Picture::new(width, height);
    draw_chances(&mut picture, &axes, &wins);
    draw_phases(&mut picture, &axes, game);
    draw_axes(&mut picture, &axes, game);
    for (index, mv) in game.moves.iter().enumerate() {
        if let Some(label) = mv.label {
            let center = (axes.x((index + 1) as f64), axes.y(wins[index + 1]));
            picture.dot(center, color(label));
        }
    }
    draw_title(&mut picture, game);
    picture
}

fn draw_chances(picture: &mut Picture, axes: &Axes, wins: &[f64]) {
    for x in axes.left as u32..=axes.right as u32 {
        // Interpolate between the positions on either side of this column.
        let place = (f64::from(x) - axes.left) / (axes.right - axes.left) * axes.plies;
        let first = (place as usize).min(wins.len() - 1);
        let second = (first + 1).min(wins.len() - 1);
        let win = wins[first] + (wins[second] - wins[first]) * (place - first as f64);
        let edge = axes.y(win);
        for y in axes.top as u32..=axes.bottom as u32 {
            // The share of this pixel that is White's.
            let share = (f64::from(y) + 1.0 - edge).clamp(0.0, 1.0);
            picture.put(x, y, mix(FOR_BLACK, FOR_WHITE, share));
        }
    }
}

fn draw_phases(picture: &mut Picture, axes: &Axes, game: &JudgedGame) {
    for (index, pair) in game.moves.windows(2).enumerate() {
        if pair[0].phase != pair[1].phase {
            let x = axes.x((index + 1) as f64);
            for y in (axes.top as u32..axes.bottom as u32).filter(|y| y % 6 < 3) {
                picture.put(x as u32, y, RULE);
            }
            picture.text(x + 4.0, axes.top + 2.0, pair[1].phase.into(), RULE);
        }
    }
}

fn draw_axes(picture: &mut Picture, axes: &Axes, game: &JudgedGame) {
    for percent in [0_u8, 25, 50, 75, 100] {
        let y = axes.y(f64::from(percent));
        for x in axes.left as u32 - 5..=axes.right as u32 {
            if percent == 50 || x < axes.left as u32 {
                picture.put(x, y as u32, RULE);
            }
        }
        let label = format!("{percent}%");
        let x = axes.left - 9.0 - text_width(&label);
        picture.text(x, y - 8.0, &label, INK);
    }
    let white_first = game.line.boards[0].turn() == Color::White;
    let first = usize::from(game.line.boards[0].fullmove_number());
    let moves = game.moves.len().div_ceil(2);
    let every = [1, 2, 5, 10, 20, 50, 100]
        .into_iter()
        .find(|every| moves / every <= 15)
        .unwrap_or(200);
    for number in (every..=moves).step_by(every) {
        // After the move of Black with this number.
        let ply = (2 * number - usize::from(!white_first)) as f64;
        if ply > axes.plies {
            break;
        }
        for y in 0..5 {
            picture.put(axes.x(ply) as u32, axes.bottom as u32 + y, RULE);
        }
        let label = (number + first - 1).to_string();
        let x = axes.x(ply) - text_width(&label) / 2.0;
        picture.text(x, axes.bottom + 7.0, &label, INK);
    }
    let label = "move";
    let x = f64::midpoint(axes.left, axes.right) - text_width(label) / 2.0;
    picture.text(x, axes.bottom + 28.0, label, INK);
}

fn draw_title(picture: &mut Picture, game: &JudgedGame) {
    let name = |color| match game.player(color) {
        "" => "?",
        name => name,
    };
    let title = format!(
        "{} - {}  {}",
        name(Color::White),
        name(Color::Black),
        Outcome::pgn_result(game.game.outcome)
    );
    let opening = game.opening.map(|name| name.name.to_owned());
    let rest: Vec<String> = game.date().into_iter().chain(opening).collect();
    picture.text(MARGINS.0, 8.0, &title, INK);
    picture.text(
        MARGINS.0,
        30.0,
        &format!("White's chances to win. {}", rest.join(", ")),
        FOR_BLACK,
    );
}

/// The width of a text in pixels.
fn text_width(text: &str) -> f64 {
    (text.chars().count() * get_raster_width(WEIGHT, HEIGHT)) as f64
}

/// A picture in memory.
struct Picture {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

impl Picture {
    fn new(width: u32, height: u32) -> Self {
        let pixels = PAPER.repeat((width * height) as usize);
        Self {
            width,
            height,
            pixels,
        }
    }

    fn place(&self, x: u32, y: u32) -> Option<usize> {
        (x < self.width && y < self.height).then(|| ((y * self.width + x) * 3) as usize)
    }

    fn put(&mut self, x: u32, y: u32, color: Rgb) {
        if let Some(at) = self.place(x, y) {
            self.pixels[at..at + 3].copy_from_slice(&color);
        }
    }

    /// Mixes a colour into a pixel.
    fn blend(&mut self, x: u32, y: u32, color: Rgb, share: f64) {
        if let Some(at) = self.place(x, y) {
            let old = [self.pixels[at], self.pixels[at + 1], self.pixels[at + 2]];
            self.put(x, y, mix(old, color, share));
        }
    }

    /// Writes a text from its upper left corner, as far as it fits. A letter that the font lacks
    /// becomes a replacement mark.
    fn text(&mut self, x: f64, y: f64, text: &str, color: Rgb) {
        let mut left = x.max(0.0) as u32;
        let top = y.max(0.0) as u32;
        for c in text.chars() {
            let glyph = get_raster(c, WEIGHT, HEIGHT)
                .or_else(|| get_raster('\u{fffd}', WEIGHT, HEIGHT))
                .or_else(|| get_raster('?', WEIGHT, HEIGHT));
            let Some(glyph) = glyph else { continue };
            for (down, row) in (0..).zip(glyph.rows()) {
                for (right, &ink) in (0..).zip(row.iter()) {
                    self.blend(left + right, top + down, color, f64::from(ink) / 255.0);
                }
            }
            left += glyph.width() as u32;
        }
    }

    /// A round dot with a soft edge.
    fn dot(&mut self, center: (f64, f64), color: Rgb) {
        const RADIUS: f64 = 5.0;
        let reach = |middle: f64| {
            let low = (middle - RADIUS - 1.0).max(0.0) as u32;
            low..(middle + RADIUS + 2.0).max(0.0) as u32
        };
        for y in reach(center.1) {
            for x in reach(center.0) {
                let away = (f64::from(x) + 0.5 - center.0).hypot(f64::from(y) + 0.5 - center.1);
                self.blend(x, y, color, (RADIUS + 0.5 - away).clamp(0.0, 1.0));
            }
        }
    }
}

fn mix(from: Rgb, to: Rgb, share: f64) -> Rgb {
    let blend = |index: usize| {
        let (from, to) = (f64::from(from[index]), f64::from(to[index]));
        (from + (to - from) * share).round() as u8
    };
    [blend(0), blend(1), blend(2)]
}
