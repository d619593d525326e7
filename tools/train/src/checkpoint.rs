//! Checkpoints, which training writes after every epoch, to resume it or to start another training
//! from.

use std::path::Path;

use serde::{Deserialize, Serialize};
use skewer_store::{Identity, StoreError};

use crate::settings::NetSettings;

const IDENTITY: Identity<'static> = Identity::new("training checkpoint", 6, "skewer-train net");

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
    /// How the network was trained.
    pub settings: NetSettings,
    /// A fingerprint of what the network was trained on, in its order.
    pub data: u64,
    /// The parameters, in the order of [`Model`](crate::model::Model).
    pub values: Vec<f32>,
    /// Adam's running means.
    pub mean: Vec<f32>,
    /// Adam's running squares.
    pub square: Vec<f32>,
    /// Steps of Adam.
    pub steps: u64,
    /// How many of the steps belong to an earlier training, from whose checkpoint this training began.
    pub earlier_steps: u64,
    /// The parameters that the network of the warm start lacked, which learn at the whole rate.
    pub new: std::ops::Range<usize>,
    /// The epochs so far.
    pub epochs: Vec<Epoch>,
}

impl Checkpoint {
    /// Writes the checkpoint to a file. An older file is replaced only when the new file is complete.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), StoreError> {
        skewer_store::save(path, &IDENTITY, self)
    }

    /// Reads a checkpoint from a file.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file cannot be read, is damaged, or is not a checkpoint.
    pub fn load(path: &Path) -> Result<Self, StoreError> {
        skewer_store::load(path, &IDENTITY)
    }
}
