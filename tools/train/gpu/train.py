#!/usr/bin/env python3
"""Train a network with PyTorch, on a GPU where there is one, as `skewer-train net` trains it on the processor.

    skewer-train shuffle data/*.vf --output positions.blocks
    python train.py positions.blocks --hidden 512 --king-buckets 6 --stretch 254 --output new.nnue

Network, loss, optimizer, schedule and options are the same as in `skewer-train net`; the order of the positions and the
initial weights differ. After every epoch the script prints the losses, and writes the network and beside it a
checkpoint (.pt), from which another training can go on. Needs the Python packages `torch`, `numpy` and `zstandard`
(requirements.txt).
"""

import argparse
import math
import os
import sys
import time

import torch

from blocks import ROW, BlockError, BlockFile
from network import Network, NetworkError, Positions, read, read_checkpoint, write, write_checkpoint


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("blocks", nargs="+", help="files of skewer-train shuffle, each of different games")
    parser.add_argument("--output", "-o", default="net.nnue", help="the network to write")
    parser.add_argument("--hidden", type=int, default=128, choices=[32, 64, 128, 256, 512])
    parser.add_argument("--buckets", type=int, default=8, choices=[1, 8], help="output buckets")
    parser.add_argument("--king-buckets", type=int, default=1, choices=[1, 6])
    parser.add_argument("--en-prise", action="store_true", help="inputs for pieces that are en prise")
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--batch", type=int, default=16_384, help="positions a step")
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate of the first steps")
    parser.add_argument("--last-rate", type=float, default=3e-5, help="learning rate of the last steps")
    parser.add_argument("--kept-rate", type=float, default=1.0,
                        help="with --warm-start and --en-prise: learning rate of the weights that the network has, as a "
                             "share of --rate")
    parser.add_argument("--decay", type=float, default=0.01, help="weight decay")
    parser.add_argument("--bucket-decay", type=float, default=3.0,
                        help="weight decay of the differences between king buckets")
    parser.add_argument("--wdl", type=float, default=0.1, help="weight of the game's result in the target")
    parser.add_argument("--future-share", type=float, default=0.0,
                        help="weight of the later scores of the game in the rest of the target")
    parser.add_argument("--stretch", type=float, help="scale of expected points [default: the value in the file]")
    parser.add_argument("--warm-start", metavar="FILE",
                        help="start from the weights of a network of the same shape, or from a checkpoint (.pt), which "
                             "has unrounded weights and the state of the optimizer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1, help="threads on the processor; more are slower beside other work")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    arguments = parser.parse_args()
    if arguments.kept_rate != 1.0 and not (arguments.warm_start and arguments.en_prise):
        parser.error("--kept-rate needs --warm-start and --en-prise")
    return arguments


WARMUP = 100


def rate_of(step, steps, warmup, arguments):
    """The learning rate of a step: a short rise, then half a cosine down."""
    if step < warmup:
        return arguments.rate * (step + 1) / warmup
    done = min((step - warmup) / max(steps - warmup, 1), 1.0)
    return arguments.last_rate + 0.5 * (arguments.rate - arguments.last_rate) * (1 + math.cos(math.pi * done))


def targets(positions, arguments):
    """The expected points to learn."""
    points = torch.sigmoid(positions.score / arguments.stretch)
    points = points + arguments.future_share * (torch.sigmoid(positions.future / arguments.stretch) - points)
    return arguments.wdl * positions.points + (1 - arguments.wdl) * points


class Data:
    """The positions of several files: in the memory of the device if they fit, otherwise read anew in every epoch."""

    # The part of the free memory that positions may take. The order of the positions in an epoch takes in addition a
    # quarter of what the positions take.
    SHARE = 0.5

    def __init__(self, paths, arguments):
        self.files = [BlockFile(path) for path in paths]
        self.train = sum(file.train for file in self.files)
        self.valid = sum(file.valid for file in self.files)
        stretches = {round(file.stretch) for file in self.files}
        self.stretch = arguments.stretch or max(stretches)
        if arguments.stretch is None and len(stretches) > 1:
            raise BlockError("the files have scores of different scales; give --stretch")
        self.whole = None
        if arguments.device != "cpu" and self.train * ROW < self.SHARE * torch.cuda.mem_get_info()[0]:
            parts = [file.whole(os.cpu_count() or 1).to(arguments.device) for file in self.files]
            self.whole = parts[0] if len(parts) == 1 else torch.cat(parts)

    def group_sizes(self):
        """The sizes of the groups of an epoch, within which the order is random."""
        if self.whole is not None:
            return [self.train]
        return [size for file in self.files for size in file.group_sizes()]

    def groups(self, seed):
        """The groups of an epoch."""
        if self.whole is not None:
            yield self.whole
            return
        for file in self.files:
            yield from file.groups(seed)

    def held_out(self):
        """The held-out positions, block by block."""
        for file in self.files:
            yield from file.held_out()


def held_out_loss(network, data, arguments):
    """The mean squared error over the held-out games."""
    total, count = 0.0, 0
    with torch.no_grad():
        for rows in data.held_out():
            for part in rows.split(65_536):
                positions = Positions(part.to(arguments.device))
                error = network.points(positions, arguments.stretch) - targets(positions, arguments)
                total += error.square().sum().item()
                count += len(part)
    return total / max(count, 1)


def begin(arguments):
    """The network and its optimizer, from the weights that the options name."""
    network = Network(arguments.hidden, arguments.buckets, arguments.king_buckets,
                      arguments.en_prise).to(arguments.device)
    optimizer = torch.optim.AdamW(network.groups(arguments.decay, arguments.bucket_decay), lr=arguments.rate,
                                  fused=arguments.device != "cpu")
    if arguments.warm_start and arguments.warm_start.endswith(".pt"):
        read_checkpoint(network, optimizer, arguments.warm_start, arguments.device)
    elif arguments.warm_start:
        read(network, arguments.warm_start)
    return network, optimizer


def main():
    arguments = parse()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    data = Data(arguments.blocks, arguments)
    arguments.stretch = data.stretch
    print(f"{data.train} positions to learn from, {data.valid} held out; points are sigmoid(score / "
          f"{arguments.stretch:g}); {arguments.device}", file=sys.stderr)
    network, optimizer = begin(arguments)
    if arguments.warm_start:
        print(f"before          held out {held_out_loss(network, data, arguments):.6f}", flush=True)
    per_epoch = sum(math.ceil(size / arguments.batch) for size in data.group_sizes())
    steps, warmup, step = per_epoch * arguments.epochs, min(WARMUP, per_epoch), 0
    for epoch in range(1, arguments.epochs + 1):
        begun, total = time.perf_counter(), torch.zeros((), dtype=torch.float64, device=arguments.device)
        for rows in data.groups(arguments.seed * 1_000_003 + epoch):
            rows = rows.to(arguments.device)
            order = torch.randperm(len(rows), device=arguments.device)
            # Batches of nearly equal size, so that an epoch has every position exactly once.
            for places in order.tensor_split(math.ceil(len(rows) / arguments.batch)):
                rate = rate_of(step, steps, warmup, arguments)
                for group in optimizer.param_groups:
                    is_new = network.en_prise is not None and group["params"][0] is network.en_prise
                    group["lr"] = rate * (1.0 if is_new else arguments.kept_rate)
                positions = Positions(rows[places])
                error = network.points(positions, arguments.stretch) - targets(positions, arguments)
                optimizer.zero_grad(set_to_none=True)
                error.square().mean().backward()
                optimizer.step()
                network.keep_within_limits()
                total += error.detach().square().sum().double()
                step += 1
        learnt = total.item() / data.train
        speed = data.train / (time.perf_counter() - begun) / 1e3
        print(f"epoch {epoch:>3}  loss {learnt:.6f}  held out {held_out_loss(network, data, arguments):.6f}  "
              f"{speed:.0f} k/s", flush=True)
        write(network, arguments.output)
        write_checkpoint(network, optimizer, f"{arguments.output}.pt")


if __name__ == "__main__":
    try:
        main()
    except (BlockError, NetworkError, OSError) as error:
        sys.exit(f"train.py: {error}")
