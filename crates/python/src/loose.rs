//! Moves and pieces of `skewer.chess`: as in python-chess, their fields can be set and hold anything.
//!
//! They extend the classes of `skewer`, so that every function takes both. As long as the fields describe a move or
//! a piece, the number of the base class holds them. Otherwise Python objects hold the fields, and the number is
//! not used.

mod moves;
mod pieces;
mod play;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

pub(crate) use moves::{LooseMove, loose, loose_list, packed, plain};
pub(crate) use pieces::{LoosePiece, loose_piece};
pub(crate) use play::{Play, attribute};

/// The state of an object besides the number of its base class.
struct Loose<const FIELDS: usize> {
    /// Whether the object ever had fields that the number cannot hold, or further attributes.
    touched: AtomicBool,
    /// The fields, if the number of the base class cannot hold them.
    odd: Mutex<Option<[Py<PyAny>; FIELDS]>>,
    /// Attributes that a program has added.
    extras: PyOnceLock<Py<PyDict>>,
}

impl<const FIELDS: usize> Default for Loose<FIELDS> {
    fn default() -> Self {
        Self {
            touched: AtomicBool::new(false),
            odd: Mutex::new(None),
            extras: PyOnceLock::new(),
        }
    }
}

impl<const FIELDS: usize> Loose<FIELDS> {
    fn touched(&self) -> bool {
        self.touched.load(Relaxed)
    }

    fn odd(&self) -> MutexGuard<'_, Option<[Py<PyAny>; FIELDS]>> {
        self.odd.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The fields, if the number of the base class cannot hold them.
    fn odd_fields(&self, py: Python<'_>) -> Option<[Py<PyAny>; FIELDS]> {
        if !self.touched() {
            return None;
        }
        let odd = self.odd();
        odd.as_ref()
            .map(|fields| std::array::from_fn(|at| fields[at].clone_ref(py)))
    }

    /// Keeps fields that the base class cannot hold; with `None`, the base class has the fields.
    fn set_odd(&self, fields: Option<[Py<PyAny>; FIELDS]>) {
        if fields.is_some() {
            self.touched.store(true, Relaxed);
        }
        // The old fields are dropped after the lock is free again, because dropping them may run Python code.
        let old = std::mem::replace(&mut *self.odd(), fields);
        drop(old);
    }

    fn extras<'a>(&'a self, py: Python<'a>) -> &'a Bound<'a, PyDict> {
        self.touched.store(true, Relaxed);
        self.extras
            .get_or_init(py, || PyDict::new(py).unbind())
            .bind(py)
    }

    /// Reads an attribute that a program has added.
    fn attribute(&self, py: Python<'_>, class: &str, name: &str) -> PyResult<Py<PyAny>> {
        let found = match self.extras.get(py) {
            Some(extras) => extras.bind(py).get_item(name)?,
            None => None,
        };
        found.map(Bound::unbind).ok_or_else(|| {
            PyAttributeError::new_err(format!("'{class}' object has no attribute '{name}'"))
        })
    }

    /// Sets an attribute that is no field: on the object itself, or in the dictionary that an object of
    /// a subclass has.
    fn set_attribute(
        &self,
        object: &Bound<'_, PyAny>,
        exact: bool,
        name: &str,
        value: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let py = object.py();
        let attributes = if exact {
            // Methods are found before the attributes of an object, so that the new value would never be read.
            if value.is_some() && object.get_type().hasattr(name)? {
                let message = format!("'{name}' is a method; a subclass may override it");
                return Err(PyAttributeError::new_err(message));
            }
            self.extras(py).as_any().clone()
        } else {
            let descriptor = object.get_type().getattr(name).ok();
            let method = if value.is_some() {
                "__set__"
            } else {
                "__delete__"
            };
            if let Some(descriptor) =
                descriptor.filter(|found| found.hasattr(method).unwrap_or(false))
            {
                match value {
                    Some(value) => descriptor.call_method1(method, (object, value))?,
                    None => descriptor.call_method1(method, (object,))?,
                };
                return Ok(());
            }
            object.getattr("__dict__")?
        };
        match value {
            Some(value) => attributes.set_item(name, value),
            None => attributes
                .del_item(name)
                .map_err(|_| PyAttributeError::new_err(name.to_owned())),
        }
    }
}

/// Whether an object is of a class itself and of no subclass.
fn is_exactly(object: &Bound<'_, PyAny>, class: &Bound<'_, PyType>) -> bool {
    object.get_type().is(class)
}
