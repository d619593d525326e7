//! The histories that the workers of a search share.

use std::sync::Arc;

use skewer_ordering::SharedMoveHistories;

use crate::correction::Corrections;

/// The histories that workers may share: the corrections of the static evaluation, and the histories of quiet moves by
/// pawn structure and by earlier moves. Each worker then learns from the searches of all workers. The histories of
/// moves by their squares alone, and of captures, are not shared: sharing them too showed no gain.
///
/// A copy refers to the same histories. They take about 3.5 MB.
#[derive(Debug, Clone, Default)]
pub struct SharedHistories {
    pub(crate) corrections: Arc<Corrections>,
    pub(crate) moves: SharedMoveHistories,
}
