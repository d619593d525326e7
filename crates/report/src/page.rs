//! The page that both forms of the report (one file, or a folder) share: its style, its scripts and its security
//! policy.

use anyhow::Result;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest as _, Sha256};

use crate::{LiveReport, PageEngine, RunInfo};

/// The template of the page. [`page`] replaces each name in braces.
const PAGE: &str = include_str!("page/page.html");

/// The style sheet.
const STYLE: &str = include_str!("page/style.css");

/// The scripts, in the order in which they are run.
const SCRIPTS: [&str; 20] = [
    include_str!("page/choices.js"),
    include_str!("page/chess.js"),
    include_str!("page/notation.js"),
    include_str!("page/data.js"),
    include_str!("page/board.js"),
    include_str!("page/graphs.js"),
    include_str!("../../wasm/npm/skewer-chess.js"),
    include_str!("page/engine.js"),
    include_str!("page/notes.js"),
    include_str!("page/pgn.js"),
    include_str!("page/print.js"),
    include_str!("page/game.js"),
    include_str!("page/list.js"),
    include_str!("page/study.js"),
    include_str!("page/insights.js"),
    include_str!("page/tree.js"),
    include_str!("page/exercises.js"),
    include_str!("page/worksheet.js"),
    include_str!("page/compare.js"),
    include_str!("page/play.js"),
];

/// The script that starts the page.
const START: &str = include_str!("page/start.js");

/// All scripts as one, with the scripts of an application before the start.
fn script(more: &str) -> String {
    format!("\"use strict\";\n{}\n{more}{START}", SCRIPTS.join("\n"))
}

/// The hash by which a Content-Security-Policy allows this script or style sheet within the page.
pub(crate) fn hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// The parts of the page before and after the data. The security policy allows only this script and
/// the sources in `more`, so that no text in the games can run as a script. With an engine, the
/// page may also compile WebAssembly, and run it in a worker.
fn page(
    script: &str,
    head: &str,
    more: &str,
    engine: Option<&PageEngine>,
    application: Option<&Application<'_>>,
) -> [String; 2] {
    let [compile, worker] = match engine {
        Some(_) => [" 'wasm-unsafe-eval'", "worker-src blob:; "],
        None => ["", ""],
    };
    let policy = format!(
        "default-src 'none'; script-src {}{more}{compile}; {worker}{}style-src {}{}; \
         img-src data:; base-uri 'none'; form-action 'none'",
        hash(script),
        application.map_or_else(String::new, |own| format!("connect-src {}; ", own.connect)),
        hash(STYLE),
        application.map_or_else(String::new, |own| format!(" {}", hash(own.style))),
    );
    let own_style =
        application.map_or_else(String::new, |own| format!("<style>{}</style>", own.style));
    let whole = PAGE
        .replace("{policy}", &policy)
        .replace(
            "{title}",
            application.map_or("Game analysis", |own| own.title),
        )
        .replace("{tab}", application.map_or("", |own| own.tab))
        .replace("{part}", application.map_or("", |own| own.part))
        .replace(
            "{head}",
            &format!("{head}<style>{STYLE}</style>{own_style}"),
        )
        .replace("{pieces}", &skewer_svg::pieces::symbols());
    let (head, tail) = whole.split_once("{end}").unwrap_or((&whole, ""));
    [head.to_owned(), format!("<script>{script}</script>{tail}")]
}

/// The page of a report that is a folder. Its head contains `mark`, by which a later run knows the page.
///
/// Browsers check no hash of a script that a local page loads. So the policy trusts the scripts
/// that the script of the page loads, and a second policy allows no script from the network.
pub(crate) fn folder_page(mark: &str, engine: Option<&PageEngine>) -> String {
    let script = script("");
    let local = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"script-src-elem 'self' file: {}\">",
        hash(&script)
    );
    let head = format!("{mark}\n{local}\n");
    page(&script, &head, " 'strict-dynamic'", engine, None).concat()
}

/// The page of a report in one file: the parts before and after the data.
pub(crate) fn one_file(engine: Option<&PageEngine>) -> [String; 2] {
    page(&script(""), "", "", engine, None)
}

/// What an application adds to the page of the report, which then begins without games.
#[derive(Clone, Copy, Debug)]
pub struct Application<'a> {
    /// The title.
    pub title: &'a str,
    /// The HTML of the button that opens the application's part of the page.
    pub tab: &'a str,
    /// The HTML of the application's part of the page.
    pub part: &'a str,
    /// Its style sheet.
    pub style: &'a str,
    /// Its scripts, each ended by a line break.
    pub script: &'a str,
    /// The sources to which the page may connect, as a security policy has them.
    pub connect: &'a str,
}

/// The page of an application: a report without games that has more parts.
///
/// # Errors
///
/// None in practice, because JSON can hold all of the data.
pub fn application(own: &Application<'_>, engine: &PageEngine) -> Result<String> {
    let run = RunInfo {
        settings: None,
        page_engine: Some(engine),
        engine_left_out: false,
    };
    let [head, tail] = page(&script(own.script), "", "", Some(engine), Some(own));
    let report = LiveReport::new(&run);
    Ok([
        head,
        engine_element(engine),
        data_element("games", "[]"),
        data_element("index", &report.index()?),
        data_element("insights", &report.insights()?),
        tail,
    ]
    .concat())
}

/// The engine as an element of a page in one file.
pub(crate) fn engine_element(engine: &PageEngine) -> String {
    let text = engine.as_base64();
    format!("<script type=\"text/plain\" id=\"data-engine\">{text}</script>\n")
}

/// Data as an element of a page in one file.
fn data_element(name: &str, json: &str) -> String {
    format!("<script type=\"application/json\" id=\"data-{name}\">{json}</script>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_a_place_for_everything() {
        for place in [
            "{policy}", "{title}", "{head}", "{pieces}", "{tab}", "{part}", "{end}",
        ] {
            assert_eq!(PAGE.matches(place).count(), 1, "{place}");
        }
        let [head, tail] = one_file(None);
        assert!(head.contains("<style>") && tail.contains("</html>"));
        assert!(!script("").contains("</script"), "it would end there");
    }
}
