//! `help`, for a person at a terminal.

use skewer_types::Techniques;

use crate::options::{Kind, OPTIONS, OptionSpec};
use crate::output::Output;

/// The two lines that are printed at the start in a terminal.
pub(crate) const GREETING: [&str; 2] = [
    concat!(
        "Skewer ",
        env!("CARGO_PKG_VERSION"),
        ", a chess engine for the UCI protocol: load it in a chess program to play or analyse."
    ),
    "To try it here: `go movetime 1000` finds a move, `d` shows the board, `help` says more, `quit` leaves.",
];

const COMMANDS: &[&str] = &[
    "Commands of the UCI protocol:",
    "  uci                       name the engine and list its options",
    "  isready                   answer readyok; also during a search",
    "  setoption name N value V  set an option (help options)",
    "  ucinewgame                forget what was found in the last game",
    "  position startpos|fen FEN [moves M1 M2 ..]",
    "  go [LIMITS]               search; the limits combine, in any order, times in ms:",
    "       wtime btime winc binc movestogo   game clocks",
    "       movetime depth nodes mate         one number each",
    "       searchmoves M1 M2 ..              only these moves",
    "       infinite, ponder                  until stop or ponderhit",
    "  stop                      end the search, and answer",
    "  ponderhit                 the expected move was played: start the clock",
    "  quit, exit                leave",
    "  debug on|off              print more remarks, or the usual ones",
    "  register                  accepted; nothing needs registration",
    "Others:",
    "  d, eval, flip             show the board, its evaluation; swap the colours",
    "  perft N [FEN], go perft N count the move tree",
    "  bench [DEPTH [THREADS [HASH_MB]]] [--without NAME,..]",
    "                            search a set of positions; ends with nodes and speed",
    "  genfens N seed S book B   print N random balanced positions",
    "  help [options|techniques] this page, the options, the search techniques",
];

/// Prints a page of help.
pub(crate) fn print(topic: Option<&str>, output: &Output) {
    match topic {
        Some("options") => OPTIONS.iter().for_each(|option| {
            output.line(format_args!("{} ({})", option.name, describe(option)));
            output.line(format_args!("    {}", option.meaning));
        }),
        Some("techniques") => {
            for (name, _) in Techniques::all().iter_names() {
                output.line(name.to_ascii_lowercase().replace('_', "-"));
            }
        }
        _ => COMMANDS.iter().for_each(|line| output.line(line)),
    }
}

fn describe(option: &OptionSpec) -> String {
    match option.kind {
        Kind::Check { default, .. } => format!("true or false, default {default}"),
        Kind::Spin {
            default, min, max, ..
        } => format!("{min} to {max}, default {default}"),
        Kind::Text { default: "", .. } => "text, default empty".to_owned(),
        Kind::Text { default, .. } => format!("text, default {default}"),
        Kind::Button { .. } => "a button".to_owned(),
    }
}
