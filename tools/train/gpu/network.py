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

    def inputs(self, king_buckets):
        """The inputs that are on, of all positions one after another, for us and for them; where the inputs of each
        position begin; and the number of pieces of each."""
        device = self.words.device
        squares = torch.arange(64, device=device)
        on = (self.words[:, :1] >> squares & 1).bool()
        counts = on.sum(1)
        position, square = on.nonzero(as_tuple=True)
        # The place of each piece among the pieces of its position.
        starts = counts.cumsum(0) - counts
        place = torch.arange(len(position), device=device) - starts[position]
        word = torch.where(place < 16, self.words[position, 1], self.words[position, 2])
        piece = word >> 4 * (place & 15) & 15
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
        return ours, other, starts, counts


class Network(nn.Module):
    """768 inputs for each king bucket and side, one hidden layer shared by both, squared clipped activation."""

    def __init__(self, hidden, buckets, king_buckets):
        super().__init__()
        self.hidden, self.buckets, self.king_buckets = hidden, buckets, king_buckets

        def uniform(*shape, limit):
            return nn.Parameter((torch.rand(*shape) * 2 - 1) * limit)

        # With several king buckets a feature's weight is the sum of its bucket's row and of a row common to all.
        self.common = uniform(FEATURES, hidden, limit=0.1)
        self.own = nn.Parameter(torch.zeros(king_buckets * FEATURES, hidden)) if king_buckets > 1 else None
        self.bias = uniform(hidden, limit=0.1)
        self.output = uniform(buckets, 2 * hidden, limit=(1 / (2 * hidden)) ** 0.5)
        self.output_bias = nn.Parameter(torch.zeros(buckets))

    def groups(self, decay, bucket_decay):
        """The parameters in groups, each with its weight decay."""
        shared = [self.common, self.bias, self.output, self.output_bias]
        groups = [{"params": shared, "weight_decay": decay}]
        if self.own is not None:
            groups.append({"params": [self.own], "weight_decay": decay + bucket_decay})
        return groups

    def rows(self):
        """The feature weights as the engine has them."""
        if self.own is None:
            return self.common
        sums = self.own + self.common.repeat(self.king_buckets, 1)
        # Both parts learn as if the sum had no limit; otherwise a weight at its limit would never leave it.
        return sums + (sums.clamp(-FEATURE_LIMIT, FEATURE_LIMIT) - sums).detach()

    def points(self, positions, stretch):
        """The expected points of positions."""
        ours, theirs, starts, counts = positions.inputs(self.king_buckets)
        rows = self.rows()

        def side(inputs):
            sums = nn.functional.embedding_bag(inputs, rows, starts, mode="sum") + self.bias
            return sums.clamp(0.0, 1.0).square()

        sums = torch.cat([side(ours), side(theirs)], dim=1)
        bucket = (counts - 2) // 4 if self.buckets > 1 else torch.zeros_like(counts)
        output = (sums * self.output[bucket]).sum(1) + self.output_bias[bucket]
        return torch.sigmoid(output * (SCALE / stretch))

    @torch.no_grad()
    def keep_within_limits(self):
        """Keeps the parameters within what the file can hold."""
        for parameter in self.parameters():
            parameter.clamp_(-WEIGHT_LIMIT, WEIGHT_LIMIT)
        for rows in (self.common, self.own):
            if rows is not None:
                rows.clamp_(-FEATURE_LIMIT, FEATURE_LIMIT)


HEADER = struct.Struct("<8sIIIIIIIIQ8s")
MAGIC, VERSION, ACTIVATION = b"SKEWERNN", 4, 1


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
        integers(network.bias, WEIGHT_LIMIT, QA, "<i2"),
        integers(network.output, WEIGHT_LIMIT, QB, "<i2"),
        integers(network.output_bias, WEIGHT_LIMIT, QA * QB, "<i4"),
    ])
    header = HEADER.pack(MAGIC, VERSION, ACTIVATION, network.hidden, network.buckets, QA, QB, SCALE,
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
    _, version, _, hidden, buckets, *_, king_buckets, length, _ = HEADER.unpack(data[:HEADER.size])
    # Version 3 differs only in the win model.
    if version not in (3, VERSION):
        raise NetworkError(f"{path}: version {version} is not known")
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
    network.bias.copy_(floats("<i2", QA, hidden))
    network.output.copy_(floats("<i2", QB, buckets, 2 * hidden))
    network.output_bias.copy_(floats("<i4", QA * QB, buckets))


def write_checkpoint(network, optimizer, path):
    """Writes the unrounded weights and the state of the optimizer, in place of an older file only when it is whole."""
    shape = (network.hidden, network.buckets, network.king_buckets)
    torch.save({"shape": shape, "network": network.state_dict(), "optimizer": optimizer.state_dict()}, f"{path}.new")
    os.replace(f"{path}.new", path)


def read_checkpoint(network, optimizer, path, device):
    """Takes the weights and the state of the optimizer from a checkpoint of a network of the same shape. The settings
    of the optimizer stay as they are."""
    try:
        state = torch.load(path, map_location=device, weights_only=True)
        shape, weights, moments = state["shape"], state["network"], state["optimizer"]
    except (pickle.UnpicklingError, RuntimeError, KeyError, TypeError, EOFError) as error:
        raise NetworkError(f"{path}: this is not a checkpoint of this program") from error
    if shape != (network.hidden, network.buckets, network.king_buckets):
        raise NetworkError(f"{path}: {shape[0]} neurons, {shape[1]} output buckets and {shape[2]} king buckets")
    network.load_state_dict(weights)
    settings = [{name: value for name, value in group.items() if name != "params"} for group in optimizer.param_groups]
    optimizer.load_state_dict(moments)
    for group, own in zip(optimizer.param_groups, settings):
        group.update(own)
