//! The endgame tables that the options name, and how the search is to use them.

use std::sync::Arc;

use skewer_smp::{Engine, TablebaseRules, Tablebases};

/// What the options about endgame tables are set to.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    path: String,
    open: Option<Arc<Tablebases>>,
    pub(crate) rules: TablebaseRules,
}

impl Tables {
    /// Opens the tables in these folders in place of the old ones; none if the path is empty.
    /// Returns what to tell the client.
    ///
    /// # Errors
    ///
    /// What to tell the client if they cannot be opened; the old ones are then used on, if they can
    /// still be opened themselves.
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
                        self.open = Tablebases::open(&self.path).ok();
                    }
                    Err(if self.path.is_empty() || self.open.is_some() {
                        format!("SyzygyPath: {error}; nothing changed")
                    } else {
                        self.path.clear();
                        format!(
                            "SyzygyPath: {error}; the old folders cannot be read any more either, \
                             so that no endgame tables are used"
                        )
                    })
                }
            },
        };
        self.give_to(engine);
        told
    }

    /// Lets the engine use the tables as the options say.
    pub(crate) fn give_to(&self, engine: &mut Engine) {
        engine.set_tablebases(self.open.clone(), self.rules);
    }
}
