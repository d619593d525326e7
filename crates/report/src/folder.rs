//! The report as a folder: a page, its index, and a data file for every hundred games, which is loaded when one of its
//! games is opened.
//!
//! Data files are scripts, because browsers do not let a local page `fetch` files.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::Output;
use crate::page::folder_page;
use crate::page_data::{Index, PageGame, insights_json, json_text};
use crate::{Format, RunInfo, Summaries};
use skewer_analysis::judged::{JudgedGame, Origin};
use skewer_store::{open_regular, read_regular};

/// A line in the head of a page. A page with this line is a report of this program, and may be overwritten.
const MARK: &str = "<meta name=\"generator\" content=\"skewer-analyse\">";

/// Games in each data file.
const CHUNK_GAMES: usize = 100;

/// Folders of data files: of the current report, of a new report until it is complete, and of the old report until it
/// is replaced.
const DATA: [&str; 3] = ["data", "data.unfinished", "data.old"];

/// How a data file begins.
const DATA_BEGINNING: &[u8] = b"skewer.";

/// The largest page that is looked at, in bytes; a page of this program is much smaller.
const MOST_PAGE: u64 = 1 << 26;

/// The text of the first page until the report is complete.
const UNFINISHED: &str = "The analysis has not been completed.";

const NOT_OURS: &str = "does not belong to a report of this program; choose another folder";

struct Folder {
    path: PathBuf,
    page: String,
    /// Where the page goes. As long as this output is open, other runs refuse the folder.
    out: Output,
    index: Index,
    /// The games of the current data file.
    chunk: Vec<String>,
    chunks: usize,
}

/// Creates a report in a folder; replaces an older report there.
///
/// # Errors
///
/// When it cannot be created.
pub fn begin(path: &Path, run: &RunInfo<'_>) -> Result<Box<dyn Format>> {
    if path.is_file() {
        bail!("{} is a file; choose a folder", path.display());
    }
    if !check_replaceable(path)? {
        // Write a first page: if this run is interrupted, the next run recognizes the files by it.
        fs::create_dir_all(path)
            .with_context(|| format!("cannot make the folder {}", path.display()))?;
        let page = format!("<!DOCTYPE html>\n{MARK}\n<title>Report</title>\n<p>{UNFINISHED}\n");
        Folder::write(&path.join("index.html"), &page)?;
    }
    let folder = Folder {
        path: path.to_owned(),
        page: folder_page(MARK, run.page_engine),
        out: Output::create(&path.join("index.html"))?,
        index: Index::new(run, CHUNK_GAMES),
        chunk: Vec::new(),
        chunks: 0,
    };
    // Remove the files of an interrupted run.
    remove_data(&folder.unfinished())?;
    fs::create_dir_all(folder.unfinished())
        .with_context(|| format!("cannot make the folder {}", folder.unfinished().display()))?;
    if let Some(engine) = run.page_engine {
        let text = format!("skewer.engine(\"{}\");\n", engine.as_base64());
        Folder::write(&folder.unfinished().join("engine.js"), &text)?;
    }
    Ok(Box::new(folder))
}

/// Refuses a folder in which the report would replace files of another kind. Only the page shows whether the files
/// belong to a report, because other folders may have the same names. Returns whether there is a report.
fn check_replaceable(folder: &Path) -> Result<bool> {
    let page = folder.join("index.html");
    let is_report = match read_regular(&page, MOST_PAGE) {
        Ok(bytes) => is_report_page(&String::from_utf8_lossy(&bytes)),
        Err(_) => false,
    };
    if !is_report {
        for name in ["index.html"].iter().chain(&DATA) {
            let path = folder.join(name);
            if path.symlink_metadata().is_ok() {
                bail!("{} {NOT_OURS}", path.display());
            }
        }
    }
    DATA.iter()
        .try_for_each(|name| check_data(&folder.join(name)))?;
    Ok(is_report)
}

/// Whether the head of a page has the mark. A page whose text quotes the mark is no report.
fn is_report_page(page: &str) -> bool {
    let mut lines = page.lines();
    let is_page = lines
        .next()
        .is_some_and(|first| first.eq_ignore_ascii_case("<!doctype html>"));
    let mut head =
        lines.take_while(|line| !line.starts_with("</head") && !line.starts_with("<body"));
    is_page && head.any(|line| line == MARK)
}

/// Refuses a folder of data files, if there is one, with a file that no report has.
fn check_data(folder: &Path) -> Result<()> {
    let cannot_read = || format!("cannot read {}", folder.display());
    match folder.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Ok(data) if data.is_dir() => {}
        // No report has a link, through which files elsewhere would be replaced.
        Ok(_) => bail!("{} {NOT_OURS}", folder.display()),
        Err(error) => return Err(error).with_context(cannot_read),
    }
    for entry in fs::read_dir(folder).with_context(cannot_read)? {
        let path = entry.with_context(cannot_read)?.path();
        if !is_data_file(&path) {
            bail!("{} {NOT_OURS}", path.display());
        }
    }
    Ok(())
}

/// Whether a report has a data file of this name and beginning, or an interrupted run leaves one of this name.
fn is_data_file(path: &Path) -> bool {
    if !path.symlink_metadata().is_ok_and(|data| data.is_file()) {
        return false;
    }
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.unwrap_or_default();
    match name
        .strip_prefix('.')
        .and_then(|name| name.strip_suffix(".part"))
    {
        // `NAME.PROCESS-NUMBER`
        Some(name) => name
            .rsplit_once('.')
            .is_some_and(|(name, _)| is_data_name(name)),
        None => is_data_name(name) && begins_as_data(path),
    }
}

fn is_data_name(name: &str) -> bool {
    name.strip_suffix(".js").is_some_and(|stem| {
        ["index", "insights", "engine"].contains(&stem) || stem.parse::<u32>().is_ok()
    })
}

/// Whether a file begins like a data file, or is empty.
fn begins_as_data(path: &Path) -> bool {
    let mut bytes = Vec::new();
    let read = open_regular(path, u64::MAX).is_ok_and(|file| {
        let most = DATA_BEGINNING.len() as u64;
        file.take(most).read_to_end(&mut bytes).is_ok()
    });
    read && DATA_BEGINNING.starts_with(&bytes)
}

/// Removes a folder of data files, if there is one.
fn remove_data(folder: &Path) -> Result<()> {
    check_data(folder)?;
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot replace {}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// Puts the data files of a new report, which are complete, in place of the old ones. If that fails, the old ones stay.
fn replace_data(folder: &Path) -> Result<()> {
    let [data, unfinished, old] = DATA.map(|name| folder.join(name));
    let cannot_replace = || format!("cannot replace {}", data.display());
    // The folders may have changed since the run began.
    remove_data(&old)?;
    check_data(&data)?;
    if data.exists() {
        fs::rename(&data, &old).with_context(cannot_replace)?;
    }
    fs::rename(unfinished, &data)
        .inspect_err(|_| drop(fs::rename(&old, &data)))
        .with_context(cannot_replace)?;
    remove_data(&old)
}

impl Folder {
    /// The folder of the data files until all are written.
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
        self.chunk.push(json_text(&PageGame::new(game))?);
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

    fn finish(mut self: Box<Self>, summaries: &Summaries<'_>) -> Result<()> {
        self.write_chunk()?;
        let index = json_text(&self.index)?;
        let insights = insights_json(summaries)?;
        for (name, text) in [
            ("index.js", format!("skewer.index({index});\n")),
            ("insights.js", format!("skewer.insights({insights});\n")),
        ] {
            Self::write(&self.unfinished().join(name), &text)?;
        }
        self.out.text(&self.page)?;
        self.out.finish()?;
        replace_data(&self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skewer_analysis::insights::Insights;

    const RUN: RunInfo<'_> = RunInfo {
        settings: None,
        page_engine: None,
        engine_left_out: false,
    };

    /// The second of two runs with one folder is refused, and the first one ends as if it were alone.
    #[test]
    fn one_run_writes_a_folder_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let insights = Insights::new("", None);
        let first = begin(folder.path(), &RUN).unwrap();
        let Err(error) = begin(&folder.path().join("."), &RUN) else {
            panic!("the second run has begun");
        };
        assert!(
            error.to_string().contains("another program is writing"),
            "{error}"
        );
        let summaries = Summaries {
            every: insights.summary(),
            sure: insights.summary(),
        };
        first.finish(&summaries).unwrap();
        assert!(folder.path().join("data/index.js").is_file());
        drop(begin(folder.path(), &RUN).unwrap());
    }

    /// Files that another program puts into the folders of data during a run stay where they are.
    #[test]
    fn files_that_appear_during_a_run_are_not_removed() {
        let insights = Insights::new("", None);
        let summaries = || Summaries {
            every: insights.summary(),
            sure: insights.summary(),
        };
        for name in ["data", "data.old"] {
            let folder = tempfile::tempdir().unwrap();
            let begin = || begin(folder.path(), &RUN).unwrap();
            begin().finish(&summaries()).unwrap();
            let report = begin();
            let theirs = folder.path().join(name).join("letter.txt");
            fs::create_dir_all(theirs.parent().unwrap()).unwrap();
            fs::write(&theirs, "dear").unwrap();
            let error = report.finish(&summaries()).unwrap_err();
            assert!(error.to_string().contains(NOT_OURS), "{name}: {error}");
            assert_eq!(fs::read_to_string(theirs).unwrap(), "dear", "{name}");
        }
    }

    /// If the new data files cannot be put in place, the old ones are put back.
    #[test]
    fn data_that_cannot_be_replaced_stay() {
        let folder = tempfile::tempdir().unwrap();
        let index = folder.path().join("data/index.js");
        fs::create_dir(folder.path().join("data")).unwrap();
        fs::write(&index, "skewer.index({});\n").unwrap();
        // There is no `data.unfinished`.
        assert!(replace_data(folder.path()).is_err());
        assert!(index.is_file());
        assert!(!folder.path().join("data.old").exists());
    }

    #[test]
    fn a_report_that_cannot_be_finished_leaves_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let insights = Insights::new("", None);
        let summaries = || Summaries {
            every: insights.summary(),
            sure: insights.summary(),
        };
        let begin = || begin(folder.path(), &RUN).unwrap();
        begin().finish(&summaries()).unwrap();
        let report = begin();
        fs::create_dir(folder.path().join("data.unfinished/insights.js")).unwrap();
        assert!(report.finish(&summaries()).is_err());
        assert!(folder.path().join("data/insights.js").is_file());
        fs::remove_dir(folder.path().join("data.unfinished/insights.js")).unwrap();
        begin().finish(&summaries()).unwrap();
        let mut names: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        names.sort();
        assert_eq!(names, ["data", "index.html"]);
        let page = fs::read_to_string(folder.path().join("index.html")).unwrap();
        assert!(!page.contains(UNFINISHED));
    }
}
