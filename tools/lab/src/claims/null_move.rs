//! The null move (Moreland, after Donninger, 1993; Heinz, 1999; Tabibi and Netanyahu, 2002).

mod errors;

use super::measure::{Run, duel, in_words, ratio, search_to_depth, think};
use super::same::Differ;
use super::{Named, Pace, SameSearch};
use crate::chess::config::{Config, ConsecutiveNullMoves, Ideas, NullMove};
use crate::chess::positions;
use crate::chess::searcher::Limits;
use crate::figure::{Figure, Unit};
use crate::params::chess as params;
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

/// The depth from which on Heinz's reduction can differ from R=2: the first null move has one ply less.
const ADAPTIVE_FROM: i32 = params::ADAPTIVE_SHALLOW + 2;

fn with(null_move: NullMove) -> Config {
    Config {
        null_move,
        ..Config::ORDERED.with(Ideas::CHECK_EXTENSION)
    }
}

pub(super) const MEASURES: &[Named] = &[
    ("deeper", |pace| Ok(vec![deeper(pace)?])),
    ("null-window", |pace| Ok(vec![null_window(pace)?])),
    ("two-in-a-row", |pace| Ok(vec![running_twice(pace)?])),
    ("unlimited", |pace| Ok(vec![unlimited(pace)?])),
    ("zugzwang", errors::zugzwang),
    ("horizon", |_| {
        Ok(vec![
            errors::horizon()?,
            errors::horizon_reduction()?,
            errors::horizon_verified()?,
        ])
    }),
    ("no-null-move", |pace| {
        Ok(vec![errors::horizon_watched(pace)?])
    }),
    ("worth-it", |pace| Ok(vec![worth_it(pace)?])),
    ("reductions", |pace| Ok(vec![other_reductions(pace)?])),
    ("nodes", fewer_nodes),
    ("deep", deep),
    ("instability", errors::instability),
    ("endgames", |pace| {
        Ok(vec![
            errors::pawn_endings(pace)?,
            errors::needs_pieces(pace)?,
        ])
    }),
    ("pattern", |pace| {
        let forms = [
            (Ideas::EXTEND_QUEEN_AND_PAWN, "a ply more"),
            (Ideas::SMALLER_R_QUEEN_AND_PAWN, "R=1"),
        ];
        let claims = forms.map(|(ideas, form)| errors::pattern(pace, ideas, form));
        claims.into_iter().collect()
    }),
];

fn deeper(pace: Pace) -> Result<Claim, SameSearch> {
    let positions = positions::openings();
    let limits = Limits::nodes(pace.pick(5000, 1_000_000));
    let base = think(with(NullMove::Off), &positions, limits);
    let mut gains = Vec::new();
    for (name, form) in FORMS {
        let run = think(with(form), &positions, limits);
        gains.push((name, run.deeper_than(&base)?, run.differ(&base)?));
    }
    let in_words: Vec<_> = gains
        .iter()
        .map(|(name, gain, _)| format!("{name} {:+.1}", gain.value))
        .collect();
    let claim = SOURCE
        .claims("the null move searches one to two plies deeper")
        .needs(Need::Between(0.9, 2.1), "one to two, to a tenth")
        .or_in_part(Need::Between(0.0, 2.1))
        .measure(
            gains[1].1,
            gains[1].2,
            format!(
                "plies more with R=2 for {} nodes; {} (depth {:.1} without)",
                limits.nodes,
                in_words.join(", "),
                base.mean_depth()
            ),
        );
    Ok(claim)
}

/// What the null window of the null move saves, in an alpha-beta search with open windows.
fn null_window(pace: Pace) -> Result<Claim, SameSearch> {
    let positions = pace.sample();
    let depth = pace.pick(2, 5);
    let base = with(R2).without(Ideas::NEGASCOUT);
    let open = search_to_depth(base.with(Ideas::NULL_MOVE_OPEN_WINDOW), &positions, depth);
    let null = search_to_depth(base, &positions, depth);
    let claim = SOURCE
        .claims("a null window makes the search after the pass quicker")
        .needs(Need::AtLeast(1.0), "quicker at all")
        .measure(
            open.nodes_against(&null)?,
            open.differ(&null)?,
            format!(
                "times fewer nodes at depth {depth} than with the window of the node, R=2, \
                 alpha-beta without NegaScout"
            ),
        );
    Ok(claim)
}

/// The plain null move with this reduction, and with `consecutive` null moves in a row.
fn in_a_row(reduction: i32, consecutive: ConsecutiveNullMoves) -> Config {
    Config {
        consecutive,
        ..with(NullMove::Plain { reduction })
    }
}

/// The depth at which a second null move in a row with R=2 has a ply left: the first is made a ply below the
/// root, and takes three plies.
const TWO_IN_A_ROW: i32 = 1 + 3 + 1;

fn running_twice(pace: Pace) -> Result<Claim, SameSearch> {
    let positions = positions::openings();
    let depth = pace.pick(TWO_IN_A_ROW, TWO_IN_A_ROW + 1);
    let (once, twice) = (
        in_a_row(2, ConsecutiveNullMoves::One),
        in_a_row(2, ConsecutiveNullMoves::Two),
    );
    let [nodes_once, nodes_twice] = [once, twice].map(|c| search_to_depth(c, &positions, depth));
    let cost = nodes_twice.nodes_against(&nodes_once)?;
    let trees = nodes_twice.differ(&nodes_once)?;
    let limits = Limits::nodes(10_000);
    let [once, twice] = [once, twice].map(|r| r.with(Ideas::PATH_DRAWS | Ideas::NULL_NEEDS_PIECES));
    let duel = duel((twice, limits), (once, limits), pace.pick(1, 60))?;
    let claim = SOURCE
        .claims("one null move in a row and two in a row both play very well")
        .needs(
            Need::Between(-30.0, 30.0),
            "a difference that a few hundred games do not show",
        )
        .measure(
            Figure::elo(&duel.results),
            duel.differ,
            format!(
                "two in a row against one, R=2, {} nodes a move: {}; {cost} times the nodes at \
                 depth {depth}, in trees that differ in {trees}",
                limits.nodes,
                in_words(&duel.results)
            ),
        );
    Ok(claim)
}

/// The depth at which a third null move in a row with R=1 has a ply left: the first is made a ply below the
/// root, and each takes two plies.
const THREE_IN_A_ROW: i32 = 1 + 2 * 2 + 1;

/// Null moves in a row without limit, against one in a row, where a third one is possible.
fn unlimited(pace: Pace) -> Result<Claim, SameSearch> {
    let positions = pace.late();
    let depth = pace.pick(THREE_IN_A_ROW, THREE_IN_A_ROW + 1);
    let run = |consecutive| think(in_a_row(1, consecutive), &positions, Limits::depth(depth));
    let (once, twice, any) = (
        run(ConsecutiveNullMoves::One),
        run(ConsecutiveNullMoves::Two),
        run(ConsecutiveNullMoves::Unlimited),
    );
    let kept = any.same_moves(&once)?;
    let third = any.differ(&twice)?;
    let claim = SOURCE
        .claims("with null moves in a row without limit the search degenerates into doing nothing")
        .needs(
            Need::AtMost(0.75),
            "a search that does nothing finds another move in one position of four at least",
        )
        .measure(
            Figure::share(kept, positions.len()),
            any.differ(&once)?.or_fewer(third),
            format!(
                "share of {} late middlegames in which the move is the same without limit as with \
                 one in a row, R=1, to depth {depth}; {} times the nodes; a third null move in a \
                 row changes the tree in {third}",
                positions.len(),
                any.nodes_against(&once)?
            ),
        );
    Ok(claim)
}

fn worth_it(pace: Pace) -> Result<Claim, SameSearch> {
    let limits = Limits::nodes(pace.pick(1000, 20_000));
    let (with, without) = (playing(R2), playing(NullMove::Off));
    let results = duel((with, limits), (without, limits), pace.pick(2, 60))?;
    let claim = SOURCE
        .claims("in practice the speed outweighs the errors")
        .needs(Need::AtLeast(0.0), "stronger at all")
        .measure_games(
            &results,
            &format!("R=2 against none, {} nodes a move", limits.nodes),
        );
    Ok(claim)
}

/// The configuration with a form of the null move, for games.
fn playing(null_move: NullMove) -> Config {
    with(null_move).with(Ideas::PATH_DRAWS | Ideas::NULL_NEEDS_PIECES)
}

/// The rivals of R=2 that these games can tell from it. The adaptive form is left out: it is R=2 below
/// [`ADAPTIVE_FROM`], a depth that so few nodes seldom reach.
fn other_reductions(pace: Pace) -> Result<Claim, SameSearch> {
    let limits = Limits::nodes(10_000);
    let (mut figures, mut in_words) = (Vec::new(), Vec::new());
    let mut differ: Option<Differ> = None;
    for (name, form) in FORMS {
        if [R2, NullMove::Adaptive].contains(&form) {
            continue;
        }
        let pairs = pace.pick(1, 60);
        let duel = duel((playing(form), limits), (playing(R2), limits), pairs)?;
        let figure = Figure::elo(&duel.results);
        figures.push(figure);
        let games = duel.results.games();
        in_words.push(format!("{name} {figure} in {games} games"));
        differ = Some(differ.map_or(duel.differ, |fewest| fewest.or_fewer(duel.differ)));
    }
    // The claim is about every form: take the highest estimate and the highest upper bound.
    let best = figures.into_iter().fold(
        Figure::exact(f64::NEG_INFINITY).in_unit(Unit::Elo),
        |a, b| Figure {
            value: a.value.max(b.value),
            low: a.low.max(b.low),
            high: a.high.max(b.high),
            unit: a.unit,
        },
    );
    let differ = differ.expect("R=2 has rivals");
    let claim = SOURCE
        .claims("no other form plays better than R=2 (the text's own trials)")
        .needs(
            Need::AtMost(50.0),
            "more would have shown in an author's hundred games",
        )
        .measure(
            best,
            differ,
            format!(
                "Elo of the best rival of R=2, {} nodes a move: {}; the adaptive form, \
                 which is R=2 below depth {ADAPTIVE_FROM}, is left out",
                limits.nodes,
                in_words.join("; ")
            ),
        );
    Ok(claim)
}

fn fewer_nodes(pace: Pace) -> Result<Vec<Claim>, SameSearch> {
    let positions = positions::openings();
    let depth = pace.pick(3, ADAPTIVE_FROM - 1);
    let to_depth = |form, depth| think(with(form), &positions, Limits::depth(depth));
    let run = |form| to_depth(form, depth);
    let none = run(NullMove::Off);
    let (r2, verified) = (run(R2), run(NullMove::Verified));
    // To this depth the adaptive form is R=2.
    let (r1, r3, r4) = (run(FORMS[0].1), run(FORMS[2].1), run(FORMS[3].1));
    let forms = [
        ("R=1", &r1),
        ("R=2", &r2),
        ("R=3", &r3),
        ("R=4", &r4),
        ("verified", &verified),
    ];
    let mut in_words = Vec::new();
    for (name, run) in forms {
        let cost = run.nodes_against(&none)?;
        in_words.push(format!("{name} {:.2}", cost.value));
    }
    let low = pace.pick(2, 4);
    let growth = |deep: &Run, shallow: &Run| -> Vec<f64> {
        let pairs = deep.efforts.iter().zip(&shallow.efforts);
        pairs
            .map(|(deep, shallow)| {
                ratio(deep.total(), shallow.total()).powf(1.0 / f64::from(depth - low))
            })
            .collect()
    };
    let growth_without = growth(&none, &to_depth(NullMove::Off, low));
    let growth_with = growth(&r2, &to_depth(R2, low));
    let shares = growth_with.iter().zip(&growth_without);
    let shares: Vec<_> = shares.map(|(with, without)| with / without).collect();
    Ok(vec![
        SOURCE
            .claims("the null move makes the branching factor fall sharply")
            .needs(Need::AtMost(0.8), "sharply is a fifth")
            .or_in_part(Need::AtMost(1.0))
            .measure(
                Figure::ratio(&shares),
                r2.differ(&none)?,
                format!(
                    "times the growth of the nodes a ply from depth {low} to {depth}, R=2: {} with \
                     null moves, {} without",
                    Figure::ratio(&growth_with),
                    Figure::ratio(&growth_without)
                ),
            ),
        SOURCE
            .claims("the null move cuts the number of nodes markedly")
            .needs(Need::AtMost(0.75), "markedly is a quarter")
            .or_in_part(Need::AtMost(1.0))
            .measure(
                r2.nodes_against(&none)?,
                r2.differ(&none)?,
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
                verified.nodes_against(&none)?,
                verified.differ(&none)?,
                format!("times the nodes of no null move to depth {depth}, R=3 verified"),
            ),
    ])
}

/// The adaptive form where its reduction changes, beyond six plies and with few pieces; and verification
/// compared with the plain forms at the depths of its authors.
fn deep(pace: Pace) -> Result<Vec<Claim>, SameSearch> {
    let positions = &pace.late();
    let depth = pace.pick(ADAPTIVE_FROM, 9);
    let run = |form| think(with(form), positions, Limits::depth(depth));
    let r3 = run(NullMove::Plain { reduction: 3 });
    let (r2, adaptive, verified) = (run(R2), run(NullMove::Adaptive), run(NullMove::Verified));
    let same = |run: &Run| -> Result<String, SameSearch> {
        Ok(format!("{} of {}", run.same_moves(&r2)?, positions.len()))
    };
    Ok(vec![
        HEINZ
            .claims("the adaptive null move needs fewer nodes than R=2 in deep searches")
            .needs(Need::AtMost(1.0), "fewer at all")
            .measure(
                adaptive.nodes_against(&r2)?,
                adaptive.differ(&r2)?,
                format!(
                    "times the nodes of R=2 to depth {depth} in {} late middlegames; R=3 \
                     {}; the moves of R=2 in {} with the adaptive form, {} with R=3",
                    positions.len(),
                    r3.nodes_against(&r2)?,
                    same(&adaptive)?,
                    same(&r3)?
                ),
            ),
        TABIBI
            .claims("verified R=3 needs fewer nodes than plain R=2")
            .needs(Need::AtMost(1.0), "fewer at all")
            .measure(
                verified.nodes_against(&r2)?,
                verified.differ(&r2)?,
                format!(
                    "times the nodes of R=2 to depth {depth} in {} late middlegames",
                    positions.len()
                ),
            ),
        TABIBI
            .claims("verified R=3 needs more nodes than plain R=3")
            .needs(Need::AtLeast(1.0), "more at all")
            .measure(
                verified.nodes_against(&r3)?,
                verified.differ(&r3)?,
                format!(
                    "times the nodes of plain R=3 to depth {depth} in {} late middlegames",
                    positions.len()
                ),
            ),
    ])
}
