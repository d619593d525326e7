//! Bringing the accumulators up to date and reading the output, for every size of network and
//! every kernel: one unsafe call for each instruction set.

use skewer_movegen::{Board, Color, Piece};

use super::en_prise::EnPrise;
use super::kernel::{self, Kernel};
use super::parameters::{BLOCK, Block};
use super::{Network, QA, QB, SCALE, pieces};
use crate::Feature;

/// The output of the network for the side to move.
#[inline]
pub(super) fn run(network: &mut Network, board: &Board) -> i32 {
    match network.parameters.architecture().hidden() / BLOCK {
        1 => dispatch::<1>(network, board),
        2 => dispatch::<2>(network, board),
        4 => dispatch::<4>(network, board),
        8 => dispatch::<8>(network, board),
        // `Architecture::new` lets nothing else through.
        _ => dispatch::<16>(network, board),
    }
}

#[inline]
fn dispatch<const N: usize>(network: &mut Network, board: &Board) -> i32 {
    match network.kernel {
        Kernel::Portable => forward::<N>(network, board),
        // SAFETY: a network's kernel is one of `Kernel::available`, which saw these features.
        #[cfg(target_arch = "x86_64")]
        Kernel::Avx2 => unsafe { forward_avx2::<N>(network, board) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Kernel::Avx512 => unsafe { forward_avx512::<N>(network, board) },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn forward_avx2<const N: usize>(network: &mut Network, board: &Board) -> i32 {
    forward::<N>(network, board)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,popcnt,avx512f,avx512bw,avx512vl,avx512vnni")]
fn forward_avx512<const N: usize>(network: &mut Network, board: &Board) -> i32 {
    forward::<N>(network, board)
}

#[inline(always)]
fn forward<const N: usize>(network: &mut Network, board: &Board) -> i32 {
    let top = network.frames.len() - 1;
    if network.accumulators.len() < 2 * N * (top + 1) {
        // A search never pushes so many moves. Another caller may.
        network
            .accumulators
            .resize(2 * N * 2 * (top + 1), Block::ZERO);
        let more = [EnPrise::default(); 2];
        network.en_prise.resize(2 * (top + 1), more);
    }
    // Two calls, because from a loop the compiler hoists the bitboards that only a refresh needs.
    update::<N>(network, board, Color::White);
    update::<N>(network, board, Color::Black);
    if network.parameters.architecture().has_en_prise() {
        let now = EnPrise::of(board);
        let [white, black] = network.en_prise[top];
        if white == black {
            settle::<N>(network, &Color::ALL, &white, &now);
        } else {
            // The accumulator of a side was refreshed, or passed over on the way to a position above it.
            settle::<N>(network, &[Color::White], &white, &now);
            settle::<N>(network, &[Color::Black], &black, &now);
        }
        network.en_prise[top] = [now; 2];
    }

    let parameters = &*network.parameters;
    let bucket = parameters
        .architecture()
        .bucket(board.occupied().count() as usize);
    let (accumulators, _) = network.accumulators.as_chunks::<N>();
    let (weights, _) = parameters.output_weights.as_chunks::<N>();
    let (us, them) = (board.turn().index(), (!board.turn()).index());
    let sum = kernel::activate(&accumulators[2 * top + us], &weights[2 * bucket]).wrapping_add(
        kernel::activate(&accumulators[2 * top + them], &weights[2 * bucket + 1]),
    );
    let output = i64::from(sum / QA + parameters.output_bias[bucket]);
    (output * i64::from(SCALE) / i64::from(QA * QB)) as i32
}

/// Makes `side`'s accumulator of the top frame ready: from the nearest frame below whose accumulator is ready, or
/// from the board if the side's king has changed its view since.
#[inline(always)]
fn update<const N: usize>(network: &mut Network, board: &Board, side: Color) {
    let s = side.index();
    let top = network.frames.len() - 1;
    let view = network.frames[top].views[s];
    let mut known = top;
    while !network.frames[known].ready[s] {
        if known == 0 || network.frames[known - 1].views[s] != view {
            refresh::<N>(network, board, side);
            return;
        }
        known -= 1;
    }

    let has_en_prise = network.parameters.architecture().has_en_prise();
    let (rows, _) = network.parameters.feature_weights.as_chunks::<N>();
    let (accumulators, _) = network.accumulators.as_chunks_mut::<N>();
    kernel::assume_aligned(accumulators);
    let row = |feature: Feature| &rows[view.input(feature, side)];
    for at in known + 1..=top {
        let frame = &mut network.frames[at];
        frame.ready[s] = true;
        if has_en_prise {
            network.en_prise[at][s] = network.en_prise[at - 1][s];
        }
        let (below, above) = accumulators.split_at_mut(2 * at);
        let (from, to) = (&below[2 * at - 2 + s], &mut above[s]);
        match (frame.changes.added(), frame.changes.removed()) {
            (&[a], &[b]) => kernel::update(from, to, [row(a)], [row(b)]),
            (&[a], &[b, c]) => kernel::update(from, to, [row(a)], [row(b), row(c)]),
            (&[a, b], &[c, d]) => {
                kernel::update(from, to, [row(a), row(b)], [row(c), row(d)]);
            }
            _ => *to = *from,
        }
    }
}

/// Makes `side`'s accumulator of the top frame from the cached one of the same view and the
/// pieces that differ.
#[inline(always)]
fn refresh<const N: usize>(network: &mut Network, board: &Board, side: Color) {
    let s = side.index();
    let top = network.frames.len() - 1;
    let frame = &mut network.frames[top];
    frame.ready[s] = true;
    let view = frame.views[s];
    let (rows, _) = network.parameters.feature_weights.as_chunks::<N>();
    let cached = &mut network.cache[s][view.index()];
    let (accumulator, _) = cached.accumulator.as_chunks_mut::<N>();
    let accumulator = &mut accumulator[0];
    kernel::assume_aligned(accumulator);
    let now = pieces(board);
    for color in Color::ALL {
        for piece in Piece::ALL {
            let (new, old) = (
                now[color.index()][piece.index()],
                cached.pieces[color.index()][piece.index()],
            );
            for square in new & !old {
                let feature = Feature::new(color, piece, square.index());
                let row = &rows[view.input(feature, side)];
                kernel::change(accumulator, row, i16::wrapping_add);
            }
            for square in old & !new {
                let feature = Feature::new(color, piece, square.index());
                let row = &rows[view.input(feature, side)];
                kernel::change(accumulator, row, i16::wrapping_sub);
            }
        }
    }
    cached.pieces = now;
    network.en_prise[top][s] = EnPrise::default();
    network.accumulators.as_chunks_mut::<N>().0[2 * top + s] = *accumulator;
}

/// Changes the top accumulators of `sides`, in which the pieces of `known` are en prise, to the pieces of `now`.
#[inline(always)]
fn settle<const N: usize>(network: &mut Network, sides: &[Color], known: &EnPrise, now: &EnPrise) {
    let top = network.frames.len() - 1;
    let views = &network.frames[top].views;
    let first = network.parameters.architecture().piece_inputs();
    let (rows, _) = network.parameters.feature_weights.as_chunks::<N>();
    let (accumulators, _) = network.accumulators.as_chunks_mut::<N>();
    kernel::assume_aligned(accumulators);
    for square in now.difference(known) {
        if let Some(feature) = now.feature_at(square) {
            for &side in sides {
                let row = &rows[first + views[side.index()].seen(feature, side)];
                let accumulator = &mut accumulators[2 * top + side.index()];
                kernel::change(accumulator, row, i16::wrapping_add);
            }
        }
        if let Some(feature) = known.feature_at(square) {
            for &side in sides {
                let row = &rows[first + views[side.index()].seen(feature, side)];
                let accumulator = &mut accumulators[2 * top + side.index()];
                kernel::change(accumulator, row, i16::wrapping_sub);
            }
        }
    }
}
