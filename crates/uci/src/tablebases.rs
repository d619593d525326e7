//! The endgame tables that the options name, and how the search uses them.

use std::sync::Arc;

use skewer_search::TablebaseRules;
use skewer_smp::Engine;
use skewer_syzygy::Tables;

/// The values of the options about endgame tables.
#[derive(Debug, Default)]
pub(crate) struct TableSettings {
    tables: Option<Arc<Tables>>,
    pub(crate) rules: TablebaseRules,
}

impl TableSettings {
    /// Opens the tables in these directories in place of the present tables. Uses no tables if the
    /// list is empty. Returns a message for the user.
    ///
    /// # Errors
    ///
    /// A message for the user if they cannot be opened; the present tables then stay in use.
    pub(crate) fn open(&mut self, list: &str, engine: &mut Engine) -> Result<String, String> {
        if list.is_empty() {
            self.tables = None;
            self.give_to(engine);
            return Ok("no endgame tables are used".to_owned());
        }
        let tables = Tables::open_checked(list)
            .map_err(|error| format!("SyzygyPath: {error}; nothing changed"))?;
        let pieces = tables.max_pieces();
        self.tables = Some(Arc::new(tables));
        self.give_to(engine);
        Ok(format!("endgame tables of up to {pieces} pieces are open"))
    }

    /// Lets the engine use the tables as the options say.
    pub(crate) fn give_to(&self, engine: &mut Engine) {
        engine.set_tablebases(self.tables.clone(), self.rules);
    }
}
