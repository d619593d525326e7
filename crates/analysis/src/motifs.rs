//! Why a move was weak, read off the board and the engine's lines: mates, and what the lines win and lose
//! after all exchanges.

mod material;
mod motif;
mod quiet;
mod threats;

use skewer_movegen::attacks::piece_attacks;
use skewer_movegen::{Bitboard, Board, Move, Piece, Square};

use crate::formulas::{Eval, LABEL_DROP};
use crate::params::CLEAR;
use crate::standing::{Chances, Change};
pub use material::Trade;
use material::{HORIZONS, value, won, won_at_once};
pub use motif::{Motif, name_of_piece};
use quiet::quiet;

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
#[derive(Debug)]
pub struct WeakMove<'a> {
    /// The move; `None` for a null move.
    pub played: Option<Move>,
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
}

/// What was wrong with a weak move: the motifs of the first kind that applies, of mates, decided
/// games, material, and reasons without material.
pub fn motifs(weak: &WeakMove<'_>) -> Vec<Motif> {
    // A mate is reason enough, and lines that end in one give material away.
    let mut found = mates(weak);
    if found.is_empty() {
        found.extend(decided(weak));
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

/// What the lines win and lose, compared with the position before the move. If a loss is named, what the best line
/// would have won is named too only if it is more than the loss.
fn material(weak: &WeakMove<'_>) -> Vec<Motif> {
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
    let lost = least(|best, played| (-played).min(best - played));
    let missed = least(|best, played| best.min(best - played));
    let missed_at_once = won(before, weak.best, 2, side, before).worth;
    let mut found = Vec::new();
    if let Some(&reply) = weak.reply.first()
        && lost >= PAWN
        && weak.is_felt(lost)
    {
        let captured = after.captured(reply);
        let at_once = won_at_once(after, reply, before);
        found.extend(match captured {
            Some(piece) if piece != Piece::Pawn && lost.min(at_once) >= WORTH_NAMING => {
                Some(Motif::HungPiece { piece })
            }
            _ if is_fork(after, weak.reply) => Some(Motif::AllowedFork),
            _ if promotes(weak.reply) => Some(Motif::AllowedPromotion),
            // If the best line loses material as well, the move is not to blame.
            _ if 2 * -by_best.worth > lost => None,
            // A pawn that only a longer line takes is seldom lost, and material that begins with a sacrifice seldom
            // kept.
            _ if at_once < if lost < WORTH_NAMING { PAWN } else { 0 } => None,
            // A longer line may win the pawn back.
            Some(Piece::Pawn) if lost < WORTH_NAMING => Some(Motif::HungPawn),
            _ => Trade::between(before, &by_played.end, !side).map(|pieces| Motif::LostMaterial {
                pawns: (lost / PAWN) as u32,
                pieces,
            }),
        });
    }
    if let Some(&best) = weak.best.first()
        && missed >= PAWN
        && weak.is_felt(missed)
        && (found.is_empty() || missed > lost)
    {
        found.extend(match before.captured(best) {
            Some(piece) if missed.min(won_at_once(before, best, before)) >= worth_naming(piece) => {
                Some(Motif::MissedCapture { piece })
            }
            _ if is_fork(before, weak.best) => Some(Motif::MissedFork),
            _ if promotes(weak.best) => Some(Motif::MissedPromotion),
            // Nothing is missed if the move wins material as well.
            _ if 2 * by_played.worth > missed => None,
            // A line that wins nothing but a pawn seldom wins it for good.
            _ if missed < WORTH_NAMING || missed_at_once < PAWN => None,
            _ => Trade::between(before, &by_best.end, side).map(|pieces| Motif::MissedMaterial {
                pawns: (missed / PAWN) as u32,
                pieces,
            }),
        });
    }
    found
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

/// Whether the side that begins a line promotes in it.
fn promotes(line: &[Move]) -> bool {
    line.iter().step_by(2).any(|mv| mv.promotion().is_some())
}

/// Whether a line begins with a fork: the moved piece attacks two or more pieces, each of which is
/// the king, is worth more than it, or is undefended and no pawn. Its next move captures one of
/// them.
fn is_fork(board: &Board, line: &[Move]) -> bool {
    let &[first, reply, next, ..] = line else {
        return false;
    };
    if first.is_castle() {
        return false;
    }
    let after = board.play(first);
    let Some(forker) = after.piece_at(first.to()) else {
        return false;
    };
    let (own, enemy) = (board.turn(), !board.turn());
    let attacked = piece_attacks(forker, own, first.to(), after.occupied()) & after.color(enemy);
    let defended = after.attacks_by(enemy, after.occupied());
    let worth_taking = |square: &Square| match after.piece_at(*square) {
        Some(Piece::King) => true,
        Some(piece) => {
            value(piece) > value(forker) || (piece != Piece::Pawn && !defended.contains(*square))
        }
        None => false,
    };
    let targets: Bitboard = attacked.into_iter().filter(worth_taking).collect();
    let later = after.play(reply);
    targets.count() >= 2
        && next.from() == first.to()
        && later.captured(next).is_some()
        && targets.contains(next.to())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(fen: &str, sans: &[&str]) -> (Board, Vec<Move>) {
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

    #[test]
    fn forks() {
        let (board, moves) = line("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", &["Nc7+", "Kd7", "Nxa8"]);
        assert!(is_fork(&board, &moves));
        let (board, moves) = line("4k3/r7/8/3N4/8/8/8/4K3 w - - 0 1", &["Nc7+", "Rxc7", "Ke2"]);
        assert!(!is_fork(&board, &moves));
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
