#!/bin/bash
# starters_test.sh SOURCE PROGRAM: one fit on two processes, started by mpirun and torchrun with the lines of
# docs/scaling.md, brought to one machine. Skipped, with a message, where neither is installed.

source=$1 program=$2 failures=0 ran=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export HGNET_CACHE=$work/cache
unset RANK WORLD_SIZE MASTER_ADDR MASTER_PORT

fail() {
  echo "$*" >&2
  failures=$((failures + 1))
}
# here LINE: the page's command with this machine, its program, a small set of graphs and a folder of its own
here() {
  grep "^$1 " "$source/docs/scaling.md" | sed -e "s|hgnet train .*|$program train --dataset ./my_graphs --model gin --epochs 2 --out $1|"
}
check() {
  ran=1
  timeout 120 bash -c "$2" >out 2>&1 || { fail "$1 fails: $2"; cat out >&2; }
  grep -q '"ranks": *2' "$1/result.json" || fail "$1: the fit was not shared"
}

mkdir my_graphs
echo id,graph,x >my_graphs/nodes.csv
echo source,target,graph >my_graphs/edges.csv
echo id,label >my_graphs/graphs.csv
for g in $(seq 0 29); do
  echo "$g,$((g % 2))" >>my_graphs/graphs.csv
  for v in 0 1 2 3; do
    echo "$v,$g,$((v * g % 3))" >>my_graphs/nodes.csv
    [ "$v" -lt $((3 - g % 2)) ] && echo "$v,$((v + 1)),$g" >>my_graphs/edges.csv
  done
done

if command -v mpirun >/dev/null; then
  # One machine has fewer cores than the page's two; and tests may run as root.
  check mpirun "$(here mpirun | sed -e 's/-np 8 -x MASTER_ADDR=a/--allow-run-as-root --oversubscribe -np 2 -x MASTER_ADDR=localhost -x MASTER_PORT='$((20000 + RANDOM % 9000))'/')"
else
  echo "mpirun: skipped; it is not installed (Debian package openmpi-bin)"
fi
if command -v torchrun >/dev/null; then
  # torchrun of PyTorch 1.13 fails under Python 3.11 unless these two have a value.
  check torchrun "$(here torchrun | sed -e 's/--nnodes 2 --nproc_per_node 4 --rdzv_backend c10d --rdzv_endpoint a:29400/--nnodes 1 --nproc_per_node 2 --rdzv_backend c10d --rdzv_endpoint localhost:0 --redirects 1 --tee 1/')"
else
  echo "torchrun: skipped; it is not installed (Debian package python3-torch)"
fi

[ $ran = 1 ] || exit 77
exit $((failures > 0))
