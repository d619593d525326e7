//! The endgame tables that the options name, and how the search is to use them.

use std::sync::Arc;

use skewer_smp::{Depth, Engine, FiftyMoveRule, Tablebases};

/// The least remaining depth, in plies, at which the largest tables are looked into.
pub(crate) const DEFAULT_PROBE_DEPTH: Depth = 1;

/// The most men for which tables exist.
pub(crate) const MOST_MEN: u32 = 7;

/// What the options about endgame tables are set to.
#[derive(Debug)]
pub(crate) struct Tables {
    path: String,
    open: Option<Arc<Tablebases>>,
    pub(crate) probe_depth: Depth,
    pub(crate) probe_limit: u32,
    pub(crate) fifty_move_rule: FiftyMoveRule,
}

impl Default for Tables {
    fn default() -> Self {
        Self {
            path: String::new(),
            open: None,
            probe_depth: DEFAULT_PROBE_DEPTH,
            probe_limit: MOST_MEN,
            fifty_move_rule: FiftyMoveRule::InForce,
        }
    }
}

impl Tables {
    /// Opens the tables in these folders in place of the old ones; none if the path is empty.
    /// Returns what to tell the client.
    ///
    /// # Errors
    ///
    /// What to tell the client if they cannot be opened; the old ones are then used on.
    pub(crate) fn open(&mut self, path: &str, engine: &mut Engine) -> Result<String, String> {
        // Only one set can be open at a time, so the old one is let go of first.
        engine.wait_until_idle();
        self.open = None;
        self.give_to(engine);
        let told = match path {
            "" => {
                self.path.clear();
                Ok("no endgame tables are used".to_owned())
            }
            path => match Tablebases::open(path) {
                Ok(tables) => {
                    let men = tables.largest();
                    self.open = Some(tables);
                    path.clone_into(&mut self.path);
                    Ok(format!("endgame tables of up to {men} men are open"))
                }
                Err(error) => {
                    if !self.path.is_empty() {
                        // They were open a moment ago; if they no longer are, there are none.
                        self.open = Tablebases::open(&self.path).ok();
                    }
                    Err(format!("SyzygyPath: {error}; nothing changed"))
                }
            },
        };
        self.give_to(engine);
        told
    }

    /// Lets the engine use the tables as the options say.
    pub(crate) fn give_to(&self, engine: &mut Engine) {
        engine.set_tablebases(
            self.open.clone(),
            self.probe_depth,
            self.probe_limit,
            self.fifty_move_rule,
        );
    }
}
