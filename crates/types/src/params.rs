//! Tables of parameters: numbers that can be tuned, each with its range, unit and meaning.
//!
//! [`declare_params!`](crate::declare_params) declares the table of a crate. Without that crate's
//! feature `tune` every number is a constant. With the feature, a thread searches with the `Values`
//! that it has installed, so that two sets of parameters can play each other in one program, as
//! tuning by self-play needs.

/// One number of a parameter table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Param {
    /// Its name, unique in its table.
    pub name: &'static str,
    /// The value that the engine plays with.
    pub default: i32,
    /// The least sensible value.
    pub min: i32,
    /// The greatest sensible value.
    pub max: i32,
    /// The unit of the value.
    pub unit: &'static str,
    /// What the number does.
    pub meaning: &'static str,
}

/// Why a parameter was not set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParamError {
    /// No parameter has this name.
    Unknown,
    /// The value lies outside the parameter's range.
    OutOfRange,
}

impl core::fmt::Display for ParamError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Unknown => "no parameter of that name",
            Self::OutOfRange => "the value is outside the parameter's range",
        })
    }
}

impl core::error::Error for ParamError {}

/// Declares a crate's parameter table: a function for each number, `TABLE` that describes them
/// all, and `Values`, a value for each, which can be installed under the declaring crate's feature
/// `tune`.
///
/// Each line reads `name = default, min..=max, "unit", "meaning";`.
#[macro_export]
macro_rules! declare_params {
    ($($name:ident = $default:expr, $min:literal ..= $max:literal, $unit:literal, $meaning:literal;)*) => {
        /// Every number of this module.
        pub static TABLE: &[$crate::params::Param] = &[
            $($crate::params::Param {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
                unit: $unit,
                meaning: $meaning,
            }),*
        ];

        /// A value for each number of this module.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Values([i32; TABLE.len()]);

        impl Default for Values {
            /// The values that the engine plays with.
            fn default() -> Self {
                Self([$($default),*])
            }
        }

        impl Values {
            /// Gives the number `name` another value.
            ///
            /// # Errors
            ///
            /// [`ParamError`]($crate::params::ParamError) if no number has this name or the value
            /// is outside its range; nothing has changed then.
            pub fn set(&mut self, name: &str, value: i32) -> Result<(), $crate::params::ParamError> {
                let index = Self::index(name).ok_or($crate::params::ParamError::Unknown)?;
                if value < TABLE[index].min || value > TABLE[index].max {
                    return Err($crate::params::ParamError::OutOfRange);
                }
                self.0[index] = value;
                Ok(())
            }

            /// The value of the number `name`; `None` if no number has this name.
            pub fn get(&self, name: &str) -> Option<i32> {
                Self::index(name).map(|index| self.0[index])
            }

            fn index(name: &str) -> Option<usize> {
                TABLE.iter().position(|param| param.name == name)
            }

            /// Makes these the parameters of every search that this thread begins from now on; other
            /// threads keep theirs.
            #[cfg(feature = "tune")]
            pub fn install(&self) {
                INSTALLED.with(|installed| installed.set(self.0));
            }
        }

        #[cfg(feature = "tune")]
        #[allow(non_camel_case_types, reason = "the variants are the parameters' names")]
        enum Index { $($name),* }

        #[cfg(feature = "tune")]
        std::thread_local! {
            static INSTALLED: core::cell::Cell<[i32; TABLE.len()]> =
                const { core::cell::Cell::new([$($default),*]) };
        }

        $(
            #[doc = concat!($meaning, " (", $unit, ")")]
            #[cfg(not(feature = "tune"))]
            #[inline(always)]
            pub(crate) const fn $name() -> i32 { $default }

            #[doc = concat!($meaning, " (", $unit, ")")]
            #[cfg(feature = "tune")]
            #[inline]
            pub(crate) fn $name() -> i32 {
                INSTALLED.with(|installed| installed.as_array_of_cells()[Index::$name as usize].get())
            }
        )*
    };
}
