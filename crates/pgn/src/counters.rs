//! The counters of moves in a line of EPD, which the FEN or operations may give.

use skewer_movegen::FenField;

use crate::EpdProblem;
use crate::epd::{RawOperation, next_field};
use crate::text::is_number;

/// A counter of moves, with its values in a line.
pub(crate) struct Counter<'a> {
    field: FenField,
    /// The opcode of the counter.
    opcode: &'static str,
    /// The value in the FEN.
    in_fen: Option<&'a str>,
    /// The operands of each operation of this counter.
    in_operations: Vec<&'a [String]>,
}

impl<'a> Counter<'a> {
    pub(crate) fn new(
        field: FenField,
        opcode: &'static str,
        in_fen: Option<&'a str>,
        raw: &'a [RawOperation],
    ) -> Self {
        let own = raw.iter().filter(|(name, _)| name == opcode);
        Self {
            field,
            opcode,
            in_fen,
            in_operations: own.map(|(_, operands)| &operands[..]).collect(),
        }
    }

    /// The first value that is a number in the range of the counter.
    pub(crate) fn first(&self) -> Option<&'a str> {
        let largest = match self.field {
            FenField::HalfmoveClock => u16::from(u8::MAX),
            _ => u16::MAX,
        };
        let fits = |value: &&str| value.parse::<u16>().is_ok_and(|value| value <= largest);
        let operations = self.in_operations.iter();
        let in_operations = operations.filter_map(|operands| only_number(operands));
        self.in_fen.into_iter().chain(in_operations).find(fits)
    }

    /// The values that are not the one taken.
    pub(crate) fn problems(&self, taken: u16) -> Vec<EpdProblem> {
        // Many programs count moves from 0.
        let least = u16::from(self.field == FenField::FullmoveNumber);
        let is_taken = |value: &str| {
            let value = value.parse::<u16>();
            value.is_ok_and(|value| value.max(least) == taken)
        };
        let mut others = Vec::new();
        if let Some(value) = self.in_fen.filter(|value| !is_taken(value)) {
            others.push(format!("{} {value}", self.field));
        }
        for operands in &self.in_operations {
            if !only_number(operands).is_some_and(is_taken) {
                let other = format!("{} {}", self.opcode, operands.join(" "));
                others.push(other.trim_end().to_owned());
            }
        }
        let problem = |written| EpdProblem::Counter {
            written,
            field: self.field,
            taken,
        };
        others.into_iter().map(problem).collect()
    }
}

/// The operand, if it is the only one and [a number](is_number).
fn only_number(operands: &[String]) -> Option<&str> {
    match operands {
        [only] if is_number(only) => Some(only),
        _ => None,
    }
}

/// The counters of a FEN, if they come next: both, or the first alone. A dash stands for an unknown counter.
pub(crate) fn fen_counters<'a>(rest: &mut &'a str) -> [Option<&'a str>; 2] {
    let mut ahead = *rest;
    let (first, after_first) = (next_field(&mut ahead), ahead);
    let second = next_field(&mut ahead);
    match (first, second) {
        (Some(half), Some(full))
            if (is_number(half) && (is_number(full) || full == "-"))
                || (half == "-" && is_number(full)) =>
        {
            *rest = ahead;
            [half, full].map(|counter| (counter != "-").then_some(counter))
        }
        (Some(half), _) if is_number(half) => {
            *rest = after_first;
            [Some(half), None]
        }
        _ => [None, None],
    }
}
