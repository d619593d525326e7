//! Solves endings by retrograde analysis, from the rules of chess alone.
//!
//! Every position of a material is numbered by the squares of its pieces and the side to move. A
//! first pass over all positions counts the moves that stay within the material and looks up the
//! moves that leave it, by capture or promotion, in materials solved before. Then outcomes spread from
//! decided positions to the positions one move before, by taking moves back (Ströhlein, 1970).

use std::collections::HashMap;

use skewer_movegen::attacks::piece_attacks;
use skewer_movegen::{Bitboard, Board, Color, Move, Piece, Setup, Square, Strictness};
use skewer_syzygy::Material;

use crate::common::pieces;

/// The value of a position for the side to move. Without pawns, a win or loss has the number of plies
/// to the next capture or to mate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value {
    Illegal,
    /// Drawn, if nothing else is found.
    Open,
    Win(u8),
    Loss(u8),
}

/// Marks a position that cannot become lost: it has a move that draws, or is a stalemate.
const NEVER_LOST: u8 = u8::MAX;

/// A solved material.
pub(crate) struct Solved {
    pieces: Vec<(Color, Piece)>,
    has_pawns: bool,
    values: Vec<Value>,
}

/// Solved materials, to look up captures and promotions in.
#[derive(Default)]
pub(crate) struct Library(HashMap<Material, Solved>);

impl Library {
    /// A solved material. Solves it first if needed, and before it all materials that it can turn into.
    pub(crate) fn get(&mut self, material: Material) -> &Solved {
        if !self.0.contains_key(&material) {
            for smaller in successors(material) {
                self.get(smaller);
            }
            let solved = Solver::new(material, self).solve();
            self.0.insert(material, solved);
        }
        &self.0[&material]
    }

    /// The value of any position whose material is solved.
    fn value(&self, board: &Board) -> Value {
        let Some(material) = Material::of(board) else {
            return Value::Open; // Two kings alone.
        };
        let solved = &self.0[&material];
        solved.values[solved.index_of(board)]
    }
}

/// The materials that one capture or promotion leads to.
fn successors(material: Material) -> Vec<Material> {
    let all = pieces(material);
    let mut found = Vec::new();
    let mut add = |pieces: &[(Color, Piece)]| {
        for swap in [false, true] {
            let side = |color: Color| {
                let mut side: Vec<_> = pieces.iter().filter(|p| (p.0 == color) != swap).collect();
                side.sort_by_key(|(_, piece)| std::cmp::Reverse(*piece as u8));
                side.iter()
                    .map(|(_, piece)| piece.letter(Color::White))
                    .collect::<String>()
            };
            let name = format!("{}v{}", side(Color::White), side(Color::Black));
            found.extend(name.parse::<Material>());
        }
    };
    for at in 0..all.len() {
        let mut promoted = vec![all.clone()];
        for piece in [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight] {
            for pawn in 0..all.len() {
                if all[pawn].1 == Piece::Pawn {
                    let mut other = all.clone();
                    other[pawn].1 = piece;
                    add(&other);
                    promoted.push(other);
                }
            }
        }
        // A promotion can capture too.
        for mut pieces in promoted {
            if pieces[at].1 != Piece::King {
                pieces.remove(at);
                add(&pieces);
            }
        }
    }
    found
}

impl Solved {
    /// Every legal position with its value; White has the pieces named first.
    pub(crate) fn positions(&self) -> impl Iterator<Item = (Board, Value)> + '_ {
        let decided = self.values.iter().enumerate();
        decided.filter_map(|(index, &value)| Some((self.board(index)?, value)))
    }

    /// How many indices there are.
    fn count(pieces: usize) -> usize {
        2 << (6 * pieces)
    }

    /// The position with this index; `None` if it is illegal, or another index stands for
    /// the same position.
    fn board(&self, index: usize) -> Option<Board> {
        let mut setup = Setup::empty();
        let squares = self.squares(index)?;
        for (&(color, piece), &square) in self.pieces.iter().zip(&squares) {
            if setup.piece_at(square).is_some() {
                return None;
            }
            setup.set_piece(square, Some((color, piece)));
        }
        setup.turn = turn(index);
        setup.build(Strictness::Strict).ok()
    }

    /// The squares of the pieces. `None` if the position has another index: the index of a mirror
    /// image, or the index with the squares of equal pieces in ascending order.
    fn squares(&self, index: usize) -> Option<Vec<Square>> {
        // Left and right are alike; without pawns, top and bottom too.
        let king = index >> 1 & 63;
        if king & 4 != 0 || (!self.has_pawns && king & 32 != 0) {
            return None;
        }
        let squares: Vec<Square> = (0..self.pieces.len())
            .map(|at| Square::from_index((index >> (1 + 6 * at) & 63) as u8))
            .collect::<Option<_>>()?;
        let ordered = (1..squares.len()).all(|at| {
            self.pieces[at] != self.pieces[at - 1] || squares[at - 1].index() < squares[at].index()
        });
        ordered.then_some(squares)
    }

    /// The index of a position of this material, as named or with the colors exchanged.
    fn index_of(&self, board: &Board) -> usize {
        let same = self.pieces.iter().all(|&(color, piece)| {
            let named = self.pieces.iter().filter(|&&other| other == (color, piece));
            board.colored(color, piece).count() as usize == named.count()
        });
        let mut squares = [0; 8];
        let mut at = 0;
        while at < self.pieces.len() {
            let (color, piece) = self.pieces[at];
            let color = if same { color } else { !color };
            for square in board.colored(color, piece) {
                squares[at] = if same {
                    square.index()
                } else {
                    square.flip_rank().index()
                };
                at += 1;
            }
        }
        let turn = if same { board.turn() } else { !board.turn() };
        self.index(&mut squares[..self.pieces.len()], turn)
    }

    /// The index of pieces on squares in any order and mirrored in any way.
    fn index(&self, squares: &mut [usize], turn: Color) -> usize {
        let king = squares[0];
        let mut mirror = if king & 4 == 0 { 0 } else { 7 };
        if !self.has_pawns && king & 32 != 0 {
            mirror |= 0x38;
        }
        for square in &mut *squares {
            *square ^= mirror;
        }
        for run in 0..squares.len() {
            for at in 1..squares.len() - run {
                if self.pieces[at] == self.pieces[at - 1] && squares[at] < squares[at - 1] {
                    squares.swap(at, at - 1);
                }
            }
        }
        let digits = squares
            .iter()
            .rev()
            .fold(0, |index, square| index << 6 | square);
        digits << 1 | turn.index()
    }
}

fn turn(index: usize) -> Color {
    Color::ALL[index & 1]
}

/// A material that is being solved.
struct Solver<'a> {
    library: &'a Library,
    solved: Solved,
    /// For each position: how many moves are not yet known to lose.
    left: Vec<u8>,
    /// The positions decided in this many plies.
    decided: Vec<Vec<u32>>,
}

/// What a move means for the side that plays it, before other positions are decided.
enum Step {
    /// To another position of the material.
    Within,
    /// As `Within`, by a double step of a pawn; but the opponent can draw by capturing en passant,
    /// so the move does not win.
    AtBestDraw,
    /// To a position whose value is known, for the opponent.
    Known(Value),
}

impl<'a> Solver<'a> {
    fn new(material: Material, library: &'a Library) -> Self {
        let pieces = pieces(material);
        let count = Solved::count(pieces.len());
        Self {
            library,
            solved: Solved {
                pieces,
                has_pawns: material.has_pawns(),
                values: vec![Value::Illegal; count],
            },
            left: vec![0; count],
            decided: vec![Vec::new(); 2],
        }
    }

    fn solve(mut self) -> Solved {
        for index in 0..self.solved.values.len() {
            if let Some(board) = self.solved.board(index) {
                self.start(index, &board);
            }
        }
        let mut plies = 0;
        while plies < self.decided.len() {
            for index in std::mem::take(&mut self.decided[plies]) {
                self.spread(index as usize);
            }
            plies += 1;
        }
        self.solved
    }

    /// Decides a position if its own moves are enough for that; else counts the moves that may still lose.
    fn start(&mut self, index: usize, board: &Board) {
        self.solved.values[index] = Value::Open;
        let moves = board.legal_moves();
        if moves.is_empty() {
            if board.in_check() {
                self.decide(index, Value::Loss(0));
            } else {
                self.left[index] = NEVER_LOST;
            }
            return;
        }
        let mut left = 0;
        let mut never_lost = false;
        for mv in &moves {
            match self.step(board, mv) {
                Step::Within | Step::AtBestDraw => left += 1,
                Step::Known(Value::Loss(_)) => return self.decide(index, Value::Win(1)),
                Step::Known(Value::Win(_)) => {}
                Step::Known(_) => never_lost = true,
            }
        }
        if never_lost {
            self.left[index] = NEVER_LOST;
        } else if left == 0 {
            self.decide(index, Value::Loss(1));
        } else {
            self.left[index] = left;
        }
    }

    /// Classifies a move.
    fn step(&self, board: &Board, mv: Move) -> Step {
        if board.is_capture(mv) || mv.is_promotion() {
            return Step::Known(self.library.value(&board.play(mv)));
        }
        if board.moved(mv) != Piece::Pawn {
            return Step::Within;
        }
        let after = board.play(mv);
        if after.en_passant().is_none() {
            return Step::Within;
        }
        let replies = after.legal_moves();
        let captures = replies.iter().filter(|&&reply| reply.is_en_passant());
        let values = captures
            .clone()
            .map(|&reply| self.library.value(&after.play(reply)));
        let values: Vec<Value> = values.collect();
        if values.iter().any(|value| matches!(value, Value::Loss(_))) {
            return Step::Known(Value::Win(1));
        }
        let draws = values.contains(&Value::Open);
        match (draws, captures.count() == replies.len()) {
            (true, true) => Step::Known(Value::Open),
            (false, true) => Step::Known(Value::Loss(1)),
            (true, false) => Step::AtBestDraw,
            (false, false) => Step::Within,
        }
    }

    fn decide(&mut self, index: usize, value: Value) {
        let (Value::Win(plies) | Value::Loss(plies)) = value else {
            return;
        };
        self.solved.values[index] = value;
        let plies = usize::from(plies);
        if self.decided.len() <= plies {
            self.decided.resize_with(plies + 1, Vec::new);
        }
        self.decided[plies].push(index as u32);
    }

    /// Takes back every move that leads to a decided position.
    fn spread(&mut self, index: usize) {
        let value = self.solved.values[index];
        let Some(squares) = self.solved.squares(index) else {
            return;
        };
        let occupied: Bitboard = squares.iter().fold(Bitboard::EMPTY, |all, &s| all.with(s));
        let mover = !turn(index);
        for at in 0..squares.len() {
            let (color, piece) = self.solved.pieces[at];
            if color != mover {
                continue;
            }
            let to = squares[at];
            for from in origins(color, piece, to, occupied) {
                let mut before: Vec<usize> = squares.iter().map(|s| s.index()).collect();
                before[at] = from.index();
                let before = self.solved.index(&mut before, mover);
                if self.solved.values[before] != Value::Open {
                    continue;
                }
                // A pawn move leaves the king on its half of the board, so nothing is mirrored.
                let double = piece == Piece::Pawn && from.index().abs_diff(to.index()) == 16;
                let step = match self.solved.board(before) {
                    Some(board) if double => self.step(&board, Move::normal(from, to)),
                    _ => Step::Within,
                };
                match (step, value) {
                    (Step::Known(_), _) | (Step::AtBestDraw, Value::Loss(_)) => {}
                    (_, Value::Loss(plies)) => self.decide(before, Value::Win(plies + 1)),
                    (_, Value::Win(plies)) if self.left[before] != NEVER_LOST => {
                        self.left[before] -= 1;
                        if self.left[before] == 0 {
                            self.decide(before, Value::Loss(plies + 1));
                        }
                    }
                    _ => {}
                }
            }
        }
    }
}

/// The empty squares from which a piece can have come to `to` without capturing.
fn origins(color: Color, piece: Piece, to: Square, occupied: Bitboard) -> Bitboard {
    if piece != Piece::Pawn {
        return piece_attacks(piece, color, to, occupied) - occupied;
    }
    let back = color.fold(-1, 1);
    let mut origins = Bitboard::EMPTY;
    if let Some(one) = to.offset(0, back)
        && one.relative_to(color).rank() as u8 > 0
        && !occupied.contains(one)
    {
        origins = origins.with(one);
        if let Some(two) = one.offset(0, back)
            && two.relative_to(color).rank() as u8 == 1
            && !occupied.contains(two)
        {
            origins = origins.with(two);
        }
    }
    origins
}
