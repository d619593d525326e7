//! The options themselves.

use std::time::Duration;

use skewer_search::{FiftyMoveRule, TablebaseRules};
use skewer_smp::{DEFAULT_HASH_MB, MAX_THREADS};
use skewer_types::Depth;

use super::{Kind, OptionSpec};
use crate::Session;
use crate::strength::{MAX_ELO, MIN_ELO};

/// The largest hash table that can be asked for, in MiB; the machine's memory is the real limit.
const MAX_HASH_MB: i64 = 1 << 25;

/// More lines than any position has legal moves.
const MAX_MULTI_PV: i64 = 256;

/// Every option, in the order in which `uci` lists them.
pub static OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "Hash",
        kind: Kind::Spin {
            default: DEFAULT_HASH_MB as i64,
            min: 1,
            max: MAX_HASH_MB,
            set: Session::set_hash,
        },
        meaning: "Size of the hash table in MiB. More is better for long searches; a change \
                  empties the table.",
    },
    OptionSpec {
        name: "Threads",
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: MAX_THREADS as i64,
            set: Session::set_threads,
        },
        meaning: "Number of search threads: at most one for each processor core. A change keeps \
                  the hash table.",
    },
    OptionSpec {
        name: "Clear Hash",
        kind: Kind::Button {
            press: Session::clear_hash,
        },
        meaning: "Forget everything found so far.",
    },
    OptionSpec {
        name: "Ponder",
        kind: Kind::Check {
            default: false,
            // Nothing depends on it.
            set: |_, _| {},
        },
        meaning: "Announces to GUIs that the engine can ponder; it has no other effect.",
    },
    OptionSpec {
        name: "MultiPV",
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: MAX_MULTI_PV,
            set: |session, lines| session.settings.multi_pv = lines as usize,
        },
        meaning: "How many of the best lines to show, each with its own score. 1 plays strongest.",
    },
    OptionSpec {
        name: "Move Overhead",
        kind: Kind::Spin {
            default: 20,
            min: 0,
            max: 10_000,
            set: |session, ms| session.settings.move_overhead = Duration::from_millis(ms as u64),
        },
        meaning: "Milliseconds kept back from every move for delays between engine and server. Raise \
                  it if games are lost on time.",
    },
    OptionSpec {
        name: "UCI_Chess960",
        kind: Kind::Check {
            default: false,
            set: |session, on| session.settings.chess960 = on,
        },
        meaning: "Play Chess960 (Fischer random): castling is written as king takes own rook. Both \
                  ways of writing it are understood at any time.",
    },
    OptionSpec {
        name: "UCI_ShowWDL",
        kind: Kind::Check {
            default: false,
            set: |session, on| session.settings.show_wdl = on,
        },
        meaning: "Add the chances of a win, a draw and a loss to every score, in thousandths.",
    },
    OptionSpec {
        name: "UCI_AnalyseMode",
        kind: Kind::Check {
            default: false,
            set: |session, on| session.settings.analyse_mode = on,
        },
        meaning: "Set by GUIs while they analyse: full strength, whatever UCI_LimitStrength says.",
    },
    OptionSpec {
        name: "UCI_LimitStrength",
        kind: Kind::Check {
            default: false,
            set: |session, on| session.settings.limit_strength = on,
        },
        meaning: "Play at the strength of UCI_Elo: search fewer nodes and sometimes play a weaker \
                  move.",
    },
    OptionSpec {
        name: "UCI_Elo",
        kind: Kind::Spin {
            default: MAX_ELO as i64,
            min: MIN_ELO as i64,
            max: MAX_ELO as i64,
            set: |session, elo| session.settings.elo = elo as u32,
        },
        meaning: "The strength to play at with UCI_LimitStrength, measured in games between the \
                  levels and against an engine of known strength.",
    },
    OptionSpec {
        name: "OwnBook",
        kind: Kind::Check {
            default: false,
            set: |session, on| session.book.own_book = on,
        },
        meaning: "Play moves from Book File without a search where it has any. Analysis is not \
                  affected.",
    },
    OptionSpec {
        name: "Book File",
        kind: Kind::Text {
            default: "",
            set: Session::open_book,
        },
        meaning: "A Polyglot opening book (.bin) for OwnBook; empty for none.",
    },
    OptionSpec {
        name: "SyzygyPath",
        kind: Kind::Text {
            default: "",
            set: Session::open_tables,
        },
        meaning: "Folders with Syzygy endgame tables, separated by ; (or : elsewhere than on \
                  Windows); empty for none.",
    },
    OptionSpec {
        name: "SyzygyProbeDepth",
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: 100,
            set: |session, depth| session.use_tables(|rules| rules.probe_depth = depth as Depth),
        },
        meaning: "Probe the largest tables only at this remaining depth in plies or more: raise it if \
                  they are on a slow disk.",
    },
    OptionSpec {
        name: "SyzygyProbeLimit",
        kind: Kind::Spin {
            default: TablebaseRules::MAX_PIECES as i64,
            min: 0,
            max: TablebaseRules::MAX_PIECES as i64,
            set: |session, pieces| session.use_tables(|rules| rules.probe_limit = pieces as u32),
        },
        meaning: "Probe tables only with at most this many pieces on the board; 0 for never.",
    },
    OptionSpec {
        name: "Syzygy50MoveRule",
        kind: Kind::Check {
            default: true,
            set: |session, in_force| {
                session.use_tables(|rules| {
                    rules.fifty_move_rule = if in_force {
                        FiftyMoveRule::InForce
                    } else {
                        FiftyMoveRule::Ignored
                    }
                });
            },
        },
        meaning: "Whether wins that the fifty-move rule spoils count as draws.",
    },
    OptionSpec {
        name: "EvalFile",
        kind: Kind::Text {
            default: "",
            set: Session::set_eval_file,
        },
        meaning: "A network file to evaluate with; empty for the evaluation that is built in. \
                  Forgets what the hash table holds.",
    },
    OptionSpec {
        name: "Use Network",
        kind: Kind::Check {
            default: true,
            set: |session, used| session.evaluate_with(session.evaluation.with_network(used)),
        },
        meaning: "Evaluate with a network, where there is one; otherwise with the hand-written \
                  terms. Forgets what the hash table holds.",
    },
    OptionSpec {
        name: "Hash File",
        kind: Kind::Text {
            default: "",
            set: |session, path| path.clone_into(&mut session.settings.hash_file),
        },
        meaning: "The file for Save Hash and Load Hash.",
    },
    OptionSpec {
        name: "Save Hash",
        kind: Kind::Button {
            press: Session::save_hash,
        },
        meaning: "Write the hash table to Hash File, to go on with an analysis another day.",
    },
    OptionSpec {
        name: "Load Hash",
        kind: Kind::Button {
            press: Session::load_hash,
        },
        meaning: "Read the hash table from Hash File; it outlives the next ucinewgame. A damaged or \
                  foreign file changes nothing.",
    },
    OptionSpec {
        name: "nodestime",
        kind: Kind::Spin {
            default: 0,
            min: 0,
            max: 10_000,
            set: |session, nodes| session.settings.nodes_per_millisecond = nodes as u32,
        },
        meaning: "For tests: count this many searched nodes as one millisecond on every clock, so \
                  that timed games can be repeated. 0 uses real time.",
    },
    OptionSpec {
        name: "Without",
        kind: Kind::Text {
            default: "",
            set: Session::set_without,
        },
        meaning: "For developers: search techniques to switch off, separated by commas. `help \
                  techniques` lists their names.",
    },
];
