//! The search with endgame tables of three and four pieces.

use skewer_eval::HandWritten;
use skewer_movegen::Board;
use skewer_search::{
    Context, Counters, Limits, Position, SearchControl, SearchResult, TablebaseRules, TablebaseUse,
    Worker,
};
use skewer_syzygy::Tables;
use skewer_tt::{Table, TableSize};
use skewer_types::Score;

/// Tables that the prober's own tests use.
const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../syzygy/tests/data");

fn search(tables: &Tables, fen: &str, depth: i32) -> (SearchResult, u64) {
    let table = Table::new(TableSize::from_megabytes(1)).unwrap();
    let control = SearchControl::new(Limits::depth(depth));
    let counters = Counters::default();
    let context = Context {
        tablebases: Some(TablebaseUse {
            tables,
            rules: TablebaseRules::default(),
        }),
        ..Context::solo(&table, &control, &counters)
    };
    let board: Board = fen.parse().unwrap();
    let outcome =
        Worker::new(0, HandWritten::default()).search(&Position::new(board), &context, &mut |_| {});
    (outcome, context.tb_hits())
}

#[test]
fn roots_and_captures_are_probed() {
    let tables = Tables::open(TABLES).unwrap();

    // A root that the tables cover: won, drawn, lost.
    let (win, hits) = search(&tables, "8/8/8/8/1k6/8/3P4/3K2B1 w - - 0 1", 6);
    assert!(win.score.is_win() && hits > 0, "{:?}", win.score);
    let (draw, _) = search(&tables, "8/8/8/3k4/8/3N4/8/2NK4 w - - 0 1", 6);
    assert_eq!(draw.score, Score::DRAW);
    let (loss, _) = search(&tables, "8/8/8/3k4/8/8/1Q6/K7 b - - 0 1", 4);
    assert!(loss.score.is_loss());

    // Only one move holds the draw, by the opposition or the square in front of the pawn.
    for (fen, only) in [
        ("8/3k4/8/3PK3/8/8/8/8 b - - 0 1", "d7e7"),
        ("3k4/8/3P4/3K4/8/8/8/8 b - - 0 1", "d8d7"),
        ("8/4k3/4P3/3K4/8/8/8/8 b - - 0 1", "e7e8"),
    ] {
        let (held, _) = search(&tables, fen, 2);
        assert_eq!(format!("{:?}", held.best.unwrap()), only, "{fen}");
        assert_eq!(held.score, Score::DRAW, "{fen}");
    }

    // Five pieces: the tables cover what is left after a capture.
    let (captured, hits) = search(&tables, "8/8/8/3k4/3r4/3N4/3K4/3R4 w - - 0 1", 8);
    assert!(captured.best.is_some() && hits > 0);

    // A capture into a won or lost ending counts as won or lost also with an open window, in which a bound of the
    // tables does not end the search.
    let (won, _) = search(&tables, "8/8/8/8/1k1n4/4P3/8/3K2B1 w - - 0 1", 2);
    assert!(won.score.is_win(), "{:?}", won.score);
    let (lost, _) = search(&tables, "5K1k/7p/6N1/8/P7/8/8/8 b - - 0 1", 2);
    assert!(lost.score.is_loss(), "{:?}", lost.score);

    // With a high halfmove clock the win is played by distance.
    let (late, _) = search(&tables, "8/8/8/8/4k3/8/1Q6/K7 w - - 60 90", 3);
    assert!(late.score.is_win());
}
