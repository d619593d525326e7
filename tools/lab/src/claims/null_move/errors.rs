//! Positions in which the null move errs: zugzwang, threats beyond the horizon, contradictions.

use std::sync::LazyLock;

use super::super::measure::{Run, mean_share, search_to_depth, value, visited};
use super::super::same::{Differ, Visited, differ};
use super::super::{Pace, SameSearch};
use super::{FORMS, GOETSCH, R2, SOURCE, TABIBI, with};
use crate::chess::config::{Config, Ideas, NullMove};
use crate::chess::position::Position;
use crate::chess::positions;
use crate::chess::searcher::Searcher;
use crate::figure::{Figure, Unit};
use crate::game::{Value, Window};
use crate::params::chess as params;
use crate::report::{Claim, Need};

/// A search with a form of the null move and no other technique.
fn alone(null_move: NullMove) -> Config {
    Config {
        null_move,
        ..Config::PLAIN
    }
}

/// Whether a search of the horizon position as an inner node fails high, and the nodes that it visits.
fn horizon_search(config: Config, depth: i32) -> (bool, Visited) {
    let position = positions::from_fen(positions::HORIZON);
    let mut searcher = Searcher::new(config);
    let value = searcher.probe(&position, depth, Window::null(AHEAD));
    (value >= AHEAD, visited(&searcher.effort))
}

fn seems_won(config: Config, depth: i32) -> bool {
    horizon_search(config, depth).0
}

/// In how many cases the two searches of the horizon position visit different nodes. A case is a pair of configurations
/// and a depth of [`SEEN`].
fn horizon_differs(pairs: impl IntoIterator<Item = [Config; 2]>) -> Result<Differ, SameSearch> {
    let depths = |pair: [Config; 2]| {
        let visited = move |depth: &i32| pair.map(|config| horizon_search(config, *depth).1);
        SEEN.iter().map(visited).map(|[one, other]| (one, other))
    };
    let sides = || "two forms of the null move in the horizon position".to_owned();
    differ(
        sides,
        "searches of one position",
        pairs.into_iter().flat_map(depths),
    )
}

/// Beta for the horizon position. White is a rook ahead but is mated, so a search that fails high
/// has missed the mate.
const AHEAD: Value = 100;
/// The depths from 2 to 6 at which the plain search sees the mate.
static SEEN: LazyLock<Vec<i32>> = LazyLock::new(|| {
    (2..=6)
        .filter(|&depth| !seems_won(Config::PLAIN, depth))
        .collect()
});

/// The depths at which `config` overlooks the mate and the plain search does not.
fn errors(config: Config) -> Vec<i32> {
    let wrong = |depth: &i32| seems_won(config, *depth);
    SEEN.iter().copied().filter(wrong).collect()
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

/// The errors of a form of null move pruning in positions of zugzwang.
struct ZugzwangErrors {
    /// For each position two counts, of the depths at which the plain search sees that the side to move loses: at how
    /// many of these depths the form does not see the loss, and how many there are.
    counts: Vec<(usize, usize)>,
    /// For each position, the nodes that the form visits at these depths.
    visited: Vec<Vec<Visited>>,
}

impl ZugzwangErrors {
    fn differ(&self, other: &Self) -> Result<Differ, SameSearch> {
        // Where no depth shows the loss, nothing is compared.
        let pairs = self.visited.iter().zip(&other.visited);
        let seen = pairs.filter(|(one, _)| !one.is_empty());
        let sides = || "two forms of the null move in zugzwang".to_owned();
        differ(sides, "positions", seen)
    }
}

fn zugzwang_errors(form: Config, positions: &[Position]) -> ZugzwangErrors {
    let count = |position: &Position| {
        // The search sees the loss if it loses a pawn or more. A pass would keep the evaluation.
        let window = Window::null(position.evaluate() - 100);
        let search = |config, depth| {
            let mut searcher = Searcher::new(config);
            let fails_high = searcher.probe(position, depth, window) >= window.beta;
            (fails_high, visited(&searcher.effort))
        };
        let seen = (2..=7).filter(|&depth| !search(with(NullMove::Off), depth).0);
        let (errs, visited): (Vec<_>, Vec<_>) = seen.map(|depth| search(form, depth)).unzip();
        (
            (errs.iter().filter(|&&err| err).count(), errs.len()),
            visited,
        )
    };
    let (counts, visited) = positions.iter().map(count).unzip();
    ZugzwangErrors { counts, visited }
}

pub(super) fn zugzwang(pace: Pace) -> Result<Vec<Claim>, SameSearch> {
    let all = positions::zugzwangs();
    let positions = &all[..pace.pick(4, all.len())];
    let forms = [FORMS[0], FORMS[1], FORMS[2], FORMS[5]];
    let errors = forms.map(|(_, form)| zugzwang_errors(with(form), positions));
    let words: Vec<String> = forms
        .iter()
        .zip(&errors)
        .map(|((name, _), errors)| {
            let share = mean_share(errors.counts.iter().copied());
            format!("{name} {share}")
        })
        .collect();
    let is_seen = |(_, seen): &(usize, usize)| *seen > 0;
    let counts = &errors[0].counts;
    let seen = counts.iter().filter(|errors| is_seen(errors)).count();
    let tables = &counts[..positions::FROM_TABLES.min(positions.len())];
    let from_tables = tables.iter().filter(|errors| is_seen(errors)).count();
    let [_, plain, third, verified] = &errors;
    let pairs = third.counts.iter().zip(&verified.counts);
    let corrected = pairs.map(|(third, verified)| (third.0.saturating_sub(verified.0), third.0));
    let none = zugzwang_errors(with(NullMove::Off), positions);
    Ok(vec![
        SOURCE
            .claims("in zugzwang the null move errs")
            .needs(Need::AtLeast(0.5), "at most depths")
            .or_in_part(Need::AtLeast(0.1))
            .measure(
                mean_share(plain.counts.iter().copied()),
                plain.differ(&none)?,
                format!(
                    "share of the depths from 2 to 7 at which R=2 overlooks a loss that \
                     the plain search sees, by position; {}; {seen} positions, {from_tables} of \
                     them from endgame tables",
                    words.join(", ")
                ),
            ),
        TABIBI
            .claims("verification corrects zugzwang")
            .needs(Need::AtLeast(0.75), "three errors in four")
            .or_in_part(Need::AtLeast(0.25))
            .measure(
                mean_share(corrected),
                verified.differ(third)?,
                format!(
                    "share of the errors of plain R=3 at depths 2 to 7 that verified R=3 \
                     does not make, by position, of the {seen} positions"
                ),
            ),
    ])
}

pub(super) fn horizon() -> Result<Claim, SameSearch> {
    let without = (1..=4).find(|&depth| !seems_won(Config::PLAIN, depth));
    let wrong = errors(alone(R2));
    let claim = GOETSCH
        .claims("a null move hides a mate that two plies show")
        .needs(Need::AtLeast(1.0), "one depth is an example")
        .measure(
            Figure::exact(wrong.len() as f64),
            horizon_differs([[alone(R2), Config::PLAIN]])?,
            format!(
                "depths at which it is hidden: seen at depth {} without, R=2 is wrong at {}",
                without.unwrap_or(0),
                listed(&wrong)
            ),
        );
    Ok(claim)
}

pub(super) fn horizon_reduction() -> Result<Claim, SameSearch> {
    let wrong = FORMS[..4].iter().map(|&(name, form)| {
        let depths = errors(alone(form));
        (depths.len(), format!("{name} {}", listed(&depths)))
    });
    let (lengths, parts): (Vec<_>, Vec<_>) = wrong.unzip();
    let steps = lengths
        .windows(2)
        .filter(|pair| pair[1] == pair[0] + 1)
        .count();
    let steps_of_r = FORMS[..4]
        .windows(2)
        .map(|pair| [alone(pair[0].1), alone(pair[1].1)]);
    let claim = SOURCE
        .claims("a smaller R sees such threats sooner")
        .needs(Need::AtLeast(1.0), "each step of R")
        .measure(
            Figure::share(steps, lengths.len() - 1).counted(),
            horizon_differs(steps_of_r)?,
            format!(
                "each ply of R hides it a ply longer; wrong at: {}",
                parts.join(", ")
            ),
        );
    Ok(claim)
}

pub(super) fn horizon_verified() -> Result<Claim, SameSearch> {
    let forms = [NullMove::Plain { reduction: 3 }, NullMove::Verified].map(alone);
    let [plain, verified] = forms.map(errors);
    let claim = TABIBI
        .claims("verification corrects the horizon position")
        .needs(Need::AtLeast(1.0), "every error")
        .or_in_part(Need::AtLeast(0.5))
        .measure(
            Figure::exact(1.0 - verified.len() as f64 / plain.len().max(1) as f64)
                .in_unit(Unit::Share),
            horizon_differs([forms])?,
            format!(
                "share of the errors corrected: verified R=3 is wrong at {}, plain R=3 at \
                 {}: verification costs one ply, so it sees the mate one ply later than no \
                 null move",
                listed(&verified),
                listed(&plain)
            ),
        );
    Ok(claim)
}

/// The errors of R=1 to 4 in the horizon position, without `ideas` and with them; and in how many of the searches
/// they act.
fn errors_with(ideas: Ideas) -> Result<(usize, usize, Differ), SameSearch> {
    let pairs = || {
        FORMS[..4]
            .iter()
            .map(|(_, form)| [alone(*form), alone(*form).with(ideas)])
    };
    let sum = |side: usize| pairs().map(|pair| errors(pair[side]).len()).sum();
    Ok((sum(0), sum(1), horizon_differs(pairs())?))
}

/// In how many positions of the sample `ideas` change the tree, and the depth of the searches.
fn trees_changed(pace: Pace, ideas: Ideas) -> String {
    let positions = pace.sample();
    let depth = pace.pick(2, 5);
    let base = with(R2);
    let different = search_to_depth(base.with(ideas), &positions, depth)
        .different_trees(&search_to_depth(base, &positions, depth));
    format!(
        "at depth {depth} it changes the tree of {different} in {} other positions",
        positions.len()
    )
}

pub(super) fn horizon_watched(pace: Pace) -> Result<Claim, SameSearch> {
    let (plain, left, differ) = errors_with(Ideas::WATCH_QUEEN_AND_PAWN)?;
    let claim = SOURCE
        .claims(
            "a queen on h3 with a pawn on f3 is a danger that null moves \
             overlook: search it with care",
        )
        .needs(Need::AtLeast(1.0), "every error")
        .measure(
            Figure::exact(1.0 - left as f64 / plain.max(1) as f64).in_unit(Unit::Share),
            differ,
            format!(
                "share of the errors of R=1 to 4 in one position ({plain} depths) that are \
                 gone without null moves against that pattern; {}",
                trees_changed(pace, Ideas::WATCH_QUEEN_AND_PAWN)
            ),
        );
    Ok(claim)
}

/// What the text proposes against the pattern: a deeper search, or a smaller R.
pub(super) fn pattern(pace: Pace, ideas: Ideas, form: &str) -> Result<Claim, SameSearch> {
    let (plain, left, differ) = errors_with(ideas)?;
    let claim = SOURCE
        .claims(&format!(
            "against a queen on h3 with a pawn on f3 a deeper search or a smaller R helps ({form})"
        ))
        .needs(Need::AtLeast(1.0), "every error")
        .or_in_part(Need::AtLeast(0.25))
        .measure(
            Figure::exact(1.0 - left as f64 / plain.max(1) as f64).in_unit(Unit::Share),
            differ,
            format!(
                "share of the errors of R=1 to 4 in one position that are gone: {left} of {plain} \
                 depths are left; {}",
                trees_changed(pace, ideas)
            ),
        );
    Ok(claim)
}

/// Null moves in endings of kings and pawns: how often the move is worse than the move of the search without them.
pub(super) fn pawn_endings(pace: Pace) -> Result<Claim, SameSearch> {
    let positions = positions::pawn_endings(pace.pick(3, 480));
    let depth = pace.pick(4, 8);
    let none = search_to_depth(Config::ORDERED, &positions, depth);
    let run = |form| {
        let config = Config {
            null_move: form,
            ..Config::ORDERED
        };
        search_to_depth(config, &positions, depth)
    };
    let [first, second, third] = [FORMS[0].1, R2, FORMS[2].1].map(run);
    // Worse by a pawn or more, by the search without null moves of the same depth.
    let worse = |run: &Run| {
        let chosen = run.thoughts.iter().zip(&none.thoughts).zip(&positions);
        let is_worse = chosen.filter(|((chosen, best), position)| {
            chosen.best != best.best
                && chosen.best.is_some_and(|mv| {
                    -value(&position.play(mv), depth - 1) <= best.value - params::PIECES[0]
                })
        });
        is_worse.count()
    };
    let claim = SOURCE
        .claims("in endgames null moves make bad things happen")
        .needs(Need::AtLeast(0.05), "one move in twenty")
        .or_in_part(Need::AtLeast(0.005))
        .measure(
            Figure::share(worse(&second), positions.len()),
            second.differ(&none)?,
            format!(
                "share of {} pawn endings in which the move of R=2 at depth {depth} is worse by a \
                 pawn or more than the best without null moves; {} with R=1, {} with R=3; R=2 \
                 takes {} times the nodes",
                positions.len(),
                worse(&first),
                worse(&third),
                second.nodes_against(&none)?
            ),
        );
    Ok(claim)
}

/// Null moves in the positions of zugzwang, but only for sides that have pieces.
pub(super) fn needs_pieces(pace: Pace) -> Result<Claim, SameSearch> {
    let all = positions::zugzwangs();
    let positions = &all[..pace.pick(4, all.len())];
    let plain = zugzwang_errors(with(R2), positions);
    let careful = zugzwang_errors(with(R2).with(Ideas::NULL_NEEDS_PIECES), positions);
    let pairs = plain.counts.iter().zip(&careful.counts);
    let corrected = pairs.map(|(plain, careful)| (plain.0 - careful.0.min(plain.0), plain.0));
    let wrong = |errors: &ZugzwangErrors| {
        let wrong = errors.counts.iter().filter(|(wrong, _)| *wrong > 0);
        wrong.count()
    };
    let claim = SOURCE
        .claims("without null moves in endgames the errors of zugzwang are gone")
        .needs(Need::AtLeast(0.9), "nine errors in ten")
        .or_in_part(Need::AtLeast(0.25))
        .measure(
            mean_share(corrected),
            careful.differ(&plain)?,
            format!(
                "share of the errors of R=2 at depths 2 to 7 that are gone where a side with \
                 pawns alone does not pass, by position; {} positions of {} keep errors: there \
                 the side in zugzwang has a piece",
                wrong(&careful),
                wrong(&plain)
            ),
        );
    Ok(claim)
}

/// How often pairs of searches of a position contradict each other.
#[derive(Default)]
struct Contradictions {
    /// For each position, the contradictions and the pairs of windows.
    counts: Vec<(usize, usize)>,
    /// For each position, the nodes of each search.
    visited: Vec<Vec<Visited>>,
    example: Option<String>,
}

/// Searches positions with pairs of windows that differ in beta only. The two searches contradict each other if the
/// search with the lower beta fails high, and the value of the search with the higher beta is below the lower beta:
/// whether the null move prunes depends on beta.
fn contradictions(null_move: NullMove, depth: i32, positions: &[Position]) -> Contradictions {
    let mut result = Contradictions::default();
    for position in positions {
        let mut all_visited = Vec::new();
        let mut value = |beta, alpha| {
            let window = Window { alpha, beta };
            let mut searcher = Searcher::new(alone(null_move));
            let value = searcher.probe(position, depth, window);
            all_visited.push(visited(&searcher.effort));
            value
        };
        let (mut found, mut pairs) = (0, 0);
        for step in -8..=8 {
            // The text's windows, (7, 30) and (7, 50), moved along.
            let alpha = position.evaluate() + step * 10;
            let (near, far) = (alpha + 23, alpha + 43);
            let (at_near, at_far) = (value(near, alpha), value(far, alpha));
            let contradict = at_near >= near && at_far < near;
            pairs += 1;
            found += usize::from(contradict);
            if contradict && result.example.is_none() {
                let board = position.board();
                result.example = Some(format!("({alpha}, {near}) and ({alpha}, {far}) in {board}"));
            }
        }
        result.counts.push((found, pairs));
        result.visited.push(all_visited);
    }
    result
}

pub(super) fn instability(pace: Pace) -> Result<Vec<Claim>, SameSearch> {
    let depth = pace.pick(2, 4);
    let sample = &pace.sample();
    let with = contradictions(R2, depth, sample);
    let without = contradictions(NullMove::Off, depth, sample);
    let sides = || "R=2 and no null move".to_owned();
    let differ = differ(
        sides,
        "positions",
        with.visited.iter().zip(&without.visited),
    )?;
    let sum = |counts: &[(usize, usize)]| counts.iter().map(|count| count.0).sum::<usize>();
    let (found, without) = (sum(&with.counts), sum(&without.counts));
    let example = with.example.unwrap_or_else(|| "none found".to_owned());
    Ok(vec![
        SOURCE
            .claims(
                "with null move a search can fail high with one beta and low \
                 with a higher one",
            )
            .needs(Need::AtLeast(1.0), "one example proves it")
            .measure(
                Figure::exact(f64::from(u8::from(found > 0 && without == 0))),
                differ,
                format!("at depth {depth} with R=2: {example}; {without} without null move"),
            ),
        SOURCE
            .claims("such contradictions are rare")
            .needs(Need::AtMost(0.05), "rare is one in twenty")
            .measure(
                mean_share(with.counts.iter().copied()),
                differ,
                format!(
                    "share of windows like (7, 30) and (7, 50) that contradict each other, \
                     by position; {found} of {} pairs, 17 in each of {} positions",
                    17 * sample.len(),
                    sample.len()
                ),
            ),
    ])
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
