//! Follows a game on the board, for visitors that need legal moves and positions.

use skewer_movegen::{Board, CastlingMode, Move, ParseMoveError};

use crate::start::is_placeholder;
use crate::{San, Start, StartError, TagValue};

/// The boards of the current line and of the lines around it.
///
/// A visitor passes its events on and gets every move checked.
///
/// ```
/// use skewer_pgn::{Replay, San};
///
/// let mut replay = Replay::new();
/// replay.start()?;
/// replay.play(San::new(b"e4")).unwrap();
/// replay.play(San::new(b"e5")).unwrap();
/// replay.open(); // (1... c5)
/// let reply = replay.play(San::new(b"c5")).unwrap().unwrap();
/// assert_eq!(replay.board_before().uci(reply).to_string(), "c7c5");
/// replay.close();
/// let knight = replay.play(San::new(b"Nf3")).unwrap().unwrap();
/// assert_eq!(replay.board_before().uci(knight).to_string(), "g1f3");
/// # Ok::<(), skewer_pgn::StartError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replay {
    fen: Option<String>,
    variant: Option<String>,
    mode: CastlingMode,
    /// The positions before and after the last move.
    before: Board,
    after: Board,
    left: Vec<(Board, Board)>,
}

impl Default for Replay {
    fn default() -> Self {
        Self::new()
    }
}

/// Stores the value of a tag, unless it is a placeholder and another value is there.
fn store(tag: &mut Option<String>, value: TagValue<'_>) {
    let value = value.decode();
    if tag.is_none() || !is_placeholder(&value) {
        *tag = Some(value.into_owned());
    }
}

impl Replay {
    /// A replay at the start position of standard chess.
    pub fn new() -> Self {
        Self {
            fen: None,
            variant: None,
            mode: CastlingMode::Standard,
            before: Board::STARTPOS,
            after: Board::STARTPOS,
            left: Vec::new(),
        }
    }

    /// Resets the replay for another game.
    #[inline]
    pub fn reset(&mut self) {
        self.fen = None;
        self.variant = None;
        self.left.clear();
    }

    /// Stores the tags of the start position. The last known value of a name counts.
    #[inline]
    pub fn tag(&mut self, name: &[u8], value: TagValue<'_>) {
        match name {
            // Some programs write the names of these tags in other upper and lower case.
            [b'f' | b'F', ..] if name.eq_ignore_ascii_case(b"FEN") => {
                store(&mut self.fen, value);
            }
            [b'v' | b'V', ..] if name.eq_ignore_ascii_case(b"Variant") => {
                store(&mut self.variant, value);
            }
            _ => {}
        }
    }

    /// Sets up the start position. Call it after all tags.
    ///
    /// # Errors
    ///
    /// If the tags name no valid position.
    #[inline]
    pub fn start(&mut self) -> Result<(), StartError> {
        let start = if self.fen.is_none() && self.variant.is_none() {
            Start::default()
        } else {
            Start::from_tags(self.fen.as_deref(), self.variant.as_deref())?
        };
        self.mode = start.mode;
        self.before = start.board;
        self.after = start.board;
        Ok(())
    }

    /// Checks a move and plays it. `None` stands for a null move.
    ///
    /// # Errors
    ///
    /// If the move is illegal; the position is then unchanged.
    #[inline]
    pub fn play(&mut self, san: San<'_>) -> Result<Option<Move>, ParseMoveError> {
        let mv = san.resolve(&self.after)?;
        let next = match mv {
            Some(mv) => self.after.play(mv),
            None => self.after.play_null().ok_or(ParseMoveError::Null)?,
        };
        self.before = self.after;
        self.after = next;
        Ok(mv)
    }

    /// A variation begins, in place of the last move.
    #[inline]
    pub fn open(&mut self) {
        self.left.push((self.before, self.after));
        self.after = self.before;
    }

    /// The variation ends.
    #[inline]
    pub fn close(&mut self) {
        if let Some((before, after)) = self.left.pop() {
            (self.before, self.after) = (before, after);
        }
    }

    /// How many variations are open.
    #[inline]
    pub fn depth(&self) -> usize {
        self.left.len()
    }

    /// The current position.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.after
    }

    /// The position before the last move.
    #[inline]
    pub fn board_before(&self) -> &Board {
        &self.before
    }

    /// How castling is written.
    pub fn mode(&self) -> CastlingMode {
        self.mode
    }
}
