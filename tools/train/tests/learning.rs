//! Training: gradients against finite differences, falling loss, interrupted trainings that resume
//! to the same result, and bad data refused.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use skewer_eval::network::{Architecture, FEATURE_LIMIT, KING_BUCKETS, Parameters, SCALE};
use skewer_eval::{Evaluator, HandWritten, Network};
use skewer_gamedata::{Filter, Game, ScoredMove, Tail, write_game};
use skewer_movegen::{Board, Color, Outcome};
use skewer_train::blocks::BlockError;
use skewer_train::data::{Dataset, Source};
use skewer_train::gradient::{self, Worker};
use skewer_train::labels::LambdaReturn;
use skewer_train::model::Model;
use skewer_train::net::{Start, TrainError, Training};
use skewer_train::sample::{Goal, Sample};
use skewer_train::settings::NetSettings;
use skewer_train::shuffle::shuffle;
use skewer_types::Rng;

/// Random games with scores of the hand-written evaluation.
fn games(count: usize, seed: u64) -> Vec<Game> {
    let mut rng = Rng::new(seed);
    let mut eval = HandWritten::default();
    (0..count)
        .map(|_| {
            let mut game = Game::new(Board::STARTPOS);
            let mut board = game.start;
            for _ in 0..90 {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                eval.reset(&board);
                let score = eval.evaluate(&board).raw() as i16;
                let score = if board.turn() == Color::White {
                    score
                } else {
                    -score
                };
                let mv = moves[rng.below(moves.len())];
                game.moves.push(ScoredMove { mv, score });
                board = board.play(mv);
            }
            game.result = [Outcome::BlackWins, Outcome::Draw, Outcome::WhiteWins][rng.below(3)];
            game
        })
        .collect()
}

fn write(path: &Path, games: &[Game]) {
    let mut bytes = Vec::new();
    for game in games {
        write_game(&mut bytes, game).unwrap();
    }
    std::fs::write(path, bytes).unwrap();
}

fn dataset(count: usize) -> Dataset {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.vf");
    write(&file, &games(count, 0x1234_5678));
    Dataset::load(&source(&file), |_| {}).unwrap()
}

fn source(file: &Path) -> Source {
    Source {
        files: vec![file.to_owned()],
        tail: Tail::Refuse,
        filter: Filter::default(),
        lambda_return: LambdaReturn::default(),
        hold_out: 0.2,
    }
}

/// The targets of the positions.
const GOAL: Goal = Goal {
    wdl: 0.5,
    future: 0.3,
    stretch: 250.0,
    power: 2.0,
};

#[test]
fn gradients_agree_with_finite_differences() {
    let plain = Architecture::new(32, 8).unwrap();
    check_gradients(plain);
    check_gradients(plain.with_king_buckets(KING_BUCKETS).unwrap());
    check_gradients(plain.with_en_prise());
    check_gradients(
        plain
            .with_king_buckets(KING_BUCKETS)
            .unwrap()
            .with_en_prise(),
    );
}

fn check_gradients(architecture: Architecture) {
    let samples: Vec<Sample> = dataset(8).train.in_memory()[..150].to_vec();
    let mut model = Model::random(architecture, 7);
    // Larger weights than at the start, so that some neurons are off and some are full.
    for value in model.values_mut() {
        *value *= 4.0;
    }
    // The weights of pieces that are en prise begin at zero.
    if architecture.has_en_prise() {
        let rows = model.layout().en_prise * 32;
        for (at, value) in model.values_mut()[rows..rows + 768 * 32]
            .iter_mut()
            .enumerate()
        {
            *value = ((at * 37 % 101) as f32 - 50.0) / 150.0;
        }
    }
    let mut worker = Worker::<32>::new(architecture);
    worker.learn(model.effective(&mut Vec::new()), GOAL, &samples);
    worker.finish();
    let loss = |model: &Model| plain_loss(model, &samples);
    let (learned, plain) = (worker.take_error(), loss(&model));
    assert!(
        (learned - plain).abs() < 1e-3 * plain,
        "{learned} and {plain}"
    );

    let layout = model.layout();
    let gradient = worker.gradient_mut().to_vec();
    let mut order: Vec<usize> = (0..layout.len).collect();
    order.sort_by(|&a, &b| gradient[b].abs().total_cmp(&gradient[a].abs()));
    // The largest gradients of every part, which rounding affects least.
    let (mut checked, mut smooth) = (0, 0);
    for part in [
        0..layout.feature_bias,
        layout.feature_bias..layout.output_weights,
        layout.output_weights..layout.output_bias,
        layout.output_bias..layout.len,
    ] {
        for &at in order.iter().filter(|at| part.contains(at)).take(40) {
            if gradient[at].abs() < 0.05 {
                continue;
            }
            let value = model.values()[at];
            let h = 1e-3f32;
            model.values_mut()[at] = value + h;
            let right = (loss(&model) - plain) / f64::from(h);
            model.values_mut()[at] = value - h;
            let left = (plain - loss(&model)) / f64::from(h);
            model.values_mut()[at] = value;
            let found = f64::from(gradient[at]);
            // If the step takes a neuron out of its linear range, the slopes on the two sides differ.
            let slack = 0.02 * found.abs() + 0.01;
            assert!(
                left.min(right) - slack < found && found < left.max(right) + slack,
                "parameter {at}: {found}, by differences {left} and {right}"
            );
            smooth += usize::from((left - right).abs() < 2.0 * slack);
            checked += 1;
        }
    }
    assert!(checked > 80, "only {checked} were large enough to check");
    assert!(
        smooth * 10 > checked * 9,
        "only {smooth} of {checked} have one slope"
    );
}

/// The loss over these positions, computed without the fast path of [`Worker`].
fn plain_loss(model: &Model, samples: &[Sample]) -> f64 {
    samples
        .iter()
        .map(|s| f64::from(GOAL.points(gradient::output(model, s)) - GOAL.target(s)).powi(2))
        .sum()
}

#[test]
fn fast_and_plain_outputs_agree() {
    let data = dataset(3);
    let samples = data.train.in_memory();
    for (hidden, buckets, king_buckets) in [(64, 1, 1), (128, 8, 1), (64, 8, KING_BUCKETS)] {
        let pieces = Architecture::new(hidden, buckets)
            .and_then(|shape| shape.with_king_buckets(king_buckets))
            .unwrap();
        let architecture = if buckets == 8 {
            pieces.with_en_prise()
        } else {
            pieces
        };
        let mut model = Model::random(architecture, 3);
        let rows = model.layout().en_prise * hidden;
        model.values_mut()[rows..]
            .iter_mut()
            .for_each(|value| *value += 0.02);
        let plain = plain_loss(&model, samples);
        let fast = if hidden == 64 {
            let mut worker = Worker::<64>::new(architecture);
            worker.measure(model.effective(&mut Vec::new()), GOAL, samples);
            worker.take_error()
        } else {
            let mut worker = Worker::<128>::new(architecture);
            worker.measure(model.effective(&mut Vec::new()), GOAL, samples);
            worker.take_error()
        };
        assert!((fast - plain).abs() < 1e-4 * plain, "{fast} and {plain}");
    }
}

fn settings() -> NetSettings {
    NetSettings {
        hidden: 32,
        buckets: 1,
        epochs: 8,
        batch: 256,
        wdl: 0.0,
        threads: 2,
        ..NetSettings::default()
    }
}

#[test]
fn a_network_learns_and_the_engine_agrees_with_it() {
    let data = dataset(400);
    assert!(data.train.len() > 10_000 && data.valid.len() > 2_000);
    learn_and_compare(settings(), 10.0, &data);
    let apart = NetSettings {
        king_buckets: KING_BUCKETS,
        ..settings()
    };
    // Rounding moves the scores of this network more, because few positions have trained each of its many weights.
    learn_and_compare(apart.clone(), 15.0, &data);
    let en_prise = NetSettings {
        en_prise: true,
        ..apart
    };
    learn_and_compare(en_prise, 15.0, &data);
}

/// Trains a network, which rounding to integers may move by `rounding` units on average.
fn learn_and_compare(settings: NetSettings, rounding: f64, data: &Dataset) {
    let mut training = Training::new(settings, data, Start::Fresh).unwrap();
    training
        .run(|_| {}, |_, _| Ok::<(), TrainError>(()))
        .unwrap();
    let epochs = training.epochs();
    let (first, last) = (epochs[0].valid_loss, epochs[epochs.len() - 1].valid_loss);
    assert!(last < first * 0.5, "held-out loss from {first} to {last}");

    // The network that the engine reads from the file has the scores of the rounded model. They are near the scores
    // of the trained model.
    let trained = training.model();
    let bytes = trained.quantised().unwrap().to_bytes();
    let parameters = Parameters::from_bytes(&bytes).unwrap();
    let rounded = Model::from_network(trained.architecture(), &parameters).unwrap();
    let mut network = Network::new(Arc::new(parameters));
    let (mut apart, mut moved) = (0.0, 0.0);
    for sample in &data.valid {
        let board = sample.board().unwrap();
        network.reset(&board);
        let score = f64::from(network.evaluate(&board).raw());
        let from =
            |model| (score - f64::from(gradient::output(model, sample) * SCALE as f32)).abs();
        apart += from(&rounded);
        moved += from(trained);
    }
    let mean = |sum: f64| sum / data.valid.len() as f64;
    let (apart, moved) = (mean(apart), mean(moved));
    assert!(apart < 1.0, "engine and rounded model differ by {apart}");
    assert!(moved < rounding, "rounding moves scores by {moved}");
}

/// Why a training of a test ended early.
#[derive(Debug)]
enum Ended {
    Stopped,
    Unreadable,
}

impl From<BlockError> for Ended {
    fn from(_: BlockError) -> Self {
        Self::Unreadable
    }
}

#[test]
fn an_interrupted_training_ends_as_an_uninterrupted_one() {
    check_resuming(&dataset(40), &dataset(41));
}

/// Checks that a training on `data` can be interrupted, and is not resumed with `others`.
fn check_resuming(data: &Dataset, others: &Dataset) {
    let settings = NetSettings {
        epochs: 4,
        ..settings()
    };
    let mut whole = Training::new(settings.clone(), data, Start::Fresh).unwrap();
    whole.run(|_| {}, |_, _| Ok::<(), TrainError>(())).unwrap();

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.checkpoint");
    let mut first = Training::new(settings.clone(), data, Start::Fresh).unwrap();
    let stopped = first.run(
        |_| {},
        |training, epoch| {
            training.checkpoint().save(&path).unwrap();
            if epoch.number == 2 {
                Err(Ended::Stopped)
            } else {
                Ok(())
            }
        },
    );
    assert!(matches!(stopped, Err(Ended::Stopped)));
    drop(first);
    let checkpoint = skewer_train::checkpoint::Checkpoint::load(&path).unwrap();
    assert_eq!(checkpoint.epochs.len(), 2);
    let start = Start::Resume(Box::new(checkpoint.clone()));
    let mut second = Training::new(settings.clone(), data, start).unwrap();
    second.run(|_| {}, |_, _| Ok::<(), TrainError>(())).unwrap();
    assert_eq!(second.checkpoint(), whole.checkpoint());

    // Other settings, other data and other shapes are distinguished.
    let resume = |settings: NetSettings, data| {
        Training::new(settings, data, Start::Resume(Box::new(checkpoint.clone())))
            .map(|_| ())
            .unwrap_err()
    };
    let slower = NetSettings {
        rate: 1e-4,
        ..settings.clone()
    };
    assert!(matches!(resume(slower, data), TrainError::OtherSettings(_)));
    assert!(matches!(
        resume(settings.clone(), others),
        TrainError::OtherData
    ));
    let wider = NetSettings {
        hidden: 64,
        ..settings
    };
    let network = Box::new(whole.model().quantised().unwrap());
    let warm = Training::new(wider, data, Start::Warm(network));
    assert!(matches!(
        warm.map(|_| ()).unwrap_err(),
        TrainError::OtherShape(32, 1, 1)
    ));
}

#[test]
fn a_warm_start_begins_with_the_weights_of_the_network() {
    let data = dataset(40);
    let mut first = Training::new(settings(), &data, Start::Fresh).unwrap();
    first.run(|_| {}, |_, _| Ok::<(), TrainError>(())).unwrap();
    let network = first.model().quantised().unwrap();
    let warm = |king_buckets| {
        let settings = NetSettings {
            king_buckets,
            ..settings()
        };
        let start = Start::Warm(Box::new(network.clone()));
        Training::new(settings, &data, start).map(|training| training.model().clone())
    };
    assert_eq!(warm(1).unwrap().quantised().unwrap(), network);
    // Every king bucket has the weights of the network.
    let model = warm(KING_BUCKETS).unwrap();
    let features: Vec<i8> = network.feature_weights().collect();
    let weights: Vec<i8> = model.quantised().unwrap().feature_weights().collect();
    for bucket in weights.chunks(features.len()).take(KING_BUCKETS) {
        assert!(bucket == features);
    }
    // What the buckets of a network have in common stays in the common rows.
    let mut several = model.clone();
    several.values_mut()[0] += 0.3;
    let network = several.quantised().unwrap();
    let again = Model::from_network(model.architecture(), &network).unwrap();
    assert!(again.quantised().unwrap() == network);
    let own = again.layout().common.unwrap() * model.architecture().hidden();
    let differences: f32 = again.values()[..own].iter().map(|value| value.abs()).sum();
    assert!((differences - 0.5).abs() < 0.02, "{differences}");
}

/// Weights of inputs that the network of a warm start lacks learn at the whole rate, the other weights at a share of it.
#[test]
fn weights_that_a_warm_start_has_learn_at_their_own_rate() {
    let data = dataset(40);
    let mut first = Training::new(settings(), &data, Start::Fresh).unwrap();
    first.run(|_| {}, |_, _| Ok::<(), TrainError>(())).unwrap();
    let network = first.model().quantised().unwrap();
    let further = |en_prise, kept| {
        let settings = NetSettings {
            en_prise,
            kept,
            epochs: 2,
            ..settings()
        };
        let start = Start::Warm(Box::new(network.clone()));
        Training::new(settings, &data, start)
    };
    let mut training = further(true, 0.0).unwrap();
    let before = training.model().clone();
    assert_eq!(before.layout().en_prise, 768);
    training
        .run(|_| {}, |_, _| Ok::<(), TrainError>(()))
        .unwrap();
    let new = 768 * 32..2 * 768 * 32;
    for (at, (now, before)) in training
        .model()
        .values()
        .iter()
        .zip(before.values())
        .enumerate()
    {
        assert!(
            new.contains(&at) || now.to_bits() == before.to_bits(),
            "value {at}"
        );
    }
    let learnt = training.model().values()[new]
        .iter()
        .filter(|value| **value != 0.0);
    assert!(learnt.count() > 1000);
    let epochs = training.epochs();
    assert!(epochs[1].train_loss < epochs[0].train_loss);
    for nothing_new in [
        further(false, 0.5),
        Training::new(
            NetSettings {
                kept: 0.5,
                ..settings()
            },
            &data,
            Start::Fresh,
        ),
    ] {
        assert!(matches!(
            nothing_new.map(|_| ()),
            Err(TrainError::NothingNew)
        ));
    }
    // A network with more inputs than the training does not fit.
    let wider = training.model().quantised().unwrap();
    let narrower = Training::new(settings(), &data, Start::Warm(Box::new(wider.clone())));
    assert!(matches!(
        narrower.map(|_| ()),
        Err(TrainError::OtherShape(..))
    ));
    let same = Model::from_network(training.model().architecture(), &wider).unwrap();
    assert!(same.quantised().unwrap() == wider);
}

#[test]
fn sums_with_the_common_rows_stay_within_the_limit_of_the_file() {
    let shape = settings().architecture().unwrap();
    let mut model = Model::random(shape.with_king_buckets(KING_BUCKETS).unwrap(), 1);
    let common = model.layout().common.unwrap() * shape.hidden();
    model.values_mut()[0] = 1.5;
    model.values_mut()[common] = 1.5;
    let mut buffer = Vec::new();
    assert_eq!(
        model.effective(&mut buffer).values()[0].to_bits(),
        FEATURE_LIMIT.to_bits()
    );
}

/// A checkpoint of which a byte is missing or a bit has changed is an error: training never goes on from other weights.
#[test]
fn damaged_checkpoints_are_refused() {
    let data = dataset(40);
    let one = NetSettings {
        epochs: 1,
        ..settings()
    };
    let mut training = Training::new(one, &data, Start::Fresh).unwrap();
    training
        .run(|_| {}, |_, _| Ok::<(), TrainError>(()))
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.checkpoint");
    training.checkpoint().save(&path).unwrap();
    let load = || skewer_train::checkpoint::Checkpoint::load(&path);
    assert!(load().is_ok());
    let bytes = std::fs::read(&path).unwrap();
    // Every position of the heading and of the end, and some between them.
    let near = 300;
    let step = bytes.len() / 150;
    let positions: Vec<usize> = (0..near)
        .chain((near..bytes.len()).step_by(step))
        .chain(bytes.len() - near..bytes.len())
        .collect();
    for &at in &positions {
        std::fs::write(&path, &bytes[..at]).unwrap();
        assert!(load().is_err(), "{at} of {} bytes", bytes.len());
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        std::fs::write(&path, &changed).unwrap();
        assert!(load().is_err(), "bit {} of byte {at}", at % 8);
    }
    for more in [&[0][..], &[0; 4096], &bytes] {
        std::fs::write(&path, [&bytes, more].concat()).unwrap();
        assert!(load().is_err(), "{} bytes more", more.len());
    }
}

/// A training that goes on from a checkpoint has its unrounded weights and Adam's memory, and a schedule of its own,
/// whatever the data.
#[test]
fn a_training_goes_on_from_a_checkpoint_on_other_data() {
    let (data, others) = (dataset(40), dataset(30));
    let mut first = Training::new(settings(), &data, Start::Fresh).unwrap();
    first.run(|_| {}, |_, _| Ok::<(), TrainError>(())).unwrap();
    let from = first.checkpoint();
    let further =
        |settings| Training::new(settings, &others, Start::Further(Box::new(from.clone())));
    let slower = NetSettings {
        rate: 2e-4,
        last_rate: 1e-4,
        epochs: 2,
        ..settings()
    };
    let mut second = further(slower.clone()).unwrap();
    let start = second.checkpoint();
    assert_eq!(
        (&start.values, &start.mean, &start.square, start.steps),
        (&from.values, &from.mean, &from.square, from.steps)
    );
    assert!(start.epochs.is_empty());
    second.run(|_| {}, |_, _| Ok::<(), TrainError>(())).unwrap();
    let rates: Vec<f32> = second.epochs().iter().map(|epoch| epoch.rate).collect();
    assert!((rates[0] - 2e-4).abs() < 1e-6, "{rates:?}");
    assert!(rates[1] >= 1e-4 && rates[1] < 1.1e-4, "{rates:?}");
    assert_eq!(second.checkpoint().earlier_steps, from.steps);
    // Stopped and resumed, it ends with the same bits.
    let mut stopped = further(slower.clone()).unwrap();
    let mut kept = None;
    let ended = stopped.run(
        |_| {},
        |training, _| {
            kept = Some(training.checkpoint());
            Err(Ended::Stopped)
        },
    );
    assert!(matches!(ended, Err(Ended::Stopped)));
    let start = Start::Resume(Box::new(kept.unwrap()));
    let mut resumed = Training::new(slower, &others, start).unwrap();
    resumed
        .run(|_| {}, |_, _| Ok::<(), TrainError>(()))
        .unwrap();
    assert_eq!(resumed.checkpoint(), second.checkpoint());
    let wider = NetSettings {
        hidden: 64,
        ..settings()
    };
    assert!(matches!(
        further(wider).map(|_| ()).unwrap_err(),
        TrainError::OtherShape(32, 1, 1)
    ));
}

/// A file of the positions of this many games, in blocks of 64.
fn shuffled(folder: &Path, count: usize, seed: u64) -> PathBuf {
    let games_file = folder.join("games.vf");
    write(&games_file, &games(count, 0x1234_5678));
    let path = folder.join(format!("{count}-{seed}.blocks"));
    let out = std::fs::File::create(&path).unwrap();
    let parts = folder.join("parts");
    shuffle(&source(&games_file), out, &parts, 64, seed, |_| {}).unwrap();
    assert!(!parts.exists());
    path
}

#[test]
fn positions_on_disk_are_the_positions_in_memory_in_another_order() {
    let folder = tempfile::tempdir().unwrap();
    let memory = dataset(40);
    let path = shuffled(folder.path(), 40, 1);
    let disk = Dataset::open(&path).unwrap();
    assert_eq!(disk.train.len(), memory.train.len());
    assert_eq!(disk.valid, memory.valid);
    assert_eq!(
        (disk.games, disk.positions),
        (memory.games, memory.positions)
    );
    assert_eq!(disk.fingerprint(), memory.fingerprint());
    assert!((disk.stretch() - memory.stretch()).abs() < 0.5);
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(
        bytes,
        std::fs::read(shuffled(folder.path(), 40, 1)).unwrap()
    );
    assert_ne!(
        bytes,
        std::fs::read(shuffled(folder.path(), 40, 2)).unwrap()
    );
}

#[test]
fn training_from_disk_resumes_like_training_from_memory() {
    let folder = tempfile::tempdir().unwrap();
    let data = Dataset::open(shuffled(folder.path(), 40, 1)).unwrap();
    let others = Dataset::open(shuffled(folder.path(), 41, 1)).unwrap();
    check_resuming(&data, &others);
}

#[test]
fn damaged_positions_are_named_and_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = shuffled(folder.path(), 12, 1);
    let good = std::fs::read(&path).unwrap();
    let refused = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let error = Dataset::open(&path).unwrap_err().to_string();
        assert!(error.contains("12-1.blocks"), "{error}");
        error
    };
    for len in [64, 70, good.len() - 1] {
        assert!(refused(&good[..len]).contains("ends within block"));
    }
    assert!(refused(&[&good[..], &[0]].concat()).contains("goes on"));
    assert!(refused(b"short").contains("not a file of shuffled positions"));
    for at in (0..good.len()).step_by(97).chain(0..64) {
        let mut bad = good.clone();
        bad[at] ^= 0x10;
        refused(&bad);
    }
    // Damage that comes after the file was checked ends the training.
    std::fs::write(&path, &good).unwrap();
    let data = Dataset::open(&path).unwrap();
    let mut bad = good;
    bad[70] ^= 1;
    std::fs::write(&path, &bad).unwrap();
    let mut training = Training::new(settings(), &data, Start::Fresh).unwrap();
    let ended = training.run(|_| {}, |_, _| Ok::<(), Ended>(()));
    assert!(matches!(ended, Err(Ended::Unreadable)));
}

#[test]
fn duplicate_games_are_shuffled_once_and_copies_of_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("one.vf"), folder.path().join("two.vf"));
    let mut all = games(20, 7);
    all.push(all[3].clone());
    write(&one, &all);
    let parts = folder.path().join("parts");
    let shuffled = shuffle(&source(&one), Vec::new(), &parts, 64, 1, |_| {}).unwrap();
    assert_eq!((shuffled.contents.games, shuffled.duplicates), (20, 1));
    write(&two, &all[..10]);
    let both = Source {
        files: vec![one.clone(), two],
        ..source(&one)
    };
    let error = shuffle(&both, Vec::new(), &parts, 64, 1, |_| {}).unwrap_err();
    assert!(
        error.to_string().contains("10 of the same games"),
        "{error}"
    );
    assert!(!parts.exists());
}

#[test]
fn whole_games_are_held_out_and_the_choice_does_not_depend_on_other_games() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.vf");
    let all = games(60, 99);
    write(&file, &all);
    let together = Dataset::load(&source(&file), |_| {}).unwrap();
    assert_eq!(together.games, 60);
    let mut held = 0;
    for game in &all {
        write(&file, std::slice::from_ref(game));
        let alone = Dataset::load(&source(&file), |_| {}).unwrap();
        assert!(
            alone.train.is_empty() || alone.valid.is_empty(),
            "a game is partly held out"
        );
        for sample in &alone.valid {
            assert!(together.valid.contains(sample));
        }
        held += usize::from(!alone.valid.is_empty());
    }
    assert!(
        (3..30).contains(&held),
        "{held} of 60 held out; a fifth was requested"
    );
}

#[test]
fn damaged_data_is_named_and_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("spoiled.vf");
    write(&file, &games(5, 3));
    let good = std::fs::read(&file).unwrap();

    std::fs::write(&file, &good[..good.len() - 3]).unwrap();
    let cut = Dataset::load(&source(&file), |_| {})
        .unwrap_err()
        .to_string();
    assert!(
        cut.contains("spoiled.vf") && cut.contains("ends in the middle"),
        "{cut}"
    );
    let torn = Source {
        tail: Tail::AcceptTorn,
        ..source(&file)
    };
    assert_eq!(Dataset::load(&torn, |_| {}).unwrap().games, 4);

    let mut bad = good;
    bad[36] ^= 0x3f;
    std::fs::write(&file, bad).unwrap();
    let illegal = Dataset::load(&source(&file), |_| {})
        .unwrap_err()
        .to_string();
    assert!(
        illegal.contains("spoiled.vf") && illegal.contains("not legal"),
        "{illegal}"
    );
}
