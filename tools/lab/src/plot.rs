//! Bar charts as SVG, written here: a picture of a dozen numbers needs no drawing library.

use std::fmt::Write as _;

/// One bar.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// What stands before it.
    pub label: String,
    /// How long it is; negative to the left.
    pub length: f64,
    /// What stands behind it.
    pub note: String,
    /// Its colour, as SVG names colours.
    pub colour: &'static str,
}

/// What a chart shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// The line at the top.
    pub title: String,
    /// What the length of a bar means.
    pub axis: String,
    /// The bars, from the top down.
    pub bars: Vec<Bar>,
}

/// Pixels: the chart's width, the labels' share of it, the bars', and a row's height.
const WIDTH: f64 = 1180.0;
const LABELS: f64 = 520.0;
const BARS: f64 = 380.0;
const ROW: f64 = 22.0;
const TOP: f64 = 64.0;

impl Chart {
    /// The chart as an SVG document.
    ///
    /// ```
    /// use skewer_lab::plot::{Bar, Chart};
    ///
    /// let bar = Bar { label: "a < b".into(), length: 2.0, note: "2".into(), colour: "#4a7" };
    /// let chart = Chart { title: "Nodes".into(), axis: "ratio".into(), bars: vec![bar] };
    /// let svg = chart.to_svg();
    /// assert!(svg.starts_with("<svg") && svg.contains("a &lt; b"));
    /// ```
    pub fn to_svg(&self) -> String {
        let finite = |bar: &Bar| {
            if bar.length.is_finite() {
                bar.length
            } else {
                0.0
            }
        };
        let least = self.bars.iter().map(finite).fold(0.0, f64::min);
        let most = self.bars.iter().map(finite).fold(0.0, f64::max);
        let scale = BARS / (most - least).max(1e-9);
        let zero = LABELS - least * scale;
        let height = TOP + ROW * self.bars.len() as f64 + 16.0;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
             viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <text x=\"16\" y=\"26\" font-size=\"17\">{}</text>\n\
             <text x=\"16\" y=\"46\" fill=\"#666\">{}</text>\n",
            escape(&self.title),
            escape(&self.axis)
        );
        for (row, bar) in self.bars.iter().enumerate() {
            let y = TOP + ROW * row as f64;
            let length = finite(bar) * scale;
            let (x, width) = (zero + length.min(0.0), length.abs().max(1.0));
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
                 <rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{:.1}\" \
                 fill=\"{}\"/><text x=\"{:.1}\" y=\"{:.1}\" fill=\"#444\">{}</text>",
                LABELS - 10.0,
                y + 13.0,
                escape(&shorten(&bar.label, 82)),
                ROW - 6.0,
                bar.colour,
                LABELS + BARS + 10.0,
                y + 13.0,
                escape(&shorten(&bar.note, 44))
            );
        }
        let _ = writeln!(
            svg,
            "<line x1=\"{zero:.1}\" x2=\"{zero:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"#222\"/>\n</svg>",
            TOP - 4.0,
            height - 14.0
        );
        svg
    }
}

fn shorten(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    text.chars().take(longest - 1).chain(['…']).collect()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_start_at_nought_and_go_both_ways() {
        let bar = |length| Bar {
            label: "x".repeat(200),
            length,
            note: String::new(),
            colour: "#000",
        };
        let chart = Chart {
            title: "t & t".into(),
            axis: String::new(),
            bars: vec![bar(1.0), bar(-1.0), bar(f64::NAN)],
        };
        let svg = chart.to_svg();
        assert!(svg.contains("t &amp; t") && svg.contains('…'));
        assert!(!svg.contains("NaN"));
        // Equal lengths either way, and nought in the middle.
        assert_eq!(svg.matches("width=\"190.0\"").count(), 2);
        assert!(svg.contains("x1=\"710.0\""));
    }
}
