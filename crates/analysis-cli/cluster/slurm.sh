#!/bin/bash
# A SLURM array: each task analyses one shard of the games, or with KIND=positions labels one shard of the positions.
#
#   INPUT=games.pgn SHARDS=16 sbatch --array=1-16 slurm.sh
#
# and when all are done:
#
#   skewer-analyse merge games.pgn --from shards/*.journal --html report.html
#   skewer-analyse positions positions.epd --from shards/*.journal --csv labels.csv
#
# SHARDS is the number of shards, whatever range the array has. So single tasks can be run again, for example by
# `INPUT=games.pgn SHARDS=16 sbatch --array=7,12 slurm.sh`. Tasks may also be numbered from 0. A task that is killed or
# requeued resumes from its journal. More processors: `sbatch --cpus-per-task=8 --mem=2G ...`.
#
# Further variables: NODES (per position, 1000000 by default), OUT (the folder of the journals,
# `shards` by default), ANALYSE (the program).
#SBATCH --job-name=skewer-analyse
#SBATCH --cpus-per-task=1
#SBATCH --mem=500M
#SBATCH --time=12:00:00
#SBATCH --requeue
set -eu
: "${INPUT:?set INPUT to the file of games or positions}"
: "${SHARDS:?set SHARDS to the number of shards}"
: "${SLURM_ARRAY_TASK_ID:?run this with sbatch --array=1-$SHARDS}"
task=$SLURM_ARRAY_TASK_ID
if [ "$task" -gt "$SHARDS" ]; then
  echo "task $task: there are only $SHARDS shards" >&2
  exit 2
fi
# Shards are counted from 1. A task 0 does the last shard, so that the tasks 0 to SHARDS-1 do all shards too.
[ "$task" -gt 0 ] || task=$SHARDS
out=${OUT:-shards}
mkdir -p "$out"
exec "${ANALYSE:-skewer-analyse}" "${KIND:-games}" "$INPUT" \
  --nodes "${NODES:-1000000}" --threads "${SLURM_CPUS_PER_TASK:-1}" --quiet \
  --shard "$task/$SHARDS" --journal "$out/$task.journal"
