#!/usr/bin/env python3
"""How fast PyTorch trains, on the processor, the network that `skewer-train bench` trains.

    pip install torch --index-url https://download.pytorch.org/whl/cpu
    python compare_pytorch.py --threads 2 --hidden 128,256

The same work: positions of 21 pieces, the average of the positions of `bench`, 768 inputs for each
side of which those 21 are on, one hidden layer shared by both sides, squared clipped activation,
eight outputs chosen by the number of pieces, squared error of the logistic function, AdamW, batches of 16384.
The first layer is an `EmbeddingBag` that sums rows, which is the fastest form that PyTorch has for
it on a processor. Inputs are made up (their number matters to the time, their meaning does not) and
are ready in memory before the clock starts, while skewer-train unpacks its positions inside the
measured time.
"""

import argparse
import time

import torch
from torch import nn

INPUTS, PIECES, BUCKETS, BATCH = 768, 21, 8, 16_384


class Network(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.rows = nn.EmbeddingBag(INPUTS, hidden, mode="sum")
        self.bias = nn.Parameter(torch.zeros(hidden))
        self.output = nn.Linear(2 * hidden, BUCKETS)

    def forward(self, ours, theirs, bucket):
        sums = torch.cat([self.rows(ours) + self.bias, self.rows(theirs) + self.bias], dim=1)
        outputs = self.output(sums.clamp(0.0, 1.0).square())
        return outputs.gather(1, bucket.unsqueeze(1)).squeeze(1)


def batch(generator):
    def inputs():
        return torch.randint(INPUTS, (BATCH, PIECES), generator=generator)

    bucket = torch.full((BATCH,), (PIECES - 2) // 4)
    return inputs(), inputs(), bucket, torch.rand(BATCH, generator=generator)


def measure(hidden, seconds):
    """Positions a second: the best of the seconds measured."""
    generator = torch.Generator().manual_seed(1)
    batches = [batch(generator) for _ in range(8)]
    network = Network(hidden)
    optimizer = torch.optim.AdamW(network.parameters(), lr=1e-3, weight_decay=0.01)
    best, begun = 0.0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        started = time.perf_counter()
        for ours, theirs, bucket, target in batches:
            optimizer.zero_grad(set_to_none=True)
            points = torch.sigmoid(network(ours, theirs, bucket))
            loss = (points - target).square().mean()
            loss.backward()
            optimizer.step()
        best = max(best, len(batches) * BATCH / (time.perf_counter() - started))
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--hidden", default="128,256")
    parser.add_argument("--seconds", type=float, default=10.0)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    print(f"PyTorch {torch.__version__}, {arguments.threads} threads")
    for hidden in map(int, arguments.hidden.split(",")):
        speed = measure(hidden, arguments.seconds)
        print(f"{hidden:>4} x 2 -> 8: {speed / 1e3:>6.0f} thousand positions a second")


if __name__ == "__main__":
    main()
