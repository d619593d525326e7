//! The settings of a training, as options of the command line.

use clap::Args;
use serde::{Deserialize, Serialize};
use skewer_eval::network::{Architecture, NetworkError};

use crate::sample::Goal;

/// How a network is trained.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Args)]
pub struct NetSettings {
    /// Hidden neurons for each side: 32, 64, 128, 256 or 512. Choose 64 below 3 million positions,
    /// 128 up to 30 million, 256 up to 100 million, 512 above.
    #[arg(long, default_value_t = Self::default().hidden, value_name = "N")]
    pub hidden: usize,
    /// Output buckets: 1, or 8 selected by the number of pieces.
    #[arg(long, default_value_t = Self::default().buckets, value_name = "N")]
    pub buckets: usize,
    /// King buckets, regions with weights of their own: 1 or 6. Six gained with 103 million positions. Give
    /// --rate 3e-4 if --warm-start names a network with one king bucket.
    #[arg(long, default_value_t = Self::default().king_buckets, value_name = "N")]
    pub king_buckets: usize,
    /// Give pieces that are en prise inputs of their own: pieces that a pawn or a piece of lower value attacks, or
    /// that are attacked and not defended. The search is slower. Gained with 128 neurons, and not shown to gain with
    /// 512
    #[arg(long = "en-prise")]
    pub en_prise: bool,
    /// Number of passes over all positions.
    #[arg(long, default_value_t = Self::default().epochs, value_name = "N")]
    pub epochs: u32,
    /// Positions per step, shared out over the threads: use 65536 for 64 threads.
    #[arg(long, default_value_t = Self::default().batch, value_name = "N")]
    pub batch: usize,
    /// Learning rate of the first steps.
    #[arg(long, default_value_t = Self::default().rate, value_name = "RATE")]
    pub rate: f32,
    /// Learning rate of the last steps.
    #[arg(long, default_value_t = Self::default().last_rate, value_name = "RATE")]
    pub last_rate: f32,
    /// With --warm-start: the learning rate of the weights that the network has, as a share of --rate. The weights of
    /// inputs that the network lacks, because of --en-prise or --king-buckets, learn at the whole rate
    #[arg(long = "kept-rate", default_value_t = Self::default().kept, value_name = "SHARE")]
    pub kept: f32,
    /// Weight decay.
    #[arg(long, default_value_t = Self::default().decay, value_name = "RATE")]
    pub decay: f32,
    /// Weight decay of the differences between king buckets.
    #[arg(long = "bucket-decay", default_value_t = Self::default().bucket_decay, value_name = "RATE")]
    pub bucket_decay: f32,
    /// Weight of the game's result in the target, from 0 (only the search's score) to 1.
    #[arg(long, default_value_t = Self::default().wdl, value_name = "SHARE")]
    pub wdl: f32,
    /// Weight of the later scores of the same game in the rest of the target, from 0 to 1.
    #[arg(long = "future-share", default_value_t = Self::default().future, value_name = "SHARE")]
    pub future: f32,
    /// Minimise the error to this power; above 2, large errors count for more. The losses that are printed are squared
    /// errors with any power.
    #[arg(long = "error-power", default_value_t = Self::default().power, value_name = "POWER")]
    pub power: f32,
    /// The scale from scores to expected points, see [`Goal`].
    #[arg(skip)]
    pub stretch: f32,
    /// Seed of the initial weights and of the order of positions.
    #[arg(long, default_value_t = Self::default().seed, value_name = "N")]
    pub seed: u64,
    /// Threads. The order of summation depends on their number, so the result does too.
    #[arg(skip)]
    pub threads: usize,
}

impl Default for NetSettings {
    fn default() -> Self {
        Self {
            hidden: 128,
            buckets: 8,
            king_buckets: 1,
            en_prise: false,
            epochs: 30,
            batch: 16_384,
            rate: 1e-3,
            last_rate: 3e-5,
            kept: 1.0,
            decay: 0.01,
            bucket_decay: 3.0,
            wdl: 0.1,
            future: 0.0,
            power: 2.0,
            stretch: skewer_eval::network::SCALE as f32,
            seed: 1,
            threads: 1,
        }
    }
}

impl NetSettings {
    /// The shape of the network.
    ///
    /// # Errors
    ///
    /// [`NetworkError`] if the network cannot be run.
    pub fn architecture(&self) -> Result<Architecture, NetworkError> {
        let pieces =
            Architecture::new(self.hidden, self.buckets)?.with_king_buckets(self.king_buckets)?;
        Ok(if self.en_prise {
            pieces.with_en_prise()
        } else {
            pieces
        })
    }

    /// The options whose values differ, as `--rate 0.001, not 0.0003`: the value of `self` first.
    pub(crate) fn differences(&self, other: &Self) -> Vec<String> {
        let values = |of: &Self| {
            // By name, so that no field can be forgotten.
            let Self {
                hidden,
                buckets,
                king_buckets,
                en_prise,
                epochs,
                batch,
                rate,
                last_rate,
                kept,
                decay,
                bucket_decay,
                wdl,
                future,
                power,
                stretch,
                seed,
                threads,
            } = of;
            [
                ("hidden", hidden.to_string()),
                ("buckets", buckets.to_string()),
                ("king-buckets", king_buckets.to_string()),
                ("en-prise", en_prise.to_string()),
                ("epochs", epochs.to_string()),
                ("batch", batch.to_string()),
                ("rate", rate.to_string()),
                ("last-rate", last_rate.to_string()),
                ("kept-rate", kept.to_string()),
                ("decay", decay.to_string()),
                ("bucket-decay", bucket_decay.to_string()),
                ("wdl", wdl.to_string()),
                ("future-share", future.to_string()),
                ("error-power", power.to_string()),
                ("stretch", stretch.to_string()),
                ("seed", seed.to_string()),
                ("threads", threads.to_string()),
            ]
        };
        values(self)
            .into_iter()
            .zip(values(other))
            .filter(|((_, own), (_, other))| own != other)
            .map(|((name, own), (_, other))| format!("--{name} {own}, not {other}"))
            .collect()
    }

    /// How the targets of positions are computed.
    pub(crate) fn goal(&self) -> Goal {
        Goal {
            wdl: self.wdl,
            future: self.future,
            stretch: self.stretch,
            power: self.power,
        }
    }
}

/// How the weights of the hand-written evaluation are fitted.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct TuneSettings {
    /// Times that every position is seen.
    #[arg(long, default_value_t = Self::default().epochs, value_name = "N")]
    pub epochs: u32,
    /// Positions a step.
    #[arg(long, default_value_t = Self::default().batch, value_name = "N")]
    pub batch: usize,
    /// The size of the first steps, in units of score.
    #[arg(long, default_value_t = Self::default().rate, value_name = "UNITS")]
    pub rate: f32,
    /// The size of the last steps.
    #[arg(long, default_value_t = Self::default().last_rate, value_name = "UNITS")]
    pub last_rate: f32,
    /// How much the game's result counts in the target, from 0 (only the search's score) to 1.
    #[arg(long, default_value_t = Self::default().wdl, value_name = "SHARE")]
    pub wdl: f32,
    /// The standard deviation of the prior around untuned values, in units of score.
    #[arg(long, default_value_t = Self::default().stray, value_name = "UNITS")]
    pub stray: f32,
    /// Decides the order of positions.
    #[arg(long, default_value_t = Self::default().seed, value_name = "N")]
    pub seed: u64,
}

impl Default for TuneSettings {
    fn default() -> Self {
        Self {
            epochs: 30,
            batch: 8_192,
            rate: 1.0,
            last_rate: 0.01,
            wdl: 0.7,
            stray: 25.0,
            seed: 1,
        }
    }
}
