#!/usr/bin/env python3
"""Train a network with PyTorch, on a GPU where there is one, as `skewer-train net` trains it on the processor.

    skewer-train shuffle data/*.vf --output positions.blocks
    python train.py positions.blocks --hidden 512 --king-buckets 6 --stretch 254 --output new.nnue

Network, loss, optimizer, schedule and options are the same as in `skewer-train net`; the order of the positions and the
initial weights differ. After every epoch the script prints the losses and writes the network. Needs the
Python packages `torch`, `numpy` and `zstandard` (requirements.txt).
"""

import argparse
import math
import sys
import time

import torch

from blocks import BlockError, BlockFile
from network import Network, NetworkError, Positions, read, write


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("blocks", help="a file of skewer-train shuffle")
    parser.add_argument("--output", "-o", default="net.nnue", help="the network to write")
    parser.add_argument("--hidden", type=int, default=128, choices=[32, 64, 128, 256, 512])
    parser.add_argument("--buckets", type=int, default=8, choices=[1, 8], help="output buckets")
    parser.add_argument("--king-buckets", type=int, default=1, choices=[1, 6])
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--batch", type=int, default=16_384, help="positions a step")
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate of the first steps")
    parser.add_argument("--last-rate", type=float, default=3e-5, help="learning rate of the last steps")
    parser.add_argument("--decay", type=float, default=0.01, help="weight decay")
    parser.add_argument("--bucket-decay", type=float, default=3.0,
                        help="weight decay of the differences between king buckets")
    parser.add_argument("--wdl", type=float, default=0.1, help="weight of the game's result in the target")
    parser.add_argument("--future-share", type=float, default=0.0,
                        help="weight of the later scores of the game in the rest of the target")
    parser.add_argument("--stretch", type=float, help="scale of expected points [default: the value in the file]")
    parser.add_argument("--warm-start", metavar="NETWORK", help="start from the weights of a network of the same shape")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1, help="threads on the processor; more are slower beside other work")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    return parser.parse_args()


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


def held_out_loss(network, blocks, arguments):
    """The mean squared error over the held-out games."""
    total, count = 0.0, 0
    with torch.no_grad():
        for rows in blocks.held_out():
            for part in rows.split(65_536):
                positions = Positions(part.to(arguments.device))
                error = network.points(positions, arguments.stretch) - targets(positions, arguments)
                total += error.square().sum().item()
                count += len(part)
    return total / max(count, 1)


def main():
    arguments = parse()
    blocks = BlockFile(arguments.blocks)
    arguments.stretch = arguments.stretch or round(blocks.stretch)
    print(f"{blocks.train} positions to learn from, {blocks.valid} held out; points are sigmoid(score / "
          f"{arguments.stretch:g}); {arguments.device}", file=sys.stderr)
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    network = Network(arguments.hidden, arguments.buckets, arguments.king_buckets).to(arguments.device)
    if arguments.warm_start:
        read(network, arguments.warm_start)
    optimizer = torch.optim.AdamW(network.groups(arguments.decay, arguments.bucket_decay), lr=arguments.rate,
                                  fused=arguments.device != "cpu")
    per_epoch = sum(math.ceil(size / arguments.batch) for size in blocks.group_sizes())
    steps, warmup, step = per_epoch * arguments.epochs, min(WARMUP, per_epoch), 0
    for epoch in range(1, arguments.epochs + 1):
        begun, total = time.perf_counter(), torch.zeros((), dtype=torch.float64, device=arguments.device)
        for rows in blocks.groups(arguments.seed * 1_000_003 + epoch):
            rows = rows.to(arguments.device)
            order = torch.randperm(len(rows), device=arguments.device)
            # Batches of nearly equal size, so that an epoch has every position exactly once.
            for places in order.tensor_split(math.ceil(len(rows) / arguments.batch)):
                rate = rate_of(step, steps, warmup, arguments)
                for group in optimizer.param_groups:
                    group["lr"] = rate
                positions = Positions(rows[places])
                error = network.points(positions, arguments.stretch) - targets(positions, arguments)
                optimizer.zero_grad(set_to_none=True)
                error.square().mean().backward()
                optimizer.step()
                network.keep_within_limits()
                total += error.detach().square().sum().double()
                step += 1
        speed = blocks.train / (time.perf_counter() - begun) / 1e3
        print(f"epoch {epoch:>3}  loss {total.item() / blocks.train:.6f}  "
              f"held out {held_out_loss(network, blocks, arguments):.6f}  {speed:.0f} k/s", flush=True)
        write(network, arguments.output)


if __name__ == "__main__":
    try:
        main()
    except (BlockError, NetworkError, OSError) as error:
        sys.exit(f"train.py: {error}")
