//! Options that choose the evaluation of our own engine.

use std::path::{Path, PathBuf};

use anyhow::Result;
use skewer_eval::Evaluation;

/// The evaluation, as options of a command line.
#[derive(Debug, clap::Args)]
pub struct EvaluationArgs {
    /// Evaluate with the hand-written terms (hce), the built-in network (net), or the network in
    /// a file [default: net, in a build that has one]
    #[arg(long, value_name = "hce|net|FILE")]
    eval: Option<Evaluation>,
    /// The same as --eval FILE
    #[arg(long, value_name = "FILE")]
    evalfile: Option<PathBuf>,
}

impl EvaluationArgs {
    /// Loads the chosen evaluation.
    ///
    /// # Errors
    ///
    /// If the network file cannot be used.
    pub fn load(&self) -> Result<Evaluation> {
        Ok(match &self.evalfile {
            Some(file) => Evaluation::from_file(file)?,
            None => self.eval.clone().unwrap_or_default(),
        })
    }

    /// The network file, if one was given.
    pub fn file(&self) -> Option<&Path> {
        let named = self.eval.as_ref().and_then(Evaluation::path);
        self.evalfile.as_deref().or(named)
    }
}
