//! The commands that are not part of UCI, with arguments that they refuse.

use crate::case::{Absent, Case, One, Silent, Wait, case, line, unanswered, while_searching};

pub(crate) fn cases() -> Vec<Case> {
    [words(), running()].into_iter().flatten().collect()
}

/// A command that must be refused, so that a search can follow at once.
fn refused(name: &'static str, text: &'static str, remark: &'static str) -> Case {
    let script = vec![line(text), line("go depth 1"), Wait("bestmove ")];
    case(name, script, 1, One(remark))
}

/// A perft that must be refused and not begun.
fn refused_perft(name: &'static str, text: &'static str, remark: &'static str) -> Case {
    let mut case = refused(name, text, remark);
    case.script.push(Absent("Nodes searched"));
    case
}

fn words() -> Vec<Case> {
    vec![
        refused("bench with nonsense", "bench fast", "fast"),
        refused("bench to depth 0", "bench 0", "\"0\""),
        refused("bench with a negative number", "bench -1", "\"-1\""),
        refused("bench with too many numbers", "bench 1 1 1 1", "\"1\""),
        refused(
            "bench --without without a name",
            "bench 1 --without",
            "--without needs",
        ),
        refused(
            "bench without an unknown technique",
            "bench 1 --without=magic",
            "magic",
        ),
        refused(
            "bench with an unknown word",
            "bench --withoutfoo",
            "--withoutfoo",
        ),
        refused(
            "bench with an unknown word before a technique",
            "bench 1 --withoutfoo null-move",
            "--withoutfoo",
        ),
        refused_perft("perft with nonsense", "perft deep", "deep"),
        refused_perft("perft without a depth", "perft", "perft"),
        refused_perft("go perft without a depth", "go perft", "perft"),
        refused_perft("perft of a bad FEN", "perft 2 8/8 w - -", "FEN"),
        refused_perft(
            "perft of 2^64",
            "perft 18446744073709551616",
            "18446744073709551616",
        ),
        refused_perft("perft beyond what can be counted", "perft 25", "perft*20"),
        refused_perft(
            "go perft beyond what can be counted",
            "go perft 25",
            "perft*20",
        ),
        refused_perft(
            "perft just beyond what can be counted",
            "perft 21",
            "perft*20",
        ),
        refused("genfens with nonsense", "genfens many", "many"),
        refused("genfens without a count", "genfens", "genfens"),
        refused("genfens of a negative number", "genfens -1", "-1"),
        refused("genfens of too many", "genfens 1000001", "1000001"),
        refused("genfens with a bad seed", "genfens 1 seed -1", "-1"),
        refused("genfens without its seed", "genfens 1 seed", "seed"),
        unanswered(
            "genfens of none",
            &["genfens 0"],
            One("not a number from 1"),
        ),
    ]
}

fn running() -> Vec<Case> {
    let meanwhile = |name, text: &'static str, remarks, absent| {
        while_searching(name, vec![line(text), Absent(absent)], vec![], remarks)
    };
    vec![
        case(
            "genfens with a bad book",
            vec![line("genfens 1 book /no/book"), Wait("info string")],
            0,
            One("/no/book"),
        ),
        meanwhile(
            "perft while searching",
            "perft 1",
            One("perft is ignored"),
            "Nodes searched",
        ),
        meanwhile(
            "bench while searching",
            "bench 1",
            One("bench is ignored"),
            "position 1/",
        ),
        meanwhile(
            "genfens while searching",
            "genfens 1",
            One("genfens is ignored"),
            "genfens rnbq",
        ),
        case(
            "a perft that takes too long is stopped by quit",
            vec![
                line("go perft 15"),
                line("isready"),
                Wait("readyok"),
                line("quit"),
            ],
            0,
            Silent,
        ),
        case(
            "the deepest perft is begun",
            vec![
                line("perft 20"),
                line("isready"),
                Wait("readyok"),
                line("stop"),
                Wait("info string perft was stopped"),
            ],
            0,
            One("perft was stopped"),
        ),
    ]
}
