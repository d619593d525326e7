#!/usr/bin/env python3
"""The trainer in PyTorch learns as well as `skewer-train net`, and the engine reads its network.

    test_train.py --selfplay PROGRAM --train PROGRAM --engine PROGRAM

Plays games, trains a small network with `skewer-train`, and trains it further with both trainers. Fails unless the
held-out losses of both are within 1% of each other, and `skewer-train` measures the same loss for the network that
PyTorch wrote. Both trainers begin with the same weights, because from random weights two seeds of one trainer differ by
2%; both add inputs for pieces that are en prise, whose weights begin at zero. Then goes on from PyTorch's checkpoint, with the positions in two files. About a minute.
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
FURTHER = [*SHAPE, "--epochs", "3", "--rate", "1e-3", "--last-rate", "1e-5", "--warm-start", "first.nnue",
           "--en-prise", "--kept-rate", "0.5"]
# Options with which a training leaves the weights as they are, and so only measures the loss.
MEASURE = [*SHAPE, "--en-prise", "--epochs", "1", "--rate", "1e-9", "--last-rate", "1e-9", "--warm-start", "torch.nnue"]


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def losses(output):
    return [float(loss) for loss in re.findall(r"held out ([0-9.]+)", output)]


def last_loss(output):
    return losses(output)[-1]


def goes_on_from_a_checkpoint(learn, loss):
    """A training goes on with the unrounded weights of a checkpoint, and two files count as one."""
    options = [*SHAPE, "--en-prise", "--warm-start", "torch.nnue.pt", "--epochs", "1", "--rate", "1e-4", "--last-rate", "1e-5"]
    one, two = learn(["p.blocks"], options), learn(["1.blocks", "2.blocks"], options)
    (before, after), (before_of_two, _) = losses(one), losses(two)
    print(f"from the checkpoint: held out {before:.6f} before, {after:.6f} after")
    if before != loss:
        sys.exit("the checkpoint has another loss than the network from which it was written")
    if after > 1.01 * before:
        sys.exit("what follows a checkpoint forgets what was learnt")
    counts = [re.search(r"(\d+) positions to learn from, (\d+) held out", output).groups() for output in (one, two)]
    if counts[0] != counts[1] or abs(before_of_two / before - 1) > 1e-4:
        sys.exit("the same games in two files have other positions or another loss than in one file")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("selfplay", "train", "engine"):
        parser.add_argument(f"--{name}", required=True, type=lambda path: pathlib.Path(path).resolve())
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        games = ["test-1.vf", "test-2.vf"]
        for seed in (1, 2):
            run(arguments.selfplay, "datagen", "--out", ".", "--name", "test", "--seed", seed, "--nodes", 60,
                "--games", 2000, cwd=folder)
        for output, files in (("p.blocks", games), ("1.blocks", games[:1]), ("2.blocks", games[1:])):
            run(arguments.train, "shuffle", *files, "--hold-out", "0.2", "--output", output, cwd=folder)

        def rust(output, options):
            return last_loss(run(arguments.train, "net", "p.blocks", "--output", output, *options, cwd=folder))

        def learn(files, options, output="further.nnue"):
            return run(sys.executable, HERE / "train.py", *files, "--output", output, *options, cwd=folder)

        before = rust("first.nnue", FIRST)
        ours = rust("rust.nnue", FURTHER)
        theirs = last_loss(learn(["p.blocks"], FURTHER, "torch.nnue"))
        print(f"held out: {before:.6f} before, skewer-train {ours:.6f}, PyTorch {theirs:.6f}")
        if max(ours, theirs) > 0.98 * before:
            sys.exit("too little was learnt to compare")
        if abs(theirs / ours - 1) > 0.01:
            sys.exit("the losses differ by more than 1%")
        goes_on_from_a_checkpoint(learn, theirs)
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
