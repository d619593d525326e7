//! The static evaluation by the material, the score of the root and the fifty-move clock.

use skewer_movegen::Color;
use skewer_types::{Score, Techniques};

use super::{TestSearch, with_search};
use crate::params;
use crate::scale::Optimism;

/// 78, 40 and 12 pawns of material.
const FULL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const HALF: &str = "r2qk3/pppppp2/8/8/8/8/PPPPPP2/R2QK3 w - - 0 1";
const BARE: &str = "4k3/ppp2ppp/8/8/8/8/PPP2PPP/4K3 w - - 0 1";

/// The static evaluation of a position whose raw evaluation is `raw`, without correction.
fn evaluated(fen: &str, set: Techniques, raw: i32, prepare: impl FnOnce(&mut TestSearch)) -> i32 {
    with_search(fen, set, |search, board| {
        prepare(search);
        search.static_score(board, Score::new(raw), 0).raw()
    })
}

#[test]
fn the_more_material_the_more_the_evaluation_counts_for_both_sides_alike() {
    let scaled = |fen, raw| evaluated(fen, Techniques::MATERIAL_SCALE, raw, |_| ());
    for raw in [-700, -100, 100, 700] {
        let by_material = [BARE, HALF, FULL].map(|fen| scaled(fen, raw) * raw.signum());
        assert!(by_material.is_sorted_by(|a, b| a < b), "{by_material:?}");
        assert_eq!(scaled(FULL, raw), -scaled(FULL, -raw));
    }
    // 890 and 2.9 for each of 78 pawns, in 1024ths.
    assert_eq!(scaled(FULL, 1000), 1090);
    assert_eq!(scaled(FULL, 0), 0, "level stays level");
    let greatest = Score::new(i32::MAX);
    assert_eq!(scaled(FULL, i32::MAX), greatest.raw(), "no decisive score");
    assert_eq!(evaluated(FULL, Techniques::empty(), 1000, |_| ()), 1000);
}

#[test]
fn the_side_that_is_ahead_at_the_root_is_given_more_and_the_other_as_much_less() {
    let ahead = Some(Score::new(80));
    let with = |fen, optimism| {
        evaluated(fen, Techniques::MATERIAL_SCALE, 0, |search| {
            search.optimism = optimism;
        })
    };
    let (own, other) = (
        Optimism::at(Color::White, ahead),
        Optimism::at(Color::Black, ahead),
    );
    // All the boards have White to move.
    assert_eq!(
        with(FULL, own),
        params::optimism_most() / 2,
        "half at a score of 80"
    );
    assert_eq!(with(FULL, other), -with(FULL, own));
    let behind = Optimism::at(Color::White, Some(Score::new(-80)));
    assert_eq!(
        behind, other,
        "the opponent of a side that is behind is ahead"
    );
    let by_material = [BARE, HALF, FULL].map(|fen| with(fen, own));
    assert!(by_material.is_sorted_by(|a, b| a < b), "{by_material:?}");
    let off = evaluated(FULL, Techniques::empty(), 0, |search| search.optimism = own);
    assert_eq!(off, 0, "without the technique");
}

#[test]
fn optimism_is_bounded_and_waits_for_a_score() {
    assert_eq!(Optimism::at(Color::White, None), Optimism::default());
    assert_eq!(
        Optimism::at(Color::White, Some(Score::ZERO)),
        Optimism::default()
    );
    let given = |score| {
        evaluated(FULL, Techniques::MATERIAL_SCALE, 0, |search| {
            search.optimism = Optimism::at(Color::White, Some(score));
        })
    };
    let by_score = [20, 100, 1000].map(|score| given(Score::new(score)));
    assert!(by_score.is_sorted_by(|a, b| a < b), "{by_score:?}");
    assert_eq!(given(Score::mate_in(3)), given(Score::new(1000)));
    assert!(given(Score::mate_in(3)) < params::optimism_most());
}

#[test]
fn the_evaluation_fades_as_the_fifty_move_rule_comes_near() {
    let after = |clock| {
        let fen = format!("4k3/ppp2ppp/8/8/8/8/PPP2PPP/4K3 w - - {clock} 60");
        evaluated(&fen, Techniques::empty(), 220, |_| ())
    };
    assert_eq!([0, 20, 100].map(after), [220, 200, 120]);
}

#[test]
fn a_search_takes_its_optimism_from_the_iterations_before() {
    let searched = |average| {
        with_search(FULL, Techniques::MATERIAL_SCALE, |search, board| {
            search.memory.root.moves[0].average = average;
            search.search_line(board, 1, 0, 1, &mut |_| ());
            search.optimism
        })
    };
    let ahead = Some(Score::new(80));
    assert_eq!(searched(ahead), Optimism::at(Color::White, ahead));
    assert_eq!(searched(None), Optimism::default());
}
