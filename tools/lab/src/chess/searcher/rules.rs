//! The rules of the texts, each tested in a position in which any other rule would give another answer.

mod frame;
mod memory;
mod null_move;
mod pruning;
mod verified;

use skewer_movegen::Move;

use super::{Context, Searcher, Verify};
use crate::chess::config::{Config, Ideas, NullMove};
use crate::chess::position::Position;
use crate::game::Window;
use crate::trace::Step;

/// White is two queens up, and no threat is near.
const QUEENS: &str = "4k3/8/8/8/8/8/8/Q3K2Q w - - 0 1";

/// A node after a quiet move.
const INNER: Context = Context {
    ply: 1,
    last: None,
    noisy: false,
    null_moves: 0,
    verify: Verify::Done,
    extended: false,
};

fn searcher(null_move: NullMove) -> Searcher {
    Searcher::new(Config {
        null_move,
        ..Config::PLAIN
    })
}

fn with(ideas: Ideas) -> Searcher {
    Searcher::new(Config::PLAIN.with(ideas))
}

fn uci(position: &Position, text: &str) -> Move {
    position.board().parse_uci(text).expect("a legal move")
}

/// A window in which `position` fails high by passing: far below its evaluation.
fn below(position: &Position) -> Window {
    Window::null(position.evaluate() - 500)
}

/// The windows with which the nodes after a null move were entered, each beside the window of its parent.
fn passes(searcher: Searcher) -> Vec<(Window, Window)> {
    let recording = searcher.recording().expect("recorded");
    let mut open: Vec<Window> = Vec::new();
    let mut passes = Vec::new();
    for step in &recording.steps {
        match *step {
            Step::Enter { node, window } => {
                if recording.places[node].label == "pass" {
                    passes.push((*open.last().expect("a parent"), window));
                }
                open.push(window);
            }
            Step::Leave { .. } => {
                open.pop();
            }
            _ => {}
        }
    }
    passes
}

/// The lines of the nodes that were entered, in order: the moves from the root, joined.
fn lines(searcher: Searcher) -> Vec<String> {
    let recording = searcher.recording().expect("recorded");
    let line = |mut node: usize| {
        let mut labels = Vec::new();
        while let Some(parent) = recording.places[node].parent {
            labels.insert(0, recording.places[node].label.clone());
            node = parent;
        }
        labels.join(" ")
    };
    let entered = recording.steps.iter().filter_map(|step| match *step {
        Step::Enter { node, .. } => Some(line(node)),
        _ => None,
    });
    entered.collect()
}
