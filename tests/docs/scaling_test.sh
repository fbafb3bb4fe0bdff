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
# sbatch runs the script with the variables that SLURM sets in it: it is task 0, of a number that is there only
# if the script asks for one. VARIABLES...: further ones
sbatch() {
  local tasks=$(sed -n 's/^#SBATCH --ntasks=//p' "$1")
  env SLURM_JOB_ID=$$ SLURM_JOB_NODELIST=here SLURM_NODEID=0 SLURM_PROCID=0 SLURM_LOCALID=0 SLURM_TASKS_PER_NODE=${tasks:-1} \
    ${tasks:+SLURM_NTASKS=$tasks SLURM_NPROCS=$tasks} "${@:2}" bash "$1"
}
# srun starts as many tasks as the script asks for.
cat >bin/srun <<'END'
#!/bin/bash
for task in $(seq 0 $((SLURM_NTASKS - 1))); do
  SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=$SLURM_NTASKS SLURM_STEP_TASKS_PER_NODE=$SLURM_NTASKS SLURM_STEP_NODELIST=here \
    SLURM_PROCID=$task SLURM_LOCALID=$task "$@" || touch failed &
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
sbatch shared.sh >out 2>&1 || { fail "the SLURM script for one fit fails:"; cat out >&2; }
grep -q '"ranks": *2' runs/shared/result.json || fail "the fit was not shared"

block '#SBATCH --array' >array.sh
for task in 1 2 3 4; do
  mkdir "machine-$task"
  (cd "machine-$task" && ln -s ../my_graphs my_graphs &&
    sbatch ../array.sh SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_COUNT=4 >out 2>&1) ||
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

# A batch script that asks for tasks, but starts none with srun, is one process.
sed -i 's/^#SBATCH --array.*/#SBATCH --ntasks=4/' array.sh
(mkdir asked && cd asked && ln -s ../my_graphs my_graphs &&
  sbatch ../array.sh SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=4 >out 2>&1) ||
  { fail "a batch script with tasks fails:"; cat asked/out >&2; }

# Parts of a plan of the paper: every fit is in one of them.
fits() { hgnet reproduce table1 --quick --plan --json "$@" | sed -n 's/^  "fits": \([0-9]*\).*/\1/p'; }
all=$(fits) sum=0
for part in 1 2 3; do
  of_part=$(fits --shard $part/3)
  [ "${of_part:-0}" -gt 0 ] || fail "part $part of table1 has no fits"
  sum=$((sum + of_part))
done
[ "${all:-0}" -gt 0 ] && [ "$sum" = "$all" ] || fail "the parts of table1 have $sum of $all fits"

exit $((failures > 0))
