//! The options themselves.

use std::num::NonZeroU32;
use std::time::Duration;

use skewer_movegen::CastlingMode;
use skewer_smp::{DEFAULT_HASH_MB, Depth, FiftyMoveRule, MAX_THREADS, TablebaseRules, TimeSource};

use super::{Change, Kind, OptionSpec, Scoring, Setting, techniques_without};
use crate::output::WdlColumn;
use crate::strength::{MAX_ELO, MEANING, MIN_ELO};

/// The largest hash table that can be asked for, in MiB; the machine's memory is the real limit.
const MAX_HASH_MB: i64 = 1 << 25;

/// More lines than any position has legal moves.
const MAX_MULTI_PV: i64 = 256;

/// Time kept back from every move unless it is set, in milliseconds.
pub const DEFAULT_MOVE_OVERHEAD_MS: i64 = 20;

/// Every option, in the order in which `uci` lists them.
pub static OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "Hash",
        kind: Kind::Spin {
            default: DEFAULT_HASH_MB as i64,
            min: 1,
            max: MAX_HASH_MB,
            change: |megabytes| Change::Hash(megabytes as usize),
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
            change: |threads| Change::Threads(threads as usize),
        },
        meaning: "Number of search threads: at most one for each processor core. A change keeps \
                  the hash table.",
    },
    OptionSpec {
        name: "Clear Hash",
        kind: Kind::Button {
            change: || Change::ClearHash,
        },
        meaning: "Forget everything found so far.",
    },
    OptionSpec {
        name: "Ponder",
        kind: Kind::Check {
            default: false,
            change: |may| Change::Setting(Setting::Ponder(may)),
        },
        meaning: "Tells GUIs that the engine can think on the opponent's time; it always can.",
    },
    OptionSpec {
        name: "MultiPV",
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: MAX_MULTI_PV,
            change: |lines| Change::Setting(Setting::MultiPv(lines as usize)),
        },
        meaning: "How many of the best lines to show, each with its own score. 1 plays strongest.",
    },
    OptionSpec {
        name: "Move Overhead",
        kind: Kind::Spin {
            default: DEFAULT_MOVE_OVERHEAD_MS,
            min: 0,
            max: 10_000,
            change: |ms| {
                let overhead = Duration::from_millis(ms as u64);
                Change::Setting(Setting::MoveOverhead(overhead))
            },
        },
        meaning: "Milliseconds kept back from every move for the way between engine and server. \
                  Raise it if games are lost on time.",
    },
    OptionSpec {
        name: "UCI_Chess960",
        kind: Kind::Check {
            default: false,
            change: |on| {
                Change::Setting(Setting::Castling(if on {
                    CastlingMode::Chess960
                } else {
                    CastlingMode::Standard
                }))
            },
        },
        meaning: "Play Chess960 (Fischer random): castling is written as king takes own rook. Both \
                  ways of writing it are understood at any time.",
    },
    OptionSpec {
        name: "UCI_ShowWDL",
        kind: Kind::Check {
            default: false,
            change: |on| {
                Change::Setting(Setting::Wdl(if on {
                    WdlColumn::Shown
                } else {
                    WdlColumn::Hidden
                }))
            },
        },
        meaning: "Add the chances of a win, a draw and a loss to every score, in thousandths.",
    },
    OptionSpec {
        name: "UCI_AnalyseMode",
        kind: Kind::Check {
            default: false,
            change: |on| Change::Setting(Setting::AnalyseMode(on)),
        },
        meaning: "Set by GUIs while they analyse: full strength, whatever UCI_LimitStrength says.",
    },
    OptionSpec {
        name: "UCI_LimitStrength",
        kind: Kind::Check {
            default: false,
            change: |on| Change::Setting(Setting::LimitStrength(on)),
        },
        meaning: "Play at the strength of UCI_Elo: look less far, and sometimes prefer a worse \
                  move, the less so the worse it is.",
    },
    OptionSpec {
        name: "UCI_Elo",
        kind: Kind::Spin {
            default: MAX_ELO as i64,
            min: MIN_ELO as i64,
            max: MAX_ELO as i64,
            change: |elo| Change::Setting(Setting::Elo(elo as u32)),
        },
        meaning: MEANING,
    },
    OptionSpec {
        name: "SyzygyPath",
        kind: Kind::Text {
            default: "",
            change: |path| Ok(Change::SyzygyPath(path.to_owned())),
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
            change: |depth| Change::SyzygyProbeDepth(depth as Depth),
        },
        meaning: "Look into the largest tables only with so many plies left to search: raise it if \
                  they lie on a slow disk.",
    },
    OptionSpec {
        name: "SyzygyProbeLimit",
        kind: Kind::Spin {
            default: TablebaseRules::MAX_PIECES as i64,
            min: 0,
            max: TablebaseRules::MAX_PIECES as i64,
            change: |men| Change::SyzygyProbeLimit(men as u32),
        },
        meaning: "Look into tables only with so many men on the board, or fewer; 0 for never.",
    },
    OptionSpec {
        name: "Syzygy50MoveRule",
        kind: Kind::Check {
            default: true,
            change: |in_force| {
                Change::SyzygyFiftyMoveRule(if in_force {
                    FiftyMoveRule::InForce
                } else {
                    FiftyMoveRule::Ignored
                })
            },
        },
        meaning: "Whether wins that the fifty-move rule spoils count as draws.",
    },
    OptionSpec {
        name: "EvalFile",
        kind: Kind::Text {
            default: "",
            change: |path| Ok(Change::EvalFile(path.to_owned())),
        },
        meaning: "A network file to evaluate with; empty for the evaluation that is built in. \
                  Forgets what the hash table holds.",
    },
    OptionSpec {
        name: "Use Network",
        kind: Kind::Check {
            default: true,
            change: |used| {
                Change::Scoring(if used {
                    Scoring::Network
                } else {
                    Scoring::HandWritten
                })
            },
        },
        meaning: "Evaluate with a network, where there is one; otherwise with the hand-written \
                  terms. Forgets what the hash table holds.",
    },
    OptionSpec {
        name: "Hash File",
        kind: Kind::Text {
            default: "",
            change: |path| Ok(Change::Setting(Setting::HashFile(path.to_owned()))),
        },
        meaning: "The file for Save Hash and Load Hash.",
    },
    OptionSpec {
        name: "Save Hash",
        kind: Kind::Button {
            change: || Change::SaveHash,
        },
        meaning: "Write the hash table to Hash File, to go on with an analysis another day.",
    },
    OptionSpec {
        name: "Load Hash",
        kind: Kind::Button {
            change: || Change::LoadHash,
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
            change: |nodes| {
                let source = NonZeroU32::new(nodes as u32)
                    .map_or(TimeSource::Wall, |per_millisecond| TimeSource::Nodes {
                        per_millisecond,
                    });
                Change::Setting(Setting::TimeSource(source))
            },
        },
        meaning: "For tests: count this many searched nodes as one millisecond on every clock, so \
                  that timed games can be repeated. 0 uses real time.",
    },
    OptionSpec {
        name: "Without",
        kind: Kind::Text {
            default: "",
            change: |list| techniques_without(list).map(Change::Without),
        },
        meaning: "For developers: search techniques to switch off, separated by commas. `help \
                  techniques` lists their names.",
    },
];
