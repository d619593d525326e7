//! The loss of every epoch as a small SVG picture and as CSV.

use std::fmt::Write as _;

use crate::checkpoint::Epoch;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 110.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 50.0;

/// The epochs as comma-separated values, with a line of names first.
pub fn csv(epochs: &[Epoch]) -> String {
    let mut text = String::from("epoch,rate,train_loss,valid_loss\n");
    for Epoch {
        number,
        rate,
        train_loss,
        valid_loss,
    } in epochs
    {
        let _ = writeln!(text, "{number},{rate:e},{train_loss:.8},{valid_loss:.8}");
    }
    text
}

/// The epochs as a picture: the loss while learning and that of the held-out games.
///
/// ```
/// use skewer_train::{checkpoint::Epoch, plot};
///
/// let epoch = |number, loss| Epoch { number, rate: 1e-3, train_loss: loss, valid_loss: loss };
/// let picture = plot::svg("first network", &[epoch(1, 0.03), epoch(2, 0.02)]);
/// assert!(picture.starts_with("<svg") && picture.contains("first network"));
/// ```
pub fn svg(title: &str, epochs: &[Epoch]) -> String {
    let losses = epochs
        .iter()
        .flat_map(|e| [e.train_loss, e.valid_loss])
        .filter(|&l| l > 0.0);
    let (low, high) = losses.fold((f64::MAX, f64::MIN), |(low, high), l| {
        (low.min(l), high.max(l))
    });
    let (low, high) = if low < high {
        (low, high)
    } else {
        (0.0, high.max(1e-3))
    };
    let margin = (high - low) * 0.05;
    let (low, high) = (low - margin, high + margin);
    let last = epochs.iter().map(|e| e.number).max().unwrap_or(1).max(2);
    let x = |epoch: u32| {
        LEFT + (WIDTH - LEFT - RIGHT) * f64::from(epoch.max(1) - 1) / f64::from(last - 1)
    };
    let y = |loss: f64| TOP + (HEIGHT - TOP - BOTTOM) * (high - loss) / (high - low);

    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{}\" y=\"20\" text-anchor=\"end\">loss</text>\n\
         <text x=\"{}\" y=\"20\" text-anchor=\"middle\">{}</text>\n",
        LEFT - 6.0,
        (LEFT + WIDTH - RIGHT) / 2.0,
        escaped(title)
    );
    let step = nice_step(high - low);
    let mut tick = (low / step).ceil() * step;
    while tick < high {
        let _ = writeln!(
            text,
            "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{tick:.5}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            y(tick) + 4.0,
            y = y(tick),
        );
        tick += step;
    }
    let step = last.div_ceil(10).max(1);
    for epoch in (1..=last).filter(|e| e % step == 0 || *e == 1) {
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{epoch}</text>",
            x(epoch),
            HEIGHT - BOTTOM + 18.0
        );
    }
    let _ = writeln!(
        text,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">epoch</text>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 12.0
    );
    let mut curve = |name: &str, color: &str, loss: fn(&Epoch) -> f64, label: f64| {
        let points: Vec<&Epoch> = epochs.iter().filter(|e| loss(e) > 0.0).collect();
        let Some(end) = points.last() else { return };
        let list: Vec<String> = points
            .iter()
            .map(|e| format!("{:.1},{:.1}", x(e.number), y(loss(e))))
            .collect();
        let _ = writeln!(
            text,
            "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" points=\"{}\"/>\
             <text x=\"{}\" y=\"{label}\" fill=\"{color}\">{name}</text>\
             <text x=\"{}\" y=\"{}\" fill=\"{color}\">{:.5}</text>",
            list.join(" "),
            WIDTH - RIGHT + 8.0,
            WIDTH - RIGHT + 8.0,
            label + 15.0,
            loss(end),
        );
    };
    curve("learning", "#1f77b4", |e| e.train_loss, TOP + 12.0);
    curve("held out", "#d62728", |e| e.valid_loss, TOP + 52.0);
    text.push_str("</svg>\n");
    text
}

/// A round number of which five or so fit into `span`.
fn nice_step(span: f64) -> f64 {
    let rough = span / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|m| m * power)
        .find(|&s| s >= rough)
        .unwrap_or(10.0 * power)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unusual_histories_make_valid_pictures() {
        let epoch = |number, loss| Epoch {
            number,
            rate: 1e-3,
            train_loss: loss,
            valid_loss: 0.0,
        };
        for epochs in [&[][..], &[epoch(1, 0.5)], &[epoch(1, 0.1), epoch(2, 0.1)]] {
            let picture = svg("<&>", epochs);
            assert!(picture.contains("&lt;&amp;&gt;") && picture.ends_with("</svg>\n"));
            assert!(
                !picture.contains("NaN") && !picture.contains("inf"),
                "{picture}"
            );
        }
    }

    #[test]
    fn ticks_are_round() {
        assert!((nice_step(1.0) - 0.2).abs() < 1e-12);
        assert!((nice_step(0.03) - 0.01).abs() < 1e-12);
    }
}
