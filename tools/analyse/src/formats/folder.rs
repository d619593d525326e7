//! The report as a folder: a page, its index, and a data file for every hundred games, which is
//! loaded when one of them is chosen.
//!
//! Browsers refuse to `fetch` files that lie beside a local page, so the data are scripts.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::page::{Data, Index, PageGame, folder_page, script, style};
use super::{Format, RunInfo};
use crate::insights::Summary;
use crate::output::Output;
use crate::params::CHUNK_GAMES;
use crate::report::{JudgedGame, Origin};

/// Identifies a page as a report of this program, which may be overwritten.
const MARK: &str = "<meta name=\"generator\" content=\"skewer-analyse\">";

struct Folder {
    path: PathBuf,
    page: String,
    index: Index,
    /// The games of the current data file.
    chunk: Vec<String>,
    chunks: usize,
}

pub(super) fn begin(path: &Path, run: &RunInfo<'_>) -> Result<Box<dyn Format>> {
    let page = path.join("index.html");
    if fs::read_to_string(&page).is_ok_and(|text| !text.contains(MARK)) {
        bail!(
            "{} is not a report of this program; choose another folder",
            page.display()
        );
    }
    let folder = Folder {
        path: path.to_owned(),
        page: folder_page(MARK, run.page_engine),
        index: Index::new(run, CHUNK_GAMES),
        chunk: Vec::new(),
        chunks: 0,
    };
    // What an interrupted run has left.
    let _ = fs::remove_dir_all(folder.unfinished());
    fs::create_dir_all(folder.unfinished())
        .with_context(|| format!("cannot make the folder {}", folder.unfinished().display()))?;
    if let Some(engine) = run.page_engine {
        let text = format!("skewer.engine(\"{}\");\n", engine.as_base64());
        Folder::write(&folder.unfinished().join("engine.js"), &text)?;
    }
    Ok(Box::new(folder))
}

impl Folder {
    /// The data files, until all are written.
    fn unfinished(&self) -> PathBuf {
        self.path.join("data.unfinished")
    }

    fn write(path: &Path, text: &str) -> Result<()> {
        let mut out = Output::create(path)?;
        out.text(text)?;
        out.finish()
    }

    fn write_chunk(&mut self) -> Result<()> {
        if self.chunk.is_empty() {
            return Ok(());
        }
        let path = self.unfinished().join(format!("{}.js", self.chunks));
        let games = self.chunk.join(",\n");
        Self::write(
            &path,
            &format!("skewer.games({}, [\n{games}\n]);\n", self.chunks),
        )?;
        self.chunk.clear();
        self.chunks += 1;
        Ok(())
    }
}

impl Format for Folder {
    fn game(&mut self, game: &JudgedGame) -> Result<()> {
        self.chunk.push(Data::json(&PageGame::new(game))?);
        self.index.add(game);
        if self.chunk.len() == CHUNK_GAMES {
            self.write_chunk()?;
        }
        Ok(())
    }

    fn bad(&mut self, origin: &Origin, reason: &str) -> Result<()> {
        self.index.add_bad(origin, reason);
        Ok(())
    }

    fn finish(mut self: Box<Self>, summary: &Summary<'_>) -> Result<()> {
        self.write_chunk()?;
        let data = self.path.join("data");
        if data.exists() {
            fs::remove_dir_all(&data)
                .with_context(|| format!("cannot replace {}", data.display()))?;
        }
        fs::rename(self.unfinished(), &data)
            .with_context(|| format!("cannot make the folder {}", data.display()))?;
        let index = Data::json(&self.index)?;
        let insights = Data::insights(summary)?;
        for (name, text) in [
            ("report.css", style()),
            ("report.js", script()),
            ("data/index.js", format!("skewer.index({index});\n")),
            (
                "data/insights.js",
                format!("skewer.insights({insights});\n"),
            ),
            ("index.html", self.page.clone()),
        ] {
            Self::write(&self.path.join(name), &text)?;
        }
        Ok(())
    }
}
