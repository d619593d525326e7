//! A graph of each game as an SVG picture in a folder: White's chances after each move, with the names of the players, the
//! phases and the numbers of the moves.

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use skewer_analysis::formulas::Label;
use skewer_analysis::judged::{JudgedGame, JudgedMove};
use skewer_movegen::{Color, Outcome};
use skewer_report::{Format, Output, RunInfo, Summaries};
use skewer_store::open_regular;
use skewer_svg::draw::{document, escape, line, text};

// The size of the picture, and the corners of the area of the curve within it, in pixels.
const SIZE: (f64, f64) = (1000.0, 420.0);
const LEFT_TOP: (f64, f64) = (64.0, 56.0);
const RIGHT_BOTTOM: (f64, f64) = (980.0, 368.0);

const FOR_WHITE: &str = "#f6f4ee";
const FOR_BLACK: &str = "#57534b";

struct Graphs {
    folder: PathBuf,
    /// A file that is never finished. As long as it is open, other runs refuse the folder.
    _reserved: Output,
}

pub(super) fn begin(folder: &Path, _run: &RunInfo<'_>) -> Result<Box<dyn Format>> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    // Refuse other pictures now, before the games are analysed.
    let cannot_read = || format!("cannot read {}", folder.display());
    for entry in std::fs::read_dir(folder).with_context(cannot_read)? {
        let path = entry.with_context(cannot_read)?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let number = name.and_then(|name| name.strip_prefix("game-")?.strip_suffix(".svg"));
        if number.is_some_and(|number| number.parse::<u64>().is_ok()) {
            check_replaceable(&path)?;
        }
    }
    Ok(Box::new(Graphs {
        folder: folder.to_owned(),
        _reserved: Output::create(&folder.join("graphs"))?,
    }))
}

impl Format for Graphs {
    fn game(&mut self, game: &JudgedGame) -> Result<()> {
        let name = format!("game-{:06}.svg", game.origin.number);
        let path = self.folder.join(name);
        check_replaceable(&path)?;
        let mut out = Output::create(&path)?;
        out.write_all(graph(game).as_bytes())?;
        out.finish()
    }

    fn finish(self: Box<Self>, _summaries: &Summaries<'_>) -> Result<()> {
        Ok(())
    }
}

/// Refuses a file that is no graph of this program. The beginning of the file decides, because any other picture may have
/// the same name.
fn check_replaceable(path: &Path) -> Result<()> {
    if path.symlink_metadata().is_err() {
        return Ok(());
    }
    let empty = document("", SIZE.0, SIZE.1, "");
    let (beginning, _) = empty.split_once("</title>").unwrap_or_default();
    let mut found = Vec::new();
    let read = open_regular(path, u64::MAX).is_ok_and(|file| {
        let most = beginning.len() as u64;
        file.take(most).read_to_end(&mut found).is_ok()
    });
    if !read || found != beginning.as_bytes() {
        bail!(
            "{} is no graph of this program; choose another folder",
            path.display()
        );
    }
    Ok(())
}

/// Maps plies and win percentages to pixels.
struct Axes {
    plies: f64,
}

impl Axes {
    fn x(&self, ply: usize) -> f64 {
        LEFT_TOP.0 + (RIGHT_BOTTOM.0 - LEFT_TOP.0) * ply as f64 / self.plies
    }

    fn y(win: f64) -> f64 {
        RIGHT_BOTTOM.1 - (RIGHT_BOTTOM.1 - LEFT_TOP.1) * win / 100.0
    }
}

/// The picture. White's part is light and below. Inaccuracies are blue dots, mistakes yellow and blunders red ones; a dot
/// shows its move when the mouse is over it.
fn graph(game: &JudgedGame) -> String {
    let wins = || std::iter::once(game.first_win).chain(game.moves.iter().map(|mv| mv.win));
    let axes = Axes {
        plies: game.moves.len().max(1) as f64,
    };
    let (title, subtitle) = headings(game);
    let mut body = text("title", "start", (LEFT_TOP.0, 24.0), &title);
    body += &text("soft", "start", (LEFT_TOP.0, 44.0), &subtitle);
    let (width, height) = (RIGHT_BOTTOM.0 - LEFT_TOP.0, RIGHT_BOTTOM.1 - LEFT_TOP.1);
    let points = wins()
        .enumerate()
        .map(|(ply, win)| format!("{:.1},{:.1}", axes.x(ply), Axes::y(win)));
    let curve = points.collect::<Vec<_>>().join(" ");
    let (left, bottom) = (LEFT_TOP.0, RIGHT_BOTTOM.1);
    let right = axes.x(game.moves.len());
    let _ = writeln!(
        body,
        "<rect fill=\"{FOR_BLACK}\" x=\"{left}\" y=\"{}\" width=\"{width}\" height=\"{height}\"/>\n\
         <polygon fill=\"{FOR_WHITE}\" points=\"{left},{bottom} {curve} {right:.1},{bottom}\"/>",
        LEFT_TOP.1
    );
    phases(&mut body, &axes, game);
    percentages(&mut body);
    numbers(&mut body, &axes, game);
    for (ply, (win, mv)) in wins().skip(1).zip(&game.moves).enumerate() {
        if let Some((class, word)) = mv.label.map(class_and_word) {
            let _ = writeln!(
                body,
                "<circle class=\"{class}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"5\"><title>{}: {word}</title></circle>",
                axes.x(ply + 1),
                Axes::y(win),
                escape(&described(mv)),
            );
        }
    }
    document(&title, SIZE.0, SIZE.1, &body)
}

/// The class of the dot of a label, and its word.
fn class_and_word(label: Label) -> (&'static str, &'static str) {
    match label {
        Label::Inaccuracy => ("plain", "inaccuracy"),
        Label::Mistake => ("mixed", "mistake"),
        Label::Blunder => ("bad", "blunder"),
    }
}

/// A move with its number: `12... Qh4`.
fn described(mv: &JudgedMove) -> String {
    let dots = match mv.color {
        Color::White => ".",
        Color::Black => "...",
    };
    format!("{}{dots} {}", mv.number, mv.san)
}

/// Draws a line with the name of the phase where a phase begins.
fn phases(body: &mut String, axes: &Axes, game: &JudgedGame) {
    for (index, pair) in game.moves.windows(2).enumerate() {
        if pair[0].phase != pair[1].phase {
            let x = axes.x(index + 1);
            let _ = writeln!(
                body,
                "<line stroke=\"#a8a297\" stroke-dasharray=\"3\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{}\" y2=\"{}\"/>\n\
                 <text style=\"fill:#a8a297\" x=\"{:.1}\" y=\"{}\">{}</text>",
                LEFT_TOP.1,
                RIGHT_BOTTOM.1,
                x + 4.0,
                LEFT_TOP.1 + 14.0,
                <&str>::from(pair[1].phase)
            );
        }
    }
}

fn percentages(body: &mut String) {
    for percent in [0_u8, 25, 50, 75, 100] {
        let y = Axes::y(f64::from(percent));
        let end = if percent == 50 {
            RIGHT_BOTTOM.0
        } else {
            LEFT_TOP.0
        };
        *body += &line("grid", (LEFT_TOP.0 - 5.0, y), (end, y));
        let label = format!("{percent}%");
        *body += &text("", "end", (LEFT_TOP.0 - 9.0, y + 4.0), &label);
    }
}

/// The numbers of the moves, each after the move of Black.
fn numbers(body: &mut String, axes: &Axes, game: &JudgedGame) {
    let start = &game.line.boards[0];
    let first = usize::from(start.fullmove_number());
    let black_first = usize::from(start.turn() == Color::Black);
    let moves = game.moves.len().div_ceil(2);
    let every = [1, 2, 5, 10, 20, 50, 100]
        .into_iter()
        .find(|every| moves / every <= 15)
        .unwrap_or(200);
    for number in (every..=moves).step_by(every) {
        let ply = 2 * number - black_first;
        if ply > game.moves.len() {
            break;
        }
        let x = axes.x(ply);
        *body += &line("axis", (x, RIGHT_BOTTOM.1), (x, RIGHT_BOTTOM.1 + 5.0));
        let label = (number + first - 1).to_string();
        *body += &text("", "middle", (x, RIGHT_BOTTOM.1 + 19.0), &label);
    }
    let middle = f64::midpoint(LEFT_TOP.0, RIGHT_BOTTOM.0);
    *body += &text("soft", "middle", (middle, RIGHT_BOTTOM.1 + 40.0), "move");
}

/// Two headings: the players with the result; and what the graph shows, with the date and the opening.
fn headings(game: &JudgedGame) -> (String, String) {
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
    (
        title,
        format!("White's chances to win. {}", rest.join(", ")),
    )
}
