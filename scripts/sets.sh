#!/usr/bin/env bash
# Time and memory of each stage on sets of graphs, by one process and by two, on two idle cores:
#   ./scripts/sets.sh PROGRAM FOLDER EDGES...
# Draws colourings of the 32x32 grid until they have so many directed edges together, reads them from the cache,
# coarsens all by Louvain, trains HGNet-Louvain for one epoch and scores the graphs kept aside. Prints a table.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if [ $# -lt 3 ]; then
  echo "usage: $0 PROGRAM FOLDER EDGES..." >&2
  exit 2
fi
program=$1
folder=$2
shift 2
edges_of_a_graph=3968
export OPENBLAS_NUM_THREADS=1

# field NAME FILE: the number behind "NAME": among the seconds of the stages, or after them
field() { sed 's/.*"seconds"://' "$2" | tr '{},' '\n' | grep "^\"$1\":" | cut -d: -f2; }

# fit SET WORKERS: one epoch; its result is in FOLDER/run/result.json
fit() {
  rm -rf "$folder/run"
  "$program" train --dataset "$folder/$1" --model hgnet-louvain --hidden 32 --levels 3 --norm batch --epochs 1 \
    --split random:0.8,0.1,0.1 --threads 1 --workers "$2" --quiet --out "$folder/run" >/dev/null 2>&1
}

printf '| directed edges | graphs | processes | read cache | coarsen | epoch | inference | peak memory of one |\n'
printf '|---|---|---|---|---|---|---|---|\n'
for edges in "$@"; do
  graphs=$(((edges + edges_of_a_graph / 2) / edges_of_a_graph))
  set=sets-$edges
  [ -d "$folder/$set" ] ||
    "$program" generate --graph grid:32x32 --samples $graphs --threads 2 --out "$folder" --name "$set" >/dev/null 2>&1
  fit "$set" 1 # writes the cache
  for workers in 1 2; do
    fit "$set" $workers
    result=$folder/run/result.json
    awk -v e="$edges" -v g="$graphs" -v w=$workers -v load="$(field load "$result")" -v coarsen="$(field prepare "$result")" \
      -v train="$(field train "$result")" -v score="$(field evaluate "$result")" -v peak="$(field peak_memory "$result")" \
      'BEGIN {printf "| %s | %d | %d | %.2f s | %.2f s | %.2f s | %.2f s | %d MB |\n", e, g, w, load, coarsen, train, score, peak / 1e6}'
  done
done
