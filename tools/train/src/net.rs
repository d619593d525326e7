//! The training of a network: epochs over a dataset, a batch a step, a checkpoint an epoch.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use skewer_eval::network::{Architecture, FEATURE_LIMIT, NetworkError, Parameters, WEIGHT_LIMIT};
use skewer_types::mix;

use crate::blocks::BlockError;
use crate::checkpoint::{Checkpoint, Epoch};
use crate::data::Dataset;
use crate::gradient::Worker;
use crate::model::Model;
use crate::optimizer::{AdamW, Schedule};
use crate::order::Order;
use crate::sample::Sample;
use crate::settings::NetSettings;

/// Steps at the beginning in which the learning rate rises.
const WARMUP: u64 = 100;
/// Positions that a thread copies at once, into the buffer that it learns from. The copies miss the
/// cache, and without computation between them the misses overlap. Their indices are computed
/// beforehand, because mispredicted branches would delay the next fetch.
const GATHER: usize = 512;

/// Why a training cannot begin or continue.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// The shape of network cannot be run.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// There are no positions.
    #[error("there are no positions to learn from")]
    NoPositions,
    /// A checkpoint was made with other settings.
    #[error("the checkpoint was made with other settings: {0}")]
    OtherSettings(String),
    /// A checkpoint was made with other data, or with the same data in another order.
    #[error(
        "the checkpoint was made with other data, with files in another order, or by a version before 0.3.0; to learn \
         further from other data, give the network or the checkpoint with --warm-start"
    )]
    OtherData,
    /// The weights to start from are of another shape of network.
    #[error(
        "the weights to start from are of a network of {0} neurons, {1} output buckets and {2} king \
             buckets"
    )]
    OtherShape(usize, usize, usize),
    /// Positions on disk cannot be read.
    #[error(transparent)]
    Blocks(#[from] BlockError),
    /// The weights that learn at another rate would be all, or none.
    #[error(
        "--kept-rate needs --warm-start with a network that lacks some of the inputs (--en-prise, --king-buckets)"
    )]
    NothingNew,
    /// Threads could not be started.
    #[error("threads could not be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl TrainError {
    fn other_shape(found: Architecture) -> Self {
        Self::OtherShape(found.hidden(), found.buckets(), found.king_buckets())
    }
}

/// How a training begins.
#[derive(Debug, Clone)]
pub enum Start {
    /// With small random weights.
    Fresh,
    /// With the weights of a network, perhaps of other data; Adam and the schedule start over.
    Warm(Box<Parameters>),
    /// With the weights and the state of Adam from a training that ended, perhaps with other data and settings; only
    /// the schedule starts over. Unlike the weights of a network, these are not rounded.
    Further(Box<Checkpoint>),
    /// From a checkpoint of a training with the same settings and data.
    Resume(Box<Checkpoint>),
}

/// Returns the weights of a checkpoint, and copies its state of Adam into `optimizer`.
fn restore(
    architecture: Architecture,
    from: Checkpoint,
    optimizer: &mut AdamW,
) -> Result<Model, TrainError> {
    let found = from.settings.architecture()?;
    if found != architecture {
        return Err(TrainError::other_shape(found));
    }
    let model = Model::from_values(architecture, from.values)
        .filter(|model| [from.mean.len(), from.square.len()] == [model.values().len(); 2])
        .ok_or(TrainError::other_shape(found))?;
    optimizer.mean = from.mean;
    optimizer.square = from.square;
    optimizer.steps = from.steps;
    Ok(model)
}

/// The progress of a training.
#[derive(Debug, Clone, Copy)]
pub struct StepProgress {
    /// The current epoch, from 1.
    pub epoch: u32,
    /// Positions of the epoch that have been learned from.
    pub done: usize,
    /// Mean squared error of the epoch so far.
    pub loss: f64,
}

/// A training under way.
#[derive(Debug)]
pub struct Training<'d> {
    settings: NetSettings,
    dataset: &'d Dataset,
    model: Model,
    /// For [`Model::effective`].
    effective: Vec<f32>,
    optimizer: AdamW,
    /// Steps of Adam before this training.
    earlier_steps: u64,
    epochs: Vec<Epoch>,
    pool: ThreadPool,
    fingerprint: u64,
}

impl<'d> Training<'d> {
    /// Prepares a training.
    ///
    /// # Errors
    ///
    /// [`TrainError`] if the network cannot be run, there is no data, or the checkpoint to start
    /// from does not fit.
    pub fn new(
        settings: NetSettings,
        dataset: &'d Dataset,
        start: Start,
    ) -> Result<Self, TrainError> {
        let architecture = settings.architecture()?;
        if dataset.train.is_empty() {
            return Err(TrainError::NoPositions);
        }
        let fingerprint = dataset.fingerprint_in_order();
        let mut model = Model::random(architecture, settings.seed);
        let layout = model.layout();
        let limits = vec![
            (layout.len, WEIGHT_LIMIT),
            (layout.feature_bias, FEATURE_LIMIT),
        ];
        let own = layout.common.map_or(0, |_| layout.en_prise) * architecture.hidden();
        let decays = vec![(layout.len, settings.decay), (own, settings.bucket_decay)];
        let mut optimizer = AdamW::new(layout.len, decays, limits);
        let mut epochs = Vec::new();
        let mut earlier_steps = 0;
        match start {
            Start::Fresh => {}
            Start::Warm(from) => {
                let other_shape = TrainError::other_shape(from.architecture());
                model = Model::from_network(architecture, &from).ok_or(other_shape)?;
                optimizer.new = layout.lacking(architecture, from.architecture());
            }
            Start::Resume(from) => {
                // Data first: the default of --stretch depends on them.
                if from.data != fingerprint {
                    return Err(TrainError::OtherData);
                }
                let differences = from.settings.differences(&settings);
                if !differences.is_empty() {
                    return Err(TrainError::OtherSettings(differences.join(", ")));
                }
                earlier_steps = from.earlier_steps;
                epochs.clone_from(&from.epochs);
                optimizer.new = from.new.clone();
                model = restore(architecture, *from, &mut optimizer)?;
            }
            Start::Further(from) => {
                earlier_steps = from.steps;
                model = restore(architecture, *from, &mut optimizer)?;
            }
        }
        optimizer.kept = settings.kept;
        if settings.kept < 1.0 && (optimizer.new.is_empty() || optimizer.new.end == layout.len) {
            return Err(TrainError::NothingNew);
        }
        let pool = ThreadPoolBuilder::new()
            .num_threads(settings.threads.max(1))
            .build()?;
        Ok(Self {
            settings,
            dataset,
            model,
            effective: Vec::new(),
            optimizer,
            earlier_steps,
            epochs,
            pool,
            fingerprint,
        })
    }

    /// The network in its present state.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The completed epochs.
    pub fn epochs(&self) -> &[Epoch] {
        &self.epochs
    }

    /// The present state of the training.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            settings: self.settings.clone(),
            data: self.fingerprint,
            values: self.model.values().to_vec(),
            mean: self.optimizer.mean.clone(),
            square: self.optimizer.square.clone(),
            steps: self.optimizer.steps,
            earlier_steps: self.earlier_steps,
            new: self.optimizer.new.clone(),
            epochs: self.epochs.clone(),
        }
    }

    /// Trains the remaining epochs. `on_step` is called after every step. `on_epoch` is called
    /// after every epoch, to save a checkpoint; an error of `on_epoch` ends the training.
    ///
    /// # Errors
    ///
    /// The errors of `on_epoch`, and [`BlockError`] if positions on disk cannot be read any more.
    pub fn run<E: From<BlockError>>(
        &mut self,
        on_step: impl FnMut(StepProgress),
        on_epoch: impl FnMut(&Self, Epoch) -> Result<(), E>,
    ) -> Result<(), E> {
        match self.settings.hidden {
            32 => self.run_width::<32, E>(on_step, on_epoch),
            64 => self.run_width::<64, E>(on_step, on_epoch),
            128 => self.run_width::<128, E>(on_step, on_epoch),
            256 => self.run_width::<256, E>(on_step, on_epoch),
            // `Architecture::new` allows no other widths.
            _ => self.run_width::<512, E>(on_step, on_epoch),
        }
    }

    fn run_width<const H: usize, E: From<BlockError>>(
        &mut self,
        mut on_step: impl FnMut(StepProgress),
        mut on_epoch: impl FnMut(&Self, Epoch) -> Result<(), E>,
    ) -> Result<(), E> {
        let len = self.dataset.train.len();
        // Batches of nearly equal size, so that an epoch has every position exactly once.
        let batches = |size: usize| size.div_ceil(self.settings.batch.max(1));
        let sizes = self.dataset.train.group_sizes();
        let per_epoch: usize = sizes.iter().map(|&size| batches(size)).sum();
        let schedule = Schedule {
            first: self.settings.rate,
            last: self.settings.last_rate,
            warmup: WARMUP.min(per_epoch as u64),
            steps: per_epoch as u64 * u64::from(self.settings.epochs),
        };
        let batch = self.settings.batch.max(1);
        let architecture = self.model.architecture();
        let mut workers: Vec<Worker<H>> = (0..self.pool.current_num_threads())
            .map(|_| Worker::new(architecture))
            .collect();
        let dataset = self.dataset;
        for number in self.epochs.len() as u32 + 1..=self.settings.epochs {
            let seed = mix(self.settings.seed) ^ u64::from(number);
            let (mut error, mut rate, mut done, mut at) = (0.0, 0.0, 0, 0u64);
            for samples in dataset.train.groups(seed) {
                let samples = samples?;
                let size = samples.len();
                let order = Order::new(size, seed ^ at << 32);
                at += 1;
                let steps = size.div_ceil(batch);
                for step in 0..steps {
                    let range = (size * step / steps)..(size * (step + 1) / steps);
                    rate = schedule.rate(self.optimizer.steps - self.earlier_steps);
                    error += self.step(&mut workers, &samples, &order, range.clone(), rate);
                    on_step(StepProgress {
                        epoch: number,
                        done: done + range.end,
                        loss: error / (done + range.end) as f64,
                    });
                }
                done += size;
            }
            let valid_loss = self.measure(&mut workers);
            let epoch = Epoch {
                number,
                rate,
                train_loss: error / len as f64,
                valid_loss,
            };
            self.epochs.push(epoch);
            on_epoch(self, epoch)?;
        }
        Ok(())
    }

    /// One step over the samples at `range` of `order`. Returns the sum of their squared errors.
    fn step<const H: usize>(
        &mut self,
        workers: &mut [Worker<H>],
        samples: &[Sample],
        order: &Order,
        range: std::ops::Range<usize>,
        rate: f32,
    ) -> f64 {
        let (model, buffer) = (&self.model, &mut self.effective);
        let values = self.pool.install(|| model.effective(buffer));
        let goal = self.settings.goal();
        let king_buckets = model.architecture().king_buckets();
        let (count, threads) = (range.len(), workers.len());
        let share = |thread: usize| range.start + count * thread / threads;
        self.pool.install(|| {
            workers
                .par_iter_mut()
                .enumerate()
                .for_each(|(thread, worker)| {
                    let own = share(thread)..share(thread + 1);
                    let mut places: Vec<usize> = Vec::with_capacity(GATHER);
                    let mut gathered: Vec<Sample> = Vec::with_capacity(own.len());
                    let mut at = own.start;
                    while at < own.end {
                        let end = (at + GATHER).min(own.end);
                        places.clear();
                        places.extend((at..end).map(|index| order.at(index)));
                        gathered.extend(places.iter().map(|&place| samples[place]));
                        at = end;
                    }
                    // Neighbours with the same king buckets share rows of weights, so more of these rows stay in the
                    // cache.
                    if king_buckets > 1 {
                        gathered.sort_unstable_by_key(Sample::king_buckets);
                    }
                    worker.learn(values, goal, &gathered);
                    worker.finish();
                });
        });
        let error = workers.iter_mut().map(Worker::take_error).sum();
        let (optimizer, values) = (&mut self.optimizer, self.model.values_mut());
        self.pool.install(|| {
            let gradients = workers.iter_mut().map(Worker::gradient_mut).collect();
            optimizer.step(values, gradients, count, rate);
        });
        error
    }

    /// Mean squared error over the held-out games; zero if there are none.
    fn measure<const H: usize>(&mut self, workers: &mut [Worker<H>]) -> f64 {
        let goal = self.settings.goal();
        let values = self.model.effective(&mut self.effective);
        let valid = &self.dataset.valid;
        if valid.is_empty() {
            return 0.0;
        }
        let share = valid.len().div_ceil(workers.len());
        self.pool.install(|| {
            workers
                .par_iter_mut()
                .zip(valid.par_chunks(share))
                .for_each(|(worker, samples)| worker.measure(values, goal, samples));
        });
        workers.iter_mut().map(Worker::take_error).sum::<f64>() / valid.len() as f64
    }
}
