//! Claims of the texts with their measurements and verdicts.
//!
//! A verdict is computed from the interval of a figure and the range that the claim needs.

use std::fmt::{self, Write as _};

use anyhow::Result;
use serde::Serialize;
use strum::{Display, VariantArray};

use crate::claims::Differ;
use crate::figure::{Figure, brief};
use crate::table;

/// The verdict on a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Display, VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Verdict {
    /// The whole interval is in the range that the claim needs.
    Confirmed,
    /// The whole interval is outside that range, but in the range in which the claim holds in part.
    Depends,
    /// The whole interval is outside those ranges.
    Refuted,
    /// The interval is partly inside and partly outside: more measurements are needed.
    #[serde(rename = "cannot tell")]
    #[strum(to_string = "cannot tell")]
    CannotTell,
}

/// The range of figures for which a claim holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Need {
    /// At least this much.
    AtLeast(f64),
    /// At most this much.
    AtMost(f64),
    /// Between these two, the ends among them.
    Between(f64, f64),
}

impl Need {
    /// The least and the greatest figure that meet the need.
    fn range(self) -> (f64, f64) {
        match self {
            Self::AtLeast(low) => (low, f64::INFINITY),
            Self::AtMost(high) => (f64::NEG_INFINITY, high),
            Self::Between(low, high) => (low, high),
        }
    }

    /// Whether every value of the interval meets the need.
    fn holds(self, figure: Figure) -> bool {
        let (low, high) = self.range();
        low <= figure.low && figure.high <= high
    }

    /// Whether no value of the interval meets the need.
    fn fails(self, figure: Figure) -> bool {
        let (low, high) = self.range();
        figure.high < low || high < figure.low
    }
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(low) => write!(f, "at least {}", brief(*low)),
            Self::AtMost(high) => write!(f, "at most {}", brief(*high)),
            Self::Between(low, high) => write!(f, "{} to {}", brief(*low), brief(*high)),
        }
    }
}

/// What a claim compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display)]
pub enum Sides {
    /// Two searches, with the number of cases in which they visited different nodes.
    #[strum(to_string = "{0}")]
    Two(Differ),
    /// No two searches: what the claim is about, in a few words.
    #[strum(to_string = "no two searches: {0}")]
    One(&'static str),
}

impl From<Differ> for Sides {
    fn from(differ: Differ) -> Self {
        Self::Two(differ)
    }
}

/// A claim and its measurement.
///
/// ```
/// use skewer_lab::figure::Figure;
/// use skewer_lab::report::{Need, Sides, Source, Verdict};
///
/// let claim = Source("Euclid").claims("Two and two are four")
///     .needs(Need::Between(4.0, 4.0), "exactly")
///     .measure(Figure::exact(2.0 + 2.0), Sides::One("a sum"), "2 + 2 = 4");
/// assert_eq!(claim.verdict, Verdict::Confirmed);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Claim {
    /// What the text says.
    pub claim: String,
    /// Who says it.
    pub source: String,
    /// What was measured, in words and numbers.
    pub measured: String,
    /// In how many cases the two sides of the claim visited different nodes; or that it has no two sides.
    pub differ: String,
    /// The verdict that follows.
    pub verdict: Verdict,
    /// The figure that decides, with its 95% interval.
    pub figure: Figure,
    /// The range in which the figure must lie, and the reason.
    pub needs: String,
    #[serde(skip)]
    need: Need,
    #[serde(skip)]
    depends: Option<Need>,
}

impl Claim {
    /// The need under which the claim holds in part, if its own need is not met: the verdict is
    /// then [`Verdict::Depends`].
    #[must_use]
    pub fn or_in_part(mut self, need: Need) -> Self {
        self.depends = Some(need);
        self
    }

    /// Sets the figure, and the verdict that follows from its interval.
    #[must_use]
    pub fn measure(
        mut self,
        figure: Figure,
        sides: impl Into<Sides>,
        measured: impl Into<String>,
    ) -> Self {
        self.figure = figure;
        self.differ = sides.into().to_string();
        self.measured = measured.into();
        self.verdict = if figure.low.is_nan() || figure.high.is_nan() {
            Verdict::CannotTell
        } else if self.need.holds(figure) {
            Verdict::Confirmed
        } else if !self.need.fails(figure) {
            Verdict::CannotTell
        } else {
            match self.depends {
                Some(part) if part.holds(figure) => Verdict::Depends,
                Some(part) if !part.fails(figure) => Verdict::CannotTell,
                _ => Verdict::Refuted,
            }
        };
        self
    }

    /// The ends of what the claim needs.
    pub fn needed(&self) -> (f64, f64) {
        self.need.range()
    }
}

/// The source of a claim: the author of a text, and the year or the text that quotes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source<'a>(pub &'a str);

impl<'a> Source<'a> {
    /// What the text says.
    pub fn claims(self, text: &'a str) -> Statement<'a> {
        Statement {
            source: self.0,
            text,
        }
    }
}

/// What a text says, still without the figures for which it holds.
#[derive(Debug, Clone, Copy)]
pub struct Statement<'a> {
    source: &'a str,
    text: &'a str,
}

impl Statement<'_> {
    /// The claim, which holds if `need` is met, and the reason for that threshold in a few words. The
    /// verdict is [`Verdict::CannotTell`] until it is measured.
    pub fn needs(self, need: Need, reason: &str) -> Claim {
        Claim {
            claim: self.text.to_owned(),
            source: self.source.to_owned(),
            measured: String::new(),
            differ: String::new(),
            verdict: Verdict::CannotTell,
            figure: Figure::UNKNOWN,
            needs: format!("{need}: {reason}"),
            need,
            depends: None,
        }
    }
}

/// The claims as a table for a terminal, each on a few lines.
pub fn as_text(claims: &[Claim]) -> String {
    let mut text = String::new();
    let mut source = "";
    for claim in claims {
        if claim.source != source {
            source = &claim.source;
            let _ = write!(text, "\n{source}\n");
        }
        let _ = write!(
            text,
            "  [{:^13}] {}\n                  {}\n                  {}, needs {}\n                  sides differ in: {}\n",
            claim.verdict.to_string(),
            claim.claim,
            claim.measured,
            claim.figure.with_unit(),
            claim.needs,
            claim.differ
        );
    }
    let counts = Verdict::VARIANTS.iter().map(|verdict| {
        let count = claims.iter().filter(|c| c.verdict == *verdict).count();
        format!("{count} {verdict}")
    });
    let counts = counts.collect::<Vec<_>>().join(", ");
    let _ = writeln!(text, "\n{} claims: {counts}", claims.len());
    text
}

/// The claims as CSV.
///
/// # Errors
///
/// If a cell cannot be written.
pub fn as_csv(claims: &[Claim]) -> Result<String> {
    let rows = claims.iter().map(|claim| {
        [
            claim.claim.clone(),
            claim.source.clone(),
            claim.measured.clone(),
            claim.figure.with_unit(),
            claim.needs.clone(),
            claim.verdict.to_string(),
            claim.differ.clone(),
        ]
    });
    let heads = [
        "claim",
        "source",
        "measured",
        "figure (95%)",
        "needs",
        "verdict",
        "sides differ in",
    ];
    table::csv(heads, rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Unit;

    #[test]
    fn verdicts_follow_from_intervals() {
        let claim = Source("someone")
            .claims("faster")
            .needs(Need::AtLeast(2.0), "twice");
        let claim = claim.or_in_part(Need::AtLeast(1.2));
        for (low, high, verdict) in [
            (2.0, 2.5, Verdict::Confirmed),
            (1.9, 2.5, Verdict::CannotTell),
            (1.5, 1.9, Verdict::Depends),
            (1.1, 1.9, Verdict::CannotTell),
            (0.9, 1.1, Verdict::Refuted),
            (f64::NAN, f64::NAN, Verdict::CannotTell),
            (f64::NEG_INFINITY, f64::INFINITY, Verdict::CannotTell),
        ] {
            let figure = Figure {
                value: f64::midpoint(low, high),
                low,
                high,
                unit: Unit::Number,
            };
            let measured = claim.clone().measure(figure, Sides::One("a figure"), "");
            assert_eq!(measured.verdict, verdict, "{low} to {high}");
        }
        let strict = Source("someone")
            .claims("so")
            .needs(Need::Between(1.0, 2.0), "so");
        let exact = |value| {
            let figure = Figure::exact(value);
            strict
                .clone()
                .measure(figure, Sides::One("a figure"), "")
                .verdict
        };
        assert_eq!(exact(1.5), Verdict::Confirmed);
        assert_eq!(exact(4.0), Verdict::Refuted);
    }
}
