//! The parts that both forms of the report share: the page, its style and scripts, and the data.

use std::collections::BTreeMap;

use anyhow::Result;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use indexmap::IndexSet;
use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use skewer_movegen::{Board, CastlingMode, Color, Outcome};

use crate::PageEngine;
use crate::notes::{Notes, Variation, before_the_first_move, notes};
use crate::{LiveReport, RunInfo, Summaries};
use skewer_analysis::formulas::Eval;
use skewer_analysis::json::rounded;
use skewer_analysis::judged::{JudgedGame, Origin};
use skewer_analysis::line::uci;
use skewer_analysis::params::{SURE, SURE_EXERCISE};
use skewer_analysis::scale::Scale;
use skewer_analysis::standing::Standing;

/// The page. `{...}` are replaced.
const PAGE: &str = include_str!("page/page.html");

/// The style sheet.
const STYLE: &str = include_str!("page/style.css");

/// The scripts, in the order in which they are run.
const SCRIPTS: [&str; 20] = [
    include_str!("page/choices.js"),
    include_str!("page/chess.js"),
    include_str!("page/notation.js"),
    include_str!("page/data.js"),
    include_str!("page/board.js"),
    include_str!("page/graphs.js"),
    include_str!("../../wasm/npm/skewer-chess.js"),
    include_str!("page/engine.js"),
    include_str!("page/notes.js"),
    include_str!("page/pgn.js"),
    include_str!("page/print.js"),
    include_str!("page/game.js"),
    include_str!("page/list.js"),
    include_str!("page/study.js"),
    include_str!("page/insights.js"),
    include_str!("page/tree.js"),
    include_str!("page/exercises.js"),
    include_str!("page/worksheet.js"),
    include_str!("page/compare.js"),
    include_str!("page/play.js"),
];

/// The script that starts the page.
const START: &str = include_str!("page/start.js");

/// The most groups of a dimension in the page. The aggregates as JSON and CSV have all groups.
const PAGE_GROUPS: usize = 200;

/// All scripts as one, with the scripts of an application before the start.
fn script(more: &str) -> String {
    format!("\"use strict\";\n{}\n{more}{START}", SCRIPTS.join("\n"))
}

/// The source of a security policy that stands for a script or a style sheet within the page.
pub(crate) fn hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// The parts of the page before and after the data. The security policy allows only this script and
/// the sources in `more`, so that no text in the games can run as a script. With an engine, the
/// page may also compile WebAssembly, and run it in a worker.
fn page(
    script: &str,
    head: &str,
    more: &str,
    engine: Option<&PageEngine>,
    application: Option<&Application<'_>>,
) -> [String; 2] {
    let [compile, worker] = match engine {
        Some(_) => [" 'wasm-unsafe-eval'", "worker-src blob:; "],
        None => ["", ""],
    };
    let policy = format!(
        "default-src 'none'; script-src {}{more}{compile}; {worker}{}style-src {}{}; \
         img-src data:; base-uri 'none'; form-action 'none'",
        hash(script),
        application.map_or_else(String::new, |own| format!("connect-src {}; ", own.connect)),
        hash(STYLE),
        application.map_or_else(String::new, |own| format!(" {}", hash(own.style))),
    );
    let own_style =
        application.map_or_else(String::new, |own| format!("<style>{}</style>", own.style));
    let whole = PAGE
        .replace("{policy}", &policy)
        .replace(
            "{title}",
            application.map_or("Game analysis", |own| own.title),
        )
        .replace("{tab}", application.map_or("", |own| own.tab))
        .replace("{part}", application.map_or("", |own| own.part))
        .replace(
            "{head}",
            &format!("{head}<style>{STYLE}</style>{own_style}"),
        )
        .replace("{pieces}", &skewer_svg::pieces::symbols());
    let (head, tail) = whole.split_once("{end}").unwrap_or((&whole, ""));
    [head.to_owned(), format!("<script>{script}</script>{tail}")]
}

/// The page of a report that is a folder. `mark` is put into its head.
///
/// Browsers check no hash of a script that a local page loads. So the policy trusts the scripts
/// that the script of the page loads, and a second policy allows no script from the network.
pub(crate) fn folder_page(mark: &str, engine: Option<&PageEngine>) -> String {
    let script = script("");
    let local = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"script-src-elem 'self' file: {}\">",
        hash(&script)
    );
    let head = format!("{mark}\n{local}\n");
    page(&script, &head, " 'strict-dynamic'", engine, None).concat()
}

/// The page of a report in one file: the parts before and after the data.
pub(crate) fn one_file(engine: Option<&PageEngine>) -> [String; 2] {
    page(&script(""), "", "", engine, None)
}

/// What an application adds to the page of the report, which then begins without games.
#[derive(Clone, Copy, Debug)]
pub struct Application<'a> {
    /// The title.
    pub title: &'a str,
    /// The button of its part of the page.
    pub tab: &'a str,
    /// Its part of the page.
    pub part: &'a str,
    /// Its style sheet.
    pub style: &'a str,
    /// Its scripts, each ended by a line break.
    pub script: &'a str,
    /// The sources to which the page may connect, as a security policy has them.
    pub connect: &'a str,
}

/// The page of an application: a report without games that has more parts.
///
/// # Errors
///
/// None in practice, because JSON can hold all of the data.
pub fn application(own: &Application<'_>, engine: &PageEngine) -> Result<String> {
    let run = RunInfo {
        settings: "",
        page_engine: Some(engine),
        engine_left_out: false,
    };
    let [head, tail] = page(&script(own.script), "", "", Some(engine), Some(own));
    let report = LiveReport::new(&run);
    Ok([
        head,
        engine_element(engine),
        data_element("games", "[]"),
        data_element("index", &report.index()?),
        data_element("insights", &report.insights()?),
        tail,
    ]
    .concat())
}

/// The engine as an element of a page in one file.
pub(crate) fn engine_element(engine: &PageEngine) -> String {
    let text = engine.as_base64();
    format!("<script type=\"text/plain\" id=\"data-engine\">{text}</script>\n")
}

/// Data as an element of a page in one file.
fn data_element(name: &str, json: &str) -> String {
    format!("<script type=\"application/json\" id=\"data-{name}\">{json}</script>\n")
}

/// A value as JSON that may stand within a script.
pub(crate) fn json_text(value: &impl Serialize) -> Result<String> {
    // The browser would parse `</script>` in a text as the end of the script.
    Ok(serde_json::to_string(value)?.replace('<', "\\u003c"))
}

/// The aggregates with every label and with sure labels alone, of which only the largest groups are shown.
pub(crate) fn insights_json(summaries: &Summaries<'_>) -> Result<String> {
    let mut value = json!({ "every": summaries.every, "sure": summaries.sure });
    for scope in ["every/all", "every/player", "sure/all", "sure/player"] {
        let groups = value.pointer_mut(&format!("/{scope}/groups"));
        for (dimension, rows) in groups.and_then(Value::as_object_mut).into_iter().flatten() {
            if let Some(rows) = rows.as_array_mut()
                && dimension != "month"
            {
                rows.truncate(PAGE_GROUPS);
            }
        }
    }
    json_text(&value)
}

/// An evaluation: a number of centipawns, or `#` and moves to mate.
fn score(eval: Eval) -> Value {
    match eval {
        Eval::Cp(cp) => cp.into(),
        Eval::Mate(moves) => format!("#{moves}").into(),
        Eval::Mated { .. } => "#".into(),
    }
}

/// A game in the page. Field names are short, because they are repeated for every move. Moves are in
/// UCI notation of Chess960: castling is the king capturing its rook.
#[derive(Serialize)]
pub(crate) struct PageGame<'a> {
    n: u64,
    tags: BTreeMap<&'a str, &'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    chess960: bool,
    result: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<[&'a str; 2]>,
    accuracy: [Option<f64>; 2],
    loss: [Option<f64>; 2],
    /// Inaccuracies, mistakes, blunders.
    marks: [[usize; 3]; 2],
    /// The same without labels that are not sure.
    sure: [[usize; 3]; 2],
    /// The evaluation before the first move.
    first: Value,
    /// White's win percentage before the first move.
    first_win: f64,
    /// What the file says before the first move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    o: Vec<String>,
    moves: Vec<PageMove<'a>>,
    /// The engine's lines in each position: evaluation, moves, and White's win percentage.
    lines: Vec<Vec<(Value, String, f64)>>,
}

#[derive(Serialize)]
struct PageMove<'a> {
    /// In standard notation.
    s: &'a str,
    /// As UCI.
    u: String,
    /// The evaluation.
    e: Value,
    /// White's win percentage.
    w: f64,
    /// The grade, from 0 for a book move to 6 for a blunder.
    g: u8,
    /// The accuracy.
    a: f64,
    /// The phase, from 0 for the opening.
    p: u8,
    /// The depth of the search.
    d: u32,
    /// The clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    k: Option<f64>,
    /// The time spent.
    #[serde(skip_serializing_if = "Option::is_none")]
    t: Option<f64>,
    /// The loss in lichess's hundredths of a pawn.
    #[serde(skip_serializing_if = "is_zero")]
    l: i32,
    /// The standing of the player before the move: 1 for won, 2 for lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    z: Option<u8>,
    /// The motifs in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    x: Vec<String>,
    /// The kinds of the motifs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    q: Vec<&'static str>,
    /// What was wrong with a weak move, as a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    y: Option<String>,
    /// How sure the label, or its absence, is, in per cent rounded down.
    #[serde(skip_serializing_if = "Option::is_none")]
    c: Option<u8>,
    /// What the file says about the move.
    #[serde(flatten)]
    notes: Notes,
    /// The variations of the file in place of the move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    v: Vec<Variation>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(value: &i32) -> bool {
    *value == 0
}

impl<'a> PageGame<'a> {
    pub(crate) fn new(game: &'a JudgedGame) -> Self {
        let start = game.game.start();
        let mode = CastlingMode::Chess960;
        let mut own = notes(&game.game);
        own.resize_with(game.moves.len(), Default::default);
        let moves = game
            .moves
            .iter()
            .zip(&game.line.boards)
            .zip(own)
            .enumerate()
            .map(|(index, ((mv, board), (notes, variations)))| PageMove {
                s: &mv.san,
                u: mv
                    .mv
                    .map_or_else(String::new, |mv| board.uci_in(mv, mode).to_string()),
                e: score(mv.eval),
                w: rounded(mv.win),
                g: mv.grade as u8,
                a: rounded(mv.accuracy),
                p: mv.phase as u8,
                d: mv.depth,
                k: mv.time.clock,
                t: mv.time.spent.map(rounded),
                l: mv.loss,
                z: match mv.standing {
                    Standing::Winning => Some(1),
                    Standing::Level => None,
                    Standing::Losing => Some(2),
                },
                x: mv.motifs.iter().map(|motif| motif.text()).collect(),
                q: mv.motifs.iter().map(<&str>::from).collect(),
                y: game.sentence(index),
                c: mv.doubt.map(|doubt| (100.0 * doubt.chance()) as u8),
                notes,
                v: variations,
            });
        let lines = game
            .lines
            .iter()
            .zip(&game.line.boards)
            .map(|(lines, board)| {
                let line = |line: &skewer_analysis::judged::Line| {
                    (
                        score(line.eval),
                        uci(board, mode, &line.moves).join(" "),
                        rounded(line.win),
                    )
                };
                lines.iter().map(line).collect()
            });
        let figure = |choose: fn(&skewer_analysis::formulas::PlayerFigures) -> Option<f64>| {
            [0, 1].map(|player| choose(&game.figures[player]).map(rounded))
        };
        Self {
            n: game.origin.number,
            tags: game.game.tags.iter().collect(),
            fen: (start.board != Board::STARTPOS).then(|| start.board.to_fen_in(mode).to_string()),
            chess960: start.mode == CastlingMode::Chess960,
            result: Outcome::pgn_result(game.game.outcome),
            opening: game.opening.map(|name| [name.eco, name.name]),
            accuracy: figure(|figures| figures.accuracy),
            loss: figure(|figures| figures.average_loss),
            marks: [game.marks(Color::White), game.marks(Color::Black)],
            sure: [Color::White, Color::Black].map(|color| game.sure_marks(color)),
            first: score(game.first),
            first_win: rounded(game.first_win),
            o: before_the_first_move(&game.game),
            moves: moves.collect(),
            lines: lines.collect(),
        }
    }
}

/// The list of games, column by column, in about seventy bytes a game.
#[derive(Default, Serialize)]
pub(crate) struct Index {
    settings: String,
    /// Whether the report has an engine for the page.
    engine: bool,
    /// Whether there is no engine because the user asked for that.
    engine_left_out: bool,
    /// The chance in per cent from which a label counts as sure.
    sure_from: u32,
    /// The same for exercises.
    exercise_from: u32,
    /// The curve from this engine's centipawns to lichess's, for the engine in the page.
    scale: Vec<[f64; 2]>,
    /// Games in each data file; 0 if all are in the page.
    chunk: usize,
    /// Games that did not fit into the page.
    pub(crate) omitted: u64,
    names: IndexSet<String>,
    events: IndexSet<String>,
    openings: IndexSet<String>,
    /// The numbers of the games.
    number: Vec<u64>,
    white: Vec<usize>,
    black: Vec<usize>,
    white_elo: Vec<u16>,
    black_elo: Vec<u16>,
    event: Vec<usize>,
    opening: Vec<usize>,
    /// `YYYYMMDD`, 0 where unknown.
    date: Vec<u32>,
    moves: Vec<usize>,
    /// `1`, `0`, `=` or `*` for each game.
    result: String,
    /// A digit for each game: 0 if unknown, or the class of the time control from 1.
    speed: String,
    /// For each game and player, two digits to base 36: the accuracy in per cent plus 1, or 0 if it is unknown.
    accuracy: String,
    /// For each game and player, inaccuracies, mistakes and blunders as digits to base 36.
    marks: String,
    /// The same without labels that are not sure.
    sure: String,
    bad: Vec<BadGame>,
}

#[derive(Serialize)]
struct BadGame {
    number: u64,
    file: String,
    reason: String,
}

impl Index {
    pub(crate) fn new(run: &RunInfo<'_>, chunk: usize) -> Self {
        Self {
            settings: run.settings.to_owned(),
            engine: run.page_engine.is_some(),
            engine_left_out: run.engine_left_out,
            sure_from: (100.0 * SURE).round() as u32,
            exercise_from: (100.0 * SURE_EXERCISE).round() as u32,
            scale: Scale::Skewer.points(),
            chunk,
            ..Self::default()
        }
    }

    pub(crate) fn games(&self) -> u64 {
        self.number.len() as u64
    }

    pub(crate) fn add(&mut self, game: &JudgedGame) {
        let opening = game
            .opening
            .map_or_else(String::new, |name| format!("{} {}", name.eco, name.name));
        self.number.push(game.origin.number);
        self.white
            .push(place(&mut self.names, game.player(Color::White)));
        self.black
            .push(place(&mut self.names, game.player(Color::Black)));
        self.white_elo.push(game.elo(Color::White).unwrap_or(0));
        self.black_elo.push(game.elo(Color::Black).unwrap_or(0));
        self.event.push(place(&mut self.events, game.tag("Event")));
        self.opening.push(place(&mut self.openings, &opening));
        self.date.push(game.date().map_or(0, |date| day(&date)));
        self.moves.push(game.moves.len());
        self.result.push(match game.game.outcome {
            Some(Outcome::WhiteWins) => '1',
            Some(Outcome::BlackWins) => '0',
            Some(Outcome::Draw) => '=',
            None => '*',
        });
        self.speed
            .push(digit(game.speed().map_or(0, |speed| speed as u32 + 1)));
        for color in Color::ALL {
            let accuracy = game.figures[color.index()].accuracy;
            let accuracy = accuracy.map_or(0, |percent| percent.round() as u32 + 1);
            self.accuracy.push(digit(accuracy / 36));
            self.accuracy.push(digit(accuracy % 36));
            for count in game.marks(color) {
                self.marks.push(digit(count.min(35) as u32));
            }
            for count in game.sure_marks(color) {
                self.sure.push(digit(count.min(35) as u32));
            }
        }
    }

    pub(crate) fn add_bad(&mut self, origin: &Origin, reason: &str) {
        self.bad.push(BadGame {
            number: origin.number,
            file: origin.file.clone(),
            reason: reason.to_owned(),
        });
    }
}

/// The index of a text in `texts`. A new text is added.
fn place(texts: &mut IndexSet<String>, text: &str) -> usize {
    let known = texts.get_index_of(text);
    known.unwrap_or_else(|| texts.insert_full(text.to_owned()).0)
}

/// A digit to base 36.
fn digit(value: u32) -> char {
    char::from_digit(value, 36).unwrap_or('z')
}

/// A date such as `2025-05-01` as a number, 20250501; unknown parts are 0.
fn day(date: &str) -> u32 {
    let mut parts = date.split('-').map(|part| part.parse().unwrap_or(0));
    let mut next = || parts.next().unwrap_or(0);
    next() * 10_000 + next() * 100 + next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_as_numbers() {
        assert_eq!(day("2025-05-01"), 20_250_501);
        assert_eq!(day("2025"), 20_250_000);
    }

    #[test]
    fn data_cannot_end_a_script() {
        let text = json_text(&"</script><b>").unwrap();
        assert!(!text.contains('<'), "{text}");
    }

    #[test]
    fn the_page_has_a_place_for_everything() {
        for place in [
            "{policy}", "{title}", "{head}", "{pieces}", "{tab}", "{part}", "{end}",
        ] {
            assert_eq!(PAGE.matches(place).count(), 1, "{place}");
        }
        let [head, tail] = one_file(None);
        assert!(head.contains("<style>") && tail.contains("</html>"));
        assert!(!script("").contains("</script"), "it would end there");
    }
}
