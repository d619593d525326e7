//! The search techniques that can be switched off by name.

use core::fmt;

/// Declares the techniques, and keeps their documentation for [`Techniques::explanation`].
macro_rules! techniques {
    (
        $(#[$meta:meta])*
        pub struct Techniques: u64 {
            $(#[doc = $doc:literal] const $name:ident = $value:expr;)*
        }
    ) => {
        bitflags::bitflags! {
            $(#[$meta])*
            pub struct Techniques: u64 {
                $(#[doc = $doc] const $name = $value;)*
            }
        }

        impl Techniques {
            /// What a technique does, in a sentence; empty for a set of several or none.
            ///
            /// ```
            /// # use skewer_types::Techniques;
            /// assert!(Techniques::NULL_MOVE.explanation().starts_with("Cut when passing"));
            /// ```
            pub fn explanation(self) -> &'static str {
                match self {
                    $(Self::$name => $doc.trim_ascii(),)*
                    _ => "",
                }
            }
        }
    };
}

techniques! {
    /// A set of search techniques. The engine plays with [`Techniques::DEFAULT`]; each technique can
    /// be switched on or off by the name that [`Techniques::from_name_kebab`] accepts.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Techniques: u64 {
        /// Search past the horizon until the position is quiet (Shannon, 1950).
        const QUIESCENCE = 1 << 0;
        /// Try the hash table's move first (Greenblatt, 1967).
        const HASH_MOVE = 1 << 1;
        /// Return the hash table's score when it is deep enough (Greenblatt, 1967).
        const HASH_CUTOFF = 1 << 2;
        /// Order quiet moves by how often they failed high (Schaeffer, 1983).
        const QUIET_HISTORY = 1 << 3;
        /// Search late moves less deeply (Donninger, 1990s; Romstad, 2005).
        const LATE_MOVE_REDUCTIONS = 1 << 4;
        /// Return at once when the evaluation is far above beta (Heinz, 1998).
        const REVERSE_FUTILITY = 1 << 5;
        /// Cut when passing, searched less deeply, still beats beta (Beal, 1989; Donninger, 1993).
        const NULL_MOVE = 1 << 6;
        /// Confirm deep null-move cut-offs by a real search (Tabibi and Netanyahu, 2002).
        const NULL_MOVE_VERIFICATION = 1 << 7;
        /// Split captures into good and bad by static exchange evaluation.
        const SEE_ORDERING = 1 << 8;
        /// Skip losing captures in quiescence.
        const SEE_QUIESCENCE = 1 << 9;
        /// Skip moves that lose material at low depth.
        const SEE_PRUNING = 1 << 10;
        /// Skip quiet moves after many others at low depth.
        const LATE_MOVE_PRUNING = 1 << 11;
        /// Remember quiet moves that failed high at the same ply (Akl and Newborn, 1977).
        const KILLERS = 1 << 12;
        /// Remember the quiet answer that refuted a move (Uiterwijk, 1992).
        const COUNTER_MOVES = 1 << 13;
        /// Order quiet moves by the change of the piece-square score (Kornilov, 2005).
        const QUIET_DELTA = 1 << 14;
        /// Extend a move that is much better than all others (Anantharaman et al., 1988).
        const SINGULAR_EXTENSIONS = 1 << 15;
        /// Search moves after the first with a null window (Marsland and Campbell, 1982).
        const PRINCIPAL_VARIATION_SEARCH = 1 << 16;
        /// Start each iteration with a narrow window around the last score.
        const ASPIRATION_WINDOWS = 1 << 17;
        /// Correct the evaluation by the errors seen in like positions.
        const CORRECTION_HISTORY = 1 << 18;
        /// Order quiet moves by the moves before them.
        const CONTINUATION_HISTORY = 1 << 19;
        /// Order captures by how often they failed high.
        const CAPTURE_HISTORY = 1 << 20;
        /// Skip quiet moves when the evaluation is far below alpha (Heinz, 1998).
        const PARENT_FUTILITY = 1 << 21;
        /// Let the hash table's score correct the evaluation.
        const HASH_EVAL = 1 << 22;
        /// Probe and fill the hash table in quiescence.
        const HASH_QUIESCENCE = 1 << 23;
        /// Go straight to quiescence when the evaluation is hopeless.
        const RAZORING = 1 << 24;
        /// Search a node without a hash move one ply less.
        const INTERNAL_REDUCTION = 1 << 25;
        /// Cut when a shallow search of captures is far above beta (Buro, 1995).
        const PROBCUT = 1 << 26;
        /// Search moves that give check more deeply.
        const CHECK_EXTENSION = 1 << 27;
        /// Never look for a mate longer than one already found.
        const MATE_DISTANCE_PRUNING = 1 << 28;
        /// See a repetition one move before it happens (van Kervinck, 2013).
        const UPCOMING_REPETITION = 1 << 29;
        /// Search late captures less deeply too.
        const CAPTURE_REDUCTIONS = 1 << 30;
        /// Adjust reductions by what is known of the node and the move, not by counts alone.
        const REDUCTION_ADJUSTERS = 1 << 31;
        /// Let the result of a reduced search decide how deep the re-search goes.
        const RESEARCH_DEPTH = 1 << 32;
        /// If the evaluation has risen over two plies, cut sooner above beta, skip fewer quiet moves, and reduce less.
        const IMPROVING = 1 << 33;
        /// Skip quiet moves with a bad history at low depth.
        const HISTORY_PRUNING = 1 << 34;
        /// Cut when the hash move is not singular and others beat beta too (Bjornsson, 1998).
        const MULTI_CUT = 1 << 35;
        /// Extend a very singular move by two plies.
        const DOUBLE_EXTENSIONS = 1 << 36;
        /// Search the hash move less deeply when it is not singular.
        const NEGATIVE_EXTENSIONS = 1 << 37;
        /// Correct the depth of a node by what its parent's reduction turned out to be worth.
        const HINDSIGHT = 1 << 38;
        /// Skip captures in quiescence that cannot bring the evaluation near alpha.
        const DELTA_PRUNING = 1 << 39;
        /// Look at no more than a few moves in a quiescence node.
        const QUIESCENCE_LIMIT = 1 << 40;
        /// Index the quiet history by whether the move's squares are attacked.
        const THREAT_HISTORY = 1 << 41;
        /// Order quiet moves by what worked with the same pawns.
        const PAWN_HISTORY = 1 << 42;
        /// Keep positions near the fifty-move rule apart in the hash table.
        const FIFTY_MOVE_BUCKET = 1 << 43;
        /// Spend less time when nearly all nodes went to one move.
        const TIME_BY_NODES = 1 << 44;
        /// Spend less time the longer the best move has stayed the same.
        const TIME_BY_STABILITY = 1 << 45;
        /// Spend more time when the score falls.
        const TIME_BY_SCORE = 1 << 46;
        /// Extend a quiet move that is more singular still by three plies.
        const TRIPLE_EXTENSIONS = 1 << 47;
        /// Return a value between beta and the score when a node fails high.
        const FAIL_HIGH_BLEND = 1 << 48;
        /// Order quiet moves that give check and lose less than a pawn before most others.
        const CHECK_ORDERING = 1 << 49;
        /// Credit a quiet move with the change that it makes to the static evaluation.
        const EVALUATION_HISTORY = 1 << 50;
        /// Reward a refuting move in all its histories, and punish an early move that is refuted.
        const PREVIOUS_MOVE_HISTORY = 1 << 51;
        /// Order quiet moves near the root by what failed high at the same ply.
        const LOW_PLY_HISTORY = 1 << 52;
        /// Never skip a recapture in quiescence for its place in the order or for what it wins.
        const RECAPTURES = 1 << 53;
        /// Scale the evaluation, and a bonus for the side that is ahead at the root, by the material.
        const MATERIAL_SCALE = 1 << 54;
    }
}

/// A technique's name that is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownTechniqueError;

impl fmt::Display for UnknownTechniqueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no technique of that name")
    }
}

impl core::error::Error for UnknownTechniqueError {}

impl Techniques {
    /// The techniques that the engine plays with: all but the techniques that gain nothing besides the others.
    pub const DEFAULT: Self = Self::all().difference(Self::COUNTER_MOVES.union(Self::QUIET_DELTA));

    /// The technique with this name. Case does not matter, and `-` and `_` are the same.
    ///
    /// ```
    /// # use skewer_types::Techniques;
    /// assert_eq!(Techniques::from_name_kebab("null-move"), Ok(Techniques::NULL_MOVE));
    /// assert!(Techniques::from_name_kebab("magic").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// [`UnknownTechniqueError`] if there is none.
    pub fn from_name_kebab(name: &str) -> Result<Self, UnknownTechniqueError> {
        Self::all()
            .iter_names()
            .find(|(known, _)| {
                known.len() == name.len()
                    && known
                        .bytes()
                        .zip(name.bytes())
                        .all(|(a, b)| a == b.to_ascii_uppercase() || (a == b'_' && b == b'-'))
            })
            .map(|(_, technique)| technique)
            .ok_or(UnknownTechniqueError)
    }
}

/// How a search asks which techniques it may use: a type, so that the instance for play can be
/// compiled without tests at run time.
pub trait TechniqueSet: Copy {
    /// Whether all the techniques in `wanted` may be used.
    fn has(self, wanted: Techniques) -> bool;
}

/// [`Techniques::DEFAULT`], known when the search is compiled.
///
/// ```
/// use skewer_types::{DefaultTechniques, TechniqueSet, Techniques};
/// assert!(DefaultTechniques.has(Techniques::NULL_MOVE));
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct DefaultTechniques;

impl TechniqueSet for DefaultTechniques {
    #[inline(always)]
    fn has(self, wanted: Techniques) -> bool {
        Techniques::DEFAULT.contains(wanted) && !is_disabled(wanted)
    }
}

impl TechniqueSet for Techniques {
    #[inline]
    fn has(self, wanted: Techniques) -> bool {
        self.contains(wanted) && !is_disabled(wanted)
    }
}

/// Whether a technique that a search asks for is missing. Never, except under
/// `--cfg disable_technique`, with which `tools/dev/protected` builds the tests.
#[cfg(not(disable_technique))]
#[inline(always)]
const fn is_disabled(_wanted: Techniques) -> bool {
    false
}

/// Whether the environment variable `SKEWER_DISABLE` names the technique. Tests must then fail: it
/// stands for a change to the search that loses a technique unnoticed.
///
/// # Panics
///
/// If the variable names no technique.
#[cfg(disable_technique)]
fn is_disabled(wanted: Techniques) -> bool {
    use std::sync::OnceLock;

    static DISABLED: OnceLock<Techniques> = OnceLock::new();
    let disabled = DISABLED.get_or_init(|| match std::env::var("SKEWER_DISABLE") {
        Ok(name) => Techniques::from_name_kebab(&name).expect("the name of a technique"),
        Err(_) => Techniques::empty(),
    });
    disabled.intersects(wanted)
}
