//! Draws the statistics of game files as SVG: a small bar chart for each property.

use std::fmt::Write as _;

const WIDTH: f64 = 380.0;
const HEIGHT: f64 = 220.0;
const COLUMNS: usize = 2;
const LEFT: f64 = 44.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 30.0;

/// A bar chart of counts.
#[derive(Debug, Clone)]
pub struct Bars {
    /// What is counted.
    pub title: String,
    /// The name of each bar and its count. Some names may be empty where they would not fit.
    pub bars: Vec<(String, u64)>,
}

/// The charts in two columns, with shares of each chart's total in per cent.
///
/// ```
/// use skewer_train::picture::{Bars, svg};
///
/// let results = Bars {
///     title: "results".into(),
///     bars: vec![("won".into(), 45), ("drawn".into(), 10), ("lost".into(), 45)],
/// };
/// let picture = svg(&[results]);
/// assert!(picture.contains("results") && picture.contains("10.0%"));
/// ```
pub fn svg(charts: &[Bars]) -> String {
    let rows = charts.len().div_ceil(COLUMNS).max(1);
    let (width, height) = (WIDTH * COLUMNS as f64, HEIGHT * rows as f64);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (index, chart) in charts.iter().enumerate() {
        let x = WIDTH * (index % COLUMNS) as f64;
        let y = HEIGHT * (index / COLUMNS) as f64;
        let _ = writeln!(text, "<g transform=\"translate({x} {y})\">");
        draw(&mut text, chart);
        text.push_str("</g>\n");
    }
    text.push_str("</svg>\n");
    text
}

fn draw(text: &mut String, chart: &Bars) {
    let total: u64 = chart.bars.iter().map(|(_, count)| count).sum();
    let share = |count: u64| count as f64 * 100.0 / total.max(1) as f64;
    let most = chart.bars.iter().map(|(_, count)| share(*count));
    let most = most.fold(0.0, f64::max).max(1e-9);
    let (bottom, room) = (HEIGHT - BOTTOM, HEIGHT - BOTTOM - TOP);
    let step = (WIDTH - LEFT - 16.0) / chart.bars.len().max(1) as f64;
    let _ = writeln!(
        text,
        "<text x=\"{LEFT}\" y=\"18\" font-size=\"13\">{}</text>\
         <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{most:.1}%</text>\
         <text x=\"{}\" y=\"{bottom}\" text-anchor=\"end\">0</text>",
        chart.title,
        LEFT - 4.0,
        TOP + 4.0,
        LEFT - 4.0,
    );
    for (index, (name, count)) in chart.bars.iter().enumerate() {
        let height = room * share(*count) / most;
        let x = LEFT + step * index as f64;
        let _ = writeln!(
            text,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\" \
             fill=\"#1f77b4\"><title>{name} {count} ({:.1}%)</title></rect>\
             <text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{name}</text>",
            x + 1.0,
            bottom - height,
            (step - 2.0).max(0.5),
            share(*count),
            x + step / 2.0,
            bottom + 14.0,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_charts_are_still_pictures() {
        let bars = |bars| Bars {
            title: "nothing".into(),
            bars,
        };
        for charts in [
            vec![],
            vec![bars(vec![])],
            vec![bars(vec![("a".into(), 0)])],
        ] {
            let picture = svg(&charts);
            assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));
            assert!(!picture.contains("NaN") && !picture.contains("inf"));
        }
    }
}
