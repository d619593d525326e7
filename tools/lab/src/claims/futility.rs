//! Futility pruning in the last two plies (Kornilov, 2005, after Heinz, 1998).

use skewer_movegen::Move;

use super::measure::{Duel, duel, mean_share, search_to_depth};
use super::{Differ, Named, Pace, SameSearch};
use crate::chess::config::{Config, Ideas, NullMove, Quiescence};
use crate::chess::position::Position;
use crate::chess::positions;
use crate::chess::searcher::{Effort, Limits, Searcher};
use crate::figure::Figure;
use crate::game::Window;
use crate::params::chess as params;
use crate::report::{Claim, Need, Sides, Source};

const SOURCE: Source = Source("Kornilov 2005");

/// Both listings of the text.
const FUTILITY: Ideas = Ideas::FUTILITY_NODE.union(Ideas::FUTILITY_PARENT);

/// The configuration to which futility pruning is added. It has check extensions, as in the text.
const BASE: Config = Config::ORDERED.with(Ideas::CHECK_EXTENSION);

pub(super) const MEASURES: &[Named] = &[
    ("saved", |pace| {
        let forms = [
            (Ideas::FUTILITY_NODE, "node form"),
            (Ideas::FUTILITY_PARENT, "parent form"),
            (FUTILITY, "both forms"),
        ];
        let claims = forms.map(|(ideas, form)| saves_quiescence(pace, ideas, form));
        claims.into_iter().collect()
    }),
    ("quality", |pace| Ok(vec![no_loss(pace)?])),
    ("pays", |pace| Ok(vec![pays(pace)?])),
    ("quiescence", |pace| Ok(vec![heavier_quiescence(pace)?])),
    ("margins", margins),
    ("pruned-nodes", |pace| Ok(pruned_nodes(pace))),
];

fn saves_quiescence(pace: Pace, ideas: Ideas, form: &str) -> Result<Claim, SameSearch> {
    let positions = pace.sample();
    let depth = pace.pick(2, 5);
    let plain = search_to_depth(BASE, &positions, depth);
    let pruned = search_to_depth(BASE.with(ideas), &positions, depth);
    let saved = Figure::ratio(&pruned.costs_against(&plain, |effort| effort.horizons)?);
    let nodes = pruned.nodes_against(&plain)?;
    let claim = SOURCE
        .claims(&format!("many quiescence searches are saved ({form})"))
        .needs(Need::AtLeast(0.3), "many is a third")
        .or_in_part(Need::AtLeast(0.1))
        .measure(
            saved.map(|share| 1.0 - share),
            pruned.differ(&plain)?,
            format!("share of quiescence searches saved at depth {depth}; {nodes} times the nodes"),
        );
    Ok(claim)
}

/// A match of the search with futility pruning against the search without.
fn match_without(limits: Limits, pairs: usize) -> Result<Duel, SameSearch> {
    let base = BASE.with(Ideas::PATH_DRAWS);
    duel((base.with(FUTILITY), limits), (base, limits), pairs)
}

fn no_loss(pace: Pace) -> Result<Claim, SameSearch> {
    let depth = pace.pick(2, 4);
    let pairs = match_without(Limits::depth(depth), pace.pick(2, 100))?;
    let claim = SOURCE
        .claims("without a practical loss of quality at the same depth")
        .needs(Need::AtLeast(-20.0), "less is not felt in practice")
        .measure_games(&pairs, &format!("both at depth {depth}"));
    Ok(claim)
}

fn pays(pace: Pace) -> Result<Claim, SameSearch> {
    let limits = Limits::nodes(pace.pick(500, 8000));
    let pairs = match_without(limits, pace.pick(2, 60))?;
    let claim = SOURCE
        .claims("its effect is not bad at all: for the same nodes it plays better")
        .needs(Need::AtLeast(0.0), "better at all")
        .measure_games(&pairs, &format!("both with {} nodes a move", limits.nodes));
    Ok(claim)
}

fn heavier_quiescence(pace: Pace) -> Result<Claim, SameSearch> {
    let positions = pace.sample();
    let depth = pace.pick(2, 4);
    // The share of nodes that is left with futility pruning, by position.
    let left = |quiescence| -> Result<(Vec<f64>, Differ), SameSearch> {
        let base = Config { quiescence, ..BASE };
        let plain = search_to_depth(base, &positions, depth);
        let pruned = search_to_depth(base.with(FUTILITY), &positions, depth);
        let left = pruned.costs_against(&plain, Effort::total)?;
        Ok((left, pruned.differ(&plain)?))
    };
    let (none, differ_without) = left(Quiescence::Off)?;
    let (light, _) = left(Quiescence::Captures)?;
    let (heavy, differ_with) = left(Quiescence::Checks)?;
    let gains: Vec<f64> = none.iter().zip(&heavy).map(|(n, h)| n / h).collect();
    let factor = |left: &[f64]| Figure::ratio(left).map(|share| 1.0 / share);
    let claim = SOURCE
        .claims("the heavier the quiescence search, the more is gained")
        .needs(Need::AtLeast(1.0), "more with the heaviest than with none")
        .measure(
            Figure::ratio(&gains),
            differ_without.or_fewer(differ_with),
            format!(
                "gain with checks in quiescence against the gain without quiescence at \
                 depth {depth}; nodes fall by {} without quiescence, {} with captures, {} \
                 with checks",
                factor(&none),
                factor(&light),
                factor(&heavy)
            ),
        );
    Ok(claim)
}

fn margins(pace: Pace) -> Result<Vec<Claim>, SameSearch> {
    let mut positions = pace.sample();
    if pace == Pace::Quick {
        // Among the few positions of a quick run none has a mate to settle, so add one that has.
        positions.push(positions::from_fen(positions::HORIZON));
    }
    let positions = &positions;
    let depth = pace.pick(2, 4);
    let exact = search_to_depth(BASE, positions, depth);
    let mut parts = Vec::new();
    let mut half = None;
    for margin in [0, params::FUTILITY_MARGIN, 2 * params::FUTILITY_MARGIN, 300] {
        let run = search_to_depth(Config { margin, ..BASE }.with(FUTILITY), positions, depth);
        let kept = run.same_moves(&exact)?;
        if margin == params::FUTILITY_MARGIN {
            half = Some((Figure::share(kept, positions.len()), run.differ(&exact)?));
        }
        parts.push(format!(
            "margin {margin}: {kept} of {}, {} times the nodes",
            positions.len(),
            run.nodes_against(&exact)?
        ));
    }
    let (half, differ) = half.expect("the margin of the text is among them");
    let pruned = search_to_depth(BASE.with(FUTILITY), positions, depth);
    let careful = search_to_depth(BASE.with(FUTILITY | Ideas::MATES_FIRST), positions, depth);
    Ok(vec![
        SOURCE
            .claims("a margin of half a pawn is enough")
            .needs(Need::AtLeast(0.8), "it changes one move in five at most")
            .or_in_part(Need::AtLeast(0.6))
            .measure(
                half,
                differ,
                format!(
                    "share of best moves kept at depth {depth}; {}",
                    parts.join("; ")
                ),
            ),
        SOURCE
            .claims("whether to prune before mates are settled is a matter of taste")
            .needs(Need::AtLeast(0.95), "it decides one move in twenty at most")
            .measure(
                Figure::share(careful.same_moves(&pruned)?, positions.len()),
                careful.differ(&pruned)?,
                format!(
                    "share of the same moves at depth {depth} when nothing is pruned while \
                     alpha or beta is a mate; {} times the nodes",
                    careful.nodes_against(&pruned)?
                ),
            ),
    ])
}

/// Counts of the nodes that the node form cuts, by what null moves and full searches find there.
#[derive(Default)]
struct Pruned {
    /// All nodes that the node form cuts.
    nodes: usize,
    /// Nodes that a null move cuts too.
    null_move: usize,
    /// Nodes at which the full search of the same depth finds no move that holds beta.
    disputed: usize,
    /// Disputed nodes at which a search four plies deeper agrees with the full search.
    full_right: usize,
}

/// Counts the cuts after the quiet moves of a position. Each node after such a move is two plies above the horizon, and
/// has the highest beta at which the node form cuts.
fn pruned(position: &Position) -> Pruned {
    let mut counts = Pruned::default();
    let board = position.board();
    let quiet = |mv: &&Move| !board.gives_check(**mv);
    for &mv in board.quiets().iter().filter(quiet) {
        let child = position.play(mv);
        let window = Window::null(child.evaluate() - params::FUTILITY_MARGIN);
        let holds =
            |config, depth| Searcher::new(config).probe(&child, depth, window) >= window.beta;
        counts.nodes += 1;
        let null_move = NullMove::Plain { reduction: 2 };
        let mut passing = Searcher::new(Config { null_move, ..BASE });
        counts.null_move += usize::from(passing.null_move_holds(&child, 2, window));
        if !holds(BASE, 2) {
            counts.disputed += 1;
            counts.full_right += usize::from(!holds(BASE, 6));
        }
    }
    counts
}

fn pruned_nodes(pace: Pace) -> Vec<Claim> {
    let counts: Vec<_> = pace.sample().iter().map(pruned).collect();
    let sum = |part: fn(&Pruned) -> usize| counts.iter().map(part).sum::<usize>();
    vec![
        SOURCE
            .claims("it resembles the null move")
            .needs(Need::AtLeast(0.75), "three cuts in four are common to both")
            .or_in_part(Need::AtLeast(0.5))
            .measure(
                mean_share(counts.iter().map(|c| (c.null_move, c.nodes))),
                Sides::One("the cuts of the node form, which searches nothing"),
                format!(
                    "share of the cuts of the node form that a null move with R=2 makes \
                     too, two plies above the horizon, by position; {} of {} nodes",
                    sum(|c| c.null_move),
                    sum(|c| c.nodes)
                ),
            ),
        SOURCE
            .claims("where no move holds beta, the full search is no more certain to be right")
            .needs(Need::AtMost(0.65), "hardly more than half of the time")
            .measure(
                mean_share(counts.iter().map(|c| (c.full_right, c.disputed))),
                Sides::One("the disputed cuts, searched to another depth"),
                format!(
                    "share of the disputed cuts in which a search four plies deeper agrees \
                     with the full one, by position; {} of {}, out of {} cuts",
                    sum(|c| c.full_right),
                    sum(|c| c.disputed),
                    sum(|c| c.nodes)
                ),
            ),
    ]
}
