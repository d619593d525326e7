//! The options themselves.

use std::ops::RangeInclusive;
use std::time::Duration;

use skewer_search::TablebaseRules;
use skewer_smp::{DEFAULT_HASH_MB, MAX_THREADS, Schedule};
use skewer_types::Depth;

use super::{Kind, OptionSpec};
use crate::Session;
use crate::strength::{MAX_ELO, MIN_ELO};

/// The largest hash table that can be asked for, in MiB; the machine's memory is the real limit.
const MAX_HASH_MB: i64 = 1 << 25;

/// More lines than any position has legal moves.
const MAX_MULTI_PV: i64 = 256;

const fn option(name: &'static str, kind: Kind, meaning: &'static str) -> OptionSpec {
    OptionSpec {
        name,
        kind,
        meaning,
    }
}

const fn check(
    name: &'static str,
    default: bool,
    set: fn(&mut Session, bool),
    meaning: &'static str,
) -> OptionSpec {
    option(name, Kind::Check { default, set }, meaning)
}

const fn spin(
    name: &'static str,
    default: i64,
    range: RangeInclusive<i64>,
    set: fn(&mut Session, i64),
    meaning: &'static str,
) -> OptionSpec {
    let (min, max) = (*range.start(), *range.end());
    let kind = Kind::Spin {
        default,
        min,
        max,
        set,
    };
    option(name, kind, meaning)
}

const fn text(
    name: &'static str,
    set: fn(&mut Session, &str),
    meaning: &'static str,
) -> OptionSpec {
    option(name, Kind::Text { set }, meaning)
}

const fn button(name: &'static str, press: fn(&mut Session), meaning: &'static str) -> OptionSpec {
    option(name, Kind::Button { press }, meaning)
}

/// Every option, in the order in which `uci` lists them.
#[rustfmt::skip]
pub static OPTIONS: &[OptionSpec] = &[
    spin("Hash", DEFAULT_HASH_MB as i64, 1..=MAX_HASH_MB, Session::set_hash,
        "Size of the hash table in MiB. More is better for long searches; a change empties the table."),
    spin("Threads", 1, 1..=MAX_THREADS as i64, Session::set_threads,
        "Number of search threads: at most one for each processor core. A change keeps the hash \
         table."),
    button("Clear Hash", Session::clear_hash,
        "Forget everything found so far."),
    // GUIs look for this option before they let an engine ponder. Its value is not used.
    check("Ponder", false, |_, _| {},
        "Announces to GUIs that the engine can ponder; it has no other effect."),
    spin("MultiPV", 1, 1..=MAX_MULTI_PV, |session, lines| session.settings.multi_pv = lines as usize,
        "How many of the best lines to show, each with its own score. 1 plays strongest."),
    spin("Move Overhead", 20, 0..=10_000,
        |session, ms| session.settings.move_overhead = Duration::from_millis(ms as u64),
        "Milliseconds kept back from every move for delays between engine and server. Raise it if \
         games are lost on time."),
    check("UCI_Chess960", false, |session, on| session.settings.chess960 = on,
        "Play Chess960 (Fischer random): castling is written as king takes own rook. Both ways of \
         writing it are understood at any time."),
    check("UCI_ShowWDL", false, |session, on| session.settings.show_wdl = on,
        "Add the chances of a win, a draw and a loss to every score, in thousandths."),
    check("UCI_AnalyseMode", false, |session, on| session.settings.analyse_mode = on,
        "Set by GUIs while they analyse: full strength, whatever UCI_LimitStrength says."),
    check("UCI_LimitStrength", false, |session, on| session.settings.limit_strength = on,
        "Play at the strength of UCI_Elo: search fewer nodes and choose among several moves."),
    spin("UCI_Elo", MAX_ELO as i64, MIN_ELO as i64..=MAX_ELO as i64,
        |session, elo| session.settings.elo = elo as u32,
        "The strength to play at with UCI_LimitStrength, measured in games between the levels and \
         against an engine of known strength."),
    check("OwnBook", false, |session, on| session.book.own_book = on,
        "Play moves from Book File without a search where it has any. Analysis is not affected."),
    text("Book File", Session::open_book,
        "A Polyglot opening book (.bin) for OwnBook; empty for none."),
    text("SyzygyPath", Session::open_tables,
        "Folders with Syzygy endgame tables, separated by ; (or : elsewhere than on Windows); empty \
         for none."),
    spin("SyzygyProbeDepth", 1, 1..=100,
        |session, depth| session.use_tables(|rules| rules.probe_depth = depth as Depth),
        "Probe the largest tables only at this remaining depth in plies or more: raise it if they are \
         on a slow disk."),
    spin("SyzygyProbeLimit", TablebaseRules::MAX_PIECES as i64, 0..=TablebaseRules::MAX_PIECES as i64,
        |session, pieces| session.use_tables(|rules| rules.probe_limit = pieces as u32),
        "Probe tables only with at most this many pieces on the board; 0 for never."),
    check("Syzygy50MoveRule", true, Session::set_fifty_move_rule,
        "Whether wins that the fifty-move rule spoils count as draws."),
    text("EvalFile", Session::set_eval_file,
        "A network file to evaluate with; empty for the evaluation that is built in. Forgets what the \
         hash table holds."),
    check("Use Network", true,
        |session, used| session.evaluate_with(session.evaluation.with_network(used)),
        "Evaluate with a network, where there is one; otherwise with the hand-written terms. Forgets \
         what the hash table holds."),
    text("Hash File", |session, path| path.clone_into(&mut session.settings.hash_file),
        "The file for Save Hash and Load Hash."),
    button("Save Hash", Session::save_hash,
        "Write the hash table to Hash File, to go on with an analysis another day."),
    button("Load Hash", Session::load_hash,
        "Read the hash table from Hash File; it outlives the next ucinewgame. A damaged or foreign \
         file changes nothing."),
    spin("nodestime", 0, 0..=10_000,
        |session, nodes| session.settings.nodes_per_millisecond = nodes as u32,
        "For tests: count this many searched nodes as one millisecond on every clock, so that timed \
         games can be repeated. 0 uses real time."),
    check("Lockstep", false,
        |session, on| session.engine.set_schedule(if on { Schedule::Lockstep } else { Schedule::Free }),
        "For tests and reports of faults with many Threads: they search in turns, a few hundred nodes \
         each, so that the same searches have the same nodes and moves every time, if depth, nodes or \
         nodestime limit them. As slow as one thread."),
    text("Without", Session::set_without,
        "For developers: search techniques to switch off, separated by commas. `help techniques` \
         lists their names."),
];
