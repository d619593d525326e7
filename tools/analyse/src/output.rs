//! The files that a run writes: under another name until they are whole, or the standard output.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use skewer_pgn::{BadGame, Style};

use crate::annotate::annotated;
use crate::cli::OutputArgs;
use crate::report::{JudgedGame, Origin};
use crate::{graph, html, json};

/// A file that gets its name when it is whole, or the standard output.
pub struct Sink {
    out: Box<dyn Write>,
    /// Where it is written, and what it will be called.
    names: Option<(PathBuf, PathBuf)>,
}

impl Sink {
    /// Begins a file.
    ///
    /// # Errors
    ///
    /// When it cannot be created.
    pub fn create(path: &Path) -> Result<Self> {
        if path == Path::new("-") {
            return Ok(Self {
                out: Box::new(BufWriter::new(io::stdout())),
                names: None,
            });
        }
        let mut unfinished = path.as_os_str().to_owned();
        unfinished.push(".unfinished");
        let unfinished = PathBuf::from(unfinished);
        let file = File::create(&unfinished)
            .with_context(|| format!("cannot write {}", unfinished.display()))?;
        let names = Some((unfinished, path.to_owned()));
        Ok(Self {
            out: Box::new(BufWriter::new(file)),
            names,
        })
    }

    /// Writes the rest and gives the file its name.
    ///
    /// # Errors
    ///
    /// When that cannot be done.
    pub fn finish(mut self) -> Result<()> {
        self.out.flush()?;
        drop(self.out);
        if let Some((unfinished, path)) = self.names {
            std::fs::rename(&unfinished, &path)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// All results of a run. Games are told in their order.
pub struct Outputs {
    pgn: Option<Sink>,
    jsonl: Option<Sink>,
    csv: Option<csv::Writer<Sink>>,
    html: Option<html::Page<Sink>>,
    png: Option<PathBuf>,
}

impl Outputs {
    /// Begins the files. `settings` is the line that says how the games were looked at.
    ///
    /// # Errors
    ///
    /// When one of them cannot be created, or more than one is the standard output.
    pub fn create(arguments: &OutputArgs, settings: &str) -> Result<Self> {
        let paths = [
            &arguments.pgn,
            &arguments.jsonl,
            &arguments.csv,
            &arguments.html,
        ];
        if paths
            .iter()
            .filter(|path| path.as_deref() == Some(Path::new("-")))
            .count()
            > 1
        {
            bail!("only one of the results can go to the standard output");
        }
        let sink = |path: &Option<PathBuf>| path.as_deref().map(Sink::create).transpose();
        if let Some(folder) = &arguments.png {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        let mut jsonl = sink(&arguments.jsonl)?;
        if let Some(out) = &mut jsonl {
            json::write_header(out, settings)?;
        }
        let csv = match sink(&arguments.csv)? {
            Some(out) => {
                let mut csv = csv::Writer::from_writer(out);
                csv.write_record(json::CSV_COLUMNS)?;
                Some(csv)
            }
            None => None,
        };
        let html = sink(&arguments.html)?
            .map(|out| html::Page::begin(out, settings))
            .transpose()?;
        Ok(Self {
            pgn: sink(&arguments.pgn)?,
            jsonl,
            csv,
            html,
            png: arguments.png.clone(),
        })
    }

    /// Writes a game.
    ///
    /// # Errors
    ///
    /// When a file cannot be written.
    pub fn game(&mut self, game: &JudgedGame) -> Result<()> {
        if let Some(out) = &mut self.pgn {
            annotated(game).write_to(out, Style::default())?;
        }
        if let Some(out) = &mut self.jsonl {
            json::write_game(out, game)?;
        }
        if let Some(csv) = &mut self.csv {
            for row in json::csv_rows(game) {
                csv.write_record(&row)?;
            }
        }
        if let Some(page) = &mut self.html {
            page.game(game)?;
        }
        if let Some(folder) = &self.png {
            let path = folder.join(format!("game-{:06}.png", game.origin.number));
            let file = BufWriter::new(
                File::create(&path).with_context(|| format!("cannot write {}", path.display()))?,
            );
            graph::write_png(file, game)?;
        }
        Ok(())
    }

    /// Notes a game that could not be looked at.
    ///
    /// # Errors
    ///
    /// When a file cannot be written.
    pub fn bad(&mut self, origin: &Origin, reason: &str) -> Result<()> {
        if let Some(out) = &mut self.jsonl {
            json::write_bad(out, origin, reason)?;
        }
        if let Some(page) = &mut self.html {
            page.bad(origin, reason)?;
        }
        Ok(())
    }

    /// Completes the files.
    ///
    /// # Errors
    ///
    /// When that cannot be done.
    pub fn finish(self) -> Result<()> {
        for sink in [self.pgn, self.jsonl].into_iter().flatten() {
            sink.finish()?;
        }
        if let Some(csv) = self.csv {
            let sink = csv
                .into_inner()
                .map_err(|error| anyhow::anyhow!("{}", error.error()))?;
            sink.finish()?;
        }
        if let Some(page) = self.html {
            page.end()?.finish()?;
        }
        Ok(())
    }
}

/// What is wrong with a bad game, without its number.
pub fn reason(bad: &BadGame) -> String {
    format!("line {}: {}", bad.bad_line, bad.reason)
}
