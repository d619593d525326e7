#!/usr/bin/env python3
"""Run the criterion benches and print their results as a Markdown table.

    benches/table.py                 all benches, about two minutes after the build
    benches/table.py --bench eval    one file; any option of `cargo bench -p skewer-benches`
    benches/table.py --last          print the results of the last run, run nothing

Run it on an idle machine. The interval is criterion's, of 95%; it holds for one run only (see
benches/README.md).
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CRITERION = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "criterion"


def scaled(value, units):
    """`value` with the largest of `units` (name, size) that leaves at least 1."""
    name, size = max(((n, s) for n, s in units if value >= s), key=lambda u: u[1], default=units[0])
    return f"{value / size:.3g} {name}"


def duration(nanoseconds):
    return scaled(nanoseconds, [("ns", 1), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)])


def rate(throughput, nanoseconds):
    if not throughput:
        return ""
    ((kind, amount),) = throughput.items()
    unit = {"Elements": "", "Bytes": "B"}[kind]
    units = [(unit, 1), (f"k{unit}", 1e3), (f"M{unit}", 1e6), (f"G{unit}", 1e9)]
    return scaled(amount / nanoseconds * 1e9, units).strip() + "/s"


def rows(since):
    for path in sorted(CRITERION.glob("**/new/estimates.json")):
        if path.stat().st_mtime < since:
            continue
        bench = json.loads((path.parent / "benchmark.json").read_text())
        estimates = json.loads(path.read_text())
        estimate = estimates.get("slope") or estimates["mean"]
        interval = estimate["confidence_interval"]
        low, high = interval["lower_bound"], interval["upper_bound"]
        time_of_one = estimate["point_estimate"]
        yield (
            bench["full_id"],
            duration(time_of_one),
            f"{duration(low)} .. {duration(high)}",
            rate(bench["throughput"], time_of_one),
        )


def main():
    arguments = sys.argv[1:]
    if "--help" in arguments or "-h" in arguments:
        print(__doc__.strip())
        return 0
    since = 0.0
    if arguments != ["--last"]:
        since = time.time()
        command = ["cargo", "bench", "-p", "skewer-benches", *arguments]
        # The table alone goes to the standard output.
        done = subprocess.run(command, cwd=ROOT, stdout=sys.stderr, check=False)
        if done.returncode:
            return done.returncode
    table = list(rows(since))
    if not table:
        print(f"no results in {CRITERION}; run without --last first", file=sys.stderr)
        return 1
    print("| bench | time | 95% | a second |\n|---|---:|---:|---:|")
    for row in table:
        print(f"| {' | '.join(row)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
