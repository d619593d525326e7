//! Writes games in the export format of the PGN standard: the roster first, lines of at most 80
//! columns, escapes, results.

use std::fmt;

use skewer_movegen::{CastlingMode, Color, Outcome};

use crate::game::ROSTER;
use crate::params::LINE_WIDTH;
use crate::results::outcome_and_remark;
use crate::start::is_unknown;
use crate::tag::looks_like_tag;
use crate::{GameErrorKind, NodeId, PgnGame, Tags};

impl fmt::Display for PgnGame {
    /// The export format, with an empty line at its end. The format's width (`{:100}`) is the number of
    /// columns of a line of moves, 80 unless given; the alternate form (`{:#}`) and a width of zero put
    /// all moves on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Lines {
            out: String::new(),
            width: if f.alternate() {
                0
            } else {
                f.width().unwrap_or(LINE_WIDTH)
            },
            column: 0,
            opened: 0,
            empty: true,
        };
        write_tags(&mut lines.out, self);
        write_moves(&mut lines, self);
        lines.word(Outcome::pgn_result(self.outcome));
        f.write_str(&lines.out)?;
        f.write_str("\n\n")
    }
}

fn write_tags(out: &mut String, game: &PgnGame) {
    let mut tags = game.tags.clone();
    set_own_tags(&mut tags, game);
    let mut ordered = Tags::default();
    for name in ROSTER {
        let missing = if name == "Date" { "????.??.??" } else { "?" };
        ordered.set(name, tags.get(name).unwrap_or(missing));
    }
    for (name, value) in tags.iter() {
        ordered.set(name, value);
    }
    for (name, value) in ordered.iter() {
        // Characters that a name cannot have are replaced. Without them the name could become the name of another tag.
        let plain = |c: char| {
            let is_plain = c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
            if is_plain { c } else { '_' }
        };
        let name: String = name.chars().map(plain).collect();
        if name.is_empty() {
            continue;
        }
        out.push('[');
        out.push_str(&name);
        out.push_str(" \"");
        for c in value.chars() {
            match c {
                '"' | '\\' => out.extend(['\\', c]),
                c if c.is_control() => out.push(' '),
                c => out.push(c),
            }
        }
        out.push_str("\"]\n");
    }
    if !ordered.is_empty() {
        out.push('\n');
    }
}

/// The tags that follow from the game itself.
fn set_own_tags(tags: &mut Tags, game: &PgnGame) {
    if !keeps_result(game) {
        tags.set("Result", Outcome::pgn_result(game.outcome));
    }
    for name in ["FEN", "SetUp"] {
        tags.remove_other_cases(name);
    }
    let start = game.start();
    if start.is_standard() {
        // A tag that only says "standard" may stay.
        tags.remove("FEN");
        tags.remove("SetUp");
        return;
    }
    let fen = start.board.to_fen_in(start.mode).to_string();
    if start.mode == CastlingMode::Chess960 {
        let names_chess960 = tags
            .get("Variant")
            .and_then(|variant| crate::Start::from_tags(None, Some(variant)).ok())
            .is_some_and(|start| start.mode == CastlingMode::Chess960);
        if !names_chess960 {
            tags.set("Variant", "Chess960");
        }
    }
    tags.set("SetUp", "1");
    tags.set("FEN", fen);
}

/// Whether the tag `Result` stays as it is: if the game was read with another result after its moves, because nobody
/// knows which of the two is wrong; if the tag has the result of the game and a remark; or if the tag is no outcome,
/// such as `0-0`, and the game has none.
fn keeps_result(game: &PgnGame) -> bool {
    let Some(text) = game.tags.get("Result") else {
        return false;
    };
    let Some((result, remark)) = outcome_and_remark(text) else {
        return game.outcome.is_none() && !is_unknown(text);
    };
    if game.outcome == Some(result) && !remark.is_empty() {
        return true;
    }
    let has_two = |reason: &GameErrorKind| match *reason {
        GameErrorKind::TwoResults { tag, moves } => tag == result && game.outcome == Some(moves),
        _ => false,
    };
    game.problems.iter().any(|problem| has_two(&problem.reason))
}

/// Words, joined by blanks and broken into lines.
struct Lines {
    out: String,
    width: usize,
    column: usize,
    /// Opening parentheses that wait for the next word.
    opened: usize,
    empty: bool,
}

impl Lines {
    fn word(&mut self, word: &str) {
        let length = word.chars().count() + self.opened;
        if !self.empty {
            // Some characters have another meaning at the beginning of a line, so the line before may get
            // too long.
            let risky =
                self.opened == 0 && word.starts_with(['%', ';', '[']) && !word.starts_with("[%");
            if risky {
                self.blank(" ");
            } else {
                self.separate(1 + length, " ");
            }
        }
        self.out.extend(std::iter::repeat_n('(', self.opened));
        self.out.push_str(word);
        self.column += length;
        self.opened = 0;
        self.empty = false;
    }

    /// Ends the line if the next words do not fit.
    fn separate(&mut self, columns: usize, blank: &str) {
        if self.width > 0 && self.column + columns > self.width {
            self.out.push('\n');
            self.column = 0;
        } else {
            self.blank(blank);
        }
    }

    fn blank(&mut self, blank: &str) {
        self.out.push_str(blank);
        self.column += blank.len();
    }

    fn open(&mut self) {
        self.opened += 1;
    }

    fn close(&mut self) {
        self.separate(1, "");
        self.out.push(')');
        self.column += 1;
    }

    fn comment(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        // An opening brace after a tag would make the reader take the comment for an unclosed comment.
        let quotes_tag = text
            .match_indices('[')
            .any(|(at, _)| looks_like_tag(&text.as_bytes()[at..]) && text[at..].contains(']'));
        // A comment cannot contain a closing brace.
        let text: String = text
            .chars()
            .map(|c| match c {
                '}' => ')',
                '{' if quotes_tag => '(',
                c if c.is_control() => ' ',
                c => c,
            })
            .collect();
        self.word("{");
        for piece in pieces(&text) {
            self.word(piece);
        }
        self.word("}");
    }
}

/// The pieces of a comment between which a line may end: split at single blanks outside of commands such
/// as `[%eval 0.17,18]`.
fn pieces(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    // Without this limit, a comment of many open brackets would be searched to its end for each of them.
    let last = text.rfind(']').unwrap_or(0);
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < bytes.len() {
        let is_command = at < last && bytes[at..].starts_with(b"[%");
        if let Some(end) = is_command.then(|| text[at..].find(']')).flatten() {
            at += end;
        } else if bytes[at] == b' '
            && at > start
            && bytes[at - 1] != b' '
            && bytes.get(at + 1).is_some_and(|&next| next != b' ')
        {
            pieces.push(&text[start..at]);
            start = at + 1;
        }
        at += 1;
    }
    pieces.push(&text[start..]);
    pieces
}

/// Work that remains.
enum Task {
    /// The line after this node. `Numbered` says whether its first move gets a number even if it is Black's.
    Line(NodeId, Numbered),
    /// One variation, in parentheses.
    Variation(NodeId),
    Close,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbered {
    Always,
    IfWhite,
}

fn write_moves(lines: &mut Lines, game: &PgnGame) {
    let root = game.node(NodeId::ROOT);
    for comment in &root.comments {
        lines.comment(comment);
    }
    // An explicit stack, because variations may nest deeper than the call stack allows.
    let mut tasks = vec![Task::Line(NodeId::ROOT, Numbered::Always)];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Close => lines.close(),
            Task::Variation(id) => {
                lines.open();
                write_move(lines, game, id, Numbered::Always);
                let numbered = after_move(game, id);
                tasks.push(Task::Close);
                tasks.push(Task::Line(id, numbered));
            }
            Task::Line(mut id, mut numbered) => {
                while let Some((&main, variations)) = game.node(id).children().split_first() {
                    write_move(lines, game, main, numbered);
                    numbered = after_move(game, main);
                    if !variations.is_empty() {
                        tasks.push(Task::Line(main, Numbered::Always));
                        tasks.extend(variations.iter().rev().map(|&id| Task::Variation(id)));
                        break;
                    }
                    id = main;
                }
            }
        }
    }
}

/// Whether the move after this one needs its number.
fn after_move(game: &PgnGame, id: NodeId) -> Numbered {
    if game.node(id).comments.is_empty() {
        Numbered::IfWhite
    } else {
        Numbered::Always
    }
}

fn write_move(lines: &mut Lines, game: &PgnGame, id: NodeId, numbered: Numbered) {
    let node = game.node(id);
    let Some(parent) = node.parent() else { return };
    let board = game.node(parent).board();
    for comment in &node.comments_before {
        lines.comment(comment);
    }
    let number = board.fullmove_number();
    match board.turn() {
        Color::White => lines.word(&format!("{number}.")),
        Color::Black if numbered == Numbered::Always => lines.word(&format!("{number}...")),
        Color::Black => {}
    }
    let word = match node.mv() {
        Some(mv) => board.san(mv).to_string(),
        None => "--".to_owned(),
    };
    lines.word(&word);
    for nag in &node.nags {
        lines.word(&nag.to_string());
    }
    for comment in &node.comments {
        lines.comment(comment);
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::pieces;

    /// A search to the end for each bracket would take minutes.
    #[test]
    fn a_comment_of_open_brackets_is_split_in_a_moment() {
        let begun = Instant::now();
        let text = "[%".repeat(1 << 21);
        assert_eq!(pieces(&text), [text.as_str()]);
        assert!(begun.elapsed() < Duration::from_mins(1));
        assert_eq!(pieces("a [%clk 1 2] [% b"), ["a", "[%clk 1 2]", "[%", "b"]);
    }
}
