//! The Python package `skewer`: chess rules with the names of python-chess, PGN files, NumPy arrays
//! and the Skewer engine in process.

mod analyse;
mod arrays;
mod board;
mod engine;
mod errors;
mod evaluate;
mod game;
mod moves;
mod perft;
mod pgn;
mod pieces;
mod polyglot;
mod score;
mod squares;
mod svg;

use pyo3::prelude::*;

/// The compiled part of the package; `skewer/__init__.py` gives its contents their public names.
#[pymodule]
fn _skewer(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<board::Board>()?;
    module.add_class::<board::LegalMoves>()?;
    module.add_class::<moves::Move>()?;
    module.add_class::<pieces::Piece>()?;
    module.add_class::<squares::SquareSet>()?;
    errors::register(module)?;
    game::register(module)?;
    pgn::register(module)?;
    analyse::register(module)?;
    arrays::register(module)?;
    evaluate::register(module)?;
    perft::register(module)?;
    engine::register(module)?;
    score::register(module)?;
    let drawing = PyModule::new(module.py(), "svg")?;
    svg::register(&drawing)?;
    module.add_submodule(&drawing)
}
