//! The numbers of search and ordering together, for those who look for better ones.

use skewer_ordering::params as ordering;
pub use skewer_ordering::params::{Param, ParamError};

use crate::params;

/// A value for each number of the search and of its move ordering.
///
/// Under the feature `tune` a thread can search with them; without it, numbers are constants.
///
/// ```
/// use skewer_search::Numbers;
///
/// let mut numbers = Numbers::default();
/// numbers.set("rfp_margin", 80)?;
/// assert_eq!(numbers.get("rfp_margin"), Some(80));
/// assert!(numbers.set("rfp_margin", -5).is_err());
/// assert!(Numbers::all().any(|param| param.name == "rfp_margin"));
/// # Ok::<(), skewer_search::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Numbers {
    search: params::Values,
    ordering: ordering::Values,
}

impl Numbers {
    /// Every number that there is: those of the search, then those of the ordering.
    pub fn all() -> impl Iterator<Item = &'static Param> {
        params::TABLE.iter().chain(ordering::TABLE)
    }

    /// Gives the number `name` another value.
    ///
    /// # Errors
    ///
    /// If there is none of that name, or the value is outside its range; nothing has changed then.
    pub fn set(&mut self, name: &str, value: i32) -> Result<(), ParamError> {
        match self.search.set(name, value) {
            Err(ParamError::Unknown) => self.ordering.set(name, value),
            done => done,
        }
    }

    /// The value of the number `name`; `None` if there is none of that name.
    pub fn get(&self, name: &str) -> Option<i32> {
        self.search.get(name).or_else(|| self.ordering.get(name))
    }

    /// Makes these the numbers of every search that this thread begins from now on; other threads
    /// keep theirs.
    #[cfg(feature = "tune")]
    pub fn install(&self) {
        self.search.install();
        self.ordering.install();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_that_of_one_number_which_begins_within_its_range() {
        for param in Numbers::all() {
            let range = param.min..=param.max;
            assert!(param.min < param.max && range.contains(&param.default));
            assert_eq!(Numbers::default().get(param.name), Some(param.default));
            assert_eq!(
                Numbers::all().filter(|p| p.name == param.name).count(),
                1,
                "{}",
                param.name
            );
            assert!(Numbers::default().set(param.name, param.max).is_ok());
            assert_eq!(
                Numbers::default().set(param.name, param.max + 1),
                Err(ParamError::OutOfRange)
            );
        }
        assert_eq!(Numbers::default().set("none", 0), Err(ParamError::Unknown));
    }
}
