#!/bin/sh
# Analyses real games, has python-chess read the annotated games, recomputes the aggregates, and compares all outputs
# with their schema:
#   crates/analysis-cli/tests/read_back.sh BINARY [PYTHON]
# PYTHON is a Python interpreter with the packages `chess` and `jsonschema`.
set -eu
analyse=$1
python=${2:-python3}
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The same games are given twice, so that mistakes recur, and two names for the player. Another game has null moves.
games=$here/data/lichess-47.pgn.zst
printf '1. e4 -- 2. d4 -- 3. Nf3 d5 *\n' > "$work/passes.pgn"
"$analyse" games "$games" "$games" "$work/passes.pgn" --nodes "${NODES:-300}" --hash 1 --quiet \
  --player Meridyan --player ams56 \
  --pgn "$work/out.pgn" --jsonl "$work/out.jsonl" --summary "$work/summary.json"
"$python" "$here/read_back.py" "$work/out.pgn" "$work/out.jsonl"
"$python" "$here/aggregates.py" "$work/out.jsonl" "$work/summary.json"
# Compare every kind of output with the schema. Together these runs give every field of a move.
printf '1. e4 e5 2. Ke3 *\n' > "$work/bad.pgn"
printf '%s\n' '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; id "one";' \
  'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm h4; id "two";' > "$work/suite.epd"
# White is mated.
printf '8/8/8/8/8/k7/8/K6r w - - 0 1\n' > "$work/over.fen"
run() { "$analyse" "$@" --nodes 100 --hash 1 --quiet; }
run games "$games" "$work/passes.pgn" "$work/bad.pgn" --multipv 2 --player ams56 \
  --jsonl "$work/games.jsonl" --csv "$work/games.csv" --summary-csv "$work/summary.csv" ||
  [ $? = 1 ] # a game could not be read
run positions "$work/suite.epd" "$work/over.fen" \
  --jsonl "$work/labels.jsonl" --csv "$work/labels.csv" --manifest "$work/manifest.json"
run position startpos --json > "$work/position.json"
run suite "$work/suite.epd" --at-least 1 --jsonl "$work/suite.jsonl"
"$python" "$here/schema.py" "$work"/*.json "$work"/*.jsonl "$work"/*.csv
