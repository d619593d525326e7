//! `skewer.chess.Move`.

use std::sync::Mutex;

use pyo3::PyTypeInfo;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple, PyType};
use skewer_movegen::Square;

use super::{Loose, is_exactly};
use crate::moves::{FORMS, MoveObject, PyMove};

/// The names of the fields, in the order of the arguments.
const FIELDS: [&str; 4] = ["from_square", "to_square", "promotion", "drop"];

/// A move from a square to a square, with the piece that a pawn becomes: as in python-chess, with
/// fields that can be set.
///
/// >>> import skewer.chess as chess
/// >>> move = chess.Move(chess.A7, chess.A8)
/// >>> move.promotion = chess.QUEEN
/// >>> move
/// Move.from_uci('a7a8q')
#[pyclass(name = "Move", extends = MoveObject, frozen, subclass, weakref, module = "skewer.chess")]
#[derive(Default)]
pub(crate) struct LooseMove(Loose<4>);

/// For each move, objects that can be returned again once Python code holds no reference to them, because creating an
/// object takes longer than counting its references.
static POOL: Mutex<Vec<Spare>> = Mutex::new(Vec::new());

/// How many objects of one move are kept.
const MOST: usize = 128;

/// How many objects of a move are tried before a new object is created.
const TRIES: usize = 4;

/// The objects of one move, and the index of the object that is tried next.
#[derive(Default)]
struct Spare {
    objects: Vec<Py<LooseMove>>,
    next: usize,
}

fn fresh(py: Python<'_>, mv: PyMove) -> PyResult<Py<LooseMove>> {
    let new = PyClassInitializer::from(MoveObject::from(mv)).add_subclass(LooseMove::default());
    Py::new(py, new)
}

/// Whether only the pool refers to an object, and Python code has not changed the object.
#[inline]
#[allow(deprecated, reason = "the other way to count references is unsafe")]
fn is_free(py: Python<'_>, object: &Py<LooseMove>, mv: PyMove) -> bool {
    let bound = object.bind(py);
    object.get_refcnt(py) == 1 && LooseMove::value(bound) == mv && !bound.get().0.touched()
}

/// An object without other references, from the pool if possible.
#[inline]
fn from_pool(py: Python<'_>, pool: &mut Vec<Spare>, mv: PyMove) -> PyResult<Py<LooseMove>> {
    if pool.is_empty() {
        pool.resize_with(FORMS, Spare::default);
    }
    let Spare { objects, next } = &mut pool[usize::from(mv.bits())];
    // The last object first: it is in the cache, and free again if the caller has not kept it.
    for _ in 0..TRIES.min(objects.len()) {
        if is_free(py, &objects[*next], mv) {
            return Ok(objects[*next].clone_ref(py));
        }
        *next = (*next + 1) % objects.len();
    }
    let object = fresh(py, mv)?;
    let kept = object.clone_ref(py);
    if objects.len() < MOST {
        *next = objects.len();
        objects.push(kept);
    } else {
        objects[*next] = kept;
    }
    Ok(object)
}

/// A move of `skewer.chess`.
#[inline]
pub(crate) fn loose(py: Python<'_>, mv: PyMove) -> PyResult<Py<LooseMove>> {
    // Never wait for the pool: another thread may hold the lock, or a caller in this thread.
    match POOL.try_lock() {
        Ok(mut pool) => from_pool(py, &mut pool, mv),
        Err(_) => fresh(py, mv),
    }
}

/// A list of moves of `skewer.chess`.
pub(crate) fn loose_list(
    py: Python<'_>,
    moves: impl IntoIterator<Item = PyMove>,
) -> PyResult<Bound<'_, PyList>> {
    let moves = moves.into_iter();
    let objects: Vec<Py<LooseMove>> = match POOL.try_lock() {
        Ok(mut pool) => moves
            .map(|mv| from_pool(py, &mut pool, mv))
            .collect::<PyResult<_>>()?,
        Err(_) => moves.map(|mv| fresh(py, mv)).collect::<PyResult<_>>()?,
    };
    PyList::new(py, objects)
}

/// The packed move with these fields; `None` if the fields cannot be packed.
fn number(fields: &[Bound<'_, PyAny>; 4]) -> Option<PyMove> {
    let square = |object: &Bound<'_, PyAny>| Square::from_index(object.extract::<u8>().ok()?);
    let piece = |object: &Bound<'_, PyAny>| {
        if object.is_none() {
            return Some(0);
        }
        (object.extract::<u16>().ok()).filter(|piece| (1..=6).contains(piece))
    };
    let [from, to] = [square(&fields[0])?, square(&fields[1])?];
    match (piece(&fields[2])?, piece(&fields[3])?) {
        (0, drop) if drop == 0 || from == to => Some(PyMove::pack(from, to, drop)),
        (promotion, 0) if from != to => Some(PyMove::pack(from, to, promotion)),
        _ => None,
    }
}

/// The move that is played for fields that cannot be packed: the move without its falsy fields if that can be packed,
/// and otherwise a move that is never legal.
fn stand_in(fields: &[Bound<'_, PyAny>; 4]) -> PyMove {
    let none = fields[0].py().None();
    let mut plain = fields.clone();
    for field in &mut plain[2..] {
        if field.is_truthy().is_ok_and(|truthy| !truthy) {
            *field = none.bind(field.py()).clone();
        }
    }
    number(&plain).unwrap_or(PyMove::pack(Square::H8, Square::H8, 0))
}

/// The move, if Rust code may handle it: its class is not a subclass written in Python, and its fields are squares
/// and pieces. Raises TypeError for anything but a move.
pub(crate) fn plain(object: &Bound<'_, PyAny>) -> PyResult<Option<PyMove>> {
    let py = object.py();
    if let Ok(mv) = object.cast_exact::<LooseMove>() {
        let is_plain = mv.get().0.odd_fields(py).is_none();
        return Ok(is_plain.then(|| LooseMove::value(mv)));
    }
    let mv = object.extract::<PyMove>()?;
    Ok(is_exactly(object, &py.get_type::<MoveObject>()).then_some(mv))
}

/// The packed move that is played for a move of either package; `None` for any other object.
pub(crate) fn packed(object: &Bound<'_, PyAny>) -> Option<PyMove> {
    // The comparison of two addresses is faster than the search for a base class.
    match object.cast_exact::<LooseMove>() {
        Ok(mv) => Some(LooseMove::value(mv)),
        Err(_) => object.extract::<PyMove>().ok(),
    }
}

impl LooseMove {
    fn value(slf: &Bound<'_, Self>) -> PyMove {
        slf.as_super().get().value()
    }

    fn fields<'py>(slf: &Bound<'py, Self>) -> PyResult<[Bound<'py, PyAny>; 4]> {
        let py = slf.py();
        if let Some(odd) = slf.get().0.odd_fields(py) {
            return Ok(odd.map(|field| field.into_bound(py)));
        }
        let mv = Self::value(slf);
        let piece = |shown: bool| Some(mv.promotion_number()).filter(|&piece| shown && piece > 0);
        let square = |square: Square| (square as u8).into_pyobject(py).map(Bound::into_any);
        Ok([
            square(mv.from())?,
            square(mv.to())?,
            piece(!mv.is_drop()).into_pyobject(py)?,
            piece(mv.is_drop()).into_pyobject(py)?,
        ])
    }

    fn set_fields(slf: &Bound<'_, Self>, fields: [Bound<'_, PyAny>; 4]) {
        let number = number(&fields);
        slf.as_super()
            .get()
            .set(number.unwrap_or_else(|| stand_in(&fields)));
        let odd = number.is_none().then(|| fields.map(Bound::unbind));
        slf.get().0.set_odd(odd);
    }

    fn exact(slf: &Bound<'_, Self>) -> bool {
        is_exactly(slf, &slf.py().get_type::<Self>())
    }

    /// A move of this class or a subclass.
    fn of<'py>(class: &Bound<'py, PyType>, mv: PyMove) -> PyResult<Bound<'py, PyAny>> {
        let py = class.py();
        if class.as_type_ptr() == Self::type_object_raw(py) {
            return Ok(loose(py, mv)?.into_bound(py).into_any());
        }
        let made = loose(py, mv)?;
        class.call1(PyTuple::new(py, Self::fields(made.bind(py))?)?)
    }

    fn text(slf: &Bound<'_, Self>) -> PyResult<Py<PyString>> {
        let py = slf.py();
        let Some(fields) = slf.get().0.odd_fields(py) else {
            return Ok(Self::value(slf).shared_text(py));
        };
        let [from, to, promotion, drop] = fields.map(|field| field.into_bound(py));
        let squares = py.import("skewer._squares")?;
        let names = squares.getattr("SQUARE_NAMES")?;
        let symbol = |piece| -> PyResult<String> {
            squares.getattr("PIECE_SYMBOLS")?.get_item(piece)?.extract()
        };
        let name = |square| -> PyResult<String> { names.get_item(square)?.extract() };
        let text = if drop.is_truthy()? {
            format!("{}@{}", symbol(drop)?.to_uppercase(), name(to)?)
        } else if promotion.is_truthy()? {
            format!("{}{}{}", name(from)?, name(to)?, symbol(promotion)?)
        } else if from.is_truthy()? || to.is_truthy()? {
            format!("{}{}", name(from)?, name(to)?)
        } else {
            "0000".to_owned()
        };
        Ok(PyString::new(py, &text).unbind())
    }
}

#[pymethods]
impl LooseMove {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str, &'static str) {
        FIELDS.into()
    }

    /// Takes any arguments, because a subclass may have changed the arguments of `__init__`.
    #[new]
    #[pyo3(
        signature = (*_arguments, **_named),
        text_signature = "(from_square, to_square, promotion=None, drop=None)"
    )]
    fn new(
        _arguments: &Bound<'_, PyTuple>,
        _named: Option<&Bound<'_, PyDict>>,
    ) -> PyClassInitializer<Self> {
        PyClassInitializer::from(MoveObject::from(PyMove::NULL)).add_subclass(Self::default())
    }

    #[pyo3(signature = (from_square, to_square, promotion=None, drop=None))]
    fn __init__<'py>(
        slf: &Bound<'py, Self>,
        from_square: Bound<'py, PyAny>,
        to_square: Bound<'py, PyAny>,
        promotion: Option<Bound<'py, PyAny>>,
        drop: Option<Bound<'py, PyAny>>,
    ) {
        // The fast path: most moves have nothing but their two squares.
        if promotion.is_none() && drop.is_none() && !slf.get().0.touched() {
            let square =
                |object: &Bound<'py, PyAny>| Square::from_index(object.extract::<u8>().ok()?);
            if let (Some(from), Some(to)) = (square(&from_square), square(&to_square)) {
                slf.as_super().get().set(PyMove::pack(from, to, 0));
                return;
            }
        }
        let or_none = |field: Option<Bound<'py, PyAny>>| field.unwrap_or_else(|| none(slf.py()));
        let fields = [from_square, to_square, or_none(promotion), or_none(drop)];
        Self::set_fields(slf, fields);
    }

    #[getter]
    fn from_square<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        if !slf.get().0.touched() {
            return Ok((Self::value(slf).from() as u8)
                .into_pyobject(slf.py())?
                .into_any());
        }
        let [from, ..] = Self::fields(slf)?;
        Ok(from)
    }

    #[getter]
    fn to_square<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        if !slf.get().0.touched() {
            return Ok((Self::value(slf).to() as u8)
                .into_pyobject(slf.py())?
                .into_any());
        }
        let [_, to, ..] = Self::fields(slf)?;
        Ok(to)
    }

    #[getter]
    fn promotion<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        if !slf.get().0.touched() && Self::value(slf).promotion_number() == 0 {
            return Ok(none(slf.py()));
        }
        let [_, _, promotion, _] = Self::fields(slf)?;
        Ok(promotion)
    }

    #[getter]
    fn drop<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        if !slf.get().0.touched() && !Self::value(slf).is_drop() {
            return Ok(none(slf.py()));
        }
        let [.., drop] = Self::fields(slf)?;
        Ok(drop)
    }

    /// The move as UCI text, such as "g1f3" or "a7a8q"; "0000" for the null move.
    fn uci(slf: &Bound<'_, Self>) -> PyResult<Py<PyString>> {
        Self::text(slf)
    }

    /// The move as XBoard text, where the null move is "@@@@".
    fn xboard(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        if Self::__bool__(slf)? {
            return Ok(slf.call_method0("uci")?.unbind());
        }
        Ok(PyString::new(slf.py(), "@@@@").into_any().unbind())
    }

    /// Parses UCI text. Raises InvalidMoveError, a ValueError, for anything else.
    #[classmethod]
    fn from_uci<'py>(class: &Bound<'py, PyType>, uci: &str) -> PyResult<Bound<'py, PyAny>> {
        Self::of(class, PyMove::parse(uci)?)
    }

    /// The null move, which passes the turn. It is false in a boolean context.
    #[classmethod]
    fn null<'py>(class: &Bound<'py, PyType>) -> PyResult<Bound<'py, PyAny>> {
        Self::of(class, PyMove::NULL)
    }

    /// As in python-chess, a move is no number: otherwise a move in the place of a square would be taken for one.
    /// Raises TypeError.
    fn __int__(&self) -> PyResult<u16> {
        Err(PyTypeError::new_err("a move of skewer.chess is no integer"))
    }

    fn __index__(&self) -> PyResult<u16> {
        self.__int__()
    }

    /// The move of an integer form. Raises ValueError for a number that is not a move.
    #[classmethod]
    fn from_int<'py>(class: &Bound<'py, PyType>, number: i64) -> PyResult<Bound<'py, PyAny>> {
        let object = MoveObject::from_int(class.py(), number)?;
        Self::of(class, object.get().value())
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
        slf.get().0.attribute(slf.py(), "Move", name)
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
        // Deleting a field that has a default restores the default.
        if name == FIELDS[2] || name == FIELDS[3] {
            return Self::__setattr__(slf, name, &none(slf.py()));
        }
        let loose = &slf.get().0;
        loose.set_attribute(slf, Self::exact(slf), name, None)
    }

    fn __eq__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        let same_class = other.get_type().is(slf.get_type());
        let strict = is_exactly(other, &py.get_type::<MoveObject>()) && Self::exact(slf);
        if !same_class && !strict {
            return Ok(py.NotImplemented());
        }
        let odd = |object: &Bound<'_, PyAny>| -> Option<[Py<PyAny>; 4]> {
            object.cast::<Self>().ok()?.get().0.odd_fields(py)
        };
        let equal = match (odd(slf), odd(other)) {
            (None, None) => other.extract::<PyMove>()? == Self::value(slf),
            (Some(mine), Some(theirs)) => PyTuple::new(py, mine)?.eq(PyTuple::new(py, theirs)?)?,
            _ => match other.cast::<Self>() {
                Ok(other) => PyTuple::new(py, Self::fields(slf)?)?
                    .eq(PyTuple::new(py, Self::fields(other)?)?)?,
                Err(_) => false,
            },
        };
        Ok(equal.into_pyobject(py)?.to_owned().into_any().unbind())
    }

    fn __hash__(slf: &Bound<'_, Self>) -> PyResult<isize> {
        match slf.get().0.odd_fields(slf.py()) {
            None => Ok(Self::value(slf).bits() as isize),
            Some(fields) => PyTuple::new(slf.py(), fields)?.hash(),
        }
    }

    fn __bool__(slf: &Bound<'_, Self>) -> PyResult<bool> {
        match slf.get().0.odd_fields(slf.py()) {
            None => Ok(!Self::value(slf).is_null()),
            Some(fields) => PyTuple::new(slf.py(), fields)?
                .iter()
                .try_fold(false, |any, field| Ok(any || field.is_truthy()?)),
        }
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let text = slf.call_method0("uci")?.repr()?;
        Ok(format!("Move.from_uci({text})"))
    }

    fn __str__(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        if Self::exact(slf) {
            return Ok(Self::text(slf)?.into_any());
        }
        Ok(slf.call_method0("uci")?.unbind())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let class = slf.get_type();
        if Self::exact(slf) && !slf.get().0.touched() {
            let number = PyTuple::new(py, [Self::value(slf).bits()])?;
            let make = class.getattr("from_int")?;
            return PyTuple::new(py, [make, number.into_any()]);
        }
        let make = py.import("copyreg")?.getattr("__newobj__")?;
        let state = PyDict::new(py);
        for (name, field) in FIELDS.into_iter().zip(Self::fields(slf)?) {
            state.set_item(name, field)?;
        }
        let more = slf.getattr("__dict__")?;
        state.update(more.cast::<PyDict>()?.as_mapping())?;
        let class = PyTuple::new(py, [class])?.into_any();
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

fn none(py: Python<'_>) -> Bound<'_, PyAny> {
    py.None().into_bound(py)
}
