//! The null move (Moreland, after Donninger, 1993; Heinz, 1999; Tabibi and Netanyahu, 2002).

mod errors;

use super::measure::{Run, duel, in_words, search_to_depth, think};
use super::{Measure, Pace};
use crate::chess::config::{Config, ConsecutiveNullMoves, Ideas, NullMove};
use crate::chess::positions;
use crate::chess::searcher::Limits;
use crate::figure::{Figure, Unit};
use crate::report::{Claim, Need, Source};

const SOURCE: Source = Source("Moreland");
const TABIBI: Source = Source("Tabibi and Netanyahu 2002");
const HEINZ: Source = Source("Heinz 1999");
const GOETSCH: Source = Source("Goetsch and Campbell 1990, in Moreland");

/// The forms of null move in the text, with their names.
const FORMS: [(&str, NullMove); 6] = [
    ("R=1", NullMove::Plain { reduction: 1 }),
    ("R=2", NullMove::Plain { reduction: 2 }),
    ("R=3", NullMove::Plain { reduction: 3 }),
    ("R=4", NullMove::Plain { reduction: 4 }),
    ("adaptive", NullMove::Adaptive),
    ("verified", NullMove::Verified),
];

const R2: NullMove = NullMove::Plain { reduction: 2 };

fn with(null_move: NullMove) -> Config {
    Config {
        null_move,
        ..Config::ORDERED.with(Ideas::CHECK_EXTENSION)
    }
}

pub(super) const MEASURES: &[Measure] = &[
    |pace| vec![deeper(pace)],
    |pace| vec![null_window(pace)],
    |pace| vec![running_twice(pace)],
    |pace| vec![unlimited(pace)],
    errors::zugzwang,
    |_| {
        vec![
            errors::horizon(),
            errors::horizon_reduction(),
            errors::horizon_verified(),
        ]
    },
    |pace| vec![errors::horizon_watched(pace)],
    |pace| vec![worth_it(pace)],
    |pace| vec![other_reductions(pace)],
    fewer_nodes,
    deep,
    errors::instability,
];

fn deeper(pace: Pace) -> Claim {
    let positions = positions::openings();
    let limits = Limits::nodes(pace.pick(5000, 1_000_000));
    let base = think(with(NullMove::Off), &positions, limits);
    let gain = |form| think(with(form), &positions, limits).deeper_than(&base);
    let gains = FORMS.map(|(name, form)| (name, gain(form)));
    let in_words = gains.map(|(name, gain)| format!("{name} {:+.1}", gain.value));
    SOURCE
        .claims("the null move searches one to two plies deeper")
        .needs(Need::Between(0.9, 2.1), "one to two, to a tenth")
        .or_in_part(Need::Between(0.0, 2.1))
        .measure(
            gains[1].1,
            format!(
                "plies more with R=2 for {} nodes; {} (depth {:.1} without)",
                limits.nodes,
                in_words.join(", "),
                base.mean_depth()
            ),
        )
}

/// What the null window of the null move saves, in an alpha-beta search with open windows.
fn null_window(pace: Pace) -> Claim {
    let positions = pace.sample();
    let depth = pace.pick(2, 5);
    let base = with(R2).without(Ideas::NEGASCOUT);
    let open = search_to_depth(base.with(Ideas::NULL_MOVE_OPEN_WINDOW), &positions, depth);
    SOURCE
        .claims("a null window makes the search after the pass quicker")
        .needs(Need::AtLeast(1.0), "quicker at all")
        .measure(
            open.nodes_against(&search_to_depth(base, &positions, depth)),
            format!(
                "times fewer nodes at depth {depth} than with the window of the node, R=2, \
                 alpha-beta without NegaScout"
            ),
        )
}

fn running_twice(pace: Pace) -> Claim {
    let positions = positions::openings();
    let depth = pace.pick(2, 6);
    let once = with(R2);
    let twice = Config {
        consecutive: ConsecutiveNullMoves::Two,
        ..once
    };
    let cost = search_to_depth(twice, &positions, depth)
        .nodes_against(&search_to_depth(once, &positions, depth));
    let limits = Limits::nodes(pace.pick(500, 5000));
    let [once, twice] = [once, twice].map(|r| r.with(Ideas::PATH_DRAWS | Ideas::NULL_NEEDS_PIECES));
    let results = duel((twice, limits), (once, limits), pace.pick(1, 60));
    SOURCE
        .claims("one null move in a row and two in a row both play very well")
        .needs(
            Need::Between(-30.0, 30.0),
            "a difference that a few hundred games do not show",
        )
        .measure(
            Figure::elo(&results),
            format!(
                "two in a row against one, {} nodes a move: {}; {cost} times the nodes at \
                 depth {depth}",
                limits.nodes,
                in_words(&results)
            ),
        )
}

fn unlimited(pace: Pace) -> Claim {
    let depth = pace.pick(2, 4);
    let limits = Limits::depth(depth);
    let once = playing(NullMove::Plain { reduction: 1 });
    let any = Config {
        consecutive: ConsecutiveNullMoves::Unlimited,
        ..once
    };
    let results = duel((any, limits), (once, limits), pace.pick(1, 60));
    SOURCE
        .claims("with null moves in a row without limit the search degenerates into doing nothing")
        .needs(
            Need::AtMost(-20.0),
            "it plays so much worse at the same depth that it is felt",
        )
        .measure_games(
            &results,
            &format!("without limit against one in a row, R=1, both at depth {depth}"),
        )
}

fn worth_it(pace: Pace) -> Claim {
    let limits = Limits::nodes(pace.pick(1000, 20_000));
    let (with, without) = (playing(R2), playing(NullMove::Off));
    let results = duel((with, limits), (without, limits), pace.pick(2, 60));
    SOURCE
        .claims("in practice the speed outweighs the errors")
        .needs(Need::AtLeast(0.0), "stronger at all")
        .measure_games(
            &results,
            &format!("R=2 against none, {} nodes a move", limits.nodes),
        )
}

/// The configuration with a form of the null move, for games.
fn playing(null_move: NullMove) -> Config {
    with(null_move).with(Ideas::PATH_DRAWS | Ideas::NULL_NEEDS_PIECES)
}

fn other_reductions(pace: Pace) -> Claim {
    let limits = Limits::nodes(pace.pick(500, 5000));
    let rivals = [FORMS[0], FORMS[2], FORMS[3], FORMS[4], FORMS[5]];
    let results = rivals.map(|(name, form)| {
        let pairs = pace.pick(1, 60);
        let results = duel((playing(form), limits), (playing(R2), limits), pairs);
        (name, results, Figure::elo(&results))
    });
    let in_words = results
        .map(|(name, results, figure)| format!("{name} {figure} in {} games", results.games()));
    // The claim is about every form: take the highest estimate and the highest upper bound.
    let best = results.map(|(_, _, figure)| figure).into_iter().fold(
        Figure::exact(f64::NEG_INFINITY).in_unit(Unit::Elo),
        |a, b| Figure {
            value: a.value.max(b.value),
            low: a.low.max(b.low),
            high: a.high.max(b.high),
            unit: a.unit,
        },
    );
    SOURCE
        .claims("no other form plays better than R=2 (the text's own trials)")
        .needs(
            Need::AtMost(50.0),
            "more would have shown in an author's hundred games",
        )
        .measure(
            best,
            format!(
                "Elo of the best rival of R=2, {} nodes a move: {}",
                limits.nodes,
                in_words.join("; ")
            ),
        )
}

fn fewer_nodes(pace: Pace) -> Vec<Claim> {
    let positions = positions::openings();
    let depth = pace.pick(2, 7);
    let none = think(with(NullMove::Off), &positions, Limits::depth(depth));
    let cost = FORMS.map(|(name, form)| {
        let run = think(with(form), &positions, Limits::depth(depth));
        (name, run.nodes_against(&none))
    });
    let in_words = cost.map(|(name, cost)| format!("{name} {:.2}", cost.value));
    vec![
        SOURCE
            .claims("the null move cuts the number of nodes markedly")
            .needs(Need::AtMost(0.75), "markedly is a quarter")
            .or_in_part(Need::AtMost(1.0))
            .measure(
                cost[1].1,
                format!(
                    "times the nodes to depth {depth} with R=2; {}",
                    in_words.join(", ")
                ),
            ),
        SOURCE
            .claims("a verifying search looks expensive and is worth trying")
            .needs(
                Need::AtMost(0.9),
                "a tenth fewer nodes than without null moves is worth it",
            )
            .measure(
                cost[5].1,
                format!("times the nodes of no null move to depth {depth}, R=3 verified"),
            ),
    ]
}

/// The adaptive form where its reduction changes, beyond six plies and with few pieces; and verification
/// beside the plain forms at the depths of its authors.
fn deep(pace: Pace) -> Vec<Claim> {
    let positions = &pace.late();
    let depth = pace.pick(4, 9);
    let run = |form| think(with(form), positions, Limits::depth(depth));
    let r3 = run(NullMove::Plain { reduction: 3 });
    let (r2, adaptive, verified) = (run(R2), run(NullMove::Adaptive), run(NullMove::Verified));
    let same = |run: &Run| format!("{} of {}", run.same_moves(&r2), positions.len());
    vec![
        HEINZ
            .claims("the adaptive null move needs fewer nodes than R=2 in deep searches")
            .needs(Need::AtMost(1.0), "fewer at all")
            .measure(
                adaptive.nodes_against(&r2),
                format!(
                    "times the nodes of R=2 to depth {depth} in {} late middlegames; R=3 \
                     {}; the moves of R=2 in {} with the adaptive form, {} with R=3",
                    positions.len(),
                    r3.nodes_against(&r2),
                    same(&adaptive),
                    same(&r3)
                ),
            ),
        TABIBI
            .claims("verified R=3 needs fewer nodes than plain R=2")
            .needs(Need::AtMost(1.0), "fewer at all")
            .measure(
                verified.nodes_against(&r2),
                format!(
                    "times the nodes of R=2 to depth {depth} in {} late middlegames",
                    positions.len()
                ),
            ),
        TABIBI
            .claims("verified R=3 needs more nodes than plain R=3")
            .needs(Need::AtLeast(1.0), "more at all")
            .measure(
                verified.nodes_against(&r3),
                format!(
                    "times the nodes of plain R=3 to depth {depth} in {} late middlegames",
                    positions.len()
                ),
            ),
    ]
}
