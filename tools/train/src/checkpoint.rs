//! Checkpoints, which training writes after every epoch, to resume it or to start another training
//! from.

use std::path::Path;

use serde::{Deserialize, Serialize};
use skewer_store::{Identity, StoreError, StoreErrorKind};

use crate::net::NetSettings;

const IDENTITY: Identity<'static> = Identity::new("training checkpoint", 3, "skewer-train net");
/// Checkpoints from before labels used later scores.
const OLDER: Identity<'static> = Identity::new("training checkpoint", 2, "skewer-train net");

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
    /// Steps taken.
    pub steps: u64,
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

    /// Reads it back, also from a file of version 2.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be read, is damaged, or is something else.
    pub fn load(path: &Path) -> Result<Self, StoreError> {
        skewer_store::load(path, &IDENTITY).or_else(|error| match error.kind() {
            StoreErrorKind::WrongVersion { found: 2, .. } => {
                skewer_store::load::<Version2>(path, &OLDER).map(Self::from)
            }
            _ => Err(error),
        })
    }
}

/// The fields of a checkpoint of version 2, in their order.
#[derive(Deserialize)]
struct Version2 {
    settings: NetSettings2,
    data: u64,
    values: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: u64,
    epochs: Vec<Epoch>,
}

#[derive(Deserialize)]
struct NetSettings2 {
    hidden: usize,
    buckets: usize,
    epochs: u32,
    batch: usize,
    rate: f32,
    last_rate: f32,
    decay: f32,
    wdl: f32,
    stretch: f32,
    seed: u64,
    threads: usize,
}

impl From<Version2> for Checkpoint {
    fn from(old: Version2) -> Self {
        let NetSettings2 {
            hidden,
            buckets,
            epochs,
            batch,
            rate,
            last_rate,
            decay,
            wdl,
            stretch,
            seed,
            threads,
        } = old.settings;
        Self {
            settings: NetSettings {
                hidden,
                buckets,
                epochs,
                batch,
                rate,
                last_rate,
                decay,
                wdl,
                stretch,
                seed,
                threads,
                king_buckets: 1,
                future: 0.0,
                power: 2.0,
            },
            data: old.data,
            values: old.values,
            mean: old.mean,
            square: old.square,
            steps: old.steps,
            epochs: old.epochs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_of_version_2_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("old.checkpoint");
        // The fields as version 2 wrote them.
        let settings = (
            (32usize, 1usize, 9u32, 4096usize),
            (1e-3f32, 1e-5f32, 0.01f32, 0.1f32, 254.0f32),
            (7u64, 2usize),
        );
        let (values, mean, square) = (vec![0.5f32; 3], vec![0.25f32; 3], vec![2.0f32; 3]);
        let epochs: Vec<Epoch> = Vec::new();
        let fields = (settings, 99u64, values, mean, square, 11u64, epochs);
        skewer_store::save(&path, &OLDER, &fields).unwrap();
        let read = Checkpoint::load(&path).unwrap();
        assert_eq!((read.settings.hidden, read.settings.epochs), (32, 9));
        assert_eq!((read.settings.stretch, read.settings.future), (254.0, 0.0));
        assert_eq!((read.settings.seed, read.settings.threads), (7, 2));
        assert_eq!((read.data, read.steps, read.square[2]), (99, 11, 2.0));
        std::fs::write(&path, b"nothing").unwrap();
        assert!(Checkpoint::load(&path).is_err());
    }
}
