//! `go` and `perft`: keywords and numbers in any order and combination, and the limits that they set.

use std::num::NonZeroU32;
use std::time::Duration;

use skewer_movegen::{Board, Color, Move};
use skewer_search::{Clock, Limits, Mode};
use skewer_types::{Depth, MAX_DEPTH};

use super::{Command, Complaint, quote};
use crate::remarks::Remarks;
use crate::settings::Settings;

/// The deepest perft that is accepted; it would take years from most positions.
const MAX_PERFT_DEPTH: u64 = 20;

/// The longest time of a limit, in milliseconds: a month. Longer times are cut to it.
const MAX_MILLIS: u64 = 31 * 24 * 60 * 60 * 1000;

/// The arguments of `go`. Everything may be combined; times are in milliseconds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Go<'a> {
    /// White's clock; a negative time is read as 0.
    pub wtime: Option<u64>,
    /// Black's clock; a negative time is read as 0.
    pub btime: Option<u64>,
    /// White's increment.
    pub winc: Option<u64>,
    /// Black's increment.
    pub binc: Option<u64>,
    /// Moves to the next time control, at least 1.
    pub movestogo: Option<u64>,
    /// Deepest iteration, in plies, at least 1.
    pub depth: Option<u64>,
    /// Nodes to search.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<u64>,
    /// Look for a mate in this many full moves.
    pub mate: Option<u64>,
    /// The moves to choose from, as written; `None` without the word `searchmoves`.
    pub searchmoves: Option<Vec<&'a str>>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// A word or the number of a limit could not be read. Without another limit the search must still end by
    /// itself, because the client may wait for the answer.
    pub unreadable: bool,
}

/// The arguments of `perft`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Perft<'a> {
    /// The depth in plies.
    pub depth: u32,
    /// The position, or `None` for the current position.
    pub fen: Option<&'a str>,
}

/// The field of a limit.
type Field = for<'g> fn(&'g mut Go<'_>) -> &'g mut Option<u64>;

/// What follows a keyword, and what it sets.
#[derive(Debug, Clone, Copy)]
enum Argument {
    /// A number; a smaller number becomes this minimum.
    AtLeast(u64, Field),
    /// A positive number; other numbers are ignored. GUIs send `movestogo 0` for sudden death.
    Positive(Field),
    /// The depth of a perft.
    Perft,
    /// Moves, up to the next keyword.
    Moves,
    /// Nothing.
    Nothing(fn(&mut Go<'_>)),
}

/// A keyword of `go`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Keyword {
    pub(crate) name: &'static str,
    /// The help text.
    pub(crate) help: &'static str,
    argument: Argument,
}

const fn row(name: &'static str, help: &'static str, argument: Argument) -> Keyword {
    Keyword {
        name,
        help,
        argument,
    }
}

/// Every keyword, in the order of `help`.
#[rustfmt::skip]
pub(crate) static KEYWORDS: &[Keyword] = {
    use Argument::{AtLeast, Moves, Nothing, Perft, Positive};
    &[
        row("wtime", "White's clock, in milliseconds", AtLeast(0, |go| &mut go.wtime)),
        row("btime", "Black's clock", AtLeast(0, |go| &mut go.btime)),
        row("winc", "White's increment", AtLeast(0, |go| &mut go.winc)),
        row("binc", "Black's increment", AtLeast(0, |go| &mut go.binc)),
        row("movestogo", "moves to the next time control", Positive(|go| &mut go.movestogo)),
        row("depth", "the deepest iteration, in plies", AtLeast(1, |go| &mut go.depth)),
        row("nodes", "nodes to search", AtLeast(1, |go| &mut go.nodes)),
        row("movetime", "time for this move, in milliseconds", AtLeast(1, |go| &mut go.movetime)),
        row("mate", "look for a mate in this many moves", AtLeast(1, |go| &mut go.mate)),
        row("perft", "count the move tree to this depth instead", Perft),
        row("searchmoves", "consider only the moves that follow", Moves),
        row("infinite", "search until stop", Nothing(|go| go.infinite = true)),
        row("ponder", "search until ponderhit or stop", Nothing(|go| go.ponder = true)),
    ]
};

fn keyword(word: &str) -> Option<&'static Keyword> {
    let mut keywords = KEYWORDS.iter();
    keywords.find(|keyword| keyword.name.eq_ignore_ascii_case(word))
}

/// The result of reading a number.
enum Number {
    Is(u64),
    /// Ignored, with a complaint.
    Absent,
    /// Missing or not a number.
    Unreadable,
}

/// Reads the words after `go`.
///
/// `go perft` without a valid depth is no command.
pub(super) fn read_go<'a>(
    text: &'a str,
    complaints: &mut Vec<Complaint<'a>>,
) -> Option<Command<'a>> {
    let mut go = Go::default();
    let mut perft = None;
    let mut words = text.split_ascii_whitespace().peekable();
    while let Some(word) = words.next() {
        let Some(&Keyword { name, argument, .. }) = keyword(word) else {
            go.unreadable = true;
            complaints.push(Complaint::UnknownArgument {
                command: "go",
                word,
            });
            continue;
        };
        let (least, field) = match argument {
            Argument::AtLeast(least, field) => (Some(least), field),
            Argument::Positive(field) => (None, field),
            Argument::Nothing(set) => {
                set(&mut go);
                continue;
            }
            Argument::Moves => {
                let moves = go.searchmoves.get_or_insert_default();
                while let Some(word) = words.next_if(|word| keyword(word).is_none()) {
                    moves.push(word);
                }
                if moves.is_empty() {
                    complaints.push(Complaint::MissingValue { keyword: name });
                }
                continue;
            }
            Argument::Perft => {
                let value = words.next_if(|word| keyword(word).is_none());
                perft = Some(read_depth(value, complaints));
                continue;
            }
        };
        let value = words.next_if(|word| keyword(word).is_none());
        match read_number(name, least, value, complaints) {
            // If a limit is given twice, the tighter one counts.
            Number::Is(number) => {
                let field = field(&mut go);
                *field = Some(field.map_or(number, |old| old.min(number)));
            }
            Number::Absent => {}
            Number::Unreadable => go.unreadable = true,
        }
    }
    match perft {
        Some(depth) => Some(Command::Perft(Perft {
            depth: depth?,
            fen: None,
        })),
        None => Some(Command::Go(go)),
    }
}

/// The digits before the point of a decimal number, as in the `500.0` of some GUIs; `0` for none. Anything else is
/// returned as it is.
fn whole_part(value: &str) -> Option<&str> {
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    match value.split_once('.') {
        None => (!value.is_empty()).then_some(value),
        Some(("", "")) => None,
        Some((whole, part)) if is_digits(whole) && is_digits(part) => {
            Some(if whole.is_empty() { "0" } else { whole })
        }
        Some(_) => None,
    }
}

/// Reads a number. A number below `least` becomes `least`. If `least` is `None`, numbers that are not positive are
/// ignored.
fn read_number<'a>(
    keyword: &'static str,
    least: Option<u64>,
    value: Option<&'a str>,
    complaints: &mut Vec<Complaint<'a>>,
) -> Number {
    let Some(value) = value else {
        complaints.push(Complaint::MissingValue { keyword });
        return Number::Unreadable;
    };
    // A negative number of any size is below every minimum.
    let negative = value
        .strip_prefix('-')
        .and_then(whole_part)
        .is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
    let number = if negative {
        None
    } else {
        whole_part(value).and_then(|digits| digits.parse().ok())
    };
    let is_small = negative || number.is_some_and(|number| number < least.unwrap_or(1));
    match (least, number) {
        (None, _) if is_small => {
            complaints.push(Complaint::Ignored { keyword, value });
            Number::Absent
        }
        (Some(used), _) if is_small => {
            complaints.push(Complaint::TooSmall {
                keyword,
                value,
                used,
            });
            Number::Is(used)
        }
        (_, Some(number)) => Number::Is(number),
        (_, None) => {
            complaints.push(Complaint::NotANumber { keyword, value });
            Number::Unreadable
        }
    }
}

/// Reads the words after `perft`: a depth, and a FEN if one is there.
pub(super) fn read_perft<'a>(
    text: &'a str,
    complaints: &mut Vec<Complaint<'a>>,
) -> Option<Command<'a>> {
    let (depth, fen) = match text.split_once(|c: char| c.is_ascii_whitespace()) {
        Some((depth, fen)) => (depth, Some(fen.trim_ascii())),
        None => (text, None),
    };
    let value = (!depth.is_empty()).then_some(depth);
    let depth = read_depth(value, complaints)?;
    Some(Command::Perft(Perft { depth, fen }))
}

/// The depth of a perft; `None` with a complaint if it is not valid.
fn read_depth<'a>(value: Option<&'a str>, complaints: &mut Vec<Complaint<'a>>) -> Option<u32> {
    match read_number("perft", Some(0), value, complaints) {
        Number::Is(depth) if depth <= MAX_PERFT_DEPTH => Some(depth as u32),
        Number::Is(_) => {
            complaints.push(Complaint::TooLarge {
                keyword: "perft",
                value: value.unwrap_or_default(),
                most: MAX_PERFT_DEPTH,
            });
            None
        }
        Number::Absent | Number::Unreadable => None,
    }
}

fn millis(number: u64) -> Duration {
    Duration::from_millis(number.min(MAX_MILLIS))
}

impl Go<'_> {
    /// Whether any limit was given that ends a search.
    pub fn is_limited(&self) -> bool {
        let clock = self.wtime.or(self.btime);
        let rest = self.depth.or(self.nodes).or(self.movetime).or(self.mate);
        clock.or(rest).is_some()
    }

    /// The limits for the side to move on `board`.
    pub(crate) fn limits(
        &self,
        board: &Board,
        settings: &Settings,
        remarks: &mut Remarks,
    ) -> Limits {
        let mode = if self.infinite {
            Mode::Infinite
        } else if self.ponder {
            Mode::Ponder
        } else {
            Mode::Answer
        };
        let mut limits = Limits {
            depth: self.depth.map(|depth| depth.min(MAX_DEPTH as u64) as Depth),
            nodes: self.nodes,
            clock: self.clock(board.turn()),
            move_time: self.movetime.map(millis),
            move_overhead: settings.move_overhead,
            time_source: settings.time_source(),
            mate: self
                .mate
                .map(|moves| u32::try_from(moves).unwrap_or(u32::MAX)),
            search_moves: self.search_moves(board, remarks),
            multi_pv: settings.multi_pv,
            mode,
            ..Limits::default()
        };
        if self.unreadable && !self.is_limited() && mode == Mode::Answer {
            remarks.add("go: no limit was understood; the search ends at depth 1");
            limits.depth = Some(1);
        }
        limits
    }

    /// The clock of the side to move, or of the other side if only that clock was sent.
    fn clock(&self, turn: Color) -> Option<Clock> {
        let (own, other, increment) = match turn {
            Color::White => (self.wtime, self.btime, self.winc),
            Color::Black => (self.btime, self.wtime, self.binc),
        };
        Some(Clock {
            remaining: millis(own.or(other)?),
            increment: millis(increment.unwrap_or(0)),
            moves_to_go: self
                .movestogo
                .and_then(|moves| NonZeroU32::new(u32::try_from(moves).unwrap_or(u32::MAX))),
        })
    }

    fn search_moves(&self, board: &Board, remarks: &mut Remarks) -> Vec<Move> {
        let mut moves = Vec::new();
        let mut illegal = None;
        for &word in self.searchmoves.as_deref().unwrap_or_default() {
            match board.parse_uci(word) {
                Ok(mv) if moves.contains(&mv) => {}
                Ok(mv) => moves.push(mv),
                Err(_) => illegal = illegal.or(Some(word)),
            }
        }
        if let Some(word) = illegal {
            let then = if moves.is_empty() {
                "; all moves are searched"
            } else {
                ""
            };
            remarks.add_failure(format_args!(
                "searchmoves: {} is no legal move here{then}",
                quote(word)
            ));
        }
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a decimal number the whole part counts; a text that is not a number is still refused.
    #[test]
    fn decimal_numbers_have_a_whole_part() {
        let read = |text| match read_go(text, &mut Vec::new()) {
            Some(Command::Go(go)) => (go.movetime, go.unreadable),
            other => panic!("{other:?}"),
        };
        assert_eq!(read("movetime 500.0"), (Some(500), false));
        assert_eq!(read("movetime 500."), (Some(500), false));
        assert_eq!(read("movetime .5"), (Some(1), false));
        assert_eq!(read("movetime -5.0"), (Some(1), false));
        for bad in [
            "movetime 5.x",
            "movetime .",
            "movetime 1.2.3",
            "movetime 1e3",
        ] {
            assert_eq!(read(bad), (None, true), "{bad}");
        }
    }
}
