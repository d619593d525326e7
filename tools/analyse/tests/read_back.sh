#!/bin/sh
# Analyses real games, has python-chess read the annotated games, and recomputes the aggregates:
#   tools/analyse/tests/read_back.sh BINARY [PYTHON]
# PYTHON is one that has the package `chess`.
set -eu
analyse=$1
python=${2:-python3}
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Twice the same games, so that mistakes recur; two names of one player.
games=$here/data/lichess-47.pgn.zst
"$analyse" games "$games" "$games" --nodes "${NODES:-300}" --hash 1 --quiet \
  --player Meridyan --player ams56 \
  --pgn "$work/out.pgn" --jsonl "$work/out.jsonl" --summary "$work/summary.json"
"$python" "$here/read_back.py" "$work/out.pgn" "$work/out.jsonl"
"$python" "$here/aggregates.py" "$work/out.jsonl" "$work/summary.json"
