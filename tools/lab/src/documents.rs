//! The tables that the documents link to.

use std::path::PathBuf;
use std::time::SystemTime;
use std::{fs, iter};

use anyhow::{Context as _, Result};

/// The tables to make.
#[derive(clap::Args)]
pub(crate) struct Setup {
    /// The folder of the tables.
    #[arg(default_value = "benches/results/tables")]
    folder: PathBuf,
    /// Only the tables whose command contains this.
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    only: String,
    /// What the tables say of the build: the node count of `skewer bench`, for instance.
    #[arg(long, value_name = "TEXT", default_value = concat!("version ", env!("CARGO_PKG_VERSION")))]
    build: String,
}

impl Setup {
    /// Makes the tables by their commands, and returns the commands. The last column of a table says how it
    /// was made: command, build and date.
    pub(crate) fn remake(&self, make: impl Fn(&str) -> Result<String>) -> Result<String> {
        let (folder, build) = (&self.folder, &self.build);
        let mut made = String::new();
        for entry in fs::read_dir(folder).with_context(|| format!("{}", folder.display()))? {
            let file = entry?.path();
            let row = csv::Reader::from_path(&file)?.into_records().next();
            let row = row.transpose()?.unwrap_or_default();
            let no_command = || format!("{}: no command", file.display());
            let note = row.iter().next_back().with_context(no_command)?;
            let command = note.split(';').next().unwrap_or_default();
            // Games are played by a script.
            if !command.starts_with("skewer-lab") || !command.contains(&self.only) {
                continue;
            }
            let table = make(command)?;
            let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
            let note = format!("{command}; {build}; {}", &now[..10]);
            let notes = ["made by", &note].into_iter().chain(iter::repeat(""));
            let mut reader = csv::ReaderBuilder::new();
            let reader = reader.has_headers(false).from_reader(table.as_bytes());
            let mut writer = csv::Writer::from_writer(Vec::new());
            for (row, note) in reader.into_records().zip(notes) {
                writer.write_record(row?.iter().chain([note]))?;
            }
            skewer_store::write(&file, writer.into_inner()?)?;
            made.extend([command, "\n"]);
        }
        Ok(made)
    }
}
