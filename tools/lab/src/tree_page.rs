//! A page that steps through recorded searches, in one file.

use serde::Serialize;
use strum::VariantArray;

use crate::game::End;
use crate::recipe::{Answer, Observed, Question};
use crate::trace::{Recording, Step};

/// The page. The placeholders `{...}` are replaced.
const PAGE: &str = include_str!("tree_page/page.html");
const STYLE: &str = include_str!("tree_page/style.css");
/// The parts of the script, in order.
const SCRIPT: [&str; 5] = [
    include_str!("tree_page/search.js"),
    include_str!("tree_page/pseudocode.js"),
    include_str!("tree_page/algorithms.js"),
    include_str!("tree_page/draw.js"),
    include_str!("tree_page/script.js"),
];

/// Marks a stage in the body of a page. A stage shows searches side by side, with buttons.
pub(crate) const STAGE: &str = "<div class=\"stage\"></div>";

/// The data of the page.
#[derive(Serialize)]
struct Data<'a> {
    ends: &'static [End],
    stages: Vec<Stage<'a>>,
}

/// Searches side by side.
#[derive(Serialize)]
struct Stage<'a> {
    title: String,
    kind: &'static str,
    runs: Vec<Run<'a>>,
}

/// A search.
#[derive(Serialize)]
struct Run<'a> {
    recipe: &'a str,
    answer: &'a Answer,
    /// Whether the places are the whole tree, and few enough to be drawn.
    whole: bool,
    /// Parent, label, FEN and value of each place.
    places: Vec<Cells<'a>>,
    steps: Vec<[i64; 4]>,
}

/// The most places of a tree that is drawn as a whole.
const MOST_DRAWN: usize = 1000;

/// The page of some searches.
///
/// # Errors
///
/// If the data cannot be written as JSON, which does not happen.
pub fn page(question: &Question, observed: &[Observed]) -> serde_json::Result<String> {
    let subtitle = escaped(&question.in_words());
    let body = format!("<h2>Steps</h2>\n{STAGE}");
    document("Search tree", &subtitle, &body, &[(question, observed)])
}

/// A text as HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// A page whose `body` has a [`STAGE`] for each of the `stages`, in their order. Heading, subtitle and body are
/// HTML.
pub(crate) fn document(
    heading: &str,
    subtitle: &str,
    body: &str,
    stages: &[(&Question, &[Observed])],
) -> serde_json::Result<String> {
    let data = Data {
        ends: End::VARIANTS,
        stages: stages
            .iter()
            .map(|(question, observed)| stage(question, observed))
            .collect(),
    };
    // The browser would parse `</script>` in a text as the end of the script.
    let data = serde_json::to_string(&data)?.replace('<', "\\u003c");
    Ok(PAGE
        .replace("{style}", STYLE)
        .replace("{pieces}", &skewer_svg::pieces::symbols())
        .replace("{script}", &SCRIPT.concat())
        .replace("{heading}", heading)
        .replace("{subtitle}", subtitle)
        .replace("{body}", body)
        .replace("{data}", &data))
}

fn stage<'a>(question: &'a Question, observed: &'a [Observed]) -> Stage<'a> {
    let runs = observed.iter().filter_map(|(answer, recording)| {
        let recording = recording.as_ref()?;
        Some(Run {
            recipe: &answer.recipe,
            answer,
            whole: question.tree.is_some() && recording.places.len() <= MOST_DRAWN,
            places: places(recording),
            steps: recording.steps.iter().map(|step| cells(*step)).collect(),
        })
    });
    Stage {
        title: question.in_words(),
        kind: if question.tree.is_some() {
            "tree"
        } else {
            "game"
        },
        runs: runs.collect(),
    }
}

/// A place as the script of the page reads it.
type Cells<'a> = (Option<usize>, &'a str, Option<&'a str>, Option<i32>);

fn places(recording: &Recording) -> Vec<Cells<'_>> {
    let cells = recording.places.iter().map(|place| {
        let fen = place.fen.as_deref();
        (place.parent, place.label.as_str(), fen, place.value)
    });
    cells.collect()
}

/// A step as the script of the page reads it: its kind and up to three numbers.
fn cells(step: Step) -> [i64; 4] {
    match step {
        Step::Pass(window) => [0, window.alpha.into(), window.beta.into(), 0],
        Step::Enter { node, window } => [1, node as i64, window.alpha.into(), window.beta.into()],
        Step::Leave { node, value, end } => [2, node as i64, value.into(), end as i64],
        Step::Skip { node } => [3, node as i64, 0, 0],
        Step::Push {
            node,
            solved,
            merit,
        } => [4 + i64::from(solved), node as i64, merit.into(), 0],
        Step::Pop { node } => [6, node as i64, 0, 0],
        Step::Purge { node } => [7, node as i64, 0, 0],
    }
}
