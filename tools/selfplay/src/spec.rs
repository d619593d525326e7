//! Engines on the command line: `ours,without=null-move` or
//! `/usr/games/stockfish,name=SF,option.Hash=16`.

use std::str::FromStr;

use crate::game::Player;
use crate::limit::{Limit, move_time};
use anyhow::{Context as _, Error, Result, anyhow, bail, ensure};
use skewer_console::options::techniques;
use skewer_eval::Evaluation;
use skewer_search::{Parameters, Solo};
use skewer_tt::TableSize;
use skewer_types::{MAX_DEPTH, Techniques};
use skewer_uci_client::Program;

use crate::params::matches as params;

/// An engine to play.
#[derive(Debug, Clone)]
pub(crate) struct EngineSpec {
    /// Its name in the results; by default the name that it reports.
    pub name: Option<String>,
    /// Its kind.
    pub kind: EngineKind,
    /// Its own limit; `None` for the limit of the match.
    pub limit: Option<Limit>,
}

/// The kind of an engine.
#[derive(Debug, Clone)]
pub(crate) enum EngineKind {
    /// Our own, in this process, on one thread.
    Ours(Ours),
    /// Any UCI engine, in a process of its own.
    External(Program),
}

/// Settings of our own engine.
#[derive(Debug, Clone)]
pub(crate) struct Ours {
    /// Its search techniques.
    pub techniques: Techniques,
    /// Its evaluation.
    pub evaluation: Evaluation,
    /// Size of its hash table, in megabytes.
    pub hash_mb: usize,
    /// The parameters of its search; constants unless built with the feature `tune`.
    pub parameters: Box<Parameters>,
}

/// The error for parameters set in a build where they are constants.
pub(crate) const CONSTANT_PARAMETERS: &str =
    "parameters are constants in this build; build with `--features tune`";

impl Ours {
    /// Creates the engine, which has no name yet.
    ///
    /// # Errors
    ///
    /// If there is no memory for the hash table, or the engine cannot use its network.
    pub(crate) fn player(&self, limit: Limit) -> Result<Player> {
        let size = TableSize::from_megabytes(self.hash_mb);
        let search = Solo::new(&self.evaluation, size)?.with_techniques(self.techniques);
        #[cfg(feature = "tune")]
        let search = search.with_parameters((*self.parameters).clone());
        Ok(Player {
            name: String::new(),
            limit,
            engine: Box::new(search),
        })
    }
}

impl FromStr for EngineSpec {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut parts = text.split(',').map(str::trim);
        let program = parts.next().unwrap_or("");
        if program.is_empty() {
            bail!("the engine is missing: give `ours` or the path of a program");
        }
        let mut spec = Self {
            name: None,
            kind: if program == "ours" {
                EngineKind::Ours(Ours {
                    techniques: Techniques::DEFAULT,
                    evaluation: Evaluation::default(),
                    hash_mb: params::HASH_MB,
                    parameters: Box::default(),
                })
            } else {
                EngineKind::External(Program::new(program))
            },
            limit: None,
        };
        for part in parts {
            let (key, value) = part
                .split_once('=')
                .with_context(|| format!("`{part}` is not KEY=VALUE"))?;
            spec.set(key.trim(), value.trim())?;
        }
        Ok(spec)
    }
}

impl EngineSpec {
    /// Whether the engine repeats a game move for move. It does if it runs in this process and its limit (`limit`,
    /// unless the engine has a limit of its own) is not wall time.
    pub(crate) fn is_repeatable(&self, limit: Limit) -> bool {
        matches!(self.kind, EngineKind::Ours(_)) && !self.limit.unwrap_or(limit).is_wall_time()
    }

    fn set(&mut self, key: &str, value: &str) -> Result<()> {
        let bad = |what: &str| anyhow!("`{key}={value}`: {what}");
        let number = |most: u64| match value.parse::<u64>() {
            Ok(number) if (1..=most).contains(&number) => Ok(number),
            Ok(_) => Err(bad(&format!("give a number from 1 to {most}"))),
            Err(_) => Err(bad("not a whole number")),
        };
        if value.is_empty() && matches!(key, "name" | "dir") {
            return Err(bad("the value is empty"));
        }
        match (key, &mut self.kind) {
            ("name", _) => self.name = Some(value.to_owned()),
            ("nodes", _) => self.limit = Some(Limit::Nodes(number(u64::MAX)?)),
            ("depth", _) => self.limit = Some(Limit::Depth(number(MAX_DEPTH as u64)? as u32)),
            ("movetime", _) => {
                let time = value.parse().ok().and_then(move_time);
                let time = time.ok_or_else(|| bad("give seconds, such as 0.1"))?;
                self.limit = Some(Limit::MoveTime(time));
            }
            ("tc", _) => {
                let control = value.parse().map_err(|error| bad(&format!("{error}")))?;
                self.limit = Some(Limit::Clock(control));
            }
            ("only", EngineKind::Ours(ours)) if value.is_empty() => {
                ours.techniques = Techniques::empty();
            }
            ("without" | "with" | "only", EngineKind::Ours(ours)) => {
                let named = techniques(value).map_err(|error| bad(&error))?;
                ours.techniques = match key {
                    "without" => ours.techniques - named,
                    "with" => ours.techniques | named,
                    _ => named,
                };
            }
            ("eval" | "evalfile", EngineKind::Ours(ours)) => {
                ours.evaluation = value.parse().map_err(|error| bad(&format!("{error}")))?;
            }
            ("hash", EngineKind::Ours(ours)) => {
                ours.hash_mb = number(params::MAX_HASH_MB)? as usize;
            }
            (_, EngineKind::Ours(ours)) if key.starts_with("set.") => {
                if !cfg!(feature = "tune") {
                    return Err(bad(CONSTANT_PARAMETERS));
                }
                let value = value.parse().map_err(|_| bad("not a whole number"))?;
                let set = ours.parameters.set(&key["set.".len()..], value);
                set.map_err(|error| bad(&error.to_string()))?;
            }
            (_, EngineKind::Ours(_)) => {
                bail!(
                    "`{key}` is not a setting of our engine; use name, without, with, only, eval, \
                     hash, set.NAME, nodes, depth, movetime or tc"
                );
            }
            (_, EngineKind::External(program)) => {
                ensure!(
                    program.set(key, value),
                    "`{key}` is not a setting of a program; use name, arg, dir, option.NAME, nodes, \
                     depth, movetime or tc"
                );
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn engines_are_read() {
        let spec: EngineSpec = "ours,without=null-move+killers,hash=4,nodes=5000"
            .parse()
            .unwrap();
        let EngineKind::Ours(ours) = &spec.kind else {
            panic!("not ours");
        };
        let off = Techniques::NULL_MOVE | Techniques::KILLERS;
        assert_eq!(ours.techniques, Techniques::DEFAULT - off);
        assert_eq!((ours.hash_mb, spec.limit), (4, Some(Limit::Nodes(5000))));

        let spec: EngineSpec =
            "/usr/games/gnuchess,arg=-u,name=GNU,option.Hash=16,option.Move Overhead=5,tc=1+0.01"
                .parse()
                .unwrap();
        assert_eq!(spec.name.as_deref(), Some("GNU"));
        let EngineKind::External(external) = &spec.kind else {
            panic!("ours");
        };
        assert_eq!(external.args, ["-u"]);
        assert_eq!(
            external.options[1],
            ("Move Overhead".to_owned(), "5".to_owned())
        );
    }

    #[test]
    fn only_our_engine_without_a_wall_clock_is_repeatable() {
        let repeatable = |text: &str, limit| {
            let spec: EngineSpec = text.parse().unwrap();
            spec.is_repeatable(limit)
        };
        let (nodes, second) = (Limit::Nodes(9), Limit::MoveTime(Duration::from_secs(1)));
        assert!(repeatable("ours", nodes) && repeatable("ours,depth=3", second));
        assert!(repeatable("ours,tc=1+0.1@500", second));
        assert!(!repeatable("ours", second) && !repeatable("ours,tc=1+0.1", nodes));
        assert!(!repeatable("/usr/games/gnuchess", nodes));
    }

    #[test]
    fn wrong_specifications_are_refused() {
        for (text, reason) in [
            ("", "the engine is missing"),
            ("ours,without=magic", "there is no technique `magic`"),
            ("ours,arg=-u", "not a setting of our engine"),
            ("x,without=null-move", "not a setting of a program"),
            ("ours,nodes=many", "not a whole number"),
            ("x,nodes=0", "from 1 to"),
            ("ours,depth=300", "from 1 to 240"),
            ("ours,hash=0", "from 1 to 65536"),
            ("ours,hash", "not KEY=VALUE"),
            ("ours,eval=/no/net", "/no/net"),
            ("ours,evalfile=/no/net", "/no/net"),
            ("ours,tc=soon", "not a time control"),
            #[cfg(not(feature = "tune"))]
            ("ours,set.rfp_margin=80", "--features tune"),
        ] {
            let error = text.parse::<EngineSpec>().unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
