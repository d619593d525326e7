#!/bin/bash
# A SLURM array: each task does one shard with all cores of its node.
#
#   GAMES=games.pgn sbatch --array=1-16 cluster/slurm.sh
#   and when it is done:
#   skewer-analyse merge games.pgn --from shards/*.journal --html report.html
#
# A task that is killed or requeued goes on from its journal. (Not run for this project, which has
# no SLURM; the command in it is the one that its tests run.)
#SBATCH --job-name=skewer-analyse
#SBATCH --cpus-per-task=16
#SBATCH --mem=8G
#SBATCH --time=12:00:00
#SBATCH --requeue
set -eu
mkdir -p shards
exec "${ANALYSE:-skewer-analyse}" games "$GAMES" \
  --nodes "${NODES:-1000000}" --threads "$SLURM_CPUS_PER_TASK" --quiet \
  --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_MAX" \
  --journal "shards/$SLURM_ARRAY_TASK_ID.journal"
