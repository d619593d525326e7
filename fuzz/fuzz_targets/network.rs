//! Any bytes can be read as a network: an accepted one is written as the same bytes and evaluates positions.
#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use skewer_eval::network::Parameters;
use skewer_eval::{Evaluator, Network};
use skewer_movegen::Board;

fuzz_target!(|bytes: &[u8]| {
    let Ok(parameters) = Parameters::from_bytes(bytes) else {
        return;
    };
    assert_eq!(parameters.to_bytes(), bytes);
    let mut network = Network::new(Arc::new(parameters));
    network.reset(&Board::STARTPOS);
    let _ = network.output(&Board::STARTPOS);
});
