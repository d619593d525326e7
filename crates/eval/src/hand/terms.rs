//! The terms of the hand-written evaluation: their names, how many weights each has, and where
//! they lie in the table of weights.

/// The terms with their names and numbers of weights, as an enum and as a list in the same order.
macro_rules! terms {
    ($($(#[$doc:meta])* $term:ident: $name:literal, $len:literal;)*) => {
        /// A term of the evaluation: weights for one feature, and a line of the explanation.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(usize)]
        #[non_exhaustive]
        pub enum Term {
            $($(#[$doc])* $term,)*
        }

        pub(super) const LIST: &[(Term, &str, usize)] = &[$((Term::$term, $name, $len),)*];
    };
}

terms! {
    /// Pieces, pawn to queen.
    Material: "material", 5;
    /// Piece-square values: 64 for each of pawn to king, from White's point of view.
    Squares: "squares", 384;
    /// Two bishops or more.
    BishopPair: "bishop pair", 1;
    /// Squares that a knight reaches and no enemy pawn guards, except the squares of its own pawns and king.
    KnightMobility: "knight mobility", 9;
    /// Squares that a bishop reaches and no enemy pawn guards, except the squares of its own pawns and king.
    BishopMobility: "bishop mobility", 14;
    /// Squares that a rook reaches and no enemy pawn guards, except the squares of its own pawns and king.
    RookMobility: "rook mobility", 15;
    /// Squares that a queen reaches and no enemy pawn guards, except the squares of its own pawns and king.
    QueenMobility: "queen mobility", 28;
    /// A pawn with no pawn of its side on the files beside it; by its distance from the edge.
    IsolatedPawn: "isolated pawns", 4;
    /// A pawn behind another of its side on the same file.
    DoubledPawn: "doubled pawns", 1;
    /// A pawn that no pawn of its side can come to protect, and that cannot step forward because an enemy pawn
    /// guards the square in front.
    BackwardPawn: "backward pawns", 1;
    /// A pawn beside another, by rank.
    Phalanx: "pawns side by side", 8;
    /// A pawn protected by another, by rank.
    SupportedPawn: "supported pawns", 8;
    /// A pawn that no enemy pawn can stop, by rank.
    PassedPawn: "passed pawns", 8;
    /// A passed pawn with a piece before it, by rank.
    PassedBlocked: "passed, blocked", 8;
    /// A passed pawn with no enemy piece on or guarding its way, by rank.
    PassedFree: "passed, free way", 8;
    /// The distance from the square before an advanced passed pawn to the king of the pawn's side.
    PassedOwnKing: "passed, own king", 8;
    /// The distance from the square before an advanced passed pawn to the enemy king.
    PassedEnemyKing: "passed, enemy king", 8;
    /// A rook on a file without pawns.
    RookOpenFile: "rook on open file", 1;
    /// A rook on a file without pawns of its side.
    RookHalfOpenFile: "rook, half-open file", 1;
    /// A knight, or a bishop, on a square that a pawn protects and no enemy pawn can attack.
    Outpost: "outposts", 2;
    /// Pawns on squares of the colour of their side's only bishop.
    BishopPawns: "pawns of bishop's colour", 1;
    /// Files near the king with a pawn of its side in front of it: none to three.
    KingShield: "king's pawn shield", 4;
    /// Files at the king: half open, open.
    KingFiles: "open files at king", 2;
    /// Enemy pawns on files at the king, by their distance in ranks.
    PawnStorm: "pawn storm", 8;
    /// Attacked squares around the enemy king, with a weight for each kind of attacker: knight, bishop, rook, queen.
    KingZone: "attacks around king", 4;
    /// How many pieces attack around the enemy king.
    KingAttackers: "attackers of king", 8;
    /// Squares from which a piece can safely give check, with a weight for each kind: knight, bishop, rook, queen.
    SafeChecks: "safe checks", 4;
    /// Enemy pieces that pawns attack, pawn to queen.
    PawnThreats: "threats by pawns", 5;
    /// Enemy pieces that knights and bishops attack, pawn to queen.
    MinorThreats: "threats by minors", 5;
    /// Enemy pieces that rooks attack, pawn to queen.
    RookThreats: "threats by rooks", 5;
    /// Unprotected enemy pieces that the king attacks.
    KingThreats: "threats by king", 1;
    /// Attacked enemy pieces that nothing protects, except the pieces that the king attacks.
    Hanging: "hanging pieces", 1;
    /// Enemy pieces that a pawn can attack by a safe step.
    PushThreats: "pawn push threats", 1;
    /// Having the move.
    Tempo: "tempo", 1;
}

/// Where each term begins, and at the end how many weights there are.
const OFFSETS: [usize; LIST.len() + 1] = {
    let mut offsets = [0; LIST.len() + 1];
    let mut at = 0;
    while at < LIST.len() {
        offsets[at + 1] = offsets[at] + LIST[at].2;
        at += 1;
    }
    offsets
};

impl Term {
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
