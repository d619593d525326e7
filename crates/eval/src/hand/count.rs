//! Counts the terms of a position. The counts go to a [`Sink`]: the sink of the evaluation
//! multiplies them with the weights, the sink of the tuner and the explanation stores them. So all
//! three share this code.

use skewer_movegen::attacks::{
    bishop_attacks, king_attacks, knight_attacks, queen_attacks, rook_attacks,
};
use skewer_movegen::{Bitboard, Board, Color, Piece, Square};

use super::masks::{ahead, beside, files, forward, pawns_attack, rank_of};
use super::terms::Term;

/// Receives the counts of one side.
pub(super) trait Sink {
    /// Adds `count` to the count of weight `index` of `term`.
    fn add(&mut self, term: Term, index: usize, count: i32);
}

/// The squares that each side attacks; filled while its pieces are counted.
struct Attacks {
    /// By each kind of piece, for each side.
    by: [[Bitboard; 6]; 2],
    all: [Bitboard; 2],
    /// By two pieces or more.
    twice: [Bitboard; 2],
}

impl Attacks {
    #[inline]
    fn add(&mut self, us: Color, piece: Piece, set: Bitboard) {
        let side = us.index();
        self.by[side][piece.index()] |= set;
        self.twice[side] |= self.all[side] & set;
        self.all[side] |= set;
    }
}

/// Counts all terms except material and squares, which are updated incrementally, and the tempo.
#[inline]
pub(super) fn count<S: Sink>(board: &Board, sinks: &mut [S; 2]) {
    let structure = count_pawns(board, sinks);
    count_others(board, &structure, sinks);
}

/// What the terms of other pieces need to know of the pawns. It depends on the pawns of both sides alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Structure {
    /// Passed pawns.
    passed: [Bitboard; 2],
    /// Squares for outposts: protected by an own pawn, and never attackable by an enemy pawn.
    holes: [Bitboard; 2],
    /// The files on which there are pawns.
    files: [Bitboard; 2],
}

/// Counts the terms that depend only on the pawns.
pub(super) fn count_pawns<S: Sink>(board: &Board, sinks: &mut [S; 2]) -> Structure {
    let mut structure = Structure::default();
    for us in Color::ALL {
        let side = us.index();
        let own = board.colored(us, Piece::Pawn);
        let theirs = board.colored(!us, Piece::Pawn);
        structure.passed[side] = pawns(us, own, theirs, &mut sinks[side]);
        structure.holes[side] =
            !ahead(!us, beside(theirs)) & pawns_attack(us, own) & ranks_four_to_six(us);
        structure.files[side] = files(own);
    }
    structure
}

/// Counts the terms that [`count_pawns`] does not.
#[inline]
pub(super) fn count_others<S: Sink>(board: &Board, structure: &Structure, sinks: &mut [S; 2]) {
    let mut attacks = Attacks {
        by: [[Bitboard::EMPTY; 6]; 2],
        all: [Bitboard::EMPTY; 2],
        twice: [Bitboard::EMPTY; 2],
    };
    for us in Color::ALL {
        let pawns = board.colored(us, Piece::Pawn);
        attacks.add(us, Piece::King, king_attacks(board.king(us)));
        attacks.add(us, Piece::Pawn, pawns_attack(us, pawns));
    }
    for us in Color::ALL {
        pieces(board, us, structure, &mut attacks, &mut sinks[us.index()]);
    }
    for us in Color::ALL {
        let sink = &mut sinks[us.index()];
        passed_pawns(board, us, structure.passed[us.index()], &attacks, sink);
        king(board, us, structure, &attacks, sink);
        threats(board, us, &attacks, sink);
    }
}

/// Mobility, attacks around the king, files and outposts of the pieces.
#[inline]
fn pieces<S: Sink>(
    board: &Board,
    us: Color,
    structure: &Structure,
    attacks: &mut Attacks,
    sink: &mut S,
) {
    let them = !us;
    let occupied = board.occupied();
    let own_pawns = board.colored(us, Piece::Pawn);
    let guarded = attacks.by[them.index()][Piece::Pawn.index()];
    let area = !(guarded | own_pawns | board.king(us).bitboard());
    let zone = king_zone(board.king(them));
    let holes = structure.holes[us.index()];
    let own_pawn_files = structure.files[us.index()];
    let pawn_files = own_pawn_files | structure.files[them.index()];
    let mut attackers = 0;

    let mut piece = |piece: Piece,
                     mobility: Term,
                     kind: usize,
                     reach: fn(Square, Bitboard) -> Bitboard,
                     sink: &mut S| {
        for square in board.colored(us, piece) {
            let reached = reach(square, occupied);
            attacks.add(us, piece, reached);
            sink.add(mobility, (reached & area).count() as usize, 1);
            let near = (reached & zone).count() as i32;
            if near > 0 {
                sink.add(Term::KingZone, kind, near);
                attackers += 1;
            }
        }
    };
    piece(
        Piece::Knight,
        Term::KnightMobility,
        0,
        |s, _| knight_attacks(s),
        sink,
    );
    piece(Piece::Bishop, Term::BishopMobility, 1, bishop_attacks, sink);
    piece(Piece::Rook, Term::RookMobility, 2, rook_attacks, sink);
    piece(Piece::Queen, Term::QueenMobility, 3, queen_attacks, sink);
    sink.add(Term::KingAttackers, attackers.min(7), 1);

    for (index, piece) in [Piece::Knight, Piece::Bishop].into_iter().enumerate() {
        let outposts = (board.colored(us, piece) & holes).count() as i32;
        sink.add(Term::Outpost, index, outposts);
    }
    let bishops = board.colored(us, Piece::Bishop);
    if bishops.has_more_than_one() {
        sink.add(Term::BishopPair, 0, 1);
    } else if bishops.any() {
        let color = if (bishops & Bitboard::LIGHT).any() {
            Bitboard::LIGHT
        } else {
            !Bitboard::LIGHT
        };
        sink.add(Term::BishopPawns, 0, (own_pawns & color).count() as i32);
    }
    let rooks = board.colored(us, Piece::Rook);
    sink.add(Term::RookOpenFile, 0, (rooks & !pawn_files).count() as i32);
    sink.add(
        Term::RookHalfOpenFile,
        0,
        (rooks & pawn_files & !own_pawn_files).count() as i32,
    );
}

/// Counts the terms of pawn structure and returns the passed pawns.
#[inline]
fn pawns<S: Sink>(us: Color, own: Bitboard, theirs: Bitboard, sink: &mut S) -> Bitboard {
    let them = !us;
    let supported = own & pawns_attack(us, own);
    let phalanx = own & beside(own);
    let isolated = own & !beside(files(own));
    // Backward pawns: no own pawn can defend them, and the enemy guards the square in front.
    let reach = ahead(us, beside(own)) | beside(own);
    let stopped = own & forward(them, pawns_attack(them, theirs));
    let backward = stopped & !reach & !isolated;
    let doubled = own & ahead(them, own);
    let passed = own & !ahead(them, theirs | beside(theirs)) & !doubled;
    sink.add(Term::DoubledPawn, 0, doubled.count() as i32);
    sink.add(Term::BackwardPawn, 0, backward.count() as i32);
    for square in isolated {
        let file = square.index() % 8;
        sink.add(Term::IsolatedPawn, file.min(7 - file), 1);
    }
    for square in phalanx {
        sink.add(Term::Phalanx, rank_of(us, square), 1);
    }
    for square in supported {
        sink.add(Term::SupportedPawn, rank_of(us, square), 1);
    }
    passed
}

/// Passed pawns: their ranks, whether a piece blocks them or their way is free, and the distances of the kings.
#[inline]
fn passed_pawns<S: Sink>(
    board: &Board,
    us: Color,
    passed: Bitboard,
    attacks: &Attacks,
    sink: &mut S,
) {
    let them = !us;
    let occupied = board.occupied();
    for square in passed {
        let rank = rank_of(us, square);
        let way = ahead(us, square.bitboard());
        sink.add(Term::PassedPawn, rank, 1);
        if (forward(us, square.bitboard()) & occupied).any() {
            sink.add(Term::PassedBlocked, rank, 1);
        } else if (way & (board.color(them) | attacks.all[them.index()])).is_empty() {
            sink.add(Term::PassedFree, rank, 1);
        }
        if rank >= 3
            && let Some(step) = forward(us, square.bitboard()).first()
        {
            sink.add(
                Term::PassedOwnKing,
                step.distance(board.king(us)) as usize & 7,
                1,
            );
            sink.add(
                Term::PassedEnemyKing,
                step.distance(board.king(them)) as usize & 7,
                1,
            );
        }
    }
}

/// The pawn shield of `us`'s king, the open files and the enemy pawns in front of this king, and the safe checks that
/// `us` can give.
#[inline]
fn king<S: Sink>(board: &Board, us: Color, structure: &Structure, attacks: &Attacks, sink: &mut S) {
    let them = !us;
    let king = board.king(us).bitboard();
    let wide = king | beside(king);
    let own = board.colored(us, Piece::Pawn);
    let theirs = board.colored(them, Piece::Pawn);
    let before = forward(us, wide) | forward(us, forward(us, wide));
    // Files of the shield: fold both ranks onto one.
    let shield = files(own & before) & wide;
    sink.add(Term::KingShield, (shield.count() as usize).min(3), 1);
    let without_own = wide & !structure.files[us.index()];
    let open = without_own & !structure.files[them.index()];
    sink.add(Term::KingFiles, 0, (without_own & !open).count() as i32);
    sink.add(Term::KingFiles, 1, open.count() as i32);
    let king_rank = rank_of(us, board.king(us));
    for square in theirs & ahead(us, wide) {
        sink.add(
            Term::PawnStorm,
            rank_of(us, square).saturating_sub(king_rank) & 7,
            1,
        );
    }

    let target = board.king(them);
    let safe = !attacks.all[them.index()] & !board.color(us);
    let occupied = board.occupied();
    let (straight, diagonal) = (
        rook_attacks(target, occupied),
        bishop_attacks(target, occupied),
    );
    for (kind, piece, from) in [
        (0, Piece::Knight, knight_attacks(target)),
        (1, Piece::Bishop, diagonal),
        (2, Piece::Rook, straight),
        (3, Piece::Queen, straight | diagonal),
    ] {
        let checks = from & attacks.by[us.index()][piece.index()] & safe;
        sink.add(Term::SafeChecks, kind, checks.count() as i32);
    }
}

/// Threats against enemy pieces, by the attacking piece.
#[inline]
fn threats<S: Sink>(board: &Board, us: Color, attacks: &Attacks, sink: &mut S) {
    let (own, other) = (us.index(), (!us).index());
    let by = |piece: Piece| attacks.by[own][piece.index()];
    let minors = by(Piece::Knight) | by(Piece::Bishop);
    for victim in [
        Piece::Pawn,
        Piece::Knight,
        Piece::Bishop,
        Piece::Rook,
        Piece::Queen,
    ] {
        let victims = board.colored(!us, victim);
        for (term, from) in [
            (Term::PawnThreats, by(Piece::Pawn)),
            (Term::MinorThreats, minors),
            (Term::RookThreats, by(Piece::Rook)),
        ] {
            sink.add(term, victim.index(), (victims & from).count() as i32);
        }
    }
    let bare = board.color(!us) & !attacks.all[other];
    sink.add(
        Term::KingThreats,
        0,
        (bare & by(Piece::King)).count() as i32,
    );
    sink.add(
        Term::Hanging,
        0,
        (bare & (attacks.all[own] & !by(Piece::King))).count() as i32,
    );
    let pawns = board.colored(us, Piece::Pawn);
    let safe = !board.occupied()
        & !attacks.by[other][Piece::Pawn.index()]
        & (attacks.all[own] | !attacks.all[other]);
    let pushed = pawns_attack(us, forward(us, pawns) & safe);
    let pieces = board.color(!us) & !board.pieces(Piece::Pawn);
    sink.add(
        Term::PushThreats,
        0,
        (pushed & pieces & !by(Piece::Pawn)).count() as i32,
    );
}

/// The king's square and the squares around it.
#[inline]
fn king_zone(king: Square) -> Bitboard {
    king_attacks(king) | king.bitboard()
}

/// The ranks of outposts.
#[inline]
fn ranks_four_to_six(us: Color) -> Bitboard {
    Bitboard(match us {
        Color::White => 0x0000_ffff_ff00_0000,
        Color::Black => 0x0000_00ff_ffff_0000,
    })
}
