//! Any text as a typed tree: what is accepted has one value by minimax, alpha-beta and SSS*.

#![no_main]

use libfuzzer_sys::fuzz_target;
use skewer_lab::algorithms::{Algorithm, solve};
use skewer_lab::games::typed::TypedTree;

fuzz_target!(|text: &str| {
    let Ok(tree) = text.parse::<TypedTree>() else { return };
    let [expected, alpha_beta, sss] = [Algorithm::Minimax, Algorithm::AlphaBeta, Algorithm::Sss]
        .map(|algorithm| solve(algorithm, &tree, tree.height(), &mut algorithm.laboratory()));
    assert_eq!(alpha_beta, expected);
    assert_eq!(sss, expected);
});
