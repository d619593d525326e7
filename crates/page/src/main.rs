//! Writes `skewer.html`: the page of the report with the scripts of this crate and the program for WebAssembly.

use std::path::Path;
use std::{env, fs};

use anyhow::{Context as _, Result, bail};
use skewer_report::{Application, PageEngine, application};

/// The scripts, in the order in which they are run.
const SCRIPTS: [&str; 6] = [
    include_str!("web/machine.js"),
    include_str!("web/storage.js"),
    include_str!("web/sites.js"),
    include_str!("web/analysis.js"),
    include_str!("web/saving.js"),
    include_str!("web/begin.js"),
];

fn main() -> Result<()> {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let [program, page] = &arguments[..] else {
        bail!("usage: skewer-page PROGRAM.wasm PAGE.html");
    };
    let name = Path::new(program).display();
    let bytes = fs::read(program).with_context(|| format!("cannot read {name}"))?;
    let engine = PageEngine::new(&bytes).with_context(|| name.to_string())?;
    let own = Application {
        title: "Skewer: analyse your games",
        tab: include_str!("web/tab.html"),
        part: include_str!("web/part.html"),
        style: include_str!("web/style.css"),
        script: &SCRIPTS.join("\n"),
        // The user may change the addresses of the sites.
        connect: "https: http://localhost:* http://127.0.0.1:*",
    };
    let text = application(&own, &engine)?;
    fs::write(page, text).with_context(|| format!("cannot write {}", Path::new(page).display()))?;
    Ok(())
}
