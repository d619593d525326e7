//! How late an engine notices that it is losing: in the games that the engine lost, the plies between the opponent's
//! first score that says so and the engine's own first score that says so.

use skewer_movegen::{Color, Move, Outcome};
use skewer_pgn::{EvalTag, EvalValue, PgnGame};

/// From this score against the engine on, the opponent counts it as losing, in centipawns.
pub const OPPONENT_SEES: i32 = 150;
/// From this score against itself on, the engine counts itself as losing, in centipawns.
pub const ENGINE_SEES: i32 = 100;
/// A mate counts as this many centipawns.
const MATE: i32 = 100_000;

/// Identifies a game by its players, its start and its moves. A game that is given twice shows nothing new.
pub fn identity(game: &PgnGame) -> (Vec<Option<String>>, String, Vec<u16>) {
    let players = ["White", "Black"].map(|tag| game.tags.get(tag).map(str::to_owned));
    let moves = game.mainline().filter_map(|node| game.node(node).mv());
    (
        players.to_vec(),
        game.start().board.to_string(),
        moves.map(Move::bits).collect(),
    )
}

/// How late the engine was in one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lag {
    /// Plies from the opponent's first score to the engine's; negative if the engine was first.
    /// If the engine never counted itself as losing, plies to the end of the game.
    pub plies: i32,
    /// The engine's own last score before the opponent's first, in centipawns, if it had one.
    pub own_score: Option<i32>,
}

/// The lag of a game that `engine` (the name in the White or Black tag) lost. `None` for other
/// games, and if the opponent never counted the engine as losing.
///
/// Scores are read from comments: `[%eval 0.17,18]` for White, or `+0.17/18 0.5s` for the player
/// who moved, as fastchess and cutechess write them.
///
/// ```
/// use skewer_pgn::Games;
/// use skewer_train::lag::lag;
///
/// let pgn = "[White \"A\"]\n[Black \"B\"]\n\n1. f3 {+0.20/5 1s} e5 {+1.60/5 1s} \
///            2. a3 {-0.10/5 1s} d5 {+2.00/5 1s} 3. g4 {-1.20/5 1s} Qh4# {+M1/5 1s} 0-1\n";
/// let game = Games::new(pgn.as_bytes()).next().unwrap()?;
/// let lag = lag(&game, "A").unwrap();
/// assert_eq!((lag.plies, lag.own_score), (3, Some(20)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn lag(game: &PgnGame, engine: &str) -> Option<Lag> {
    let side = side_lost_by(game, engine)?;
    let mut plies = 0;
    let (mut opponent, mut own, mut last_own, mut own_score) = (None, None, None, None);
    for (ply, id) in game.mainline().enumerate() {
        let node = game.node(id);
        let mover = !node.board().turn();
        plies = ply as i32 + 1;
        let Some(white) = node
            .comments
            .iter()
            .find_map(|text| white_score(text, mover))
        else {
            continue;
        };
        let score = side.fold(white, -white);
        if mover == side {
            last_own = Some(score);
            if score <= -ENGINE_SEES {
                own.get_or_insert(ply as i32);
            }
        } else if opponent.is_none() && score <= -OPPONENT_SEES {
            opponent = Some(ply as i32);
            own_score = last_own;
        }
    }
    Some(Lag {
        plies: own.unwrap_or(plies) - opponent?,
        own_score,
    })
}

/// The side that `engine` had in a game that it lost; `None` for other games.
pub fn side_lost_by(game: &PgnGame, engine: &str) -> Option<Color> {
    let (tag, side) = match game.outcome? {
        Outcome::BlackWins => ("White", Color::White),
        Outcome::WhiteWins => ("Black", Color::Black),
        Outcome::Draw => return None,
    };
    (game.tags.get(tag) == Some(engine)).then_some(side)
}

/// White's score in a comment on a move of `mover`, in centipawns.
fn white_score(comment: &str, mover: Color) -> Option<i32> {
    if let Some(tag) = EvalTag::find(comment) {
        return Some(match tag.value {
            EvalValue::Centipawns(score) => score,
            // Zero is mate on the board, given by the player who moved.
            EvalValue::Mate(0) => mover.fold(MATE, -MATE),
            EvalValue::Mate(moves) => MATE * moves.signum(),
        });
    }
    let (score, depth) = comment.split_whitespace().next()?.split_once('/')?;
    depth.parse::<u32>().ok()?;
    let (sign, size) = match score.strip_prefix('-') {
        Some(size) => (-1, size),
        None => (1, score.trim_start_matches('+')),
    };
    let size = if size.starts_with(['M', '#']) {
        MATE
    } else {
        (size.parse::<f64>().ok().filter(|size| size.is_finite())? * 100.0).round() as i32
    };
    Some(mover.fold(sign * size, -sign * size))
}

#[cfg(test)]
mod tests {
    use skewer_pgn::Games;

    use super::*;

    fn game(moves: &str, result: &str) -> PgnGame {
        let pgn = format!("[White \"W\"]\n[Black \"B\"]\n\n{moves} {result}\n");
        Games::new(pgn.as_bytes()).next().unwrap().unwrap()
    }

    #[test]
    fn both_kinds_of_comments_and_both_sides_are_read() {
        let late = "1. e4 {[%eval 1.60,9]} a6 {[%eval 0.30,9] [%clk 0:01:00]} \
                    2. d4 {[%eval 2.00]} a5 {[%eval 1.00]}";
        let found = lag(&game(late, "1-0"), "B").unwrap();
        assert_eq!((found.plies, found.own_score), (3, None));
        // The engine counted itself as losing before its opponent did.
        let early = "1. e4 {+0.10/9 1s} a6 {-1.10/9 1s} 2. d4 {+1.50/9 1s}";
        let found = lag(&game(early, "1-0"), "B").unwrap();
        assert_eq!((found.plies, found.own_score), (-1, Some(-110)));
        // The engine never counted itself as losing, so the lag lasts to the end of the game.
        let never = "1. e4 {+M7/9 1s} a6 {0.00/9 1s} 2. d4 {#+6/9 1s} a5 {0.00/9 1s}";
        assert_eq!(lag(&game(never, "1-0"), "B").unwrap().plies, 4);
        assert_eq!(lag(&game(never, "1/2-1/2"), "B"), None);
        assert_eq!(lag(&game(never, "1-0"), "W"), None);
        assert_eq!(lag(&game("1. e4 {book} a6", "1-0"), "B"), None);
    }
}
