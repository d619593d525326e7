//! Unexpected commands: unknown ones, and known ones at the wrong time.

use crate::case::{
    Absent, Case, Each, One, Silent, Step, Wait, bytes, case, line, unanswered, while_searching,
};

/// How many times `isready` is sent in the flood.
const FLOOD: usize = 2000;

/// How many searches are begun and stopped.
const SEARCHES: usize = 1000;

pub(crate) fn cases() -> Vec<Case> {
    [
        unknown(),
        idle(),
        searching(),
        changes_while_searching(),
        floods(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn unknown() -> Vec<Case> {
    vec![
        unanswered("an unknown command", &["xyzzy"], One("xyzzy")),
        case(
            "a command of UCI after unknown words",
            vec![line("xyzzy foo isready"), Wait("readyok")],
            0,
            One("xyzzy foo"),
        ),
        case(
            "another command after unknown words",
            vec![line("please perft 1"), Absent("Nodes searched")],
            0,
            One("unknown command \"please perft 1\""),
        ),
        case(
            "UCI in capitals",
            vec![line("UCI"), Wait("uciok")],
            0,
            One("lower case"),
        ),
        // The second command is not executed, so there must be a remark.
        case(
            "two commands on a line",
            vec![line("isready uci"), Wait("readyok"), Absent("uciok")],
            0,
            One("uci"),
        ),
        case(
            "debug in capitals",
            vec![line("debug ON"), line("stop")],
            0,
            One("nothing is running"),
        ),
        unanswered(
            "an unknown debug mode",
            &["debug maybe", "stop"],
            One("maybe"),
        ),
        unanswered(
            "an unknown debug mode leaves the old one",
            &["debug on", "debug maybe", "stop"],
            Each(&["maybe", "nothing is running"]),
        ),
    ]
}

fn idle() -> Vec<Case> {
    vec![
        case(
            "go before anything",
            vec![line("go depth 2"), Wait("bestmove ")],
            1,
            Silent,
        ),
        unanswered("stop when idle", &["stop"], Silent),
        unanswered(
            "ponderhit when idle",
            &["ponderhit"],
            One("ponderhit is ignored"),
        ),
        case(
            "go ponder before anything",
            vec![
                line("go ponder"),
                Wait("info depth 2 "),
                line("ponderhit"),
                Absent("bestmove"),
                line("stop"),
                Wait("bestmove "),
            ],
            1,
            Silent,
        ),
        unanswered("quit and more", &["quit now please"], Silent),
    ]
}

fn searching() -> Vec<Case> {
    vec![
        while_searching(
            "ponderhit in a search that does not ponder",
            vec![line("ponderhit"), Absent("bestmove")],
            vec![],
            One("ponderhit is ignored"),
        ),
        while_searching("stop twice", vec![line("stop")], vec![], Silent),
        while_searching(
            "go while searching",
            vec![line("go depth 1"), Absent("bestmove")],
            vec![],
            One("go is ignored"),
        ),
        case(
            "quit while searching",
            vec![line("go infinite"), Wait("info depth 2 "), line("quit")],
            1,
            Silent,
        ),
        while_searching(
            "uci while searching",
            vec![line("uci"), Wait("uciok"), Absent("bestmove")],
            vec![],
            Silent,
        ),
        while_searching(
            "d while searching",
            vec![line("d"), Wait("Fen: rnbqkbnr"), Absent("bestmove")],
            vec![],
            Silent,
        ),
        while_searching(
            "lines of control characters while searching",
            vec![bytes(b"\0\n\xFF\n"), Absent("bestmove")],
            vec![],
            Each(&["NUL", "unknown command"]),
        ),
    ]
}

/// Deferred commands must take effect after the search. (The effects of `Threads` and `ucinewgame`
/// cannot be seen from one line of output: see [`crate::effects`].)
fn changes_while_searching() -> Vec<Case> {
    vec![
        while_searching(
            "position while searching",
            vec![line("position startpos moves e2e4")],
            vec![
                line("d"),
                Wait("Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
            ],
            One("next one"),
        ),
        Case {
            answers: 2,
            ..while_searching(
                "a bad position while searching",
                vec![line("position fen 8/8 w - -")],
                vec![line("go depth 2"), Wait("bestmove (none)")],
                One("next one; position"),
            )
        },
        while_searching(
            "flip while searching",
            vec![line("flip")],
            vec![
                line("d"),
                Wait("Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"),
            ],
            One("flip*next one"),
        ),
        while_searching(
            "ucinewgame while searching",
            vec![line("ucinewgame")],
            vec![],
            One("ucinewgame*cleared when it is done"),
        ),
        while_searching(
            "Hash and Threads while searching",
            vec![
                line("setoption name Hash value 8"),
                line("setoption name Threads value 2"),
                Absent("bestmove"),
            ],
            vec![],
            Each(&[
                "setoption*set when it is done",
                "setoption*set when it is done",
            ]),
        ),
        case(
            "options while pondering",
            vec![
                line("go ponder wtime 100 btime 100"),
                Wait("info depth 2 "),
                line("setoption name MultiPV value 3"),
                line("setoption name UCI_ShowWDL value true"),
                line("position startpos moves e2e4"),
                Absent("bestmove"),
                line("ponderhit"),
                Wait("bestmove "),
                line("go depth 2"),
                Wait("info depth 2*multipv 3*wdl"),
                Wait("bestmove "),
            ],
            2,
            Each(&[
                "setoption*set when it is done",
                "setoption*set when it is done",
                "position*next one",
            ]),
        ),
    ]
}

fn floods() -> Vec<Case> {
    let many = |times, what: fn() -> Step| std::iter::repeat_with(what).take(times);
    let mut flood = vec![line("go infinite"), Wait("info depth 2 ")];
    flood.extend(many(FLOOD, || line("isready")));
    flood.extend(many(FLOOD, || Wait("readyok")));
    flood.extend([line("stop"), Wait("bestmove ")]);
    let mut pairs: Vec<Step> = many(SEARCHES, || bytes(b"go infinite\nstop\n")).collect();
    pairs.extend(many(SEARCHES, || Wait("bestmove ")));
    vec![
        case("a flood of isready while searching", flood, 1, Silent),
        case("a thousand times go and stop", pairs, SEARCHES, Silent),
    ]
}
