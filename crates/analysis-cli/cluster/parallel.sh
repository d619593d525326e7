#!/bin/sh
# Analyses a file of games, or labels positions, with GNU parallel, one shard a job, here or on other hosts that see the
# same folder, and puts the results together.
#
#   cluster/parallel.sh GAMES.pgn SHARDS [options of skewer-analyse games]
#   KIND=positions cluster/parallel.sh POSITIONS.epd SHARDS [options of skewer-analyse positions]
#
# Set HOSTS to a list for parallel's --sshlogin (such as "node1,node2") to use other machines, and
# JOBS to the number of jobs on each. Run the script again after an interruption: the jobs go on from their journals.
set -eu
parallel --version 2>/dev/null | grep -q "GNU parallel" || {
  echo "parallel.sh: GNU parallel is not installed; install the package \`parallel\`" >&2
  exit 2
}
input=$1
shards=$2
shift 2
analyse=${ANALYSE:-skewer-analyse}
work=${WORK:-shards}
kind=${KIND:-games}
mkdir -p "$work"
# Arguments reach the jobs as single words, whatever is in them.
parallel ${HOSTS:+--sshlogin "$HOSTS" --workdir .} --jobs "${JOBS:-100%}" --halt soon,fail=1 --quote \
  "$analyse" "$kind" "$input" "$@" --threads 1 --quiet \
  --shard "{}/$shards" --journal "$work/{}.journal" ::: $(seq "$shards")
if [ "$kind" = positions ]; then
  "$analyse" positions "$input" --from "$work"/*.journal --jsonl "$work/labels.jsonl" --csv "$work/labels.csv"
  exit
fi
"$analyse" merge "$input" --from "$work"/*.journal \
  --pgn "$work/annotated.pgn" --jsonl "$work/games.jsonl" --csv "$work/moves.csv" --html "$work/report.html"
