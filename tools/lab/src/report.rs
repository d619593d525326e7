//! A claim of the texts, what was measured of it, and what that says.
//!
//! A verdict is never written down: it follows from the figure and from what the claim needs.

use std::fmt::{self, Write as _};

use serde::Serialize;

/// What the measurement says of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Verdict {
    /// The figure is what the claim says.
    #[serde(rename = "confirmed")]
    Confirmed,
    /// True in part, or in other circumstances than these.
    #[serde(rename = "depends")]
    Depends,
    /// The figure is not what the claim says.
    #[serde(rename = "not confirmed")]
    NotConfirmed,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Confirmed => "confirmed",
            Self::Depends => "depends",
            Self::NotConfirmed => "not confirmed",
        })
    }
}

/// Where a figure must lie for a claim to hold.
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
    fn met_by(self, figure: f64) -> bool {
        match self {
            Self::AtLeast(low) => figure >= low,
            Self::AtMost(high) => figure <= high,
            Self::Between(low, high) => (low..=high).contains(&figure),
        }
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

/// A number with two decimals, or as many as it has.
pub fn brief(number: f64) -> String {
    if number.fract() == 0.0 {
        format!("{number:.0}")
    } else {
        format!("{number:.2}")
    }
}

/// A claim and its measurement.
///
/// ```
/// use skewer_lab::report::{Claim, Need, Verdict};
///
/// let claim = Claim::new("seed 001", "Two and two are four", Need::Between(4.0, 4.0))
///     .measure(2.0 + 2.0, "2 + 2 = 4");
/// assert_eq!(claim.verdict, Verdict::Confirmed);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Claim {
    /// What the text says.
    pub claim: String,
    /// Which text.
    pub source: String,
    /// What was found, in words and numbers.
    pub measured: String,
    /// What follows.
    pub verdict: Verdict,
    /// The one number that decides.
    pub figure: f64,
    /// Where it must lie.
    pub needs: String,
    #[serde(skip)]
    need: Need,
    #[serde(skip)]
    depends: Option<Need>,
}

impl Claim {
    /// A claim that holds where `need` is met. It stands as not confirmed until it is measured.
    pub fn new(source: &str, claim: &str, need: Need) -> Self {
        Self {
            claim: claim.to_owned(),
            source: source.to_owned(),
            measured: String::new(),
            verdict: Verdict::NotConfirmed,
            figure: f64::NAN,
            needs: need.to_string(),
            need,
            depends: None,
        }
    }

    /// What still shows some truth in the claim where its need is not met.
    #[must_use]
    pub fn or_in_part(mut self, need: Need) -> Self {
        self.depends = Some(need);
        self
    }

    /// Puts the figure in, and the verdict that follows.
    #[must_use]
    pub fn measure(mut self, figure: f64, measured: impl Into<String>) -> Self {
        self.figure = figure;
        self.measured = measured.into();
        self.verdict = if self.need.met_by(figure) {
            Verdict::Confirmed
        } else if self.depends.is_some_and(|need| need.met_by(figure)) {
            Verdict::Depends
        } else {
            Verdict::NotConfirmed
        };
        self
    }

    /// How far the figure lies beyond what the claim needs, as a power of two: 0 just meets it,
    /// 1 is twice as good, -1 half as good. Cut off at 3 either way.
    pub fn margin(&self) -> f64 {
        let ratio = |a: f64, b: f64| {
            let ratio = a.max(1e-3) / b.max(1e-3);
            ratio.log2()
        };
        let margin = match self.need {
            Need::AtLeast(low) => ratio(self.figure, low),
            Need::AtMost(high) => ratio(high, self.figure),
            Need::Between(low, high) => ratio(self.figure, low).min(ratio(high, self.figure)),
        };
        margin.clamp(-3.0, 3.0)
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
            "  [{:^13}] {}\n                  {} (needs {})\n",
            claim.verdict.to_string(),
            claim.claim,
            claim.measured,
            claim.needs
        );
    }
    let count = |verdict| claims.iter().filter(|c| c.verdict == verdict).count();
    let _ = write!(
        text,
        "\n{} claims: {} confirmed, {} depend, {} not confirmed\n",
        claims.len(),
        count(Verdict::Confirmed),
        count(Verdict::Depends),
        count(Verdict::NotConfirmed)
    );
    text
}

/// The claims as a Markdown table.
pub fn as_markdown(claims: &[Claim]) -> String {
    let mut text =
        String::from("| claim | source | measured | needs | verdict |\n|---|---|---|---|---|\n");
    for claim in claims {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            claim.claim, claim.source, claim.measured, claim.needs, claim.verdict
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_follow_from_figures() {
        let claim = Claim::new("seed 002", "faster", Need::AtLeast(2.0));
        let claim = claim.or_in_part(Need::AtLeast(1.2));
        for (figure, verdict) in [
            (2.0, Verdict::Confirmed),
            (1.5, Verdict::Depends),
            (1.1, Verdict::NotConfirmed),
            (f64::NAN, Verdict::NotConfirmed),
        ] {
            assert_eq!(
                claim.clone().measure(figure, "").verdict,
                verdict,
                "{figure}"
            );
        }
        assert!((claim.clone().measure(4.0, "").margin() - 1.0).abs() < 1e-9);
        assert!((claim.measure(1.0, "").margin() + 1.0).abs() < 1e-9);
        let narrow = Claim::new("seed 003", "so", Need::Between(1.0, 2.0));
        assert!(narrow.clone().measure(1.5, "").margin() > 0.0);
        assert!(narrow.measure(4.0, "").margin() < 0.0);
    }
}
