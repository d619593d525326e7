#!/bin/sh
# Analyses real games and has python-chess read the result:
#   tools/analyse/tests/read_back.sh BINARY FOLDER-OF-PGN [PYTHON]
# PYTHON is one that has the package `chess`.
set -eu
analyse=$1
data=$2
python=${3:-python3}
here=$(dirname "$0")
if [ ! -d "$data" ]; then
  echo "skipped: no test material at $data"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$analyse" games "$data"/*.pgn --nodes "${NODES:-300}" --hash 1 --quiet \
  --pgn "$work/out.pgn" --jsonl "$work/out.jsonl"
"$python" "$here/read_back.py" "$work/out.pgn" "$work/out.jsonl"
