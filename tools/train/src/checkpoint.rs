//! Checkpoints, which training writes after every epoch, to resume it or to start another training
//! from.

use std::path::Path;

use serde::{Deserialize, Serialize};
use skewer_store::{Identity, StoreError};

use crate::settings::NetSettings;

const IDENTITY: Identity<'static> = Identity::new("training checkpoint", 5, "skewer-train net");

/// One epoch's result.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// Its number, from 1.
    pub number: u32,
    /// The size of the last step.
    pub rate: f32,
    /// Mean squared error over the positions learned from, while learning.
    pub train_loss: f64,
    /// Mean squared error over the held-out games afterwards.
    pub valid_loss: f64,
}

/// The state of training after an epoch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// How it was trained.
    pub settings: NetSettings,
    /// What it was trained on: [`Dataset::fingerprint`](crate::data::Dataset::fingerprint).
    pub data: u64,
    /// The parameters, in the order of [`Model`](crate::model::Model).
    pub values: Vec<f32>,
    /// Adam's running means.
    pub mean: Vec<f32>,
    /// Adam's running squares.
    pub square: Vec<f32>,
    /// Steps of Adam.
    pub steps: u64,
    /// How many of them an earlier training took, from whose checkpoint this one began.
    pub earlier_steps: u64,
    /// The epochs so far.
    pub epochs: Vec<Epoch>,
}

impl Checkpoint {
    /// Writes it; an older one is replaced only when the new one is whole.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), StoreError> {
        skewer_store::save(path, &IDENTITY, self)
    }

    /// Reads it back.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be read, is damaged, or is something else.
    pub fn load(path: &Path) -> Result<Self, StoreError> {
        skewer_store::load(path, &IDENTITY)
    }
}
