//! Why a move was weak, read off the board and the engine's lines: mates, and what the lines win and lose
//! after all exchanges.

mod draws;
mod lines;
mod material;
mod motif;
mod quiet;
mod threats;

use skewer_movegen::{Board, Move, Piece};

use crate::formulas::{Eval, LABEL_DROP};
use crate::params::CLEAR;
use crate::standing::{Chances, Change};
use lines::{forks, is_fork, promotes, takes};
pub use material::Trade;
use material::{HORIZONS, Won, won, won_at_once};
pub use motif::{Motif, name_of_piece};
use quiet::{quiet, wrong_capture};

/// Material, in hundredths of a pawn, that the capture of a piece other than a pawn must win to be named.
const WORTH_NAMING: i32 = 200;

/// Material, in hundredths of a pawn, that a line must win to be named.
const PAWN: i32 = 100;

/// Lost or missed material is named only if the evaluation falls by at least this share of it, in per cent. If it
/// falls by less, the position compensates for the material.
const FELT: i32 = 60;

/// A mate in hundredths of a pawn: more than all pieces.
const MATE_WORTH: i32 = 20_000;

/// What is known about a weak move: the boards, the evaluations from White's side, the chances of the player, and the
/// best lines before and after it.
#[derive(Clone, Copy, Debug)]
pub struct WeakMove<'a> {
    /// The move; `None` for a null move.
    pub played: Option<Move>,
    /// The earlier positions of the game, without those from before a null move, in any order. They tell repetitions.
    pub past: &'a [Board],
    /// The position in which it was played.
    pub before: &'a Board,
    /// The position after it.
    pub after: &'a Board,
    /// The evaluation of the best line in its place, as it is printed.
    pub eval_before: Eval,
    /// The evaluation after it.
    pub eval_after: Eval,
    /// What the move loses, in points of lichess's win percentage.
    pub drop: f64,
    /// The player's chances with the best line in its place.
    pub chances_before: Chances,
    /// The player's chances after it.
    pub chances_after: Chances,
    /// The best line in its place.
    pub best: &'a [Move],
    /// The opponent's best line after it.
    pub reply: &'a [Move],
}

impl WeakMove<'_> {
    /// Whether the evaluation falls by enough for the loss or the miss of this material to be named;
    /// see [`FELT`].
    fn is_felt(&self, material: i32) -> bool {
        let own = self.before.turn().fold(1, -1);
        let worth = |eval: Eval| match eval {
            Eval::Cp(cp) => own * cp,
            mate => own * MATE_WORTH * mate.clamped().signum(),
        };
        100 * (worth(self.eval_before) - worth(self.eval_after)) >= FELT * material
    }

    /// The move, the reply and its line. Empty for a null move.
    fn played_line(&self) -> Vec<Move> {
        self.played
            .map_or_else(Vec::new, |mv| [&[mv][..], self.reply].concat())
    }

    /// The position after the best move, and the rest of its line. Without a best move, the position before it and
    /// nothing.
    fn after_best(&self) -> (Board, &[Move]) {
        match self.best {
            [best, rest @ ..] => (self.before.play(*best), rest),
            [] => (*self.before, &[]),
        }
    }
}

/// What was wrong with a weak move: the motifs of the first kind that applies, of mates, decided
/// games, promotions to the wrong piece, material, and reasons without material.
pub fn motifs(weak: &WeakMove<'_>) -> Vec<Motif> {
    // After a draw that can be claimed, the opponent's line proves nothing: the player may claim.
    let reply: &[Move] = if weak.claim().is_some() {
        &[]
    } else {
        weak.reply
    };
    let weak = &WeakMove { reply, ..*weak };
    // A mate is reason enough, and lines that end in one give material away.
    let mut found = mates(weak);
    if found.is_empty() {
        found.extend(decided(weak));
    }
    // Both moves put the pawn on the same square, so only the piece can be the reason.
    if found.is_empty() {
        found.extend(wrong_promotion(weak));
    }
    // Material decides nothing in a decided game.
    if found.is_empty() {
        found.extend(material(weak));
    }
    if found.is_empty() {
        found.extend(quiet(weak));
        found.extend(standing(weak));
    }
    found
}

fn mates(weak: &WeakMove<'_>) -> Vec<Motif> {
    let own = weak.before.turn().fold(1, -1);
    let mate = |eval: Eval, sign: i32| match eval {
        Eval::Mate(moves) if moves.signum() == sign => Some(moves.unsigned_abs()),
        _ => None,
    };
    let mut found = Vec::new();
    if let Some(moves) = mate(weak.eval_before, own)
        && mate(weak.eval_after, own).is_none()
    {
        found.push(Motif::MissedMate { moves });
    }
    if let Some(moves) = mate(weak.eval_after, -own)
        && mate(weak.eval_before, -own).is_none()
    {
        found.push(Motif::AllowedMate { moves });
    }
    found
}

/// The motif of a move before and after which the game is decided for the same side. Its label comes from lichess's
/// limits for mates, not from the loss.
fn decided(weak: &WeakMove<'_>) -> Option<Motif> {
    if weak.drop >= 50.0 * LABEL_DROP {
        return None;
    }
    let is_clear =
        |which: usize| weak.chances_before[which].min(weak.chances_after[which]) >= CLEAR;
    if is_clear(0) {
        Some(Motif::InWonGame)
    } else {
        is_clear(2).then_some(Motif::InLostGame)
    }
}

/// The best move promotes the same pawn on the same square to another piece.
fn wrong_promotion(weak: &WeakMove<'_>) -> Option<Motif> {
    let (played, &best) = (weak.played?, weak.best.first()?);
    let is_same_step = played.from() == best.from() && played.to() == best.to();
    let (piece, instead) = (played.promotion()?, best.promotion()?);
    (is_same_step && piece != instead).then_some(Motif::WrongPromotion { piece, instead })
}

/// What the lines win and lose. If a loss is named, what the best line would have won is named too only if it is more
/// than the loss.
fn material(weak: &WeakMove<'_>) -> Vec<Motif> {
    let lines = Compared::new(weak);
    let loss = lines.loss(weak);
    let is_more = loss.is_none() || lines.missed > lines.lost;
    let miss = is_more.then(|| lines.miss(weak)).flatten();
    loss.into_iter().chain(miss).collect()
}

/// What the two lines win for the player, in hundredths of a pawn, compared with the position before the move.
struct Compared {
    by_best: Won,
    by_played: Won,
    /// What the line of the move loses, and the best line does not.
    lost: i32,
    /// What the best line wins, and the line of the move does not.
    missed: i32,
}

impl Compared {
    fn new(weak: &WeakMove<'_>) -> Self {
        let (before, after) = (weak.before, weak.after);
        let side = before.turn();
        // The reply comes a ply later than the best move.
        let by_plies = HORIZONS.map(|plies| {
            let by_best = won(before, weak.best, plies, side, before);
            let by_played = won(after, weak.reply, plies - 1, side, before);
            (by_best, by_played)
        });
        let [.., (by_best, by_played)] = by_plies;
        let least = |of: fn(i32, i32) -> i32| {
            let each = by_plies.iter();
            let worths = each.map(|(best, played)| of(best.worth, played.worth));
            worths.min().unwrap_or(0)
        };
        Self {
            by_best,
            by_played,
            lost: least(|best, played| (-played).min(best - played)),
            missed: least(|best, played| best.min(best - played)),
        }
    }

    /// The motif of what the reply and its line win. A fork or a promotion that the best line allows as well was not
    /// allowed by the move.
    fn loss(&self, weak: &WeakMove<'_>) -> Option<Motif> {
        let (lost, before, after) = (self.lost, weak.before, weak.after);
        let &reply = weak.reply.first()?;
        if lost < PAWN || !weak.is_felt(lost) {
            return None;
        }
        let captured = after.captured(reply);
        let at_once = won_at_once(after, reply, before);
        let hung = captured
            .filter(|&piece| piece != Piece::Pawn && lost.min(at_once) >= WORTH_NAMING)
            .map(|piece| Motif::HungPiece { piece });
        if hung.is_some() && explains(at_once, lost) {
            return hung;
        }
        let (better, answers) = weak.after_best();
        if is_fork(after, weak.reply) && !forks(&better, answers) {
            return Some(Motif::AllowedFork);
        }
        if promotes(weak.reply) && !promotes(answers) {
            return Some(Motif::AllowedPromotion);
        }
        // If the best line loses material as well, only the piece that the reply takes is named.
        let is_shared = 2 * -self.by_best.worth > lost;
        // A pawn that only a longer line takes is seldom lost, and material that begins with a sacrifice seldom kept.
        let least = if lost < WORTH_NAMING { PAWN } else { 0 };
        if is_shared || at_once < least {
            return hung;
        }
        // A longer line may win the pawn back.
        if captured == Some(Piece::Pawn) && lost < WORTH_NAMING {
            return Some(Motif::HungPawn);
        }
        let trade = Trade::between(before, &self.by_played.end, after.turn());
        let pawns = (lost / PAWN) as u32;
        let named = trade.map(|pieces| Motif::LostMaterial { pawns, pieces });
        named.or(hung)
    }

    /// The motif of what the best line wins. What the line of the move does as well is not missed.
    fn miss(&self, weak: &WeakMove<'_>) -> Option<Motif> {
        let (missed, before) = (self.missed, weak.before);
        let &best = weak.best.first()?;
        if missed < PAWN || !weak.is_felt(missed) {
            return None;
        }
        let played = weak.played_line();
        let at_once = won_at_once(before, best, before);
        let capture = before
            .captured(best)
            .filter(|&piece| missed.min(at_once) >= worth_naming(piece))
            .and_then(|piece| {
                let is_missed = !takes(before, &played, best.to(), piece);
                let named = is_missed.then_some(Motif::MissedCapture { piece });
                wrong_capture(weak).or(named)
            });
        if capture.is_some() && explains(at_once, missed) {
            return capture;
        }
        if is_fork(before, weak.best) && !forks(before, &played) {
            return Some(Motif::MissedFork);
        }
        if promotes(weak.best) && !promotes(&played) {
            return Some(Motif::MissedPromotion);
        }
        // Nothing is missed if the move wins material as well.
        let is_shared = 2 * self.by_played.worth > missed;
        // A line that wins nothing but a pawn seldom wins it for good.
        let soon = won(before, weak.best, 2, before.turn(), before).worth;
        if is_shared || missed < WORTH_NAMING || soon < PAWN {
            return capture;
        }
        let trade = Trade::between(before, &self.by_best.end, before.turn());
        let pawns = (missed / PAWN) as u32;
        let named = trade.map(|pieces| Motif::MissedMaterial { pawns, pieces });
        named.or(capture)
    }
}

/// Whether a capture that wins `at_once` is most of what its line wins. If it is less, the capture is named only if
/// nothing else is: what the line wins later matters more.
fn explains(at_once: i32, by_line: i32) -> bool {
    2 * at_once >= by_line
}

/// How much a capture of this piece must win to be named.
fn worth_naming(piece: Piece) -> i32 {
    if piece == Piece::Pawn {
        PAWN
    } else {
        WORTH_NAMING
    }
}

/// The motif of a move that lets a win slip or loses a level position.
fn standing(weak: &WeakMove<'_>) -> Option<Motif> {
    Change::of(weak.chances_before, weak.chances_after).map(|change| match change {
        Change::WinToNoWin => Motif::LostWin,
        Change::LevelToLost => Motif::LostDraw,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A position and a line from it.
    pub(super) fn line(fen: &str, sans: &[&str]) -> (Board, Vec<Move>) {
        let board = Board::from_fen(fen).unwrap();
        let mut at = board;
        let moves = sans.iter().map(|san| {
            let mv = at.parse_san(san).unwrap();
            at = at.play(mv);
            mv
        });
        (board, moves.collect())
    }

    #[test]
    fn exchanges() {
        for (fen, san, gain) in [
            ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "Rxd5", 100),
            ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "Rxd5", -400),
            ("4k3/8/4p3/3n4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", -100),
            ("4k3/8/8/3n4/2P5/8/8/4K3 w - - 0 1", "cxd5", 300),
            // The king may not take what is defended.
            ("8/8/3k4/3n4/8/8/3R4/3RK3 w - - 0 1", "Rxd5+", 300),
        ] {
            let (board, moves) = line(fen, &[san]);
            assert_eq!(won_at_once(&board, moves[0], &board), gain, "{fen}");
        }
    }

    /// The motifs of `played` by White, with the best line in its place and the best reply, when the evaluation falls
    /// by this much.
    fn motifs_at(fall: i32, fen: &str, played: &str, best: &[&str], reply: &[&str]) -> Vec<Motif> {
        let (before, moves) = line(fen, &[played]);
        let after = before.play(moves[0]);
        let (_, best) = line(fen, best);
        let (_, reply) = line(&after.to_string(), reply);
        motifs(&WeakMove {
            played: Some(moves[0]),
            past: &[],
            before: &before,
            after: &after,
            eval_before: Eval::Cp(0),
            eval_after: Eval::Cp(-fall),
            drop: 10.0,
            chances_before: [0, 1000, 0],
            chances_after: [0, 1000, 0],
            best: &best,
            reply: &reply,
        })
    }

    /// The same when the evaluation falls by as much as any material is worth.
    fn motifs_of(fen: &str, played: &str, best: &[&str], reply: &[&str]) -> Vec<Motif> {
        motifs_at(1000, fen, played, best, reply)
    }

    /// The motifs of a move in words.
    fn texts(found: &[Motif]) -> Vec<String> {
        found.iter().map(|motif| motif.text()).collect()
    }

    #[test]
    fn equal_trades_hang_nothing() {
        // Queens are exchanged. Then a rook takes a pawn that is not defended.
        let queens = "3qk3/8/8/8/8/8/8/3QK3 w - - 0 1";
        let piece = Piece::Queen;
        let traded = motifs_of(queens, "Qxd8+", &["Qa4+"], &["Kxd8"]);
        assert_eq!(
            traded,
            [Motif::Exchange {
                piece,
                taken: piece
            }]
        );
        let exchange = "4k3/8/2p5/3n4/3p4/8/8/3RK3 w - - 0 1";
        let found = motifs_of(exchange, "Rxd4", &["Kd2"], &["Ne7"]);
        assert_eq!(found, []);
        // A rook for a knight is lost material of two pawns, by a capture of the rook.
        let lost = motifs_of(
            "4k3/8/2p5/3n4/8/8/8/3RK3 w - - 0 1",
            "Rxd5",
            &["Kd2"],
            &["cxd5"],
        );
        assert_eq!(lost, [Motif::HungPiece { piece: Piece::Rook }]);
        // The rook was lost anyway, but the king could go to another square.
        let pinned = "4k3/8/8/8/1b6/2q5/3R4/4K3 w - - 0 1";
        let piece = Piece::King;
        assert_eq!(
            motifs_of(pinned, "Kd1", &["Ke2", "Qxd2+"], &["Qxd2#"]),
            [Motif::WrongSquare { piece }]
        );
    }

    #[test]
    fn lines_that_win_and_lose_are_named() {
        let pawn = "4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1";
        let found = motifs_of(pawn, "Kd1", &["Nxd5"], &["Kd7", "Kd2"]);
        assert_eq!(texts(&found), ["missed capture of a pawn"]);
        let rook = "4k3/8/8/8/2r5/8/2P5/3K4 w - - 0 1";
        let found = motifs_of(rook, "Ke1", &["Kd2"], &["Rxc2", "Kd1", "Rh2"]);
        assert_eq!(texts(&found), ["hung pawn"]);
        let promotes = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
        assert_eq!(
            motifs_of(promotes, "Kb1", &["a8=Q"], &["Kg6", "Kb2"]),
            [Motif::MissedPromotion]
        );
    }

    /// Material counts as lost or missed only if the evaluation falls with it: else something makes it good.
    #[test]
    fn material_that_the_evaluation_does_not_lose_is_not_named() {
        let rook = "4k3/8/8/8/2r5/8/2P5/3K4 w - - 0 1";
        let reply = ["Rxc2", "Kd1", "Rh2"];
        let found = |fall| texts(&motifs_at(fall, rook, "Ke1", &["Kd2"], &reply));
        assert_eq!(found(60), ["hung pawn"]);
        assert!(!found(59).contains(&"hung pawn".to_owned()));
    }

    /// A move whose label comes from the limits for mates alone is said to come in a decided game, whatever pieces
    /// hang. A move that loses as much as an inaccuracy, or that is not in a game decided before and after it, has
    /// other reasons.
    #[test]
    fn labels_by_the_limits_for_mates_come_in_decided_games() {
        let (before, moves) = line("4k3/8/8/8/2r5/8/2P5/3K4 w - - 0 1", &["Ke1"]);
        let after = before.play(moves[0]);
        let best = [before.parse_san("Kd2").unwrap()];
        let reply = [after.parse_san("Rxc2").unwrap()];
        let found = |drop, chances_before, chances_after| {
            motifs(&WeakMove {
                played: Some(moves[0]),
                past: &[],
                before: &before,
                after: &after,
                eval_before: Eval::Cp(-1500),
                eval_after: Eval::Cp(-2000),
                drop,
                chances_before,
                chances_after,
                best: &best,
                reply: &reply,
            })
        };
        let (won, level, lost) = ([800, 200, 0], [300, 400, 300], [0, 200, 800]);
        assert_eq!(found(4.9, lost, lost), [Motif::InLostGame]);
        assert_eq!(found(4.9, won, won), [Motif::InWonGame]);
        assert_eq!(found(5.0, lost, lost), [Motif::HungPawn]);
        assert_eq!(found(4.9, level, lost), [Motif::HungPawn]);
        assert_eq!(found(4.9, won, level), [Motif::HungPawn]);
        let [clause, text] = [
            Motif::InLostGame.clause("Kd2", "Rxc2"),
            Motif::InLostGame.text(),
        ];
        assert_eq!(
            [clause.as_str(), &text],
            ["comes in a lost game", "in a lost game"]
        );
    }

    /// A pawn that the reply takes is said to be taken, not to be lost, since a longer line may win it back. A pawn
    /// that only a longer line takes is not named.
    #[test]
    fn a_pawn_hangs_if_the_reply_takes_it() {
        let rook = "4k3/8/8/8/2r5/8/2P5/3K4 w - - 0 1";
        let found = |reply: &[&str]| motifs_of(rook, "Ke1", &["Kd2"], reply);
        assert_eq!(found(&["Rxc2", "Kd1", "Rh2"]), [Motif::HungPawn]);
        let later = found(&["Rc3", "Kf1", "Rxc2", "Ke1", "Rh2"]);
        let is_loss = |motif: &Motif| matches!(motif, Motif::HungPawn | Motif::LostMaterial { .. });
        assert!(!later.iter().any(is_loss), "{later:?}");
        assert_eq!(
            Motif::HungPawn.clause("Kd2", "Rxc2"),
            "lets Rxc2 take a pawn"
        );
    }

    /// A capture is named if it is most of what its line wins. Else a fork is named, or all that the line wins.
    #[test]
    fn captures_are_named_if_they_explain_most_of_a_line() {
        // The knight takes a pawn, and wins the queen.
        let fen = "r3k2r/1pp5/1p1p1p2/4p1pN/1PPPq1P1/P7/6PN/R4RK1 w kq - 0 22";
        let best = ["Nxf6+", "Ke7", "Nxe4"];
        let found = motifs_of(fen, "dxe5", &best, &["Qxe5"]);
        assert_eq!(found, [Motif::MissedFork]);
        // The knight takes a knight, and wins the queen.
        let fen = "4k3/8/8/4p3/3n4/5N2/3Q4/7K w - - 0 1";
        let found = motifs_of(fen, "Kg1", &["Kg2"], &["Nxf3+", "Kf2", "Nxd2"]);
        assert_eq!(found, [Motif::AllowedFork]);
        // The bishop takes the knight, and later the rook.
        let fen = "4k3/8/1b6/8/3N4/8/6K1/R7 w - - 0 1";
        let found = |reply: &[&str]| texts(&motifs_of(fen, "Kh2", &["Nf3"], reply));
        let both = ["lost a rook and a knight"];
        assert_eq!(found(&["Bxd4", "Kg3", "Bxa1"]), both);
        assert_eq!(found(&["Bxd4", "Ra4"]), ["hung knight"]);
        // The bishop could take the knight, and later the rook.
        let fen = "r7/6k1/8/3n4/8/1B6/8/4K3 w - - 0 1";
        let found = |best: &[&str]| texts(&motifs_of(fen, "Kf2", best, &["Nf6"]));
        let both = ["missed winning a rook and a knight"];
        assert_eq!(found(&["Bxd5", "Kg6", "Bxa8"]), both);
        assert_eq!(found(&["Bxd5", "Ra5"]), ["missed capture of a knight"]);
    }

    /// What the line of the move does as well was not missed, and what the opponent does in the best line as well was
    /// not allowed: captures, forks and promotions.
    #[test]
    fn what_both_lines_do_is_no_motif() {
        // The rook takes the knight, which the pawn should take.
        let fen = "4k3/8/4p3/3n4/2P5/8/8/3RK3 w - - 0 1";
        let best = ["cxd5", "exd5", "Rxd5"];
        let found = texts(&motifs_of(fen, "Rxd5", &best, &["exd5", "cxd5"]));
        let lost = "lost a rook for a knight and a pawn";
        assert_eq!(found, [lost, "captured with the wrong piece"]);
        // The queen is taken after a check that loses the bishop.
        let fen = "4k3/8/p7/3q4/8/8/4B3/3RK3 w - - 0 1";
        let found = |reply: &[&str]| motifs_of(fen, "Bb5+", &["Rxd5"], reply);
        let piece = Piece::Queen;
        assert_eq!(found(&["axb5", "Rxd5"]), []);
        assert_eq!(found(&["axb5"]), [Motif::MissedCapture { piece }]);
        // One fork wins a rook, the other only exchanges.
        let fen = "r3k1b1/8/8/3N4/8/8/8/4K3 w - - 0 1";
        let reply = ["Kf7", "Nxg8", "Kxg8"];
        let best = ["Nc7+", "Kd7", "Nxa8"];
        let found = texts(&motifs_of(fen, "Nf6+", &best, &reply));
        assert_eq!(found, ["missed winning a rook"]);
        assert_eq!(motifs_of(fen, "Ke2", &best, &["Bf7"]), [Motif::MissedFork]);
        // Black forks in both lines.
        let fen = "4k3/8/8/8/1n6/8/2P4P/R3K3 w - - 0 1";
        let reply = ["Nxc2+", "Kd2", "Nxa1"];
        let found = |best: &[&str]| motifs_of(fen, "h3", best, &reply);
        assert_eq!(found(&["Kd2"]), [Motif::AllowedFork]);
        let found = found(&["c4", "Nc2+", "Kd2", "Nxa1"]);
        assert!(!found.contains(&Motif::AllowedFork), "{found:?}");
        // Black promotes in both lines.
        let fen = "6k1/8/8/8/3P4/8/p7/6K1 w - - 0 1";
        let reply = ["a1=Q", "Kf3", "Qxd4"];
        let found = |best: &[&str]| motifs_of(fen, "Kg2", best, &reply);
        assert_eq!(found(&["d5", "a1=Q+", "Kg2"]), []);
        assert_eq!(found(&["d5"]), [Motif::AllowedPromotion]);
    }

    /// A move that promotes misses no promotion. If it promotes the same pawn to another piece, that is the reason,
    /// whichever piece is the right one. A promotion that comes later is none that was missed either.
    #[test]
    fn promotions_that_are_made_are_not_missed() {
        let queen = "8/P4pkp/4b1p1/8/2r5/6P1/5P1P/6K1 w - - 0 1";
        let wrong = |piece, instead| Motif::WrongPromotion { piece, instead };
        for (played, piece) in [("a8=R", Piece::Rook), ("a8=N", Piece::Knight)] {
            let found = motifs_of(queen, played, &["a8=Q"], &["Rc1+"]);
            assert_eq!(found, [wrong(piece, Piece::Queen)], "{played}");
        }
        // A queen is stalemate.
        let rook = "8/k1P5/2K5/8/8/8/8/8 w - - 0 1";
        let stalemate = wrong(Piece::Queen, Piece::Rook);
        assert_eq!(motifs_of(rook, "c8=Q", &["c8=R"], &[]), [stalemate]);
        assert_eq!(
            stalemate.clause("c8=R", "the reply"),
            "promotes to a queen in place of a rook"
        );
        // A knight is not to blame if the better move is another one.
        let found = motifs_of(queen, "a8=N", &["Kg2"], &["Rc1"]);
        let blamed = wrong(Piece::Knight, Piece::Queen);
        assert!(!found.contains(&blamed), "{found:?}");
        let missed = Motif::MissedPromotion;
        assert_eq!(motifs_of(queen, "Kg2", &["a8=Q"], &["Ra4"]), [missed]);
        let found = motifs_of(queen, "h3", &["a8=Q"], &["Bxh3", "a8=Q"]);
        assert!(!found.contains(&missed), "{found:?}");
    }

    /// Where the move makes a draw that can be claimed, no reply is a reason. The better move may show one.
    #[test]
    fn nothing_is_allowed_after_a_draw() {
        let found = |clock: u32| {
            let fen = format!("4k3/8/8/8/2r5/8/2P5/3K4 w - - {clock} 90");
            motifs_of(&fen, "Ke1", &["Kd2"], &["Rxc2", "Kd1", "Rh2"])
        };
        let piece = Piece::King;
        assert_eq!(found(98), [Motif::HungPawn]);
        assert_eq!(found(99), [Motif::WrongSquare { piece }]);
    }

    #[test]
    fn motifs_of_weak_moves() {
        // White has left the queen where the knight takes it, and is mated: the mate is reason enough.
        let (before, moves) = line("4k3/8/8/8/4n3/8/3Q4/6K1 w - - 0 1", &["Kh1"]);
        let after = before.play(moves[0]);
        let reply = [after.parse_san("Nxd2").unwrap()];
        let best = [before.parse_san("Qd1").unwrap()];
        let weak = WeakMove {
            played: Some(moves[0]),
            past: &[],
            before: &before,
            after: &after,
            eval_before: Eval::Cp(200),
            eval_after: Eval::Mate(-5),
            drop: 70.0,
            chances_before: [900, 100, 0],
            chances_after: [0, 0, 1000],
            best: &best,
            reply: &reply,
        };
        assert_eq!(motifs(&weak), [Motif::AllowedMate { moves: 5 }]);
    }
}
