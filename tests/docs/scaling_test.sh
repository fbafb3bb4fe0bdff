#!/bin/bash
# scaling_test.sh SOURCE PROGRAM: runs the commands of docs/scaling.md for SLURM and GNU parallel, with
# stand-ins for these.

source=$1 program=$2 failures=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export HGNET_CACHE=$work/cache
unset RANK WORLD_SIZE

fail() {
  echo "$*" >&2
  failures=$((failures + 1))
}
# block PATTERN: the first code block of the page that has it
block() {
  awk -v pattern="$1" '/^```/ {if (inside && found) {printf "%s", text; exit} inside = !inside; text = ""; found = 0; next}
    inside {text = text $0 "\n"; if (index($0, pattern)) found = 1}' "$source/docs/scaling.md"
}

mkdir bin
ln -s "$program" bin/hgnet
# srun starts as many tasks as the script asks for.
cat >bin/srun <<'END'
#!/bin/bash
for task in 0 1; do
  SLURM_PROCID=$task SLURM_NTASKS=2 SLURM_JOB_NODELIST=localhost SLURM_JOB_ID=$$ "$@" || touch failed &
done
wait
[ ! -e failed ]
END
# parallel -j N COMMAND... ::: VALUES...
cat >bin/parallel <<'END'
#!/bin/bash
shift 2
while [ "$1" != ::: ]; do command+=("$1"); shift; done
shift
for value in "$@"; do "${command[@]//\{\}/$value}" || exit 1; done
END
chmod +x bin/srun bin/parallel
export PATH=$work/bin:$PATH

# Graphs of two kinds: rings, and paths.
mkdir my_graphs
echo id,graph,x >my_graphs/nodes.csv
echo source,target,graph >my_graphs/edges.csv
echo id,label >my_graphs/graphs.csv
for g in $(seq 0 29); do
  echo "$g,$((g % 2))" >>my_graphs/graphs.csv
  n=$((4 + g % 5))
  for v in $(seq 0 $((n - 1))); do
    echo "$v,$g,$((v * g % 3))" >>my_graphs/nodes.csv
    [ $((v + 1)) -lt $n ] && echo "$v,$((v + 1)),$g" >>my_graphs/edges.csv
  done
  [ $((g % 2)) = 0 ] && echo "$((n - 1)),0,$g" >>my_graphs/edges.csv
done

block '#SBATCH --ntasks' >shared.sh
bash shared.sh >out 2>&1 || { fail "the SLURM script for one fit fails:"; cat out >&2; }
grep -q '"ranks": *2' runs/shared/result.json || fail "the fit was not shared"

block '#SBATCH --array' >array.sh
for task in 1 2 3 4; do
  mkdir "machine-$task"
  (cd "machine-$task" && ln -s ../my_graphs my_graphs &&
    SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_COUNT=4 bash ../array.sh >out 2>&1) ||
    { fail "task $task of the array fails:"; cat "machine-$task/out" >&2; }
done
mkdir merged
for task in 1 2 3 4; do cp -r "machine-$task/runs/compare" merged/; done
[ "$(find merged -name result.json | wc -l)" = 6 ] || fail "the array has run $(find machine-* -name result.json | wc -l) of 6 fits"
[ "$(find machine-* -name result.json | wc -l)" = 6 ] || fail "a fit was run twice"
hgnet train --resume merged/compare --quiet >out 2>&1 || { fail "the merged run cannot be resumed:"; cat out >&2; }
[ -e merged/compare/summary.json ] || fail "the merged run has no summary"

block 'parallel -j' >line.sh
bash line.sh >out 2>&1 || { fail "the line for GNU parallel fails:"; cat out >&2; }
[ "$(find runs/compare -name result.json | wc -l)" = 6 ] || fail "parallel has not run 6 fits"

exit $((failures > 0))
