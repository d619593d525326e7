//! The recording of a search agrees with the counts of the search.

use skewer_lab::algorithms::{Algorithm, solve};
use skewer_lab::chess::config::{Config, Ideas, NullMove};
use skewer_lab::chess::game::Chess;
use skewer_lab::chess::positions;
use skewer_lab::chess::searcher::Searcher;
use skewer_lab::game::{End, Game, Tally, Visits};
use skewer_lab::games::tree::{Tree, Values};
use skewer_lab::games::typed::TypedTree;
use skewer_lab::laboratory::Node;
use skewer_lab::trace::{Recording, Step};
use strum::IntoEnumIterator as _;

/// The counts of a recording.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    visits: Visits,
    passes: u64,
    skips: u64,
    longest_open: u64,
}

fn count(recording: &Recording) -> Counts {
    assert!(!recording.truncated);
    let (mut counts, mut open) = (Counts::default(), 0);
    for step in &recording.steps {
        match step {
            Step::Pass { .. } => counts.passes += 1,
            Step::Enter { window, .. } if window.is_null() => {
                counts.visits.null_windows += 1;
            }
            Step::Enter { .. } => counts.visits.wide_windows += 1,
            Step::Leave { end, .. } => counts.visits.ends[*end as usize] += 1,
            Step::Skip { .. } => counts.skips += 1,
            Step::Push { .. } => {
                open += 1;
                counts.longest_open = counts.longest_open.max(open);
            }
            Step::Pop { .. } | Step::Purge { .. } => open -= 1,
        }
    }
    counts
}

/// Searches with and without a recording: the counts are the same, and agree with the recording.
fn check(algorithm: Algorithm, game: &impl Game, depth: u32) -> Tally {
    let mut plain = algorithm.laboratory();
    let expected = solve(algorithm, game, depth, &mut plain);
    let mut laboratory = algorithm.laboratory();
    laboratory.record();
    assert_eq!(solve(algorithm, game, depth, &mut laboratory), expected);
    let tally = laboratory.tally;
    assert_eq!(tally, plain.tally, "recording changes nothing");
    let counts = count(&laboratory.recording().unwrap());
    assert_eq!(counts.visits, tally.visits, "{}", algorithm.name());
    assert_eq!(counts.passes, tally.passes);
    let entered = counts.visits.null_windows + counts.visits.wide_windows;
    let known = tally.visits.ended(End::Known);
    assert_eq!(entered, tally.interior + tally.leaves + known);
    assert_eq!(tally.visits.ended(End::Leaf), tally.leaves);
    match algorithm {
        Algorithm::Sss => assert_eq!(counts.longest_open, tally.stored),
        _ => assert_eq!(tally.visits.ends.iter().sum::<u64>(), entered),
    }
    tally
}

#[test]
fn recordings_of_all_algorithms_have_the_counts() {
    let typed: TypedTree = "((3 (5 9)) (6 9 -2) (1 2))".parse().unwrap();
    let random = Tree::new(4, 5, Values::Random { seed: 3, range: 90 });
    let chess = Chess::new(*positions::openings()[0].board());
    for algorithm in Algorithm::iter() {
        check(algorithm, &typed, typed.height());
        check(algorithm, &random, 5);
        check(algorithm, &chess, 2);
    }
    // The counts tell alpha-beta from MTD(f): only MTD(f) reuses known values, and it has null
    // windows alone.
    let tally = check(Algorithm::AlphaBeta, &random, 5);
    assert!(tally.visits.ended(End::Cutoff) > 10 && tally.visits.wide_windows > 10);
    let tally = check(Algorithm::MtdF { guess: 0 }, &random, 5);
    assert!(tally.visits.ended(End::Known) > 10 && tally.visits.wide_windows == 0);
}

#[test]
fn a_planted_tree_shows_what_was_not_visited() {
    let tree: TypedTree = "((3 5) (6 9) (1 2))".parse().unwrap();
    let mut laboratory = Algorithm::AlphaBeta.laboratory();
    laboratory.record();
    laboratory.plant(&Node::root(&tree, tree.height()));
    solve(Algorithm::AlphaBeta, &tree, tree.height(), &mut laboratory);
    let recording = laboratory.recording().unwrap();
    assert_eq!(recording.places.len(), tree.nodes());
    let leaves: Vec<_> = recording.places.iter().filter_map(|p| p.value).collect();
    assert_eq!(leaves, [3, 5, 6, 9, 1, 2]);
    let entered = |index| {
        let is = |step: &Step| matches!(step, Step::Enter { node, .. } if *node == index);
        recording.steps.iter().any(is)
    };
    let missed: Vec<_> = (0..recording.places.len())
        .filter(|&i| !entered(i))
        .collect();
    assert_eq!(missed.len(), 1);
    assert_eq!(recording.places[missed[0]].value, Some(2));
}

#[test]
fn recordings_of_the_textbook_searcher_have_the_counts() {
    let null_move = NullMove::Verified;
    let configs = [
        Config::PLAIN,
        Config::ORDERED.with(Ideas::EARLY_CANDIDATES),
        Config::FULL,
        Config {
            null_move,
            ..Config::FULL
        },
    ];
    let mut seen = Visits::default();
    for position in &positions::varied()[..6] {
        for config in configs {
            let mut searcher = Searcher::new(config);
            searcher.record();
            for depth in 1..=3 {
                searcher.search_to_depth(position, depth);
            }
            let effort = searcher.effort;
            let counts = count(&searcher.recording().unwrap());
            assert_eq!(counts.visits, effort.visits);
            let entered = counts.visits.null_windows + counts.visits.wide_windows;
            assert_eq!(entered, effort.nodes + effort.horizons);
            assert_eq!(counts.visits.ends.iter().sum::<u64>(), entered);
            assert_eq!(counts.visits.ended(End::Leaf), effort.horizons);
            assert_eq!(
                counts.visits.ended(End::Futile) + counts.skips,
                effort.futile
            );
            assert_eq!(counts.passes, 3);
            for (sum, more) in seen.ends.iter_mut().zip(effort.visits.ends) {
                *sum += more;
            }
        }
    }
    for end in [
        End::Leaf,
        End::Known,
        End::Futile,
        End::NullMove,
        End::Cutoff,
    ] {
        assert!(seen.ended(end) > 0, "{end:?} never happens");
    }
}
