//! What the PGN file itself says about a game: comments, glyphs and variations, for the page.

use serde::Serialize;
use skewer_movegen::CastlingMode;
use skewer_pgn::{NodeId, PgnGame};

/// How deep variations within variations are shown. Deeper variations are left out, so that no file can exhaust the
/// stack.
const DEPTH: u32 = 8;

/// What the file says about a move.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub(crate) struct Notes {
    /// Comments before the move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    b: Vec<String>,
    /// Comments after the move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    o: Vec<String>,
    /// The numbers of the glyphs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    n: Vec<u8>,
}

/// A variation: its moves.
pub(crate) type Variation = Vec<NotedMove>;

/// A move of a variation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct NotedMove {
    /// The move as UCI; empty for a null move.
    u: String,
    #[serde(flatten)]
    notes: Notes,
    /// The variations in place of this move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    v: Vec<Variation>,
}

/// What the file says about each move of the main line, and the variations in place of the move.
pub(crate) fn notes(game: &PgnGame) -> Vec<(Notes, Vec<Variation>)> {
    let mut parent = NodeId::ROOT;
    game.mainline()
        .map(|id| {
            let found = (of_move(game, id), variations(game, parent, DEPTH));
            parent = id;
            found
        })
        .collect()
}

/// What the file says before the first move.
pub(crate) fn before_the_first_move(game: &PgnGame) -> Vec<String> {
    texts(&game.node(NodeId::ROOT).comments)
}

fn of_move(game: &PgnGame, id: NodeId) -> Notes {
    let node = game.node(id);
    Notes {
        b: texts(&node.comments_before),
        o: texts(&node.comments),
        n: node.nags.iter().map(|nag| nag.0).collect(),
    }
}

fn variations(game: &PgnGame, parent: NodeId, depth: u32) -> Vec<Variation> {
    let Some(depth) = depth.checked_sub(1) else {
        return Vec::new();
    };
    let begins = game.node(parent).children().iter().skip(1);
    begins.map(|&first| variation(game, first, depth)).collect()
}

fn variation(game: &PgnGame, first: NodeId, depth: u32) -> Variation {
    let line = std::iter::successors(Some(first), |&id| game.next(id));
    line.map(|id| {
        let node = game.node(id);
        let before = node.parent().filter(|_| id != first);
        let board = node.parent().map(|parent| game.node(parent).board());
        let uci = |mv| board.map(|board| board.uci_in(mv, CastlingMode::Chess960).to_string());
        NotedMove {
            u: node.mv().and_then(uci).unwrap_or_default(),
            notes: of_move(game, id),
            v: before.map_or_else(Vec::new, |parent| variations(game, parent, depth)),
        }
    })
    .collect()
}

/// Comments without their commands, such as `[%clk 0:05:00]`; comments that hold nothing else are left out.
fn texts(comments: &[String]) -> Vec<String> {
    let texts = comments.iter().map(|comment| without_commands(comment));
    texts.filter(|text| !text.is_empty()).collect()
}

fn without_commands(comment: &str) -> String {
    let mut text = String::new();
    let mut rest = comment;
    while let Some((before, inside)) = rest.split_once("[%") {
        text.push_str(before);
        if let Some((_, after)) = inside.split_once(']') {
            rest = after;
        } else {
            // Without a closing bracket it is not a command.
            text.push_str("[%");
            rest = inside;
        }
    }
    text.push_str(rest);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Commands are removed, whatever their name; the words of the author stay.
    #[test]
    fn comments_are_shown_without_commands() {
        for (comment, text) in [
            ("[%eval 0.1,18] [%clk 0:05:00]", ""),
            ("good [%csl Gd4] square", "good square"),
            ("[%x", "[%x"),
            ("a [b] c", "a [b] c"),
        ] {
            assert_eq!(without_commands(comment), text);
        }
    }

    /// A variation stands at the move that it replaces, with its comments, glyphs and inner variations.
    #[test]
    fn variations_stand_at_the_move_that_they_replace() {
        let text = "{ start } 1. e4 { best by test } e5 ( { sharp } 1... c5 $5 { Sicilian } 2. Nf3 (2. c3) ) 2. Nf3 *";
        let game = skewer_pgn::Games::new(text.as_bytes())
            .next()
            .unwrap()
            .unwrap();
        assert_eq!(before_the_first_move(&game), ["start"]);
        let found = serde_json::to_value(notes(&game)).unwrap();
        assert_eq!(found[0], serde_json::json!([{ "o": ["best by test"] }, []]));
        let line = &found[1][1][0];
        assert_eq!(
            line[0],
            serde_json::json!({ "u": "c7c5", "b": ["sharp"], "o": ["Sicilian"], "n": [5] })
        );
        assert_eq!(line[1]["v"], serde_json::json!([[{ "u": "c2c3" }]]));
    }

    /// Variations nested deeper than the page shows are left out, and nothing overflows.
    #[test]
    fn deep_nesting_is_bounded() {
        let open = "(1. d4 (1. c4 ".repeat(500);
        let text = format!("1. e4 {open}{} *", ")".repeat(1000));
        let game = skewer_pgn::Games::new(text.as_bytes()).next().unwrap();
        let Ok(game) = game else { return };
        assert_eq!(notes(&game).len(), 1);
    }
}
