//! The cost of a search with a null window compared with an open window.

use super::super::measure::{mean_share, ratio, tallies_differ};
use super::super::{Pace, SameSearch};
use super::REINEFELD;
use crate::algorithms::alpha_beta;
use crate::chess::game::Chess;
use crate::figure::{Figure, Unit};
use crate::game::{End, Game, INFINITE, Tally, Window};
use crate::games::tree::Tree;
use crate::laboratory::{Laboratory, Memory, Node, Trace};
use crate::report::{Claim, Need};

/// Searches the moves of the root after the first by alpha-beta, each with a null window above the best value so
/// far and with the window from there up. Returns the counts of all null windows and of all open ones.
fn both_windows(game: &impl Game, depth: u32) -> [Tally; 2] {
    let root = Node::root(game, depth);
    let mut first = Laboratory::new(Memory::Off, Trace::Counts);
    let mut best = -alpha_beta(&mut first, &root.nth_child(0), Window::FULL);
    let [mut null, mut open] = [(); 2].map(|()| Laboratory::new(Memory::Off, Trace::Counts));
    for number in 1..game.moves().len() {
        let child = root.nth_child(number);
        let window = Window {
            alpha: best,
            beta: INFINITE,
        };
        alpha_beta(&mut null, &child, Window::null(best + 1).flip());
        best = best.max(-alpha_beta(&mut open, &child, window.flip()));
    }
    [null.tally, open.tally]
}

/// The cut-offs of a search, and its nodes above the leaves.
fn cut_offs(tally: &Tally) -> (usize, usize) {
    (
        tally.visits.ended(End::Cutoff) as usize,
        tally.interior as usize,
    )
}

pub(super) fn null_window(pace: Pace) -> Result<Vec<Claim>, SameSearch> {
    let depth = pace.pick(2, 4);
    let positions = pace.sample();
    let chess = positions
        .iter()
        .map(|position| Chess::new(*position.board()));
    let tallies: Vec<_> = chess.map(|chess| both_windows(&chess, depth)).collect();
    let trees = |values: fn(u64) -> _| {
        let (branching, height) = super::SHAPE;
        let trees = (0..pace.pick(2, 100)).map(|seed| Tree::new(branching, height, values(seed)));
        let ratios = trees.map(|tree| {
            let [null, open] = both_windows(&tree, height);
            ratio(null.nodes(), open.nodes())
        });
        Figure::ratio(&ratios.collect::<Vec<_>>())
    };
    let pairs = || tallies.iter().map(|[null, open]| (null, open));
    let sides = "a null window and an open one";
    let differ = tallies_differ(sides, "positions", pairs())?;
    let ratios: Vec<_> = pairs().map(|(a, b)| ratio(a.nodes(), b.nodes())).collect();
    let share = |tally: &Tally| {
        let (cut, all) = cut_offs(tally);
        cut as f64 / all.max(1) as f64
    };
    let more: Vec<_> = pairs().map(|(a, b)| share(a) - share(b)).collect();
    let shares = |side: usize| mean_share(tallies.iter().map(|both| cut_offs(&both[side])));
    Ok(vec![
        REINEFELD
            .claims("a search with a null window is much cheaper than with an open one")
            .needs(Need::AtMost(0.5), "much is half")
            .or_in_part(Need::AtMost(1.0))
            .measure(
                Figure::ratio(&ratios),
                differ,
                format!(
                    "times the nodes of alpha-beta with the window from the best value up, for the \
                     moves of the root after the first, chess at depth {depth}; {} in random trees \
                     (b=12, d=5), {} in well ordered ones",
                    trees(super::random),
                    trees(super::well_ordered)
                ),
            ),
        REINEFELD
            .claims("because more of its nodes are cut off")
            .needs(Need::AtLeast(0.0), "more at all")
            .measure(
                Figure::mean(&more).in_unit(Unit::Share),
                differ,
                format!(
                    "difference of the shares of inner nodes that end by a cut-off, in the same \
                     searches: {} with null windows, {} with open ones",
                    shares(0),
                    shares(1)
                ),
            ),
    ])
}
