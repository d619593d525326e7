//! The network's inference: incremental updates agree with a refresh, all kernels agree, colors and
//! wings are symmetric, integers agree with floating point, and no sum overflows.

mod common;

use std::hash::Hasher;
use std::sync::Arc;

use common::{STARTS, files_flipped, random_game};
use fnv::FnvHasher;
use skewer_eval::network::{
    Architecture, EnPrise, KING_BUCKETS, Kernel, Network, NetworkError, Parameters, QA, QB, SCALE,
    View,
};
use skewer_eval::{Evaluator, Feature, HandWritten};
use skewer_movegen::{Bitboard, Board, Color, Piece, Square};
use skewer_types::{Rng, WinCurve, WinModel};

/// The parameters of a network, from which a test computes outputs by itself.
struct RawNetwork {
    architecture: Architecture,
    feature_weights: Vec<i8>,
    feature_bias: Vec<i16>,
    output_weights: Vec<i16>,
    output_bias: Vec<i32>,
}

impl RawNetwork {
    fn random(hidden: usize, buckets: usize, rng: &mut Rng) -> Self {
        Self::of_shape(Architecture::new(hidden, buckets).unwrap(), rng)
    }

    fn of_shape(architecture: Architecture, rng: &mut Rng) -> Self {
        let (hidden, buckets) = (architecture.hidden(), architecture.buckets());
        let mut numbers = |count: usize, limit: usize| -> Vec<i16> {
            (0..count)
                .map(|_| rng.below(2 * limit + 1) as i16 - limit as i16)
                .collect()
        };
        Self {
            architecture,
            feature_weights: numbers(architecture.inputs() * hidden, 45)
                .into_iter()
                .map(|weight| weight as i8)
                .collect(),
            feature_bias: numbers(hidden, 100),
            output_weights: numbers(buckets * 2 * hidden, 254.min(64_000 / hidden)),
            output_bias: numbers(buckets, 3000).into_iter().map(i32::from).collect(),
        }
    }

    fn parameters(&self) -> Result<Parameters, NetworkError> {
        Parameters::from_quantised(
            self.architecture,
            &self.feature_weights,
            &self.feature_bias,
            &self.output_weights,
            &self.output_bias,
        )
    }

    /// The output in floating point, from the definition of the network.
    fn real_output(&self, board: &Board) -> f64 {
        let hidden = self.architecture.hidden();
        let bucket = self.architecture.bucket(board.occupied().count() as usize);
        let weights = &self.output_weights[bucket * 2 * hidden..][..2 * hidden];
        let mut output = f64::from(self.output_bias[bucket]) / f64::from(QA * QB);
        for (half, side) in [board.turn(), !board.turn()].into_iter().enumerate() {
            let view = View::of_king(board.king(side), side, self.architecture.king_buckets());
            for neuron in 0..hidden {
                let mut sum = i32::from(self.feature_bias[neuron]);
                for color in Color::ALL {
                    for piece in Piece::ALL {
                        for square in board.colored(color, piece) {
                            let feature = Feature::new(color, piece, square.index());
                            let row = view.input(feature, side);
                            sum += i32::from(self.feature_weights[row * hidden + neuron]);
                            if self.architecture.has_en_prise() && is_en_prise(board, square) {
                                let row =
                                    self.architecture.piece_inputs() + view.seen(feature, side);
                                sum += i32::from(self.feature_weights[row * hidden + neuron]);
                            }
                        }
                    }
                }
                assert!(i16::try_from(sum).is_ok());
                let clipped = (f64::from(sum) / f64::from(QA)).clamp(0.0, 1.0);
                let weight = f64::from(weights[half * hidden + neuron]) / f64::from(QB);
                output += clipped * clipped * weight;
            }
        }
        output * f64::from(SCALE)
    }
}

fn shapes() -> impl Iterator<Item = Architecture> {
    Architecture::HIDDEN.into_iter().flat_map(|hidden| {
        let plain = |buckets| Architecture::new(hidden, buckets).unwrap();
        let apart = plain(8).with_king_buckets(KING_BUCKETS).unwrap();
        [
            plain(1),
            plain(8).with_en_prise(),
            apart,
            apart.with_en_prise(),
        ]
    })
}

/// Whether the piece on `square` is en prise, from the definition: piece by piece.
fn is_en_prise(board: &Board, square: Square) -> bool {
    let Some((color, piece)) = board.colored_piece_at(square) else {
        return false;
    };
    let by = |color| board.attackers_to(square, board.occupied()) & board.color(color);
    let value = |piece| match piece {
        Piece::Pawn => 1,
        Piece::Knight | Piece::Bishop => 3,
        Piece::Rook => 5,
        Piece::Queen => 9,
        Piece::King => 100,
    };
    let attackers = by(!color);
    let is_lower = |at: Square| {
        let attacker = board.piece_at(at).unwrap();
        // A pawn that a pawn attacks counts, too.
        value(attacker) < value(piece) || attacker == Piece::Pawn
    };
    piece != Piece::King
        && attackers.any()
        && (by(color).is_empty() || attackers.into_iter().any(is_lower))
}

#[test]
fn pieces_are_en_prise_by_the_rule() {
    let mut rng = Rng::new(0xe9);
    let mut found = 0;
    for fen in STARTS {
        random_game(
            Board::from_fen(fen).unwrap(),
            150,
            &mut rng,
            |_, _, board| {
                let expected: Bitboard = (board.occupied().into_iter())
                    .filter(|&square| is_en_prise(board, square))
                    .fold(Bitboard::EMPTY, |set, square| set | square.bitboard());
                assert_eq!(EnPrise::of(board).squares(), expected, "{board}");
                found += expected.count();
            },
        );
    }
    assert!(found > 1000, "only {found} pieces");
}

#[test]
fn incremental_updates_agree_with_a_refresh_in_every_kernel() {
    let mut rng = Rng::new(0xacc);
    for shape in shapes() {
        let parameters = Arc::new(RawNetwork::of_shape(shape, &mut rng).parameters().unwrap());
        let mut networks: Vec<Network> = Kernel::available()
            .into_iter()
            .map(|kernel| Network::with_kernel(Arc::clone(&parameters), kernel))
            .collect();
        let mut fresh = Network::with_kernel(Arc::clone(&parameters), Kernel::Portable);
        for fen in STARTS {
            let board = Board::from_fen(fen).unwrap();
            for network in &mut networks {
                network.reset(&board);
            }
            let mut steps = 0;
            let mut skip = Rng::new(shape.hidden() as u64 + 1);
            random_game(board, 120, &mut rng, |before, mv, after| {
                for network in &mut networks {
                    network.push(before, mv, after);
                }
                // Skip some positions, as a search does; the next evaluation must catch up.
                if skip.below(3) == 0 {
                    return;
                }
                let mut anew = Network::with_kernel(Arc::clone(&parameters), Kernel::Portable);
                anew.reset(after);
                let expected = anew.output(after);
                fresh.reset(after);
                assert_eq!(fresh.output(after), expected, "the refresh cache, {after}");
                for network in &mut networks {
                    assert_eq!(
                        network.output(after),
                        expected,
                        "{:?} at {after}",
                        network.kernel()
                    );
                }
                steps += 1;
            });
            assert!(steps > 0);
        }
    }
}

#[test]
fn pop_restores_the_evaluation() {
    let mut rng = Rng::new(0xbac);
    let shape = Architecture::new(64, 8).unwrap().with_en_prise();
    let numbers = RawNetwork::of_shape(shape, &mut rng);
    let parameters = Arc::new(numbers.parameters().unwrap());
    let mut network = Network::new(Arc::clone(&parameters));
    for fen in STARTS {
        let board = Board::from_fen(fen).unwrap();
        network.reset(&board);
        let mut scores = Vec::new();
        random_game(board, 60, &mut rng, |before, mv, after| {
            scores.push((*before, network.output(before)));
            network.push(before, mv, after);
            if scores.len() % 5 == 0 {
                network.output(after);
            }
        });
        for (board, score) in scores.into_iter().rev() {
            network.pop();
            assert_eq!(network.output(&board), score);
        }
        // A pop without a push changes nothing.
        network.pop();
        let mut anew = Network::new(Arc::clone(&parameters));
        anew.reset(&board);
        assert_eq!(network.output(&board), anew.output(&board));
    }
}

#[test]
fn lines_longer_than_any_search_are_evaluated() {
    let mut rng = Rng::new(0x1009);
    let shape = Architecture::new(32, 1).unwrap().with_en_prise();
    let numbers = RawNetwork::of_shape(shape, &mut rng);
    let parameters = Arc::new(numbers.parameters().unwrap());
    let mut network = Network::new(Arc::clone(&parameters));
    let mut last = Board::STARTPOS;
    for _ in 0..4 {
        random_game(last, 300, &mut rng, |before, mv, after| {
            network.push(before, mv, after);
            last = *after;
        });
        let mut anew = Network::new(Arc::clone(&parameters));
        anew.reset(&last);
        assert_eq!(network.output(&last), anew.output(&last));
    }
}

#[test]
fn flipped_and_mirrored_positions_have_the_same_score() {
    let mut rng = Rng::new(0x51de);
    let shape = Architecture::new(64, 8).unwrap().with_en_prise();
    let numbers = RawNetwork::of_shape(shape, &mut rng);
    let mut network = Network::new(Arc::new(numbers.parameters().unwrap()));
    let mut evaluate = |board: &Board| {
        network.reset(board);
        network.output(board)
    };
    for fen in STARTS {
        random_game(
            Board::from_fen(fen).unwrap(),
            100,
            &mut rng,
            |_, _, board| {
                let score = evaluate(board);
                assert_eq!(evaluate(&board.mirrored()), score, "{board}");
                assert_eq!(evaluate(&files_flipped(board)), score, "{board}");
            },
        );
    }
}

#[test]
fn integers_agree_with_floating_point() {
    let mut rng = Rng::new(0xf10a7);
    for shape in shapes() {
        let numbers = RawNetwork::of_shape(shape, &mut rng);
        let mut network = Network::new(Arc::new(numbers.parameters().unwrap()));
        for fen in STARTS {
            random_game(
                Board::from_fen(fen).unwrap(),
                30,
                &mut rng,
                |_, _, board| {
                    network.reset(board);
                    let (integer, real) = (network.output(board).raw(), numbers.real_output(board));
                    // Two divisions, each rounded towards zero.
                    assert!(
                        (f64::from(integer) - real).abs() < 2.1,
                        "{integer} and {real}: {board}"
                    );
                },
            );
        }
    }
}

#[test]
fn the_largest_weights_do_not_overflow() {
    // The largest possible sum: every neuron saturated, every output weight at its limit.
    let hidden = 128;
    let mut numbers = RawNetwork {
        architecture: Architecture::new(hidden, 1).unwrap(),
        feature_weights: vec![127; Feature::COUNT * hidden],
        feature_bias: vec![251; hidden],
        output_weights: vec![254; 2 * hidden],
        output_bias: vec![0],
    };
    let board = Board::STARTPOS;
    for sign in [1i16, -1] {
        numbers.output_weights.fill(254 * sign);
        let parameters = Arc::new(numbers.parameters().unwrap());
        let expected = numbers.real_output(&board);
        for kernel in Kernel::available() {
            let mut network = Network::with_kernel(Arc::clone(&parameters), kernel);
            let found = f64::from(network.output(&board).raw());
            let capped = f64::from(skewer_types::Score::MAX_EVAL.raw()).min(expected.abs());
            assert!(
                (found.abs() - capped).abs() < 2.1 && found * expected > 0.0,
                "{kernel:?}"
            );
        }
    }
    // Larger weights are refused.
    numbers.output_weights.fill(259);
    assert!(matches!(numbers.parameters(), Err(NetworkError::Overflow)));
    numbers.output_weights.fill(254);
    numbers.feature_bias[100] = 28_672;
    assert!(matches!(numbers.parameters(), Err(NetworkError::Overflow)));
    // With inputs for pieces that are en prise, twice as many weights may come together.
    numbers.feature_bias[100] = 28_671;
    assert!(numbers.parameters().is_ok());
    numbers.architecture = numbers.architecture.with_en_prise();
    numbers.feature_weights = vec![127; 2 * Feature::COUNT * hidden];
    assert!(matches!(numbers.parameters(), Err(NetworkError::Overflow)));
    numbers.feature_bias[100] = 24_575;
    assert!(numbers.parameters().is_ok());
}

#[test]
fn sums_and_biases_that_could_overflow_are_refused() {
    let hidden = 512;
    let mut numbers = RawNetwork {
        architecture: Architecture::new(hidden, 8).unwrap(),
        feature_weights: vec![0; Feature::COUNT * hidden],
        feature_bias: vec![0; hidden],
        output_weights: vec![0; 8 * 2 * hidden],
        output_bias: vec![0; 8],
    };
    let is_refused = |numbers: &RawNetwork| match numbers.parameters() {
        Ok(_) => false,
        Err(NetworkError::Overflow) => true,
        Err(other) => panic!("{other}"),
    };
    // All weights of a bucket may be this large if half of them are positive and half negative, but not if all have the
    // same sign.
    let last = 7 * 2 * hidden..8 * 2 * hidden;
    for weight in [200, -200] {
        numbers.output_weights[last.clone()].fill(weight);
        assert!(is_refused(&numbers), "{weight}");
        numbers.output_weights[last.start..last.start + hidden].fill(-weight);
        assert!(!is_refused(&numbers), "{weight}");
    }
    for (bias, refused) in [
        (1 << 20, false),
        (-(1 << 20), false),
        ((1 << 20) + 1, true),
        (i32::MAX, true),
        (i32::MIN, true),
    ] {
        numbers.output_bias[7] = bias;
        assert_eq!(is_refused(&numbers), refused, "{bias}");
    }
}

#[test]
fn parameters_survive_a_round_trip_through_bytes() {
    let mut rng = Rng::new(0xf11e);
    for shape in shapes() {
        let parameters = RawNetwork::of_shape(shape, &mut rng).parameters().unwrap();
        let bytes = parameters.to_bytes();
        assert_eq!(Parameters::from_bytes(&bytes).unwrap(), parameters);
        assert_eq!(parameters.win_model(), WinModel::default());
        let curve = |even, spread| WinCurve::new(even, spread).unwrap();
        let model = WinModel::new(curve(87.3, 91.9), curve(8000.0, 1.0));
        let fitted = parameters.with_win_model(model);
        let read = Parameters::from_bytes(&fitted.to_bytes()).unwrap();
        assert_eq!(read, fitted);
        let full = read.win_model().full();
        assert!((full.even() - 87.3).abs() <= 1.0 / 16.0);
        assert!((full.spread() - 91.9).abs() <= 1.0 / 16.0);
        assert_eq!(read.win_model().bare(), curve(8000.0, 1.0));
        assert_eq!(read.fingerprint(), fitted.fingerprint());
    }
}

/// A file of version 3 has one curve, for every material.
#[test]
fn files_of_version_3_have_one_curve() {
    let mut rng = Rng::new(0xf1a7);
    let parameters = RawNetwork::random(32, 8, &mut rng).parameters().unwrap();
    let mut old = parameters.to_bytes();
    old[8] = 3;
    old[48..52].copy_from_slice(&166.75f32.to_le_bytes());
    old[52..56].copy_from_slice(&85.5f32.to_le_bytes());
    let mut checksum = FnvHasher::default();
    checksum.write(&old[..56]);
    checksum.write(&old[64..]);
    old[56..64].copy_from_slice(&checksum.finish().to_le_bytes());
    let model = WinModel::from(WinCurve::new(166.75, 85.5).unwrap());
    let read = Parameters::from_bytes(&old).unwrap();
    assert_eq!(read, parameters.with_win_model(model));
}

#[test]
fn files_of_version_2_are_rounded() {
    let mut numbers = RawNetwork::random(32, 8, &mut Rng::new(0x201d));
    numbers.output_weights.iter_mut().for_each(|w| *w &= !1);
    let bytes = numbers.parameters().unwrap().to_bytes();
    let scaled = |value: i32, from: i32, to: i32| {
        (f64::from(value) * f64::from(to) / f64::from(from)).round() as i32
    };
    let wide = |value: i32| (scaled(value, 127, 255) as i16).to_le_bytes();
    let mut old = bytes[..64].to_vec();
    let features = numbers.feature_weights.iter().map(|&v| v.into());
    let biases = numbers.feature_bias.iter().map(|&v| v.into());
    old.extend(features.chain(biases).flat_map(wide));
    old.extend(
        numbers
            .output_weights
            .iter()
            .flat_map(|v| (v / 2).to_le_bytes()),
    );
    let last = numbers
        .output_bias
        .iter()
        .map(|&v| scaled(v, 127 * 128, 255 * 64));
    old.extend(last.flat_map(i32::to_le_bytes));
    old[8] = 2;
    old[24..32].copy_from_slice(&[255, 0, 0, 0, 64, 0, 0, 0]);
    let length = old.len() as u64 - 64;
    old[40..48].copy_from_slice(&length.to_le_bytes());
    let mut checksum = FnvHasher::default();
    checksum.write(&old[..56]);
    checksum.write(&old[64..]);
    old[56..64].copy_from_slice(&checksum.finish().to_le_bytes());
    assert_eq!(Parameters::from_bytes(&old).unwrap().to_bytes(), bytes);
}

#[test]
fn wrong_files_are_refused() {
    let parameters = RawNetwork::random(32, 8, &mut Rng::new(5))
        .parameters()
        .unwrap();
    let good = parameters.to_bytes();
    let broken = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = good.clone();
        change(&mut bytes);
        Parameters::from_bytes(&bytes).unwrap_err()
    };
    assert!(matches!(broken(&|b| b.clear()), NetworkError::Magic));
    assert!(matches!(broken(&|b| b[0] ^= 1), NetworkError::Magic));
    assert!(matches!(
        broken(&|b| b.truncate(20)),
        NetworkError::Length { .. }
    ));
    assert!(matches!(broken(&|b| b[8] = 9), NetworkError::Version(9, 1)));
    assert!(matches!(
        broken(&|b| b[16] = 33),
        NetworkError::Architecture { hidden: 33, .. }
    ));
    assert!(matches!(
        broken(&|b| b[24] = 1),
        NetworkError::Quantisation(1, _, _)
    ));
    assert!(matches!(
        broken(&|b| b.truncate(b.len() - 1)),
        NetworkError::Length { .. }
    ));
    assert!(matches!(
        broken(&|b| b.push(0)),
        NetworkError::Length { .. }
    ));
    // Every byte is guarded.
    for at in (8..64).chain([64, 1000, good.len() - 1]) {
        broken(&|b| b[at] ^= 0x40);
    }
    assert!(matches!(
        Parameters::load("no/such/file"),
        Err(NetworkError::Io(_))
    ));
    assert!(
        Parameters::load("no/such/file")
            .unwrap_err()
            .to_string()
            .contains("cannot be read")
    );
}

#[test]
fn only_regular_files_of_the_right_length_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.nnue");
    let parameters = RawNetwork::random(32, 8, &mut Rng::new(6))
        .parameters()
        .unwrap();
    std::fs::write(&path, parameters.to_bytes()).unwrap();
    assert_eq!(Parameters::load(&path).unwrap(), parameters);
    // A sparse file of 64 GiB: reading it would take minutes.
    let length = 1 << 36;
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(length).expect("a sparse file");
    let error = Parameters::load(&path).unwrap_err();
    assert!(
        matches!(error, NetworkError::Length { found, .. } if found as u64 == length),
        "{error}"
    );
    for nothing_to_read in [folder.path(), std::path::Path::new("/dev/zero")] {
        assert!(matches!(
            Parameters::load(nothing_to_read),
            Err(NetworkError::Io(_))
        ));
    }
}

/// Training games are adjudicated before such endings, so a network does not learn to mate.
#[test]
fn pieces_against_a_bare_king_use_the_hand_written_evaluation() {
    let numbers = RawNetwork::random(32, 8, &mut Rng::new(0xba4e));
    let mut network = Network::new(Arc::new(numbers.parameters().unwrap()));
    for (fen, by_hand) in [
        ("8/8/3k4/8/8/3K4/3BN3/8 w - - 0 1", true),
        ("8/8/3k4/8/8/3K4/3BN3/8 b - - 0 1", true),
        ("8/8/3k4/8/8/3K4/3R4/8 w - - 0 1", true),
        ("3r4/8/3k4/8/8/3K4/8/8 w - - 0 1", true),
        ("8/8/3k4/8/8/3K4/3RP3/8 w - - 0 1", false),
        ("8/3r4/3k4/8/8/3K4/3Q4/8 w - - 0 1", false),
    ] {
        let board: Board = fen.parse().unwrap();
        network.reset(&board);
        let said = if by_hand {
            HandWritten::new(&board).evaluate(&board)
        } else {
            network.output(&board)
        };
        assert_eq!(network.evaluate(&board), said, "{fen}");
    }
}

#[test]
fn a_wrong_bit_anywhere_in_the_header_is_an_error() {
    let numbers = RawNetwork::random(32, 1, &mut Rng::new(7));
    let good = numbers.parameters().expect("fits").to_bytes();
    assert!(Parameters::from_bytes(&good).is_ok());
    for at in 0..64 {
        for bit in 0..8 {
            let mut bad = good.clone();
            bad[at] ^= 1 << bit;
            assert!(
                Parameters::from_bytes(&bad).is_err(),
                "bit {bit} of byte {at}"
            );
        }
    }
}
