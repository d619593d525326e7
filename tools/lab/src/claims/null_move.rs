//! The null move (Moreland, after Donninger, 1993; Heinz, 1999; Tabibi and Netanyahu, 2002).

use super::Pace;
use super::measure::{duel, in_words, search_to_depth, think};
use crate::chess::config::{Config, ConsecutiveNullMoves, Ideas, NullMove};
use crate::chess::positions;
use crate::chess::searcher::{Limits, Searcher};
use crate::figure::{Figure, Unit};
use crate::game::{Value, Window};
use crate::report::{Claim, Need};

const SOURCE: &str = "Moreland";
const TABIBI: &str = "Tabibi and Netanyahu 2002";

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

pub(super) fn claims(pace: Pace) -> Vec<Claim> {
    let mut claims = vec![
        deeper(pace),
        running_twice(pace),
        zugzwang(),
        zugzwang_verified(),
        horizon(),
        horizon_reduction(),
        horizon_verified(),
        horizon_watched(pace),
        worth_it(pace),
        other_reductions(pace),
        fewer_nodes(pace),
        verified_is_as_deep(pace),
    ];
    claims.extend(instability(pace));
    claims
}

fn deeper(pace: Pace) -> Claim {
    let positions = positions::openings();
    let limits = Limits::nodes(pace.pick(5000, 1_000_000));
    let base = think(with(NullMove::Off), &positions, limits);
    let gain = |form| think(with(form), &positions, limits).deeper_than(&base);
    let gains = FORMS.map(|(name, form)| (name, gain(form)));
    let in_words = gains.map(|(name, gain)| format!("{name} {:+.1}", gain.value));
    Claim::new(
        SOURCE,
        "the null move searches one to two plies deeper",
        Need::Between(0.9, 2.1),
    )
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

fn running_twice(pace: Pace) -> Claim {
    let positions = positions::openings();
    let depth = pace.pick(3, 6);
    let once = with(R2);
    let twice = Config {
        consecutive: ConsecutiveNullMoves::Two,
        ..once
    };
    let cost = search_to_depth(twice, &positions, depth)
        .nodes_against(&search_to_depth(once, &positions, depth));
    let limits = Limits::nodes(pace.pick(500, 5000));
    let [once, twice] = [once, twice].map(|r| r.with(Ideas::PATH_DRAWS | Ideas::NULL_NEEDS_PIECES));
    let results = duel((twice, limits), (once, limits), pace.pick(1, 30));
    Claim::new(
        SOURCE,
        "one null move in a row and two in a row play equally well",
        Need::Between(-30.0, 30.0),
    )
    .measure(
        Figure::elo(&results),
        format!(
            "two in a row against one, {} nodes a move: {}; {cost} times the nodes at depth {depth}",
            limits.nodes,
            in_words(&results)
        ),
    )
}

/// A search with a form of the null move and no other technique.
fn alone(null_move: NullMove) -> Config {
    Config {
        null_move,
        ..Config::PLAIN
    }
}

/// Whether a search of the position as an inner node fails high.
fn fails_high(fen: &str, config: Config, depth: i32, beta: Value) -> bool {
    let window = Window {
        alpha: beta - 1,
        beta,
    };
    Searcher::new(config).probe(&positions::from_fen(fen), depth, window) >= beta
}

/// Beta for the zugzwang position. White is a pawn behind and must let it promote by zugzwang, so a search
/// that fails high has missed the zugzwang.
const NOT_LOST: Value = -300;
/// Beta for the horizon position. White is a rook ahead but is mated, so a search that fails high
/// has missed the mate.
const AHEAD: Value = 100;
/// The depths at which the two positions are searched.
const DEPTHS: std::ops::RangeInclusive<i32> = 2..=8;

/// The depths at which `config` fails high and the plain search, which is right, does not.
fn errors(fen: &str, config: Config, beta: Value) -> Vec<i32> {
    let wrong = |depth: &i32| {
        !fails_high(fen, Config::PLAIN, *depth, beta) && fails_high(fen, config, *depth, beta)
    };
    DEPTHS.filter(wrong).collect()
}

/// The number of depths at which the plain search is right. Only these are judged.
fn judged(fen: &str, beta: Value) -> usize {
    DEPTHS
        .filter(|&depth| !fails_high(fen, Config::PLAIN, depth, beta))
        .count()
}

/// Depths in rising order as words, with runs as ranges: `depths 2 to 5, 8`.
fn listed(depths: &[i32]) -> String {
    let runs: Vec<String> = depths
        .chunk_by(|one, next| one + 1 == *next)
        .map(|run| match run {
            [first, .., last] => format!("{first} to {last}"),
            run => run[0].to_string(),
        })
        .collect();
    match depths.len() {
        0 => "no depth".to_owned(),
        1 => format!("depth {}", runs[0]),
        _ => format!("depths {}", runs.join(", ")),
    }
}

fn zugzwang() -> Claim {
    let judged = judged(positions::ZUGZWANG, NOT_LOST);
    let plain = &FORMS[..4];
    let counts = plain.iter().map(|&(name, form)| {
        let wrong = errors(positions::ZUGZWANG, alone(form), NOT_LOST);
        (wrong.len(), format!("{name} at {}", listed(&wrong)))
    });
    let (counts, parts): (Vec<_>, Vec<_>) = counts.unzip();
    let wrong = counts.iter().sum::<usize>();
    Claim::new(SOURCE, "in zugzwang the null move errs", Need::AtLeast(0.9))
        .or_in_part(Need::AtLeast(0.1))
        .measure(
            Figure::share(wrong, judged * plain.len()).counted(),
            format!(
                "share of searches of one position that are wrong: {} (right without null move at \
             {judged} of the depths 2 to 8)",
                parts.join(", ")
            ),
        )
}

fn zugzwang_verified() -> Claim {
    let judged = judged(positions::ZUGZWANG, NOT_LOST);
    let wrong = errors(positions::ZUGZWANG, alone(NullMove::Verified), NOT_LOST);
    Claim::new(TABIBI, "verification corrects zugzwang", Need::AtLeast(0.8)).measure(
        Figure::share(judged - wrong.len(), judged).counted(),
        format!(
            "share of depths that are right for one position: verified null move is wrong at {} of the {judged} where the plain search is right",
            listed(&wrong)
        ),
    )
}

fn horizon() -> Claim {
    let without =
        (1..=4).find(|&depth| !fails_high(positions::HORIZON, Config::PLAIN, depth, AHEAD));
    let wrong = errors(positions::HORIZON, alone(R2), AHEAD);
    Claim::new(
        SOURCE,
        "a null move hides a mate that two plies show",
        Need::AtLeast(1.0),
    )
    .measure(
        Figure::exact(wrong.len() as f64),
        format!(
            "depths at which it is hidden: seen at depth {} without, R=2 is wrong at {}",
            without.unwrap_or(0),
            listed(&wrong)
        ),
    )
}

fn horizon_reduction() -> Claim {
    let wrong = FORMS[..4].iter().map(|&(name, form)| {
        let depths = errors(positions::HORIZON, alone(form), AHEAD);
        (depths.len(), format!("{name} {}", listed(&depths)))
    });
    let (lengths, parts): (Vec<_>, Vec<_>) = wrong.unzip();
    let steps = lengths
        .windows(2)
        .filter(|pair| pair[1] == pair[0] + 1)
        .count();
    Claim::new(
        SOURCE,
        "a smaller R sees such threats sooner",
        Need::AtLeast(1.0),
    )
    .measure(
        Figure::share(steps, lengths.len() - 1).counted(),
        format!(
            "each ply of R hides it a ply longer; wrong at: {}",
            parts.join(", ")
        ),
    )
}

fn horizon_verified() -> Claim {
    let plain = errors(
        positions::HORIZON,
        alone(NullMove::Plain { reduction: 3 }),
        AHEAD,
    );
    let verified = errors(positions::HORIZON, alone(NullMove::Verified), AHEAD);
    Claim::new(
        TABIBI,
        "verification corrects the horizon position",
        Need::AtLeast(1.0),
    )
    .or_in_part(Need::AtLeast(0.5))
    .measure(
        Figure::exact(1.0 - verified.len() as f64 / plain.len().max(1) as f64)
            .in_unit(Unit::Share),
        format!(
            "share of the errors corrected: verified R=3 is wrong at {}, plain R=3 at {}: verification costs one ply, so it sees \
             the mate one ply later than no null move",
            listed(&verified),
            listed(&plain)
        ),
    )
}

fn horizon_watched(pace: Pace) -> Claim {
    let watched = |null_move| alone(null_move).with(Ideas::WATCH_QUEEN_AND_PAWN);
    let errors_of = |config| errors(positions::HORIZON, config, AHEAD).len();
    let plain: usize = FORMS[..4].iter().map(|&(_, f)| errors_of(alone(f))).sum();
    let left: usize = FORMS[..4].iter().map(|&(_, f)| errors_of(watched(f))).sum();
    let positions = positions::varied();
    let depth = pace.pick(3, 5);
    let base = with(R2);
    let cost = search_to_depth(base.with(Ideas::WATCH_QUEEN_AND_PAWN), &positions, depth)
        .nodes_against(&search_to_depth(base, &positions, depth));
    Claim::new(
        SOURCE,
        "a queen on h3 with a pawn on f3 is a danger that null moves overlook: search it with care",
        Need::AtLeast(1.0),
    )
    .measure(
        Figure::exact(1.0 - left as f64 / plain.max(1) as f64).in_unit(Unit::Share),
        format!(
            "share of the errors of R=1 to 4 in one position ({plain} depths) that are gone without \
             null moves against that pattern; {cost} times the nodes elsewhere at depth {depth}"
        ),
    )
}

/// Pairs of searches of which one fails high, and the other, with a higher beta, below that value.
struct Contradictions {
    found: usize,
    pairs: usize,
    example: Option<String>,
}

/// Searches varied positions with pairs of windows that differ in beta only. Whether the null move
/// prunes depends on beta.
fn contradictions(null_move: NullMove, depth: i32) -> Contradictions {
    let mut result = Contradictions {
        found: 0,
        pairs: 0,
        example: None,
    };
    for position in positions::varied() {
        let value = |beta, alpha| {
            let window = Window { alpha, beta };
            Searcher::new(alone(null_move)).probe(&position, depth, window)
        };
        let middle = position.evaluate();
        for step in -8..=8 {
            // The text's windows, (7, 30) and (7, 50), moved along.
            let alpha = middle + step * 10;
            let (near, far) = (alpha + 23, alpha + 43);
            let contradict = value(near, alpha) >= near && value(far, alpha) < near;
            result.pairs += 1;
            result.found += usize::from(contradict);
            if contradict && result.example.is_none() {
                let board = position.board();
                result.example = Some(format!("({alpha}, {near}) and ({alpha}, {far}) in {board}"));
            }
        }
    }
    result
}

fn instability(pace: Pace) -> [Claim; 2] {
    let depth = pace.pick(2, 4);
    let with = contradictions(R2, depth);
    let without = contradictions(NullMove::Off, depth);
    let example = with.example.unwrap_or_else(|| "none found".to_owned());
    [
        Claim::new(
            SOURCE,
            "with null move a search can fail high with one beta and low with a higher one",
            Need::AtLeast(1.0),
        )
        .measure(
            Figure::exact(f64::from(u8::from(with.found > 0 && without.found == 0))),
            format!(
                "an example proves it, at depth {depth} with R=2: {example}; {} without null move",
                without.found
            ),
        ),
        Claim::new(SOURCE, "such contradictions are rare", Need::AtMost(0.05)).measure(
            Figure::share(with.found, with.pairs),
            format!(
                "share of {} pairs of windows like (7, 30) and (7, 50) that contradict each other",
                with.pairs
            ),
        ),
    ]
}

fn worth_it(pace: Pace) -> Claim {
    let limits = Limits::nodes(pace.pick(1000, 20_000));
    let (with, without) = (playing(R2), playing(NullMove::Off));
    let results = duel((with, limits), (without, limits), pace.pick(2, 60));
    Claim::new(
        SOURCE,
        "in practice the speed outweighs the errors",
        Need::AtLeast(0.0),
    )
    .measure(
        Figure::elo(&results),
        format!(
            "R=2 against none, {} nodes a move: {}",
            limits.nodes,
            in_words(&results)
        ),
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
        let pairs = pace.pick(1, 30);
        let results = duel((playing(form), limits), (playing(R2), limits), pairs);
        (name, results, Figure::elo(&results))
    });
    let in_words = results
        .map(|(name, results, figure)| format!("{name} {figure} in {} games", results.games()));
    // The claim is about every form: take the highest estimate and the highest upper bound.
    let best = results.map(|(_, _, figure)| figure).into_iter().fold(
        Figure {
            low: f64::NEG_INFINITY,
            value: f64::NEG_INFINITY,
            high: f64::NEG_INFINITY,
            unit: Unit::Elo,
        },
        |a, b| Figure {
            value: a.value.max(b.value),
            low: a.low.max(b.low),
            high: a.high.max(b.high),
            unit: a.unit,
        },
    );
    Claim::new(
        SOURCE,
        "no other form plays better than R=2 (the text's own trials)",
        Need::AtMost(10.0),
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

fn fewer_nodes(pace: Pace) -> Claim {
    let positions = positions::openings();
    let depth = pace.pick(3, 7);
    let none = think(with(NullMove::Off), &positions, Limits::depth(depth));
    let cost = FORMS.map(|(name, form)| {
        let run = think(with(form), &positions, Limits::depth(depth));
        (name, run.nodes_against(&none))
    });
    let in_words = cost.map(|(name, cost)| format!("{name} {:.2}", cost.value));
    Claim::new(
        SOURCE,
        "the null move cuts the number of nodes markedly",
        Need::AtMost(0.75),
    )
    .or_in_part(Need::AtMost(1.0))
    .measure(
        cost[1].1,
        format!(
            "times the nodes to depth {depth} with R=2; {}",
            in_words.join(", ")
        ),
    )
}

fn verified_is_as_deep(pace: Pace) -> Claim {
    let positions = positions::openings();
    let depth = pace.pick(3, 7);
    let run = |form| think(with(form), &positions, Limits::depth(depth));
    Claim::new(
        TABIBI,
        "a verifying search looks expensive and is worth trying",
        Need::AtMost(0.9),
    )
    .measure(
        run(NullMove::Verified).nodes_against(&run(NullMove::Off)),
        format!("times the nodes of no null move at depth {depth}, R=3 verified"),
    )
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn depths_in_words() {
        assert_eq!(listed(&[]), "no depth");
        assert_eq!(listed(&[4]), "depth 4");
        assert_eq!(listed(&[2, 3, 4, 5, 8]), "depths 2 to 5, 8");
        assert_eq!(listed(&[2, 3, 6, 7]), "depths 2 to 3, 6 to 7");
    }
}
