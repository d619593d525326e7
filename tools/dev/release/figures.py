#!/usr/bin/env python3
"""Measure the figures that README and manuals print, and write them where they stand.

    tools/dev/release/figures.py --list            the figures: build, date, time that each takes
    tools/dev/release/figures.py [NAME...]         measure and write these; without names all that are not of this build
    tools/dev/release/figures.py --quick [NAME...] measure on little data and print, to see that it works
    tools/dev/release/figures.py --write           write the known figures into documents that were edited
    tools/dev/release/figures.py --check           fail if a document says something else than was measured
    tools/dev/release/figures.py --check --release fail also if a figure is not of this build

Most figures are measured on an idle machine alone. `tactics` needs `--wac FILE`, the 300 positions of Win at Chess.
Other programs that a figure needs (Stockfish 15.1 of Debian, cargo, Python packages) are named where they are missing.
`measurements.py` has the figures.

A figure stands in a document between two comments, `<!--NAME.FIELD-->` and `<!--/-->`. benches/results/figures.json has
the fields of every figure with the build, the date and the machine. A measurement replaces them all at once, in the
file and in the documents.
"""

import argparse
import json
import pathlib
import re
import sys
import tempfile

from measurements import ANY_LOAD, FIGURES, ROOT, Bench, Failure, busy_share, processor, today

KNOWN = ROOT / "benches" / "results" / "figures.json"
MARK = re.compile(r"<!--([a-z-]+)\.([a-z0-9_]+)-->(.*?)<!--/-->", re.DOTALL)


def documents():
    """The documents that print figures."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "crates" / "wasm" / "npm" / "README.md"]


def known():
    return json.loads(KNOWN.read_text()) if KNOWN.exists() else {}


def fields_of(record):
    """All that a document may print of a figure."""
    return {**record["fields"], "bench": record["bench"], "date": record["date"], "machine": record["machine"]}


def rewritten(text, figures):
    """The text of a document with every figure as it was measured. A figure that was never measured stays as it is, and
    `--check` finds it."""

    def put(mark):
        name, field, _ = mark.groups()
        if name not in figures:
            return mark[0]
        fields = fields_of(figures[name])
        if field not in fields:
            raise Failure(f"the figure {name} has no {field}")
        return f"<!--{name}.{field}-->{fields[field]}<!--/-->"

    return MARK.sub(put, text)


def write():
    figures = known()
    for path in documents():
        text = path.read_text()
        new = rewritten(text, figures)
        if new != text:
            path.write_text(new)
            print(f"written: {path.relative_to(ROOT)}")


def differences(texts, figures, signature=None):
    """What is wrong with the documents: a figure that differs from the measured one or, if `signature` is given, is of
    another build, and a measured figure that no document prints."""
    printed = set()
    for name, text in texts.items():
        for figure, field, shown in MARK.findall(text):
            printed.add(figure)
            if figure not in figures or field not in fields_of(figures[figure]):
                yield f"{name}: {figure}.{field} has not been measured"
            elif shown != fields_of(figures[figure])[field]:
                yield f"{name}: {figure}.{field} is {shown!r}, measured was {fields_of(figures[figure])[field]!r}"
    for figure, record in figures.items():
        if figure not in printed:
            yield f"{figure} was measured, but no document prints it"
        if signature is not None and record["bench"] != signature:
            yield f"{figure} is of bench {record['bench']}, and this build is {signature}"


def check(signature):
    texts = {str(path.relative_to(ROOT)): path.read_text() for path in documents()}
    wrong = list(differences(texts, known(), signature))
    if wrong:
        raise Failure("\n".join(wrong))
    print(f"{len(known())} figures are as they were measured" + (", with this build" if signature else ""))


def measure(bench, names):
    bench.build_engine()
    bench.build_tools()
    signature, figures = bench.signature(), known()
    stale = [name for name in FIGURES if figures.get(name, {}).get("bench") != signature]
    failed = []
    for name in names or stale:
        print(f"{name}: about {FIGURES[name][1]} minutes" if not bench.quick else name, flush=True)
        try:
            idle = name not in ANY_LOAD and not bench.quick
            if idle and (share := busy_share(5)) > 0.05:
                raise Failure(f"the machine is not idle: {100 * share:.0f}% of its time is used")
            fields = FIGURES[name][0](bench)
        except Failure as failure:
            # The others are measured all the same.
            print(f"{name}: {failure}", file=sys.stderr)
            failed.append(name)
            continue
        print("\n".join(f"    {field}: {value}" for field, value in fields.items()), flush=True)
        if not bench.quick:
            figures[name] = {"bench": signature, "date": today(), "machine": processor(idle), "fields": fields}
            KNOWN.write_text(json.dumps(dict(sorted(figures.items())), indent=2, ensure_ascii=False) + "\n")
            write()
    if failed:
        raise Failure(f"not measured: {', '.join(failed)}")


def show():
    figures = known()
    for name, (_, minutes) in FIGURES.items():
        record = figures.get(name)
        of = f"bench {record['bench']}, {record['date']}, {record['machine']}" if record else "not measured"
        print(f"{name:<12} {minutes:>3} minutes   {of}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="figures, from --list")
    parser.add_argument("--wac", type=pathlib.Path, help="the positions of Win at Chess (EPD)")
    for option, text in (
        ("list", "show the figures, their builds and the time that each takes"),
        ("quick", "measure on little data and print, keep nothing"),
        ("write", "write the known figures into the documents"),
        ("check", "compare the documents with the known figures"),
        ("release", "with --check: fail for a figure of another build"),
    ):
        parser.add_argument(f"--{option}", action="store_true", help=text)
    given = parser.parse_args()
    unknown = [name for name in given.names if name not in FIGURES]
    if unknown:
        parser.error(f"no figure is called {unknown[0]}; --list shows them")
    return given


def main():
    given = arguments()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(pathlib.Path(folder), given.quick, given.wac and given.wac.resolve())
        if given.list:
            show()
        elif given.write:
            write()
        elif given.check:
            if given.release:
                bench.build_engine()
            check(bench.signature() if given.release else None)
        else:
            measure(bench, given.names)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"figures.py: {failure}")
