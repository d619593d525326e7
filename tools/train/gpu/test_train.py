#!/usr/bin/env python3
"""The trainer in PyTorch learns as well as `skewer-train net`, and the engine reads its network.

    test_train.py --selfplay PROGRAM --train PROGRAM --engine PROGRAM

Plays games, trains a small network with `skewer-train`, and trains it further with both trainers. Fails unless the
held-out losses of both are within 1% of each other, and `skewer-train` measures the same loss for the network that
PyTorch wrote. Both trainers begin with the same weights, because from random weights two seeds of one trainer differ by
2%. About a minute.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SHAPE = "--hidden 32 --buckets 8 --king-buckets 6 --batch 1024 --wdl 0.1 --future-share 0.5 --stretch 254".split()
FIRST = [*SHAPE, "--epochs", "4", "--rate", "3e-3", "--last-rate", "1e-3"]
FURTHER = [*SHAPE, "--epochs", "3", "--rate", "1e-3", "--last-rate", "1e-5", "--warm-start", "first.nnue"]
# Options with which a training leaves the weights as they are, and so only measures the loss.
MEASURE = [*SHAPE, "--epochs", "1", "--rate", "1e-9", "--last-rate", "1e-9", "--warm-start", "torch.nnue"]


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def last_loss(output):
    return float(re.findall(r"held out ([0-9.]+)", output)[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("selfplay", "train", "engine"):
        parser.add_argument(f"--{name}", required=True, type=lambda path: pathlib.Path(path).resolve())
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run(arguments.selfplay, "datagen", "--out", ".", "--name", "test", "--nodes", 60, "--games", 4000, cwd=folder)
        run(arguments.train, "shuffle", "test-1.vf", "--hold-out", "0.2", "--output", "p.blocks", cwd=folder)

        def rust(output, options):
            return last_loss(run(arguments.train, "net", "p.blocks", "--output", output, *options, cwd=folder))

        before = rust("first.nnue", FIRST)
        ours = rust("rust.nnue", FURTHER)
        script = HERE / "train.py"
        theirs = last_loss(run(sys.executable, script, "p.blocks", "--output", "torch.nnue", *FURTHER, cwd=folder))
        print(f"held out: {before:.6f} before, skewer-train {ours:.6f}, PyTorch {theirs:.6f}")
        if max(ours, theirs) > 0.98 * before:
            sys.exit("too little was learnt to compare")
        if abs(theirs / ours - 1) > 0.01:
            sys.exit("the losses differ by more than 1%")
        # Each trainer has computed its own loss above; this is the loss of the network file that PyTorch wrote.
        written = rust("again.nnue", MEASURE)
        print(f"the network of PyTorch, measured by skewer-train: {written:.6f}")
        if abs(written / theirs - 1) > 0.01:
            sys.exit("the file that PyTorch wrote has another loss than its network")
        said = run(arguments.engine, input="setoption name EvalFile value torch.nnue\neval\nquit\n", cwd=folder)
        if "network torch.nnue" not in said:
            sys.exit(f"the engine does not read the network: {said}")


if __name__ == "__main__":
    main()
