//! A weak move as a sentence: what it does, what it costs, and what is better.

use crate::formulas::Eval;
use crate::judged::{JudgedGame, JudgedMove};
use crate::standing::{Chances, for_player};

impl JudgedGame {
    /// Says what was wrong with a weak move, by its motifs, and what it costs, as the end of a sentence that begins
    /// with the move. Where no motif is known, it names the cost alone. `None` for a move without a label.
    pub fn sentence(&self, index: usize) -> Option<String> {
        let mv = self.moves.get(index)?;
        mv.label?;
        let best = self.best(index).filter(|line| !line.sans.is_empty());
        let reply = self.best(index + 1).and_then(|line| line.sans.first());
        let reply = reply.map_or("the reply", String::as_str);
        let best_san = best.map_or("the best line", |line| &line.sans[0]);
        let what: Vec<String> = (mv.motifs.iter())
            .map(|motif| motif.clause(best_san, reply))
            .collect();
        let what = if what.is_empty() {
            String::new()
        } else {
            format!("{}: ", what.join("; "))
        };
        let better = best.map_or_else(String::new, |line| {
            format!(" Better is {best_san} ({}).", score(line.eval))
        });
        Some(format!("{what}{}.{better}", cost(mv)))
    }
}

/// What the move costs: the change of the chance to win or of the chance to lose, whichever is larger. If neither
/// changes in whole per cent, the change of the evaluation.
fn cost(mv: &JudgedMove) -> String {
    let player = mv.color.fold("White", "Black");
    let [before, after] = [mv.wdl_before, mv.wdl].map(|wdl| for_player(wdl, mv.color));
    let percent = |chances: Chances, which: usize| (chances[which] + 5) / 10;
    let change = |which: usize| percent(after, which).abs_diff(percent(before, which));
    let which = if change(2) > change(0) { 2 } else { 0 };
    if change(which) == 0 {
        let [before, after] = [mv.before, mv.eval].map(score);
        return format!("the evaluation goes from {before} to {after}");
    }
    let [from, to] = [before, after].map(|chances| percent(chances, which));
    let [verb, name] = [
        if to > from { "rises" } else { "falls" },
        if which == 0 { "win" } else { "lose" },
    ];
    format!("{player}'s chance to {name} {verb} from {from}% to {to}%")
}

/// An evaluation: pawns, or moves to mate.
fn score(eval: Eval) -> String {
    match eval {
        Eval::Cp(cp) => format!(
            "{}{:.2}",
            if cp > 0 { "+" } else { "" },
            f64::from(cp) / 100.0
        ),
        Eval::Mate(moves) => format!("#{moves}"),
        Eval::Mated { .. } => "mate".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::{Finding, FoundLine};
    use crate::games::GameReader;
    use crate::judged::Origin;
    use crate::params::STANDING_NODES;
    use crate::run::Input as _;
    use crate::scale::{Scale, Units};
    use skewer_types::{Score, WinCurve};
    use std::sync::Arc;

    /// The sentence of the first move of a game from `fen`, given the best line from `fen` and the best line after the
    /// move, each with its score for the side to move.
    fn sentence(
        fen: &str,
        played: &str,
        best: (Score, &[&str]),
        reply: (Score, &[&str]),
    ) -> Option<String> {
        sentence_at(100_000, fen, played, best, reply)
    }

    /// The same, by searches of this many nodes.
    fn sentence_at(
        nodes: u64,
        fen: &str,
        played: &str,
        best: (Score, &[&str]),
        reply: (Score, &[&str]),
    ) -> Option<String> {
        let text = format!("[FEN \"{fen}\"]\n\n{played} *\n");
        let placed = GameReader::new(Box::new(std::io::Cursor::new(text))).next();
        let game = placed.unwrap().unwrap().item.unwrap();
        let line = game.line();
        let found = |ply: usize, (score, sans): (Score, &[&str])| {
            let mut board = line.boards[ply];
            let moves: Vec<_> = sans
                .iter()
                .map(|san| {
                    let mv = board.parse_san(san).unwrap();
                    board = board.play(mv);
                    mv
                })
                .collect();
            Finding {
                lines: vec![FoundLine::new(score, &moves)],
                nodes,
                ..Finding::default()
            }
        };
        let findings = [found(0, best), found(1, reply)];
        let origin = Origin {
            number: 1,
            file: String::new(),
            line: 1,
        };
        let units = Units {
            model: WinCurve::new(100.0, 50.0).unwrap().into(),
            scale: Scale::Skewer,
        };
        JudgedGame::new(origin, game, Arc::new(line), &findings, units).sentence(0)
    }

    /// A sentence names the pieces, what is better and what changes, and never two equal figures.
    #[test]
    fn sentences_name_pieces_and_figures_that_differ() {
        let knight = "4k3/8/8/3r4/8/2N5/8/3RK3 w - - 0 1";
        let won: (Score, &[&str]) = (Score::new(400), &["Rxd5"]);
        let found = sentence(knight, "Kf2", won, (Score::new(300), &["Rxd1", "Nxd1"]));
        assert_eq!(
            found.as_deref(),
            Some(
                "misses Rxd5, which takes the rook: White's chance to win falls from 100% to 0%. Better is Rxd5 (+4.00)."
            )
        );
        // The chance to win rounds to 100% before and after the move.
        let found = sentence(
            knight,
            "Nxd5",
            (Score::new(1100), &["Rxd5"]),
            (Score::new(-400), &["Kd7"]),
        );
        let found = found.unwrap();
        assert!(
            found.contains("the evaluation goes from +11.00 to +4.00"),
            "{found}"
        );
        // Nothing is known but the cost.
        let quiet = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let found = sentence(
            quiet,
            "Kf1",
            (Score::new(60), &["e4"]),
            (Score::new(10), &["Ke7"]),
        );
        assert_eq!(
            found.as_deref(),
            Some("White's chance to win falls from 31% to 10%. Better is e4 (+0.60).")
        );
        // A sound move has no sentence.
        assert_eq!(
            sentence(
                quiet,
                "Kf1",
                (Score::new(60), &["e4"]),
                (Score::new(-60), &["Ke7"])
            ),
            None
        );
    }

    /// An evaluation that counts as a mate by lichess's limits is not said to be one: no search has found it.
    #[test]
    fn a_mate_that_no_search_has_found_is_not_named() {
        let quiet = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let best: (Score, &[&str]) = (Score::new(-1500), &["e4"]);
        let said = sentence(quiet, "Kf1", best, (Score::new(3100), &["Ke7"]));
        assert_eq!(
            said.as_deref(),
            Some(
                "comes in a lost game: the evaluation goes from -15.00 to -31.00. Better is e4 (-15.00)."
            )
        );
        // As bad before the move: nothing is lost.
        let best: (Score, &[&str]) = (Score::new(-3050), &["e4"]);
        assert_eq!(
            sentence(quiet, "Kf1", best, (Score::new(3100), &["Ke7"])),
            None
        );
    }

    /// A label that a longer search may take away has no reason: there may be nothing to explain.
    #[test]
    fn doubtful_labels_have_no_reason() {
        let opening = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        let said = |nodes, loss| {
            let best: (Score, &[&str]) = (Score::new(loss), &["Nc3"]);
            sentence_at(nodes, opening, "a3", best, (Score::new(0), &["a6"]))
        };
        // The smallest loss with a label lies at its limit.
        let loss = (1..400).find(|&loss| said(1000, loss).is_some()).unwrap();
        let reason = "does not develop the knight by Nc3";
        assert!(!said(1000, loss).unwrap().contains(reason));
        assert!(said(100_000, 2 * loss).unwrap().contains(reason));
    }

    /// A reason that nothing but the best move shows needs a surer label than a reason that the reply shows as well.
    #[test]
    fn reasons_of_the_best_move_alone_need_surer_labels() {
        let castle = "4k3/4p3/8/8/8/p7/1P3PPP/4K2R w K - 0 1";
        let develop = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        let first = |fen, played, best: &[&str], reply: &[&str], reason| {
            (1..400).find(|&loss| {
                let best: (Score, &[&str]) = (Score::new(loss), best);
                let said = sentence_at(5000, fen, played, best, (Score::new(0), reply));
                said.is_some_and(|said| said.contains(reason))
            })
        };
        let castling = first(castle, "h3", &["O-O"], &["e6"], "does not castle").unwrap();
        let knight = first(develop, "a3", &["Nc3"], &["a6"], "does not develop").unwrap();
        assert!(castling > knight, "{castling} {knight}");
    }

    /// A move is said to let a win slip, or to lose a level game, only if the searches before and after it were long
    /// enough.
    #[test]
    fn short_searches_do_not_say_what_became_of_a_standing() {
        let quiet = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let said = |nodes, before, after: i32| {
            let reply: (Score, &[&str]) = (Score::new(-after), &["Ke7"]);
            sentence_at(nodes, quiet, "Kf1", (Score::new(before), &["e4"]), reply).unwrap()
        };
        for (before, after, text) in [
            (400, 0, "lets a win slip"),
            (0, -400, "turns a level game into a lost one"),
        ] {
            let short = said(STANDING_NODES - 1, before, after);
            assert!(!short.contains(text), "{short}");
            let long = said(STANDING_NODES, before, after);
            assert!(long.contains(text), "{long}");
        }
    }
}
