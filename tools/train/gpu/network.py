"""The network in PyTorch, its inputs from packed positions, and its file.

tools/train/src/model.rs describes the parameters, crates/eval/src/network/file.rs the file.
"""

import os
import pickle
import struct

import numpy
import torch
from torch import nn

FEATURES = 768
QA, QB, SCALE = 127, 128, 400
FEATURE_LIMIT, WEIGHT_LIMIT = 1.0, 1.98


class Positions:
    """Positions on the device, from rows of 32 bytes (sample.rs)."""

    def __init__(self, rows):
        # The first bytes as 64-bit numbers: occupied squares, and four bits for each piece.
        self.words = rows[:, :24].contiguous().view(torch.int64)
        scores = rows[:, 24:28].contiguous().view(torch.int16).float()
        self.score, self.future = scores[:, 0], scores[:, 1]
        self.points = rows[:, 28].float() * 0.5
        self.views = rows[:, 29].long()
        self.on = (self.words[:, :1] >> torch.arange(64, device=rows.device) & 1).bool()
        self.counts = self.on.sum(1)

    def pieces(self):
        """The pieces of all positions one after another: their positions, their squares, and 8 for a piece of the
        opponent, plus its kind."""
        position, square = self.on.nonzero(as_tuple=True)
        # The place of each piece among the pieces of its position.
        place = torch.arange(len(position), device=position.device) - starts(self.counts)[position]
        word = torch.where(place < 16, self.words[position, 1], self.words[position, 2])
        return position, square, word >> 4 * (place & 15) & 15

    def inputs(self, position, square, piece, king_buckets):
        """The inputs of pieces from our point of view and from theirs."""
        theirs = torch.where(piece >= 8, FEATURES // 2, 0)
        kind = (piece & 7) * 64
        views = self.views[position]
        ours_square = square ^ torch.where(views & 1 != 0, 7, 0)
        theirs_square = square ^ 56 ^ torch.where(views & 16 != 0, 7, 0)
        ours = theirs + kind + ours_square
        other = FEATURES // 2 - theirs + kind + theirs_square
        if king_buckets > 1:
            ours = ours + (views >> 1 & 7) * FEATURES
            other = other + (views >> 5) * FEATURES
        return ours, other


def starts(counts):
    """Where each group begins, if groups of these sizes follow one another."""
    return counts.cumsum(0) - counts


# The steps of the pieces, as ranks and files.
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
KNIGHT = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


def moved(boards, step):
    """Boards of squares (positions, ranks, files), moved by a step; what leaves the board is lost."""
    rank, file = step
    padded = nn.functional.pad(boards, (max(file, 0), max(-file, 0), max(rank, 0), max(-rank, 0)))
    first_rank, first_file = max(-rank, 0), max(-file, 0)
    return padded[:, first_rank:first_rank + 8, first_file:first_file + 8]


def attacks(boards, steps, empty=None):
    """The squares that pieces on these boards attack by these steps; with `empty` squares, by several steps."""
    attacked = torch.zeros_like(boards)
    for step in steps:
        reached = moved(boards, step)
        attacked |= reached
        for _ in range(0 if empty is None else 6):
            reached = moved(reached & empty, step)
            attacked |= reached
    return attacked


def pieces_en_prise(position, square, piece, count):
    """Whether there is a piece that is en prise, for each of `count` positions and each square; `piece` is 8 for a
    piece of the opponent, plus its kind. crates/eval/src/network/en_prise.rs has the rule."""
    boards = torch.zeros(16, count, 64, dtype=torch.bool, device=position.device)
    boards[piece, position, square] = True
    boards = boards.view(16, count, 8, 8)
    empty = ~boards.any(0)

    def by_side(side):
        pawns, knights, bishops, rooks, queens, king = boards[8 * side:8 * side + 6]
        by_pawns = attacks(pawns, [(-1, 1), (-1, -1)] if side else [(1, 1), (1, -1)])
        by_minors = attacks(knights, KNIGHT) | attacks(bishops, DIAGONAL, empty)
        by_rooks = attacks(rooks, STRAIGHT, empty)
        others = attacks(queens, DIAGONAL + STRAIGHT, empty) | attacks(king, DIAGONAL + STRAIGHT)
        return by_pawns, by_minors, by_rooks, by_pawns | by_minors | by_rooks | others

    sides = [by_side(0), by_side(1)]
    found = torch.zeros_like(empty)
    for side in (0, 1):
        by_pawns, by_minors, by_rooks, by_all = sides[1 - side]
        danger = by_pawns | by_all & ~sides[side][3]
        pawns, knights, bishops, rooks, queens, _ = boards[8 * side:8 * side + 6]
        found |= (pawns | knights | bishops | rooks | queens) & danger
        found |= (rooks | queens) & by_minors | queens & by_rooks
    return found.view(count, 64)


class Network(nn.Module):
    """768 inputs for each king bucket and side, perhaps 768 for pieces that are en prise, one hidden layer shared by
    both sides, squared clipped activation."""

    def __init__(self, hidden, buckets, king_buckets, en_prise=False):
        super().__init__()
        self.hidden, self.buckets, self.king_buckets = hidden, buckets, king_buckets

        def uniform(*shape, limit):
            return nn.Parameter((torch.rand(*shape) * 2 - 1) * limit)

        # With several king buckets a feature's weight is the sum of its bucket's row and of a row common to all.
        self.common = uniform(FEATURES, hidden, limit=0.1)
        self.own = nn.Parameter(torch.zeros(king_buckets * FEATURES, hidden)) if king_buckets > 1 else None
        self.en_prise = nn.Parameter(torch.zeros(FEATURES, hidden)) if en_prise else None
        self.bias = uniform(hidden, limit=0.1)
        self.output = uniform(buckets, 2 * hidden, limit=(1 / (2 * hidden)) ** 0.5)
        self.output_bias = nn.Parameter(torch.zeros(buckets))

    def groups(self, decay, bucket_decay):
        """The parameters in groups, each with its weight decay."""
        shared = [self.common, self.bias, self.output, self.output_bias]
        groups = [{"params": shared, "weight_decay": decay}]
        if self.own is not None:
            groups.append({"params": [self.own], "weight_decay": decay + bucket_decay})
        if self.en_prise is not None:
            groups.append({"params": [self.en_prise], "weight_decay": decay})
        return groups

    def rows(self):
        """The feature weights of pieces as the engine has them."""
        rows = self.common
        if self.own is not None:
            sums = self.own + self.common.repeat(self.king_buckets, 1)
            # Both parts learn as if the sum had no limit; otherwise a weight at its limit would never leave it.
            rows = sums + (sums.clamp(-FEATURE_LIMIT, FEATURE_LIMIT) - sums).detach()
        return rows

    def points(self, positions, stretch):
        """The expected points of positions."""
        counts = positions.counts
        position, square, piece = positions.pieces()
        rows = self.rows()
        parts = [(positions.inputs(position, square, piece, self.king_buckets), rows, counts)]
        if self.en_prise is not None:
            chosen = pieces_en_prise(position, square, piece, len(counts))[position, square]
            each = torch.zeros_like(counts).index_add(0, position, chosen.long())
            inputs = positions.inputs(position[chosen], square[chosen], piece[chosen], 1)
            parts.append((inputs, self.en_prise, each))

        def side(index):
            sums = self.bias
            for inputs, rows, each in parts:
                sums = sums + nn.functional.embedding_bag(inputs[index], rows, starts(each), mode="sum")
            return sums.clamp(0.0, 1.0).square()

        sums = torch.cat([side(0), side(1)], dim=1)
        bucket = (counts - 2) // 4 if self.buckets > 1 else torch.zeros_like(counts)
        output = (sums * self.output[bucket]).sum(1) + self.output_bias[bucket]
        return torch.sigmoid(output * (SCALE / stretch))

    @torch.no_grad()
    def keep_within_limits(self):
        """Keeps the parameters within what the file can hold."""
        for parameter in self.parameters():
            parameter.clamp_(-WEIGHT_LIMIT, WEIGHT_LIMIT)
        for rows in (self.common, self.own, self.en_prise):
            if rows is not None:
                rows.clamp_(-FEATURE_LIMIT, FEATURE_LIMIT)


HEADER = struct.Struct("<8sIIIIIIIIQ8s")
MAGIC, VERSION = b"SKEWERNN", 4
# The kinds of networks, without and with inputs for pieces that are en prise.
KINDS = (1, 2)


class NetworkError(Exception):
    """A file of a network that cannot be used."""


def checksum(data):
    """FNV-1a, 64 bits."""
    value = 0xCBF2_9CE4_8422_2325
    for byte in data:
        value = (value ^ byte) * 0x100_0000_01B3 & 0xFFFF_FFFF_FFFF_FFFF
    return value


@torch.no_grad()
def write(network, path):
    """Writes the network file, in place of an older one only when it is whole."""

    def integers(values, limit, unit, kind):
        scaled = (values.clamp(-limit, limit) * unit).double().cpu().numpy()
        # Half away from zero, as Rust rounds.
        return (numpy.sign(scaled) * numpy.floor(numpy.abs(scaled) + 0.5)).astype(kind).tobytes()

    payload = b"".join([
        integers(network.rows(), FEATURE_LIMIT, QA, "<i1"),
        b"" if network.en_prise is None else integers(network.en_prise, FEATURE_LIMIT, QA, "<i1"),
        integers(network.bias, WEIGHT_LIMIT, QA, "<i2"),
        integers(network.output, WEIGHT_LIMIT, QB, "<i2"),
        integers(network.output_bias, WEIGHT_LIMIT, QA * QB, "<i4"),
    ])
    kind = KINDS[network.en_prise is not None]
    header = HEADER.pack(MAGIC, VERSION, kind, network.hidden, network.buckets, QA, QB, SCALE,
                         network.king_buckets, len(payload), bytes(8))
    data = header + struct.pack("<Q", checksum(header + payload)) + payload
    with open(f"{path}.new", "wb") as file:
        file.write(data)
    os.replace(f"{path}.new", path)


@torch.no_grad()
def read(network, path):
    """Takes the weights of a network file of the same shape; the mean over the king buckets becomes the common row."""
    with open(path, "rb") as file:
        data = file.read()
    start = HEADER.size + 8
    if len(data) < start or data[:8] != MAGIC:
        raise NetworkError(f"{path}: this is not a network")
    _, version, kind, hidden, buckets, *_, king_buckets, length, _ = HEADER.unpack(data[:HEADER.size])
    # Version 3 differs only in the win model.
    if version not in (3, VERSION) or kind not in KINDS:
        raise NetworkError(f"{path}: version {version}, kind {kind} is not known")
    if kind == KINDS[1] and network.en_prise is None:
        raise NetworkError(f"{path}: this network has inputs for pieces that are en prise; give --en-prise")
    if (hidden, buckets, king_buckets) != (network.hidden, network.buckets, network.king_buckets):
        raise NetworkError(f"{path}: {hidden} neurons, {buckets} output buckets and {king_buckets} king buckets")
    if len(data) - start != length or checksum(data[:HEADER.size] + data[start:]) != int.from_bytes(data[start - 8:start], "little"):
        raise NetworkError(f"{path}: the file is damaged")
    payload = memoryview(data)[start:]

    def floats(kind, unit, *shape):
        nonlocal payload
        size = numpy.dtype(kind).itemsize * int(numpy.prod(shape))
        part, payload = payload[:size], payload[size:]
        values = numpy.frombuffer(part, dtype=kind).astype(numpy.float32) / unit
        return torch.from_numpy(values.reshape(shape))

    rows = floats("<i1", QA, king_buckets, FEATURES, hidden)
    common = rows.mean(0)
    network.common.copy_(common)
    if network.own is not None:
        network.own.copy_((rows - common).reshape(-1, hidden))
    # The weights of pieces that are en prise stay zero if the file has none.
    if kind == KINDS[1]:
        network.en_prise.copy_(floats("<i1", QA, FEATURES, hidden))
    network.bias.copy_(floats("<i2", QA, hidden))
    network.output.copy_(floats("<i2", QB, buckets, 2 * hidden))
    network.output_bias.copy_(floats("<i4", QA * QB, buckets))


def shape_of(network):
    """What must be the same in a checkpoint that a training goes on from."""
    return network.hidden, network.buckets, network.king_buckets, network.en_prise is not None


def write_checkpoint(network, optimizer, path):
    """Writes the unrounded weights and the state of the optimizer, in place of an older file only when it is whole."""
    torch.save({"shape": shape_of(network), "network": network.state_dict(), "optimizer": optimizer.state_dict()}, f"{path}.new")
    os.replace(f"{path}.new", path)


def read_checkpoint(network, optimizer, path, device):
    """Takes the weights and the state of the optimizer from a checkpoint of a network of the same shape. The settings
    of the optimizer stay as they are."""
    try:
        state = torch.load(path, map_location=device, weights_only=True)
        shape, weights, moments = state["shape"], state["network"], state["optimizer"]
    except (pickle.UnpicklingError, RuntimeError, KeyError, TypeError, EOFError) as error:
        raise NetworkError(f"{path}: this is not a checkpoint of this program") from error
    if shape != shape_of(network):
        raise NetworkError(f"{path}: (neurons, output buckets, king buckets, en prise) is {shape}, "
                           f"not {shape_of(network)}")
    network.load_state_dict(weights)
    settings = [{name: value for name, value in group.items() if name != "params"} for group in optimizer.param_groups]
    optimizer.load_state_dict(moments)
    for group, own in zip(optimizer.param_groups, settings):
        group.update(own)
