//! The parameters of search and ordering together, for tuning.

use skewer_ordering::params as ordering;
use skewer_types::params::{Param, ParamError};

use crate::params;

/// A value for each parameter of the search and of its move ordering.
///
/// Under the feature `tune` a thread can search with them. Without it, the parameters of a search are constants,
/// and nothing takes this type: `install` and `Solo::with_parameters` are absent.
///
/// ```
/// use skewer_search::Parameters;
///
/// let mut parameters = Parameters::default();
/// parameters.set("rfp_margin", 80)?;
/// assert_eq!(parameters.get("rfp_margin"), Some(80));
/// assert!(parameters.set("rfp_margin", -5).is_err());
/// assert!(Parameters::all().any(|param| param.name == "rfp_margin"));
/// # Ok::<(), skewer_search::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parameters {
    search: params::Values,
    ordering: ordering::Values,
}

impl Parameters {
    /// All parameters: of the search, then of the move ordering.
    pub fn all() -> impl Iterator<Item = &'static Param> {
        params::TABLE.iter().chain(ordering::TABLE)
    }

    /// Gives the parameter `name` another value.
    ///
    /// # Errors
    ///
    /// If no parameter has this name, or the value is outside its range; nothing has changed then.
    pub fn set(&mut self, name: &str, value: i32) -> Result<(), ParamError> {
        match self.search.set(name, value) {
            Err(ParamError::Unknown) => self.ordering.set(name, value),
            done => done,
        }
    }

    /// The value of the parameter `name`; `None` if no parameter has this name.
    pub fn get(&self, name: &str) -> Option<i32> {
        self.search.get(name).or_else(|| self.ordering.get(name))
    }

    /// Makes these the parameters of every search that this thread begins from now on; other threads
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
    fn names_are_unique_and_defaults_lie_within_their_ranges() {
        for param in Parameters::all() {
            let range = param.min..=param.max;
            assert!(param.min < param.max && range.contains(&param.default));
            assert_eq!(Parameters::default().get(param.name), Some(param.default));
            assert_eq!(
                Parameters::all().filter(|p| p.name == param.name).count(),
                1,
                "{}",
                param.name
            );
            assert!(Parameters::default().set(param.name, param.max).is_ok());
            assert_eq!(
                Parameters::default().set(param.name, param.max + 1),
                Err(ParamError::OutOfRange)
            );
        }
        assert_eq!(
            Parameters::default().set("none", 0),
            Err(ParamError::Unknown)
        );
    }
}
