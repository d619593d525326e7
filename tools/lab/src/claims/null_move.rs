//! Seed 003 (Moreland, with the translator's notes on Heinz and Tabibi): the null move.

use super::Pace;
use super::measure::{Run, duel, look, ratio, think, told};
use crate::chess::positions;
use crate::chess::recipe::{Ideas, NullMove, Recipe, Running};
use crate::chess::searcher::{Limits, Searcher};
use crate::game::{Value, Window};
use crate::report::{Claim, Need};

const SOURCE: &str = "seed 003";

/// The forms of the text, by name.
const FORMS: [(&str, NullMove); 6] = [
    ("R=1", NullMove::Plain { reduction: 1 }),
    ("R=2", NullMove::Plain { reduction: 2 }),
    ("R=3", NullMove::Plain { reduction: 3 }),
    ("R=4", NullMove::Plain { reduction: 4 }),
    ("adaptive", NullMove::Adaptive),
    ("verified", NullMove::Verified),
];

const R2: NullMove = NullMove::Plain { reduction: 2 };

fn with(null_move: NullMove) -> Recipe {
    Recipe {
        null_move,
        ..Recipe::ORDERED.with(Ideas::CHECK_EXTENSION)
    }
}

pub(super) fn claims(pace: Pace) -> Vec<Claim> {
    vec![
        deeper(pace),
        running_twice(pace),
        zugzwang(),
        zugzwang_verified(),
        horizon(),
        horizon_reduction(),
        horizon_verified(),
        instability(pace),
        worth_it(pace),
        other_reductions(pace),
        fewer_nodes(pace),
        verified_is_as_deep(pace),
    ]
}

fn deeper(pace: Pace) -> Claim {
    let positions = positions::openings();
    let limits = Limits::nodes(pace.pick(5000, 1_000_000));
    let base = think(with(NullMove::Off), &positions, limits).mean_depth();
    let gain = |null_move| think(with(null_move), &positions, limits).mean_depth() - base;
    let gains = FORMS.map(|(name, form)| format!("{name} {:+.1}", gain(form)));
    let decisive = gain(R2);
    Claim::new(
        SOURCE,
        "the null move searches one to two plies deeper",
        Need::Between(0.8, 2.2),
    )
    .or_in_part(Need::AtLeast(0.3))
    .measure(
        decisive,
        format!(
            "for {} nodes, in plies: {} (depth {base:.1} without)",
            limits.nodes,
            gains.join(", ")
        ),
    )
}

fn running_twice(pace: Pace) -> Claim {
    let positions = positions::openings();
    let depth = pace.pick(3, 6);
    let once = with(R2);
    let twice = Recipe {
        running: Running::Two,
        ..once
    };
    let (once, twice) = (
        look(once, &positions, depth),
        look(twice, &positions, depth),
    );
    let factor = ratio(twice.effort.total(), once.effort.total());
    Claim::new(
        SOURCE,
        "a null move never twice running, or at most two running, both do well",
        Need::Between(0.8, 1.25),
    )
    .measure(
        factor,
        format!(
            "two running cost {factor:.2} times the nodes of one at depth {depth}, and {:.0}% of \
             the moves are the same",
            100.0 * once.agreement(&twice)
        ),
    )
}

/// Whether the searcher thinks the position worth `beta`, met inside a search.
fn seems_worth(fen: &str, null_move: NullMove, depth: i32, beta: Value) -> bool {
    let recipe = Recipe {
        null_move,
        ..Recipe::PLAIN
    };
    let window = Window {
        alpha: beta - 1,
        beta,
    };
    Searcher::new(recipe).probe(&positions::from_fen(fen), depth, window) >= beta
}

/// Three pawns behind: less than a queen, more than the pawn that White is.
const NOT_LOST: Value = -300;
/// A pawn ahead: less than the rook that White is.
const AHEAD: Value = 100;
/// The depths at which the two positions are looked at.
const DEPTHS: std::ops::RangeInclusive<i32> = 2..=8;

/// Depths at which a form is wrong about a position where the plain search is right.
fn errors(fen: &str, null_move: NullMove, beta: Value) -> Vec<i32> {
    let wrong = |depth: &i32| {
        !seems_worth(fen, NullMove::Off, *depth, beta) && seems_worth(fen, null_move, *depth, beta)
    };
    DEPTHS.filter(wrong).collect()
}

/// The depths that count: those at which the plain search is right.
fn judged(fen: &str, beta: Value) -> usize {
    DEPTHS
        .filter(|&depth| !seems_worth(fen, NullMove::Off, depth, beta))
        .count()
}

fn listed(depths: &[i32]) -> String {
    match (depths.first(), depths.last()) {
        (Some(first), Some(last)) if first < last => format!("depths {first} to {last}"),
        (Some(only), _) => format!("depth {only}"),
        _ => "no depth".to_owned(),
    }
}

fn zugzwang() -> Claim {
    let judged = judged(positions::ZUGZWANG, NOT_LOST);
    let plain = &FORMS[..4];
    let counts = plain.iter().map(|&(name, form)| {
        let wrong = errors(positions::ZUGZWANG, form, NOT_LOST);
        (wrong.len(), format!("{name} at {}", listed(&wrong)))
    });
    let (counts, told): (Vec<_>, Vec<_>) = counts.unzip();
    let share = counts.iter().sum::<usize>() as f64 / (judged * plain.len()) as f64;
    Claim::new(
        SOURCE,
        "in zugzwang the null move is deceived",
        Need::AtLeast(0.9),
    )
    .or_in_part(Need::AtLeast(0.1))
    .measure(
        share,
        format!(
            "misjudged: {} (right without null move at {judged} of the depths 2 to 8)",
            told.join(", ")
        ),
    )
}

fn zugzwang_verified() -> Claim {
    let judged = judged(positions::ZUGZWANG, NOT_LOST);
    let wrong = errors(positions::ZUGZWANG, NullMove::Verified, NOT_LOST);
    Claim::new(SOURCE, "verification mends zugzwang", Need::AtLeast(0.8)).measure(
        1.0 - wrong.len() as f64 / judged as f64,
        format!(
            "verified null move is wrong at {} of the {judged} where the plain search is right",
            listed(&wrong)
        ),
    )
}

fn horizon() -> Claim {
    let without =
        (1..=4).find(|&depth| !seems_worth(positions::HORIZON, NullMove::Off, depth, AHEAD));
    let wrong = errors(positions::HORIZON, R2, AHEAD);
    Claim::new(
        SOURCE,
        "a null move hides a mate that two plies show",
        Need::AtLeast(1.0),
    )
    .measure(
        wrong.len() as f64,
        format!(
            "seen at depth {} without, R=2 is wrong at {}",
            without.unwrap_or(0),
            listed(&wrong)
        ),
    )
}

fn horizon_reduction() -> Claim {
    let lengths = FORMS[..4]
        .iter()
        .map(|&(_, form)| errors(positions::HORIZON, form, AHEAD).len());
    let lengths: Vec<_> = lengths.collect();
    let steps = lengths
        .windows(2)
        .filter(|pair| pair[1] == pair[0] + 1)
        .count();
    let told: Vec<_> = FORMS[..4]
        .iter()
        .map(|&(name, form)| {
            format!(
                "{name} {}",
                listed(&errors(positions::HORIZON, form, AHEAD))
            )
        })
        .collect();
    Claim::new(
        SOURCE,
        "a smaller R sees such threats sooner",
        Need::AtLeast(1.0),
    )
    .measure(
        steps as f64 / (lengths.len() - 1) as f64,
        format!("wrong at: {}", told.join(", ")),
    )
}

fn horizon_verified() -> Claim {
    let plain = errors(positions::HORIZON, NullMove::Plain { reduction: 3 }, AHEAD);
    let verified = errors(positions::HORIZON, NullMove::Verified, AHEAD);
    Claim::new(
        SOURCE,
        "verification (Tabibi) mends the horizon position",
        Need::AtLeast(1.0),
    )
    .or_in_part(Need::AtLeast(0.5))
    .measure(
        1.0 - verified.len() as f64 / plain.len().max(1) as f64,
        format!(
            "verified R=3 is wrong at {}, plain R=3 at {}: verification costs one ply, so it sees \
             the mate one ply later than no null move",
            listed(&verified),
            listed(&plain)
        ),
    )
}

/// Searches with two betas, the null move's success depending on them: `(fails high, pairs)`.
fn unstable(null_move: NullMove, depth: i32) -> (u32, u32) {
    let (mut contradictions, mut pairs) = (0, 0);
    for position in positions::varied() {
        let recipe = Recipe {
            null_move,
            ..Recipe::PLAIN
        };
        let value = |beta, alpha| {
            let window = Window { alpha, beta };
            Searcher::new(recipe).probe(&position, depth, window)
        };
        let middle = position.evaluate();
        for step in -4..=4 {
            // The text's windows, (7, 30) and (7, 50), moved along.
            let alpha = middle + step * 20;
            let (near, far) = (alpha + 23, alpha + 43);
            let fails_high = value(near, alpha) >= near;
            let says_less = value(far, alpha) < near;
            contradictions += u32::from(fails_high && says_less);
            pairs += 1;
        }
    }
    (contradictions, pairs)
}

fn instability(pace: Pace) -> Claim {
    let depth = pace.pick(2, 4);
    let (with, pairs) = unstable(R2, depth);
    let (without, _) = unstable(NullMove::Off, depth);
    Claim::new(
        SOURCE,
        "with null move a search can fail high with one beta and low with a higher one",
        Need::AtLeast(1.0),
    )
    .measure(
        f64::from(with.saturating_sub(without)),
        format!(
            "{with} of {pairs} pairs of windows like (7, 30) and (7, 50) contradict each other at \
             depth {depth} with R=2, {without} without null move"
        ),
    )
}

fn worth_it(pace: Pace) -> Claim {
    let limits = Limits::nodes(pace.pick(1000, 20_000));
    let (with, without) = (playing(R2), playing(NullMove::Off));
    let standing = duel((with, limits), (without, limits), pace.pick(2, 40));
    Claim::new(
        SOURCE,
        "in practice the speed outweighs the errors",
        Need::AtLeast(0.95),
    )
    .or_in_part(Need::AtLeast(0.5))
    .measure(
        standing.confidence(),
        format!(
            "R=2 against none, {} nodes a move: {}",
            limits.nodes,
            told(standing)
        ),
    )
}

/// A form of the null move as it would play.
fn playing(null_move: NullMove) -> Recipe {
    with(null_move).with(Ideas::PATH_DRAWS | Ideas::NULL_NEEDS_PIECES)
}

fn other_reductions(pace: Pace) -> Claim {
    let limits = Limits::nodes(pace.pick(500, 5000));
    let rivals = [FORMS[0], FORMS[2], FORMS[4], FORMS[5]];
    let standings = rivals.map(|(name, form)| {
        let pairs = pace.pick(1, 30);
        (
            name,
            duel((playing(form), limits), (playing(R2), limits), pairs),
        )
    });
    let told_all = standings.map(|(name, standing)| format!("{name} {}", told(standing)));
    let surest = standings.map(|(_, standing)| standing.confidence());
    Claim::new(
        SOURCE,
        "no other form plays better than R=2 (the text's own trials)",
        Need::AtMost(0.95),
    )
    .measure(
        surest.into_iter().fold(0.0, f64::max),
        format!(
            "against R=2, {} nodes a move: {}",
            limits.nodes,
            told_all.join("; ")
        ),
    )
}

fn fewer_nodes(pace: Pace) -> Claim {
    let positions = positions::openings();
    let depth = pace.pick(3, 7);
    let runs: Vec<(&str, Run)> = FORMS
        .iter()
        .map(|&(name, form)| (name, think(with(form), &positions, Limits::depth(depth))))
        .collect();
    let none = think(with(NullMove::Off), &positions, Limits::depth(depth));
    let none = none.effort.total();
    let told: Vec<_> = runs
        .iter()
        .map(|(name, run)| format!("{name} {:.2}", ratio(run.effort.total(), none)))
        .collect();
    let two = ratio(runs[1].1.effort.total(), none);
    Claim::new(
        SOURCE,
        "the null move cuts the number of nodes markedly",
        Need::AtMost(0.7),
    )
    .or_in_part(Need::AtMost(0.95))
    .measure(
        two,
        format!("nodes to depth {depth} against none: {}", told.join(", ")),
    )
}

fn verified_is_as_deep(pace: Pace) -> Claim {
    let positions = positions::openings();
    let depth = pace.pick(3, 7);
    let nodes = |form| {
        think(with(form), &positions, Limits::depth(depth))
            .effort
            .total()
    };
    let factor = ratio(nodes(NullMove::Verified), nodes(NullMove::Off));
    Claim::new(
        SOURCE,
        "a verifying search looks expensive and is worth trying",
        Need::AtMost(0.9),
    )
    .measure(
        factor,
        format!("verified R=3 costs {factor:.2} times the nodes of no null move at depth {depth}"),
    )
}
