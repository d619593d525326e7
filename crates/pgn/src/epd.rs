//! EPD: a position and what is known or asked about it, as one line of text.

use std::fmt;
use std::mem::take;
use std::ops::ControlFlow;

use skewer_movegen::{
    Board, CastlingMode, FenError, FenField, Move, ParseMoveError, Setup, Strictness,
};

use crate::characters::{Meaning, meaning, plain_fen};
use crate::counters::{Counter, fen_counters};
use crate::tokens::mark_length;
use crate::{Location, PgnError, Reader, San, Variation, Visitor};

/// The value of an operation, with a type if the opcode is known.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Op {
    /// Moves of the position: `bm`, the best moves, and `am`, the moves to avoid; one move for `sm`, which
    /// was played, and `pm`, which is expected.
    Moves(Vec<Move>),
    /// `pv`: a line of play.
    Line(Vec<Move>),
    /// A number: of moves to mate (`dm`), plies (`acd`), nodes (`acn`) and seconds (`acs`) of an analysis,
    /// hundredths of a pawn for the side to move (`ce`), plies since the last capture or pawn move
    /// (`hmvc`), or of the move (`fmvn`). It is the only operand.
    Number(i64),
    /// A text: `id`, the name of the position, or `c0` to `c9`, comments.
    Text(String),
    /// The operands, without their quotes, of any other opcode, and of an opcode above whose operands do not fit it.
    Other(Vec<String>),
}

/// An opcode and its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// The opcode as written, such as `bm`.
    pub opcode: String,
    /// Its value.
    pub op: Op,
}

/// A position with operations.
///
/// ```
/// use skewer_pgn::{Epd, Op};
///
/// let line = "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - bm Rxb2; id \"WAC.002\";";
/// let epd = Epd::parse(line)?;
/// assert_eq!(epd.id(), Some("WAC.002"));
/// assert_eq!(epd.board.uci(epd.best_moves()[0]).to_string(), "b3b2");
/// assert_eq!(epd.to_string(), line);
/// # Ok::<(), skewer_pgn::EpdError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    /// The position. Its move counters come from `hmvc` and `fmvn`, or from a FEN that has them.
    pub board: Board,
    /// How castling is written.
    pub mode: CastlingMode,
    /// The operations, in the order of the line.
    pub operations: Vec<Operation>,
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EpdError {
    /// The first four fields are no position.
    Position(String),
    /// A move of an operation is not a legal move of the position.
    Move {
        /// The operation.
        opcode: String,
        /// The move as written.
        san: String,
        /// What is wrong with it.
        error: ParseMoveError,
    },
    /// No move follows an opcode of moves, although the position has moves.
    NoMove {
        /// The opcode.
        opcode: String,
    },
    /// Moves follow the position, as in UCI: `moves e2e4`. The position that they lead to is meant.
    Moves,
    /// A string has no closing quote.
    Quote,
    /// The line is longer than [`params::LONGEST_TOKEN`](crate::params::LONGEST_TOKEN) bytes.
    TooLong,
}

impl fmt::Display for EpdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Position(reason) => write!(f, "not a position: {reason}"),
            Self::Move { opcode, san, error } => write!(f, "{opcode}: \"{san}\" is {error}"),
            Self::NoMove { opcode } => write!(f, "no move follows {opcode}"),
            Self::Moves => f.write_str("moves follow the position: write the position after them"),
            Self::Quote => f.write_str("a quote is not closed"),
            Self::TooLong => f.write_str("the line is too long"),
        }
    }
}

impl std::error::Error for EpdError {}

/// A part of a line that the rest of the line contradicts. It was passed over, and did not end the reading of the line.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EpdProblem {
    /// A castling or en passant right that the position contradicts.
    Right(FenError),
    /// A value of a counter, in the FEN or in an operation, that is not the value taken: out of range, no number, or
    /// other than a value before it.
    Counter {
        /// The value as written, after the name of the field or the opcode.
        written: String,
        /// The counter.
        field: FenField,
        /// The value taken, in plies for the half-move clock, and in moves from 1 for the move number.
        taken: u16,
    },
}

impl fmt::Display for EpdProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Right(error) => write!(f, "{error}; passed over"),
            Self::Counter {
                written,
                field,
                taken,
            } => write!(
                f,
                "{written}; passed over, and {taken} is taken as the {field}"
            ),
        }
    }
}

impl Epd {
    /// Reads one line.
    ///
    /// The move counters of a FEN may follow the position: both, or the first alone; a dash may stand for a counter,
    /// and a semicolon may follow each. The last semicolon may be missing, and so may the operations. Of several values
    /// of a counter the first is taken. Rights that the position contradicts are dropped. [`EpdReader`] reports both.
    ///
    /// [`EpdReader`]: crate::EpdReader
    ///
    /// # Errors
    ///
    /// When the first fields are not a legal position, a move of an operation is not legal in it, or moves follow the
    /// position as in UCI.
    pub fn parse(line: &str) -> Result<Self, EpdError> {
        Self::read(line).map(|(epd, _)| epd)
    }

    /// Reads one line, as [`parse`](Self::parse), and returns what was passed over too.
    pub(crate) fn read(line: &str) -> Result<(Self, Vec<EpdProblem>), EpdError> {
        let mut rest = line.trim_matches(is_blank);
        let mut fields = Vec::with_capacity(4);
        while fields.len() < 4 {
            let Some(field) = next_field(&mut rest) else {
                break;
            };
            fields.push(field);
        }
        let [half, full] = fen_counters(&mut rest);
        let raw = raw_operations(rest)?;
        let clock = Counter::new(FenField::HalfmoveClock, "hmvc", half, &raw);
        let number = Counter::new(FenField::FullmoveNumber, "fmvn", full, &raw);
        let mut fen = plain_fen(&fields.join(" ")).into_owned();
        let counters = [clock.first(), number.first()];
        if fields.len() == 4 && counters != [None, None] {
            let [half, full] = counters;
            fen = format!("{fen} {} {}", half.unwrap_or("0"), full.unwrap_or("1"));
        }
        let read = Setup::from_fen(&fen, Strictness::Relaxed);
        let read = read.and_then(|setup| Ok((setup, setup.build(Strictness::Relaxed)?)));
        let (setup, board) = read.map_err(|error| EpdError::Position(error.to_string()))?;
        let rights = setup.impossible_rights().map(FenError::from);
        let mut problems: Vec<EpdProblem> = rights.map(EpdProblem::Right).collect();
        problems.extend(clock.problems(board.halfmove_clock().into()));
        problems.extend(number.problems(board.fullmove_number()));
        let epd = Self {
            board,
            mode: board.castling_mode(),
            operations: operations(&board, raw)?,
        };
        Ok((epd, problems))
    }
}

/// The operations of a text, in its order, without types.
fn raw_operations(text: &str) -> Result<Vec<RawOperation>, EpdError> {
    let mut raw = Vec::new();
    for operation in split_operations(text)? {
        let mut operands = split_operands(operation)?;
        // A field too many: `w - - - bm e4;`.
        let dashes = operands
            .iter()
            .take_while(|operand| operand.text == "-")
            .count();
        operands.drain(..dashes);
        while !operands.is_empty() {
            let (opcode, operand) = plain_opcode(&operands.remove(0).text);
            let rest = operands.split_off(next_opcode(&opcode, &operands));
            let texts = operands.into_iter().map(|operand| operand.text);
            raw.push((opcode, operand.into_iter().chain(texts).collect()));
            operands = rest;
        }
    }
    Ok(raw)
}

/// Operations with their types. Operations of moves with the same opcode are one: `bm e4; bm d4;`.
fn operations(board: &Board, raw: Vec<RawOperation>) -> Result<Vec<Operation>, EpdError> {
    let mut operations: Vec<Operation> = Vec::with_capacity(raw.len());
    for (opcode, operands) in raw {
        let op = typed(board, &opcode, operands)?;
        let same = |operation: &&mut Operation| operation.opcode == opcode;
        match (operations.iter_mut().find(same), op) {
            (
                Some(Operation {
                    op: Op::Moves(moves),
                    ..
                }),
                Op::Moves(more),
            ) => moves.extend(more),
            (_, op) => operations.push(Operation { opcode, op }),
        }
    }
    Ok(operations)
}

impl Epd {
    /// The name of the position.
    pub fn id(&self) -> Option<&str> {
        match self.get("id")? {
            Op::Text(id) => Some(id),
            _ => None,
        }
    }

    /// The best moves, if the line names any.
    pub fn best_moves(&self) -> &[Move] {
        self.moves("bm")
    }

    /// The moves to avoid, if the line names any.
    pub fn avoid_moves(&self) -> &[Move] {
        self.moves("am")
    }

    /// The moves of an opcode.
    fn moves(&self, opcode: &str) -> &[Move] {
        match self.get(opcode) {
            Some(Op::Moves(moves)) => moves,
            _ => &[],
        }
    }

    /// Whether a move is among the best moves, if the line names any, and not among the moves to avoid.
    pub fn accepts(&self, mv: Move) -> bool {
        let best = self.best_moves();
        (best.is_empty() || best.contains(&mv)) && !self.avoid_moves().contains(&mv)
    }

    /// The number of moves in which the side to move mates, if the line says so.
    pub fn direct_mate(&self) -> Option<u32> {
        self.number("dm")
    }

    /// The number that follows an opcode, if the line has the opcode and the number fits the type.
    pub fn number<T: TryFrom<i64>>(&self, opcode: &str) -> Option<T> {
        match self.get(opcode)? {
            &Op::Number(number) => number.try_into().ok(),
            _ => None,
        }
    }

    /// The value of the first operation with this opcode.
    pub fn get(&self, opcode: &str) -> Option<&Op> {
        self.operations
            .iter()
            .find(|operation| operation.opcode == opcode)
            .map(|found| &found.op)
    }
}

/// An opcode and its operands, without their quotes.
pub(crate) type RawOperation = (String, Vec<String>);

/// The next field, which a blank ends, or a semicolon that belongs to the operations.
pub(crate) fn next_field<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let text = rest.trim_start();
    let ends = |c: char| c.is_whitespace() || c == ';';
    let end = text.find(ends).unwrap_or(text.len());
    if end == 0 {
        return None;
    }
    let field = &text[..end];
    *rest = &text[end..];
    Some(field)
}

/// The opcodes with operands of a certain type.
const OPCODES: [&str; 13] = [
    "bm", "am", "sm", "pm", "pv", "dm", "acd", "acn", "acs", "ce", "hmvc", "fmvn", "id",
];

/// The opcodes of comments.
const COMMENTS: [&str; 10] = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9"];

/// Recognizes an opcode of [`OPCODES`] in capitals (`BM`), with signs (`bm:`, `[bm`), with invisible characters or with
/// its first operand (`bm=e4`). Returns the opcode in lower case, and the operand. Any other opcode is returned as
/// written.
fn plain_opcode(word: &str) -> (String, Option<String>) {
    let plain = word.trim_start_matches(|c| is_blank(c) || wraps(c));
    let plain = plain.trim_end_matches(|c| is_blank(c) || c == ',');
    let (name, operand) = plain.split_once([':', '=']).unwrap_or((plain, ""));
    let known = OPCODES
        .iter()
        .find(|known| known.eq_ignore_ascii_case(name));
    match known {
        Some(known) => {
            let operand = (!operand.is_empty()).then(|| operand.to_owned());
            ((*known).to_owned(), operand)
        }
        None => (word.to_owned(), None),
    }
}

/// Whether a character is a bracket or a quote, which people put around moves.
fn wraps(c: char) -> bool {
    "()[]{}<>\"'`“”„«»‘’".contains(c)
}

/// Whether a character is not shown, so that it may stand around a line.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, '\0' | '\u{1a}')
        || (!c.is_ascii() && matches!(meaning(c), Meaning::Blank | Meaning::Invisible))
}

/// Splits at semicolons outside of quotes.
fn split_operations(text: &str) -> Result<Vec<&str>, EpdError> {
    let mut parts = Vec::new();
    let (mut start, mut quoted, mut escaped) = (0, false, false);
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b';' if !quoted => {
                parts.push(&text[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    if quoted {
        return Err(EpdError::Quote);
    }
    parts.push(&text[start..]);
    Ok(parts)
}

/// Where the operands of an opcode end because another opcode follows without a semicolon: after moves, a number or a
/// text in quotes.
fn next_opcode(opcode: &str, operands: &[Operand]) -> usize {
    let is_text = opcode == "id" || COMMENTS.contains(&opcode);
    let ends = |at: usize| {
        let Operand { text, is_quoted } = &operands[at];
        // `c4` is a move too, unless a text in quotes follows.
        let is_comment = operands.get(at + 1).is_some_and(|next| next.is_quoted);
        let is_opcode =
            OPCODES.contains(&text.as_str()) || is_comment && COMMENTS.contains(&text.as_str());
        let before = at.checked_sub(1).map(|before| &operands[before]);
        let may_end = before.is_some_and(|before| before.is_quoted || !is_text);
        !is_quoted && is_opcode && may_end
    };
    let is_known = is_text || OPCODES.contains(&opcode);
    (0..operands.len())
        .find(|&at| is_known && ends(at))
        .unwrap_or(operands.len())
}

/// An operand: a word, or a text in quotes.
struct Operand {
    text: String,
    is_quoted: bool,
}

/// Splits at blanks outside of quotes, and takes the quotes off.
fn split_operands(text: &str) -> Result<Vec<Operand>, EpdError> {
    let mut operands = Vec::new();
    let mut chars = text.trim().chars().peekable();
    while let Some(&first) = chars.peek() {
        let mut operand = String::new();
        if first == '"' {
            chars.next();
            loop {
                match chars.next() {
                    Some('"') => break,
                    Some('\\') => {
                        operand.push(chars.next_if(|c| matches!(c, '"' | '\\')).unwrap_or('\\'));
                    }
                    Some(c) => operand.push(c),
                    None => return Err(EpdError::Quote),
                }
            }
        } else {
            while let Some(c) = chars.next_if(|c| !c.is_whitespace()) {
                operand.push(c);
            }
        }
        operands.push(Operand {
            text: operand,
            is_quoted: first == '"',
        });
        while chars.next_if(|c| c.is_whitespace()).is_some() {}
    }
    Ok(operands)
}

/// Gives an operation its type.
fn typed(board: &Board, opcode: &str, operands: Vec<String>) -> Result<Op, EpdError> {
    let resolve = |board: &Board, san: &str| {
        let wrong = |error| EpdError::Move {
            opcode: opcode.to_owned(),
            san: San::new(san.as_bytes()).to_string(),
            error,
        };
        let mv = San::new(san.as_bytes()).resolve(board).map_err(wrong)?;
        mv.ok_or_else(|| wrong(ParseMoveError::Null))
    };
    let moves = |operands: &[String]| {
        // Some suites put commas between the moves.
        let words = operands.iter().flat_map(|operand| operand.split(','));
        let words = words.filter(|word| {
            !matches!(*word, "" | ":" | "=") && mark_length(word.as_bytes(), word.len()).is_none()
        });
        let words: Vec<&str> = words
            .map(|word| word.trim_matches(wraps))
            .filter(|word| !word.is_empty())
            .collect();
        let moves: Result<Vec<_>, _> = words.iter().map(|san| resolve(board, san)).collect();
        // The moves may be written as in a game, with numbers, glyphs or blanks.
        let as_game = || {
            let moves = moves_of_text(&words.join(" ")).filter(|moves| !moves.is_empty())?;
            let moves = moves.iter().map(|san| resolve(board, san));
            moves.collect::<Result<Vec<_>, _>>().ok()
        };
        moves.or_else(|error| as_game().ok_or(error))
    };
    let first = operands.first().map_or("", String::as_str);
    let has_moves = || {
        operands
            .iter()
            .any(|operand| operand.chars().any(char::is_alphanumeric))
    };
    if matches!(opcode, "bm" | "am" | "sm" | "pm")
        && !has_moves()
        && !board.legal_moves().is_empty()
    {
        return Err(EpdError::NoMove {
            opcode: opcode.to_owned(),
        });
    }
    // Another program may write a number or a text after an opcode of this name.
    if opcode.eq_ignore_ascii_case("moves")
        && !matches!(board.parse_san(first), Err(ParseMoveError::Syntax))
    {
        return Err(EpdError::Moves);
    }
    Ok(match opcode {
        "bm" | "am" => Op::Moves(moves(&operands)?),
        "sm" | "pm" if !first.is_empty() => Op::Moves(vec![resolve(board, first)?]),
        "pv" => {
            let line = |words: &[String]| {
                let mut board = *board;
                let mut line = Vec::with_capacity(words.len());
                for san in words {
                    let mv = resolve(&board, san)?;
                    board = board.play(mv);
                    line.push(mv);
                }
                Ok(line)
            };
            let as_game = || line(&moves_of_text(&operands.join(" "))?).ok();
            Op::Line(line(&operands).or_else(|error| as_game().ok_or(error))?)
        }
        "dm" | "acd" | "acn" | "acs" | "ce" | "hmvc" | "fmvn" => {
            let number = match &operands[..] {
                [only] => only.parse().ok(),
                _ => None,
            };
            number.map_or(Op::Other(operands), Op::Number)
        }
        _ if opcode == "id" || COMMENTS.contains(&opcode) => Op::Text(operands.join(" ")),
        _ => Op::Other(operands),
    })
}

/// The moves of a text that is written like a game; `None` if the text has variations or errors.
fn moves_of_text(text: &str) -> Option<Vec<String>> {
    struct Words(Vec<String>);
    impl Visitor for Words {
        type Output = Option<Vec<String>>;
        fn san(&mut self, san: San<'_>) -> ControlFlow<Self::Output> {
            self.0.push(san.text().into_owned());
            ControlFlow::Continue(())
        }
        fn begin_variation(&mut self) -> ControlFlow<Self::Output, Variation> {
            ControlFlow::Break(None)
        }
        fn problem(&mut self, _: PgnError, _: Location) -> ControlFlow<Self::Output> {
            ControlFlow::Break(None)
        }
        fn end_game(&mut self) -> Self::Output {
            Some(take(&mut self.0))
        }
    }
    let game = Reader::new(text.as_bytes()).read_game(&mut Words(Vec::new()));
    game.ok()??.output
}

impl fmt::Display for Epd {
    /// The line, without a line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fen = self.board.to_fen_in(self.mode).to_string();
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        f.write_str(&fields.join(" "))?;
        for Operation { opcode, op } in &self.operations {
            // An opcode of digits would be read as a counter of the position.
            if opcode.bytes().all(|b| b.is_ascii_digit()) {
                quoted(f, opcode)?;
            } else {
                word(f, opcode)?;
            }
            match op {
                Op::Moves(moves) => {
                    for &mv in moves {
                        write!(f, " {}", self.board.san(mv))?;
                    }
                }
                Op::Line(line) => {
                    let mut board = self.board;
                    for &mv in line {
                        write!(f, " {}", board.san(mv))?;
                        board = board.try_play(mv).map_err(|_| fmt::Error)?;
                    }
                }
                Op::Number(number) => write!(f, " {number}")?,
                Op::Text(text) => quoted(f, text)?,
                Op::Other(operands) => {
                    for operand in operands {
                        word(f, operand)?;
                    }
                }
            }
            f.write_str(";")?;
        }
        Ok(())
    }
}

/// Writes a blank and a word, in quotes if the word alone would be read as something else.
fn word(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    let special = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '"' | ';' | '\\');
    if text.is_empty() || text.contains(special) {
        quoted(f, text)
    } else {
        write!(f, " {text}")
    }
}

/// Writes a blank and a text in quotes, on one line.
fn quoted(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str(" \"")?;
    for c in text.chars() {
        match c {
            '\\' | '"' => write!(f, "\\{c}")?,
            c if c.is_control() => f.write_str(" ")?,
            c => write!(f, "{c}")?,
        }
    }
    f.write_str("\"")
}
