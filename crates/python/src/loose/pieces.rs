//! `skewer.chess.Piece`.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};

use super::{Loose, is_exactly};
use crate::pieces::{PieceObject, PyPiece, Side, color, is_white, kind, number};

/// The names of the fields, in the order of the arguments.
const FIELDS: [&str; 2] = ["piece_type", "color"];

/// A piece: its type and its colour. As in python-chess, the fields can be set.
///
/// >>> import skewer.chess as chess
/// >>> piece = chess.Piece.from_symbol("n")
/// >>> piece.color = chess.WHITE
/// >>> piece
/// Piece.from_symbol('N')
#[pyclass(name = "Piece", extends = PieceObject, frozen, subclass, weakref, module = "skewer.chess")]
#[derive(Default)]
pub(crate) struct LoosePiece(Loose<2>);

/// A piece of `skewer.chess`.
pub(crate) fn loose_piece(py: Python<'_>, piece: PyPiece) -> PyResult<Py<LoosePiece>> {
    let new =
        PyClassInitializer::from(PieceObject::from(piece)).add_subclass(LoosePiece::default());
    Py::new(py, new)
}

/// The Rust piece of an object whose fields are not known yet or are no piece.
fn stand_in() -> PyPiece {
    PyPiece {
        kind: skewer_movegen::Piece::Pawn,
        color: color(false),
    }
}

/// The piece with these fields; `None` for fields that Rust would not return unchanged.
fn piece(fields: &[Bound<'_, PyAny>; 2]) -> Option<PyPiece> {
    let [piece_type, side] = fields;
    let plain = side.is_exact_instance_of::<pyo3::types::PyBool>();
    Some(PyPiece {
        kind: kind(piece_type.extract().ok()?).ok()?,
        color: color(side.is_truthy().ok().filter(|_| plain)?),
    })
}

impl LoosePiece {
    fn value(slf: &Bound<'_, Self>) -> PyPiece {
        slf.as_super().get().value()
    }

    fn fields<'py>(slf: &Bound<'py, Self>) -> PyResult<[Bound<'py, PyAny>; 2]> {
        let py = slf.py();
        if let Some(odd) = slf.get().0.odd_fields(py) {
            return Ok(odd.map(|field| field.into_bound(py)));
        }
        let piece = Self::value(slf);
        let white = is_white(piece.color).into_pyobject(py)?.to_owned();
        Ok([
            number(piece.kind).into_pyobject(py)?.into_any(),
            white.into_any(),
        ])
    }

    fn set_fields(slf: &Bound<'_, Self>, fields: [Bound<'_, PyAny>; 2]) {
        let found = piece(&fields);
        let near = || {
            let kind = kind(fields[0].extract().ok()?).ok()?;
            let side = fields[1].extract::<Side>().ok()?;
            Some(PyPiece {
                kind,
                color: color(side.0),
            })
        };
        let shown = found.or_else(near).unwrap_or_else(stand_in);
        slf.as_super().get().set(shown);
        let odd = found.is_none().then(|| fields.map(Bound::unbind));
        slf.get().0.set_odd(odd);
    }

    fn exact(slf: &Bound<'_, Self>) -> bool {
        is_exactly(slf, &slf.py().get_type::<Self>())
    }
}

#[pymethods]
impl LoosePiece {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str) {
        FIELDS.into()
    }

    /// Takes any arguments, because a subclass may have changed the arguments of `__init__`.
    #[new]
    #[pyo3(
        signature = (*_arguments, **_named),
        text_signature = "(piece_type, color)"
    )]
    fn new(
        _arguments: &Bound<'_, PyTuple>,
        _named: Option<&Bound<'_, PyDict>>,
    ) -> PyClassInitializer<Self> {
        PyClassInitializer::from(PieceObject::from(stand_in())).add_subclass(Self::default())
    }

    fn __init__(slf: &Bound<'_, Self>, piece_type: Bound<'_, PyAny>, color: Bound<'_, PyAny>) {
        Self::set_fields(slf, [piece_type, color]);
    }

    /// The letter: upper case for White. Raises IndexError for a type that does not exist.
    fn symbol<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let Some(fields) = slf.get().0.odd_fields(py) else {
            return Ok(Self::value(slf).letter().into_pyobject(py)?.into_any());
        };
        let [piece_type, color] = fields.map(|field| field.into_bound(py));
        let symbols = py.import("skewer._squares")?.getattr("PIECE_SYMBOLS")?;
        let symbol = symbols.get_item(piece_type)?;
        if color.is_truthy()? {
            symbol.call_method0("upper")
        } else {
            Ok(symbol)
        }
    }

    #[getter]
    fn piece_type<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let [piece_type, _] = Self::fields(slf)?;
        Ok(piece_type)
    }

    #[getter]
    fn color<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let [_, color] = Self::fields(slf)?;
        Ok(color)
    }

    /// The piece of a letter: upper case is White. Raises ValueError for any other text.
    #[classmethod]
    fn from_symbol<'py>(class: &Bound<'py, PyType>, symbol: &str) -> PyResult<Bound<'py, PyAny>> {
        let made = loose_piece(class.py(), PyPiece::parse(symbol)?)?.into_bound(class.py());
        if class.is(class.py().get_type::<Self>()) {
            return Ok(made.into_any());
        }
        class.call1(PyTuple::new(class.py(), Self::fields(&made)?)?)
    }

    fn __getattr__(slf: &Bound<'_, Self>, name: &str) -> PyResult<Py<PyAny>> {
        if name == "__dict__" {
            let all = PyDict::new(slf.py());
            for (name, field) in FIELDS.into_iter().zip(Self::fields(slf)?) {
                all.set_item(name, field)?;
            }
            if let Some(extras) = slf.get().0.extras.get(slf.py()) {
                all.update(extras.bind(slf.py()).as_mapping())?;
            }
            return Ok(all.into_any().unbind());
        }
        slf.get().0.attribute(slf.py(), "Piece", name)
    }

    fn __setattr__(slf: &Bound<'_, Self>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let Some(at) = FIELDS.iter().position(|&field| field == name) else {
            let loose = &slf.get().0;
            return loose.set_attribute(slf, Self::exact(slf), name, Some(value));
        };
        let mut fields = Self::fields(slf)?;
        fields[at] = value.clone();
        Self::set_fields(slf, fields);
        Ok(())
    }

    fn __delattr__(slf: &Bound<'_, Self>, name: &str) -> PyResult<()> {
        let loose = &slf.get().0;
        loose.set_attribute(slf, Self::exact(slf), name, None)
    }

    fn __eq__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        let same_class = other.get_type().is(slf.get_type());
        let strict = is_exactly(other, &py.get_type::<PieceObject>()) && Self::exact(slf);
        if !same_class && !strict {
            return Ok(py.NotImplemented());
        }
        let equal = match other.cast::<Self>() {
            Ok(other) => {
                PyTuple::new(py, Self::fields(slf)?)?.eq(PyTuple::new(py, Self::fields(other)?)?)?
            }
            Err(_) => other.extract::<PyPiece>()? == Self::value(slf),
        };
        Ok(equal.into_pyobject(py)?.to_owned().into_any().unbind())
    }

    fn __hash__(slf: &Bound<'_, Self>) -> PyResult<isize> {
        let [piece_type, color] = Self::fields(slf)?;
        Ok(piece_type.extract::<isize>()? - 1 + if color.is_truthy()? { 0 } else { 6 })
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let text = slf.call_method0("symbol")?.repr()?;
        Ok(format!("Piece.from_symbol({text})"))
    }

    fn __str__(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        Ok(slf.call_method0("symbol")?.unbind())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let make = py.import("copyreg")?.getattr("__newobj__")?;
        let state = PyDict::new(py);
        for (name, field) in FIELDS.into_iter().zip(Self::fields(slf)?) {
            state.set_item(name, field)?;
        }
        let more = slf.getattr("__dict__")?;
        state.update(more.cast::<PyDict>()?.as_mapping())?;
        let class = PyTuple::new(py, [slf.get_type()])?.into_any();
        PyTuple::new(py, [make, class, state.into_any()])
    }

    fn __setstate__(slf: &Bound<'_, Self>, state: &Bound<'_, PyDict>) -> PyResult<()> {
        for (name, value) in state {
            slf.setattr(name.cast::<PyString>()?, value)?;
        }
        Ok(())
    }

    #[pyo3(signature = (**changes))]
    fn __replace__<'py>(
        slf: &Bound<'py, Self>,
        changes: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let named = PyDict::new(slf.py());
        for (name, field) in FIELDS.into_iter().zip(Self::fields(slf)?) {
            named.set_item(name, field)?;
        }
        if let Some(changes) = changes {
            named.update(changes.as_mapping())?;
        }
        slf.get_type().call((), Some(&named))
    }
}
