//! The analysis of games as requests, each a line of JSON.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Serialize};
use skewer_analysis::analyst::{Analyst, Finding, Interrupt, Settings, SettingsRecord, analyst};
use skewer_analysis::error::GameError;
use skewer_analysis::input;
use skewer_analysis::job::{Job, Plan};
use skewer_analysis::judged::{JudgedGame, Origin};
use skewer_analysis::reading::Reading;
use skewer_analysis::run::Input as _;
use skewer_analysis::selection::Selection;
use skewer_pgn::PgnGame;
use skewer_report::{
    Format, LiveReport, MissingPlayer, Outputs, PageEngine, RunInfo, csv, html, jsonl, pgn, summary,
};

/// A request to a session.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
enum Request {
    /// Opens these files, whose games are analysed with the settings `wanted`. Answered by [`Opened`].
    Open { files: Vec<String>, wanted: Wanted },
    /// Counts the games. Answered by [`Surveyed`].
    Survey,
    /// Searches a game, with a number from 1. Answered by [`Found`].
    Analyse { game: u64 },
    /// Adds a game to the report. Answered by its data, or by null if it could not be read.
    Add(Found),
    /// Asks for the list of the games that were added.
    Index,
    /// Asks for the aggregates of the games that were added.
    Insights,
    /// Writes games to a file. The lines after the request are [`Found`], in the order of the games. Answered by the
    /// file.
    Write {
        form: Form,
        /// The engine for the page that is written, in Base64.
        engine: Option<String>,
    },
}

/// The settings that can be chosen.
#[derive(Clone, Copy, Deserialize)]
struct Wanted {
    /// Nodes of the first search of a position.
    nodes: Option<u64>,
    /// How many lines of each position are searched.
    lines: usize,
}

/// A kind of file.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Form {
    Html,
    Pgn,
    Csv,
    Jsonl,
    Summary,
}

#[derive(Serialize)]
struct Opened {
    settings: String,
}

#[derive(Serialize)]
struct Surveyed {
    games: u64,
}

/// The findings of a search of a game; none if the game cannot be read.
#[derive(Serialize, Deserialize)]
struct Found {
    game: u64,
    findings: Option<Vec<Finding>>,
}

/// The games of files.
struct Open {
    files: Vec<String>,
    settings: Settings,
    /// The settings as the report has them.
    record: SettingsRecord,
    /// Reads the games to analyse.
    reading: Reading<PgnGame>,
    /// Made for the first search, because its tables take memory.
    analyst: Option<Box<dyn Analyst>>,
    /// Reads the games of the report. Some games may be read and not yet added.
    adding: Reading<PgnGame>,
    waiting: BTreeMap<u64, (Origin, Result<PgnGame, GameError>)>,
    report: LiveReport,
}

/// Answers requests.
#[derive(Default)]
pub struct Session(Option<Open>);

impl Session {
    /// Answers the request on the next line of `input` by a line of JSON, or a file.
    ///
    /// # Errors
    ///
    /// When it is not a request, or cannot be answered.
    pub fn answer(&mut self, input: &mut impl BufRead, output: &mut impl Write) -> Result<()> {
        let mut line = String::new();
        input.read_line(&mut line)?;
        let request = serde_json::from_str(&line).context("not a request")?;
        if let Request::Open { files, wanted } = request {
            let open = Open::new(files, wanted);
            line_of(
                output,
                &Opened {
                    settings: open.record.to_string(),
                },
            )?;
            self.0 = Some(open);
            return Ok(());
        }
        let Some(open) = &mut self.0 else {
            bail!("no files are open");
        };
        match request {
            Request::Open { .. } => Ok(()),
            Request::Survey => line_of(output, &open.survey()?),
            Request::Analyse { game } => line_of(output, &open.analyse(game)?),
            Request::Add(found) => Ok(writeln!(output, "{}", open.add(found)?)?),
            Request::Index => Ok(writeln!(output, "{}", open.report.index()?)?),
            Request::Insights => Ok(writeln!(output, "{}", open.report.insights()?)?),
            Request::Write { form, engine } => open.write(form, engine, input),
        }
    }
}

/// Writes a value as a line of JSON.
fn line_of(output: &mut impl Write, value: &impl Serialize) -> Result<()> {
    serde_json::to_writer(&mut *output, value)?;
    Ok(output.write_all(b"\n")?)
}

impl Open {
    fn new(files: Vec<String>, wanted: Wanted) -> Self {
        let plain = Settings {
            nodes: wanted.nodes.or(Settings::default().nodes),
            multi_pv: wanted.lines.clamp(1, 5),
            ..Settings::default()
        };
        let settings = plain.until_sure(wanted.nodes);
        let record = SettingsRecord::new(&settings);
        Self {
            reading: Reading::new(files.clone()),
            adding: Reading::new(files.clone()),
            files,
            analyst: None,
            waiting: BTreeMap::new(),
            report: LiveReport::new(&RunInfo {
                settings: Some(&record),
                // The page that shows the report has an engine already.
                page_engine: None,
                engine_left_out: false,
            }),
            settings,
            record,
        }
    }

    fn survey(&self) -> Result<Surveyed> {
        input::check_games(&self.files)?;
        let found = input::survey(&self.files, Selection::ALL, None)?;
        let games = found.map_or(0, |found| found.games);
        Ok(Surveyed { games })
    }

    fn analyse(&mut self, game: u64) -> Result<Found> {
        if game <= self.reading.number() {
            self.reading = Reading::new(self.files.clone());
        }
        loop {
            let Some((origin, item)) = self.reading.next_item()? else {
                bail!("there is no game {game}");
            };
            if origin.number == game {
                let findings = item.ok().map(|item| self.search(&item)).transpose()?;
                return Ok(Found { game, findings });
            }
        }
    }

    fn search(&mut self, game: &PgnGame) -> Result<Vec<Finding>> {
        let analyst = match &mut self.analyst {
            Some(analyst) => analyst,
            None => self
                .analyst
                .insert(analyst(&self.settings, &Interrupt::default())?),
        };
        let line = game.line();
        let job = Job {
            range: 0..line.boards.len(),
            line: Arc::new(line),
            given: Vec::new(),
        };
        Ok(Plan::new(&self.settings).analyse(&mut **analyst, &job)?)
    }

    /// Combines a game with the findings of its positions.
    fn judge(&self, origin: Origin, game: PgnGame, findings: Vec<Finding>) -> Result<JudgedGame> {
        let line = Arc::new(game.line());
        if line.boards.len() != findings.len() {
            bail!("the findings are of another game");
        }
        Ok(game.output(origin, line, findings, self.settings.units()))
    }

    fn add(&mut self, found: Found) -> Result<String> {
        while !self.waiting.contains_key(&found.game) {
            let Some((origin, item)) = self.adding.next_item()? else {
                bail!("there is no game {}, or it was added before", found.game);
            };
            self.waiting.insert(origin.number, (origin, item));
        }
        let Some((origin, item)) = self.waiting.remove(&found.game) else {
            bail!("there is no game {}", found.game);
        };
        match (item, found.findings) {
            (Ok(game), Some(findings)) => {
                let game = self.judge(origin, game, findings)?;
                self.report.game(&game)
            }
            (Ok(_), None) => bail!("the findings of game {} are missing", found.game),
            (Err(error), _) => {
                self.report.bad(&origin, &error.to_string())?;
                Ok("null".to_owned())
            }
        }
    }

    /// Writes the games that `input` has findings of.
    fn write(&self, form: Form, engine: Option<String>, input: &mut impl BufRead) -> Result<()> {
        let page_engine = engine.and_then(PageEngine::from_base64);
        let run = RunInfo {
            settings: Some(&self.record),
            page_engine: page_engine.as_ref(),
            engine_left_out: false,
        };
        let standard = Path::new("-");
        let format: Box<dyn Format> = match form {
            Form::Html => html::begin(standard, &run),
            Form::Pgn => pgn::begin(standard, &run),
            Form::Csv => csv::begin(standard, &run),
            Form::Jsonl => jsonl::begin(standard, &run),
            Form::Summary => summary::begin(standard, &run),
        }?;
        let mut outputs = Outputs::new(vec![format], &run.settings_text(), None);
        let mut lines = input.lines();
        let mut next = || -> Result<Option<Found>> {
            let Some(line) = lines.next() else {
                return Ok(None);
            };
            Ok(Some(serde_json::from_str(&line?)?))
        };
        let mut found = next()?;
        let mut reading = Reading::<PgnGame>::new(self.files.clone());
        while let Some((origin, item)) = reading.next_item()? {
            let findings = match found.take_if(|found| found.game == origin.number) {
                Some(this) => {
                    found = next()?;
                    this.findings
                }
                None => None,
            };
            match (item, findings) {
                (Ok(game), Some(findings)) => {
                    outputs.game(&self.judge(origin, game, findings)?)?;
                }
                (Ok(_), None) => {}
                (Err(error), _) => outputs.bad(&origin, &error.to_string())?,
            }
        }
        if let Some(found) = found {
            bail!("there is no game {}", found.game);
        }
        outputs.finish(MissingPlayer::IsAllowed)
    }
}
