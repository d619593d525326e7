//! Bar charts and curves as SVG, with titles, ticks and labels of the axes. The colours follow the light or dark mode
//! of the page in which a chart stands.

mod curves;

use std::fmt::Write as _;

pub use curves::Curves;

use crate::draw::{document, escape, line, text};

/// What a bar's colour stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// No judgement.
    Plain,
    /// A reference, or good.
    Good,
    /// Between good and bad.
    Mixed,
    /// Bad.
    Bad,
    /// Not known.
    Unknown,
}

impl Tone {
    /// The CSS class of a tone.
    const fn class(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Good => "good",
            Self::Mixed => "mixed",
            Self::Bad => "bad",
            Self::Unknown => "unknown",
        }
    }
}

/// The scale of the axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// From zero, in both directions.
    Linear,
    /// From one, in powers of ten. For counts.
    Logarithmic,
}

/// One bar.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// The text to the left of the bar.
    pub label: String,
    /// The value that the bar shows. The bar of a negative value extends to the left.
    pub length: f64,
    /// The ends of the value's 95% interval, drawn as a line across the bar's end.
    pub interval: Option<(f64, f64)>,
    /// The text to the right of the bar.
    pub note: String,
    /// The meaning of the bar's colour.
    pub tone: Tone,
}

/// The content of a chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// The title, above the bars.
    pub title: String,
    /// The line under the title: what was measured, and how.
    pub subtitle: String,
    /// The label of the axis, with its unit.
    pub axis: String,
    /// The scale of the axis.
    pub scale: Scale,
    /// The bars, from top to bottom.
    pub bars: Vec<Bar>,
}

// The width of the area of bars, the height of a row, the margins above and below the rows, and the
// width of a letter, in pixels.
const BARS: f64 = 420.0;
const ROW: f64 = 22.0;
const TOP: f64 = 66.0;
const BOTTOM: f64 = 52.0;
const LETTER: f64 = 6.3;
/// The smallest width of a bar, in pixels, so that its colour can be seen.
const THINNEST: f64 = 4.0;
/// The longest label and note, in letters.
const LONGEST_LABEL: usize = 110;
const LONGEST_NOTE: usize = 80;

/// Charts one under the other, as an SVG document with the title of the first.
pub fn stack(charts: &[Chart]) -> String {
    let (mut width, mut height, mut body) = (0.0_f64, 0.0, String::new());
    for chart in charts {
        let drawn = chart.draw();
        let _ = writeln!(
            body,
            "<g transform=\"translate(0 {height})\">{}</g>",
            drawn.body
        );
        width = width.max(drawn.width);
        height += drawn.height;
    }
    let title = charts.first().map_or("", |chart| &chart.title);
    document(title, width, height, &body)
}

/// The elements of a chart, and its size in pixels.
struct Drawn {
    width: f64,
    height: f64,
    body: String,
}

impl Chart {
    /// The chart as an SVG document.
    ///
    /// ```
    /// use skewer_svg::chart::{Bar, Chart, Scale, Tone};
    ///
    /// let bar = Bar {
    ///     label: "a < b".into(),
    ///     length: 2.0,
    ///     interval: Some((1.5, 2.5)),
    ///     note: "2".into(),
    ///     tone: Tone::Plain,
    /// };
    /// let chart = Chart {
    ///     title: "Nodes".into(),
    ///     subtitle: "chess, depth 4".into(),
    ///     axis: "times minimax".into(),
    ///     scale: Scale::Linear,
    ///     bars: vec![bar],
    /// };
    /// let svg = chart.to_svg();
    /// assert!(svg.starts_with("<svg") && svg.contains("a &lt; b"));
    /// ```
    pub fn to_svg(&self) -> String {
        let Drawn {
            width,
            height,
            body,
        } = self.draw();
        document(&self.title, width, height, &body)
    }

    fn draw(&self) -> Drawn {
        let widest = |text: fn(&Bar) -> &str, most: usize| {
            let letters = self
                .bars
                .iter()
                .map(|bar| text(bar).chars().count().min(most));
            LETTER * letters.max().unwrap_or(0) as f64
        };
        let labels = 26.0 + widest(|bar| &bar.label, LONGEST_LABEL);
        let notes = 30.0 + widest(|bar| &bar.note, LONGEST_NOTE);
        let heading = 32.0 + 1.4 * LETTER * self.title.chars().count() as f64;
        let height = TOP + ROW * self.bars.len() as f64 + BOTTOM;
        let (least, most) = self.range();
        let step = match self.scale {
            Scale::Logarithmic => 1.0,
            Scale::Linear => round_step((most - least).max(1e-9) / 5.0),
        };
        let ticks = ticks(least, most, step);
        let low = ticks.first().copied().unwrap_or(0.0).min(least);
        let high = ticks.last().copied().unwrap_or(1.0).max(most);
        let place = |value: f64| {
            let share = (self.position(value) - low) / (high - low).max(1e-9);
            labels + BARS * share.clamp(0.0, 1.0)
        };
        let mut body = format!(
            "<text class=\"title\" x=\"16\" y=\"26\">{}</text>\n\
             <text class=\"soft\" x=\"16\" y=\"46\">{}</text>\n",
            escape(&self.title),
            escape(&self.subtitle),
        );
        let (top, floor) = (TOP - 4.0, height - BOTTOM + 4.0);
        for tick in &ticks {
            let value = self.value(*tick);
            let x = place(value);
            body += &line("grid", (x, top), (x, floor));
            body += &text("soft", "middle", (x, floor + 15.0), &tick_text(value, step));
        }
        let zero = place(self.value(0.0));
        body += &line("axis", (zero, top), (zero, floor));
        body += &line("axis", (labels, floor), (labels + BARS, floor));
        let middle = labels + BARS / 2.0;
        body += &text("", "middle", (middle, floor + 34.0), &self.axis);
        for (row, bar) in self.bars.iter().enumerate() {
            let y = TOP + ROW * row as f64;
            let (start, end) = (zero, place(finite(bar.length)));
            let length = (end - start).abs();
            let width = length.max(THINNEST);
            let label = shorten(&bar.label, LONGEST_LABEL);
            body += &text("", "end", (labels - 10.0, y + 13.0), &label);
            let _ = writeln!(
                body,
                "<rect class=\"{}\" x=\"{:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{:.1}\"/>",
                bar.tone.class(),
                start.min(end) - (width - length) / 2.0,
                ROW - 6.0,
            );
            let note = shorten(&bar.note, LONGEST_NOTE);
            body += &text("soft", "start", (labels + BARS + 10.0, y + 13.0), &note);
            if let Some((low, high)) = bar.interval.filter(|(low, high)| low <= high) {
                let middle = y + (ROW - 6.0) / 2.0;
                body += &line("whisker", (place(low), middle), (place(high), middle));
            }
        }
        Drawn {
            width: (labels + BARS + notes).max(heading).ceil(),
            height,
            body,
        }
    }

    /// The position of a value on the axis: the value or its logarithm.
    fn position(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => value,
            Scale::Logarithmic => value.max(1.0).log10(),
        }
    }

    /// The value at a position on the axis.
    fn value(&self, position: f64) -> f64 {
        match self.scale {
            Scale::Linear => position,
            Scale::Logarithmic => 10_f64.powf(position),
        }
    }

    /// The least and the greatest position of all bars, intervals and zero.
    fn range(&self) -> (f64, f64) {
        let values = self.bars.iter().flat_map(|bar| {
            let (low, high) = bar.interval.unwrap_or((bar.length, bar.length));
            [bar.length, low, high]
        });
        let (low, high) = values
            .filter(|value| value.is_finite())
            .map(|value| self.position(value))
            .fold((0.0, 0.0), |(low, high): (f64, f64), position| {
                (low.min(position), high.max(position))
            });
        // The axis must have a length even if no bar has.
        (low, if high > low { high } else { low + 1.0 })
    }
}

/// Multiples of `step`, from below the least to above the greatest position.
fn ticks(least: f64, most: f64, step: f64) -> Vec<f64> {
    let (first, last) = ((least / step).floor() as i64, (most / step).ceil() as i64);
    (first..=last.max(first + 1))
        .map(|tick| tick as f64 * step)
        .collect()
}

/// The least of 1, 2 and 5 times a power of ten that is not below `step`.
fn round_step(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let digits = [1.0, 2.0, 5.0, 10.0];
    let digit = digits
        .into_iter()
        .find(|digit| digit * power >= step * 0.999);
    digit.unwrap_or(10.0) * power
}

/// The label of a tick, thousands as `10k`, with enough decimals to distinguish ticks a `step` apart.
fn tick_text(value: f64, step: f64) -> String {
    let (unit, letter) = match value.abs() {
        v if v >= 1e9 => (1e9, "G"),
        v if v >= 1e6 => (1e6, "M"),
        v if v >= 1e4 => (1e3, "k"),
        _ => (1.0, ""),
    };
    let decimals = (unit / step).log10().ceil().clamp(0.0, 9.0) as usize;
    let text = format!("{:.decimals$}", value / unit);
    let text = if decimals > 0 {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        &text
    };
    match text {
        "-0" => "0".to_owned(),
        text => format!("{text}{letter}"),
    }
}

fn finite(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}

fn shorten(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    text.chars().take(longest - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(scale: Scale, lengths: &[f64]) -> String {
        let bars: Vec<_> = lengths.iter().map(|&length| (length, None)).collect();
        chart_with_intervals(scale, &bars)
    }

    fn chart_with_intervals(scale: Scale, bars: &[(f64, Option<(f64, f64)>)]) -> String {
        let bar = |&(length, interval)| Bar {
            label: "x".repeat(200),
            length,
            interval,
            note: String::new(),
            tone: Tone::Plain,
        };
        let chart = Chart {
            title: "t & t".into(),
            subtitle: "chess".into(),
            axis: "nodes".into(),
            scale,
            bars: bars.iter().map(bar).collect(),
        };
        chart.to_svg()
    }

    #[test]
    fn bars_start_at_zero_and_extend_both_ways() {
        let svg = chart(Scale::Linear, &[1.0, -1.0, f64::NAN]);
        assert!(svg.contains("t &amp; t") && svg.contains('…'));
        assert!(!svg.contains("NaN"));
        // Equal lengths either way, and zero in the middle.
        assert_eq!(svg.matches("width=\"210.0\"").count(), 2);
        for tick in [">-1<", ">0<", ">1<"] {
            assert!(svg.contains(tick), "{tick} in {svg}");
        }
        assert!(svg.contains("prefers-color-scheme:dark"));
    }

    #[test]
    fn a_logarithmic_scale_draws_powers_of_ten_at_equal_distances() {
        let svg = chart(Scale::Logarithmic, &[10.0, 1000.0, 100_000.0]);
        for tick in [">1<", ">10<", ">1000<", ">100k<"] {
            assert!(svg.contains(tick), "{tick} in {svg}");
        }
        // Each is two powers of ten longer than the one before.
        for width in ["84.0", "252.0", "420.0"] {
            assert!(svg.contains(&format!("width=\"{width}\"")), "{width}");
        }
    }

    #[test]
    fn the_axis_covers_the_intervals() {
        let svg = chart_with_intervals(Scale::Linear, &[(0.0, Some((-60.0, 80.0)))]);
        for tick in [">-100<", ">0<", ">100<"] {
            assert!(svg.contains(tick), "{tick} in {svg}");
        }
    }

    #[test]
    fn bars_of_no_length_have_an_axis() {
        let svg = chart(Scale::Linear, &[0.0]);
        assert!(svg.contains(">0<") && svg.contains(">1<"), "{svg}");
    }

    #[test]
    fn tick_labels_differ_for_any_range() {
        for most in [0.000_3, 0.02, 0.7, 30.0, 1300.0, 20_000.0, 70_000.0, 3e6] {
            let svg = chart(Scale::Linear, &[most, -most / 3.0]);
            let texts: Vec<&str> = svg
                .match_indices("text-anchor=\"middle\">")
                .filter_map(|(at, start)| svg[at + start.len()..].split('<').next())
                .collect();
            let mut different = texts.clone();
            different.sort_unstable();
            different.dedup();
            assert!(texts.len() > 4, "{texts:?}");
            assert_eq!(different.len(), texts.len(), "{texts:?}");
        }
    }

    #[test]
    fn ticks_are_round() {
        for (step, rounded) in [(0.03, 0.05), (0.7, 1.0), (14.0, 20.0), (100.0, 100.0)] {
            assert!((round_step(step) - rounded).abs() < 1e-9, "{step}");
        }
    }

    #[test]
    fn charts_stand_one_under_the_other() {
        let chart = |title: &str| Chart {
            title: title.into(),
            subtitle: String::new(),
            axis: String::new(),
            scale: Scale::Linear,
            bars: Vec::new(),
        };
        let svg = stack(&[chart("one"), chart("two")]);
        assert!(
            svg.contains(">one<") && svg.contains("translate(0 118)"),
            "{svg}"
        );
        assert!(stack(&[]).ends_with("</svg>"));
    }
}
