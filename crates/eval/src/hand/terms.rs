//! The terms of the hand-written evaluation: their names, how many weights each has, and where
//! they lie in the table of weights.

/// A term of the evaluation: weights for one feature, and a line of the explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(usize)]
#[non_exhaustive]
pub enum Term {
    /// Pieces, pawn to queen.
    Material,
    /// Piece-square values: 64 for each of pawn to king, from White's point of view.
    Squares,
    /// Two bishops or more.
    BishopPair,
    /// Squares that a knight reaches and no pawn guards.
    KnightMobility,
    /// The same of a bishop.
    BishopMobility,
    /// The same of a rook.
    RookMobility,
    /// The same of a queen.
    QueenMobility,
    /// A pawn with no pawn of its side on the files beside it; by its distance from the edge.
    IsolatedPawn,
    /// A pawn behind another of its side on the same file.
    DoubledPawn,
    /// A pawn that no pawn can come to protect, before a square that an enemy pawn guards.
    BackwardPawn,
    /// A pawn beside another, by rank.
    Phalanx,
    /// A pawn protected by another, by rank.
    SupportedPawn,
    /// A pawn that no enemy pawn can stop, by rank.
    PassedPawn,
    /// A passed pawn with a piece before it, by rank.
    PassedBlocked,
    /// A passed pawn with no enemy piece on or guarding its way, by rank.
    PassedFree,
    /// The distance of its own king from the square before an advanced passed pawn.
    PassedOwnKing,
    /// The distance of the enemy king from it.
    PassedEnemyKing,
    /// A rook on a file without pawns.
    RookOpenFile,
    /// A rook on a file without pawns of its side.
    RookHalfOpenFile,
    /// A knight, a bishop on a square that a pawn protects and no enemy pawn can attack.
    Outpost,
    /// Pawns on squares of the colour of their side's only bishop.
    BishopPawns,
    /// Pawns before their king, none to three files of them.
    KingShield,
    /// Files at the king: half open, open.
    KingFiles,
    /// Enemy pawns on files at the king, by their distance in ranks.
    PawnStorm,
    /// Squares around the enemy king that are attacked, by a knight, bishop, rook, queen.
    KingZone,
    /// How many pieces attack around the enemy king.
    KingAttackers,
    /// Squares from which a knight, bishop, rook, queen can safely give check.
    SafeChecks,
    /// What pawns attack, pawn to queen.
    PawnThreats,
    /// What knights and bishops attack.
    MinorThreats,
    /// What rooks attack.
    RookThreats,
    /// What the king attacks, unprotected.
    KingThreats,
    /// Attacked enemy pieces that nothing protects.
    Hanging,
    /// Enemy pieces that a pawn can attack by a safe step.
    PushThreats,
    /// Having the move.
    Tempo,
}

/// Name and number of weights, in the order of [`Term`].
const LIST: [(Term, &str, usize); 34] = [
    (Term::Material, "material", 5),
    (Term::Squares, "squares", 384),
    (Term::BishopPair, "bishop pair", 1),
    (Term::KnightMobility, "knight mobility", 9),
    (Term::BishopMobility, "bishop mobility", 14),
    (Term::RookMobility, "rook mobility", 15),
    (Term::QueenMobility, "queen mobility", 28),
    (Term::IsolatedPawn, "isolated pawns", 4),
    (Term::DoubledPawn, "doubled pawns", 1),
    (Term::BackwardPawn, "backward pawns", 1),
    (Term::Phalanx, "pawns side by side", 8),
    (Term::SupportedPawn, "supported pawns", 8),
    (Term::PassedPawn, "passed pawns", 8),
    (Term::PassedBlocked, "passed, blocked", 8),
    (Term::PassedFree, "passed, free way", 8),
    (Term::PassedOwnKing, "passed, own king", 8),
    (Term::PassedEnemyKing, "passed, enemy king", 8),
    (Term::RookOpenFile, "rook on open file", 1),
    (Term::RookHalfOpenFile, "rook, half-open file", 1),
    (Term::Outpost, "outposts", 2),
    (Term::BishopPawns, "pawns of bishop's colour", 1),
    (Term::KingShield, "king's pawn shield", 4),
    (Term::KingFiles, "open files at king", 2),
    (Term::PawnStorm, "pawn storm", 8),
    (Term::KingZone, "attacks around king", 4),
    (Term::KingAttackers, "attackers of king", 8),
    (Term::SafeChecks, "safe checks", 4),
    (Term::PawnThreats, "threats by pawns", 5),
    (Term::MinorThreats, "threats by minors", 5),
    (Term::RookThreats, "threats by rooks", 5),
    (Term::KingThreats, "threats by king", 1),
    (Term::Hanging, "hanging pieces", 1),
    (Term::PushThreats, "pawn push threats", 1),
    (Term::Tempo, "tempo", 1),
];

/// Where each term begins, and at the end how many weights there are.
const OFFSETS: [usize; LIST.len() + 1] = {
    let mut offsets = [0; LIST.len() + 1];
    let mut at = 0;
    while at < LIST.len() {
        assert!(
            LIST[at].0 as usize == at,
            "the list is in the order of the terms"
        );
        offsets[at + 1] = offsets[at] + LIST[at].2;
        at += 1;
    }
    offsets
};

impl Term {
    /// The list itself, for constant evaluation.
    pub(super) const LIST: [(Self, &'static str, usize); LIST.len()] = LIST;

    /// How many weights there are in all.
    pub const WEIGHTS: usize = OFFSETS[LIST.len()];

    /// All terms, in the order of their weights.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        LIST.iter().map(|entry| entry.0)
    }

    /// The name in the explanation, for example `knight mobility`.
    pub const fn name(self) -> &'static str {
        LIST[self as usize].1
    }

    /// The index of its first weight.
    #[inline]
    pub const fn offset(self) -> usize {
        OFFSETS[self as usize]
    }

    /// How many weights it has.
    ///
    /// ```
    /// # use skewer_eval::Term;
    /// assert_eq!(Term::Material.len(), 5);
    /// assert_eq!(Term::all().map(Term::len).sum::<usize>(), Term::WEIGHTS);
    /// ```
    #[allow(clippy::len_without_is_empty, reason = "no term is without weights")]
    #[inline]
    pub const fn len(self) -> usize {
        LIST[self as usize].2
    }
}
