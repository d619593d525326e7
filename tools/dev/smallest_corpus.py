#!/usr/bin/env python3
"""Choose a small corpus from the control file of a libFuzzer merge.

smallest_corpus.py CONTROL FOLDER [FILES [BYTES]]: copies at most FILES (40) inputs of at most BYTES
(1000) into FOLDER, each time the input that adds the most features, or the shortest of several.
Names are checksums of the contents, as libFuzzer names them. The corpus of the target `fen`
(HEAP, EMPTY and SMALL are folders):

    cargo +nightly fuzz run fen HEAP -- -set_cover_merge=1 -merge_control_file=/tmp/fen.control EMPTY HEAP
    tools/dev/smallest_corpus.py /tmp/fen.control SMALL
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -cf fuzz/corpus/fen.tar -C SMALL .
"""
import hashlib
import pathlib
import sys


def read(control):
    """Yields (path, features) of a merge control file (libFuzzer's FuzzerMerge.cpp)."""
    lines = pathlib.Path(control).read_text().splitlines()
    count = int(lines[0])
    paths = lines[2 : 2 + count]  # the second line is the number in the first folder
    for line in lines[2 + count :]:
        words = line.split()
        if words and words[0] == "FT":
            yield paths[int(words[1])], frozenset(words[2:])


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    control, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    files = int(sys.argv[3]) if len(sys.argv) > 3 else 40
    size = int(sys.argv[4]) if len(sys.argv) > 4 else 1000
    left = {}
    for path, features in read(control):
        data = pathlib.Path(path).read_bytes()
        if len(data) <= size:
            left[data] = features
    folder.mkdir(parents=True, exist_ok=True)
    everything = frozenset().union(*left.values())
    reached = frozenset()
    for _ in range(files):
        best = max(left, key=lambda data: (len(left[data] - reached), -len(data)), default=None)
        if best is None or not left[best] - reached:
            break
        reached |= left.pop(best)
        (folder / hashlib.sha1(best).hexdigest()).write_bytes(best)
    print(f"{folder}: {len(reached)} of {len(everything)} features")


if __name__ == "__main__":
    main()
