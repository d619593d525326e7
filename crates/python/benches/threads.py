#!/usr/bin/env python3
"""Measures how much faster two Python threads, each with an engine, are than one.

    pip install . && benches/threads.py [--repeat N] [--nodes N]

Two concurrent processes, which share no GIL, show the most that the machine allows. The three kinds of
run alternate, so that other load on the machine affects them alike; medians are printed. The cores in
use show whether the machine was idle: with two threads they should be near 2.
"""

import argparse
import statistics
import subprocess
import sys
import threading
import time

import skewer


def search(nodes):
    with skewer.Engine(hash=16) as engine:
        engine.analyse(skewer.Board(), nodes=nodes)


def threads(count, nodes):
    """Seconds of `count` searches in threads of this process, and processor time a second."""
    workers = [threading.Thread(target=search, args=(nodes,)) for _ in range(count)]
    wall, cpu = time.perf_counter(), time.process_time()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    wall = time.perf_counter() - wall
    return wall, (time.process_time() - cpu) / wall


def processes(count, nodes):
    """Seconds of `count` searches in as many processes, without the time that Python takes to start."""
    command = [sys.executable, __file__, "--worker", "--nodes", str(nodes)]
    workers = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(count)
    ]
    for worker in workers:
        worker.stdout.readline()
    wall = time.perf_counter()
    for worker in workers:
        worker.stdin.write("go\n")
        worker.stdin.flush()
    for worker in workers:
        worker.stdout.readline()
    wall = time.perf_counter() - wall
    for worker in workers:
        worker.communicate()
    return wall


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nodes", type=int, default=1_000_000, help="of each search")
    parser.add_argument("--repeat", type=int, default=5, help="repetitions, of which the median is printed")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    nodes = arguments.nodes
    if arguments.worker:
        print("ready", flush=True)
        sys.stdin.readline()
        search(nodes)
        print("done", flush=True)
        return

    runs = [
        (*threads(1, nodes), *threads(2, nodes), processes(2, nodes))
        for _ in range(arguments.repeat)
    ]
    one, one_cpu, two, two_cpu, apart = map(statistics.median, zip(*runs))
    print(f"one thread     {one:6.2f} s, {one_cpu:.2f} cores")
    print(f"two threads    {two:6.2f} s, {two_cpu:.2f} cores, {2 * one / two:.2f} times as much work a second")
    print(f"two processes  {apart:6.2f} s,             {2 * one / apart:.2f} times")


if __name__ == "__main__":
    main()
