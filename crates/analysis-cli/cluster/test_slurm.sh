#!/bin/bash
# Runs slurm.sh under Debian's SLURM on this one machine, without systemd, as root:
#
#   cluster/test_slurm.sh PATH-OF-SKEWER-ANALYSE GAMES.pgn
#
# Starts munged, slurmctld and slurmd in a temporary folder, runs an array of three tasks numbered
# from 0, runs one of them again, merges the journals, and compares the result with the result of a run
# without SLURM, byte for byte. Needs the packages munge, slurmctld, slurmd and slurm-client.
set -euo pipefail
analyse=$(realpath "$1")
games=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
chmod 755 "$work"
pids=()
cleanup() {
  status=$?
  [ "$status" = 0 ] || tail -n 20 "$work"/log/*.out
  [ ${#pids[@]} -eq 0 ] || kill "${pids[@]}" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT

# munge: a key and a socket of our own, in folders that only its user may write to.
mkdir -m 700 "$work/key" "$work/log"
mkdir -m 755 "$work/run"
dd if=/dev/urandom of="$work/key/munge.key" bs=1024 count=1 status=none
chmod 400 "$work/key/munge.key"
munged --foreground --key-file="$work/key/munge.key" --socket="$work/run/munge.socket" \
  --pid-file="$work/run/munged.pid" --log-file="$work/log/munged.log" --seed-file="$work/key/seed" >"$work/log/munged.out" 2>&1 &
pids+=($!)

mkdir "$work/state" "$work/spool"
cat >"$work/slurm.conf" <<END
ClusterName=test
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
AuthType=auth/munge
AuthInfo=socket=$work/run/munge.socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/run/slurmctld.pid
SlurmdPidFile=$work/run/slurmd.pid
SlurmctldLogFile=$work/log/slurmctld.log
SlurmdLogFile=$work/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_min_interval=100000
MpiDefault=none
ReturnToService=2
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=1000 State=UNKNOWN
PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF="$work/slurm.conf"
for _ in $(seq 50); do [ -S "$work/run/munge.socket" ] && break; sleep 0.1; done
slurmctld -D >"$work/log/slurmctld.out" 2>&1 &
pids+=($!)
slurmd -D >"$work/log/slurmd.out" 2>&1 &
pids+=($!)
for _ in $(seq 300); do sinfo -h -o %T 2>/dev/null | grep -q idle && break; sleep 0.1; done
sinfo

cd "$work"
export INPUT="$games" SHARDS=3 NODES=100 ANALYSE="$analyse"
sbatch --wait --quiet --array=0-2 "$here/slurm.sh"
# A task that runs again finds all its results in its journal.
before=$(md5sum shards/2.journal)
sbatch --wait --quiet --array=2 "$here/slurm.sh"
[ "$before" = "$(md5sum shards/2.journal)" ] || { echo "a rerun has changed the journal"; exit 1; }
if sbatch --wait --quiet --array=7 "$here/slurm.sh"; then echo "task 7 of 3 succeeded"; exit 1; fi

"$analyse" merge "$games" --from shards/*.journal --quiet --jsonl merged.jsonl
"$analyse" games "$games" --nodes 100 --quiet --jsonl whole.jsonl
cmp merged.jsonl whole.jsonl

KIND=positions OUT=labels sbatch --wait --quiet --array=0-2 "$here/slurm.sh"
"$analyse" positions "$games" --from labels/*.journal --quiet --jsonl labels.jsonl
"$analyse" positions "$games" --nodes 100 --quiet --jsonl whole-labels.jsonl
cmp labels.jsonl whole-labels.jsonl
echo "slurm: 3 shards merged, $(wc -l <merged.jsonl) games and $(wc -l <labels.jsonl) labels, the same bytes as without SLURM"
