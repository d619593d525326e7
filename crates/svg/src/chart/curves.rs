//! Curves as SVG.

use std::fmt::Write as _;

use super::{round_step, tick_text, ticks};
use crate::draw::{document, escape, line, text};

/// Curves over a common axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Curves {
    /// The title, above the curves.
    pub title: String,
    /// The labels of the horizontal and of the vertical axis.
    pub axes: [String; 2],
    /// The curves: a name, and points from left to right.
    pub curves: Vec<(String, Vec<(f64, f64)>)>,
}

// The corners of the area of the curves, in pixels.
const LEFT_TOP: (f64, f64) = (80.0, 40.0);
const RIGHT_BOTTOM: (f64, f64) = (610.0, 350.0);
/// The colours of the curves.
const COLORS: [&str; 4] = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd"];

impl Curves {
    /// The curves as an SVG document, each with its name and its last value.
    ///
    /// ```
    /// use skewer_svg::chart::Curves;
    ///
    /// let losses = Curves {
    ///     title: "a network".into(),
    ///     axes: ["epoch".into(), "loss".into()],
    ///     curves: vec![("learning".into(), vec![(1.0, 0.03), (2.0, 0.02)])],
    /// };
    /// assert!(losses.to_svg().contains("learning"));
    /// ```
    pub fn to_svg(&self) -> String {
        let points = || self.curves.iter().flat_map(|(_, points)| points);
        let (x, x_ticks) = axis(points().map(|point| point.0), LEFT_TOP.0, RIGHT_BOTTOM.0);
        let (y, y_ticks) = axis(points().map(|point| point.1), RIGHT_BOTTOM.1, LEFT_TOP.1);
        let middle = f64::midpoint(LEFT_TOP.0, RIGHT_BOTTOM.0);
        let mut body = text("title", "middle", (middle, 22.0), &self.title);
        body += &text("", "middle", (middle, RIGHT_BOTTOM.1 + 38.0), &self.axes[0]);
        body += &text(
            "",
            "end",
            (LEFT_TOP.0 - 6.0, LEFT_TOP.1 - 14.0),
            &self.axes[1],
        );
        for (tick, label) in y_ticks {
            body += &line("grid", (LEFT_TOP.0, y(tick)), (RIGHT_BOTTOM.0, y(tick)));
            body += &text("soft", "end", (LEFT_TOP.0 - 6.0, y(tick) + 4.0), &label);
        }
        for (tick, label) in x_ticks {
            body += &text("soft", "middle", (x(tick), RIGHT_BOTTOM.1 + 18.0), &label);
        }
        for (index, (name, points)) in self.curves.iter().enumerate() {
            let Some((_, last)) = points.last() else {
                continue;
            };
            let color = COLORS[index % COLORS.len()];
            let list: Vec<String> = points
                .iter()
                .map(|point| format!("{:.1},{:.1}", x(point.0), y(point.1)))
                .collect();
            let _ = writeln!(
                body,
                "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" points=\"{}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" style=\"fill:{color}\">{} {last:.5}</text>",
                list.join(" "),
                RIGHT_BOTTOM.0 + 8.0,
                LEFT_TOP.1 + 12.0 + 20.0 * index as f64,
                escape(name)
            );
        }
        document(&self.title, 760.0, 400.0, &body)
    }
}

/// An axis from `start` to `end` for these values: a function from a value to its place on the axis, and round values
/// for ticks with their labels.
fn axis(
    values: impl Iterator<Item = f64>,
    start: f64,
    end: f64,
) -> (impl Fn(f64) -> f64, Vec<(f64, String)>) {
    let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    // The axis must have a length even if there are no values, or all are equal.
    let (low, high) = match low {
        f64::MAX => (0.0, 1.0),
        low if low < high => (low, high),
        low => (
            low - low.abs().max(1e-3) / 2.0,
            low + low.abs().max(1e-3) / 2.0,
        ),
    };
    let step = round_step((high - low) / 5.0);
    let inside = move |tick: &f64| (low..=high).contains(tick);
    let ticks = ticks(low, high, step).into_iter().filter(inside);
    (
        move |value| start + (end - start) * (value - low) / (high - low),
        ticks.map(|tick| (tick, tick_text(tick, step))).collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unusual_curves_make_valid_pictures() {
        for points in [
            vec![],
            vec![(1.0, 0.5)],
            vec![(1.0, 0.1), (2.0, 0.1)],
            vec![(1.0, 0.0)],
        ] {
            let curves = Curves {
                title: "<&>".into(),
                axes: ["epoch".into(), "loss".into()],
                curves: vec![("learning".into(), points), ("held out".into(), vec![])],
            };
            let svg = curves.to_svg();
            assert!(svg.contains("&lt;&amp;&gt;") && svg.ends_with("</svg>"));
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
