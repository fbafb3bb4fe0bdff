#!/bin/bash
# start_test.sh PROGRAM: commands that compute without tensors run where the program with libtorch is
# missing, so they do not load it; the others say what is missing, and find it beside them or where it
# is installed.

program=$1
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
export HGNET_DATA=$work/data

mkdir -p net prefix/bin prefix/libexec/hgnet
printf 'id,x,label,split\na,1,u,train\nb,0,v,train\nc,1,u,val\nd,0,v,test\n' >net/nodes.csv
printf 'source,target\na,b\nc,a\nb,d\n' >net/edges.csv
"$program" train --dataset ./net --model gcn --epochs 2 --out runs/gcn >out 2>&1 || { cat out; exit 1; }
cp "$program" prefix/bin/hgnet
hgnet=$work/prefix/bin/hgnet
ldd "$hgnet" | grep -E 'libtorch|libc10' && fail "hgnet itself loads libtorch"

# Without tensors.
expect 0 "hgnet COMMAND --help" "$hgnet" --help
expect 0 "^hgnet [0-9.]+ .libtorch [0-9.]+" "$hgnet" --version
commands=$("$hgnet" --help | sed -nE 's/^  ([a-z]+) +[A-Z].*/\1/p')
[ "$(echo "$commands" | wc -l)" -ge 17 ] || fail "hgnet --help lists only:" $commands
for command in $commands; do
  expect 0 "Usage: hgnet $command " "$hgnet" "$command" --help
done
expect 0 "_hgnet" "$hgnet" completion bash
expect 0 "_hgnet" "$hgnet" completion zsh
expect 0 "cora" "$hgnet" datasets
expect 0 "hgnet-edgepool" "$hgnet" models
expect 0 "weight-decay" "$hgnet" models gin
expect 0 "nodes +4" "$hgnet" inspect ./net
expect 0 "^level" "$hgnet" hierarchy --graph grid:4x4
expect 0 "8 samples" "$hgnet" generate --graph grid:8x8 --samples 8
expect 0 "judge wl:1" "$hgnet" generate --graph grid:8x8 --samples 200 --matched wl:1
expect 1 "that wl:2 cannot tell apart" "$hgnet" generate --graph grid:8x8 --samples 200 --matched
expect 2 "judge 'gcn'; expected wl:ROUNDS" "$hgnet" generate --graph grid:8x8 --samples 8 --matched gcn
expect 0 "runs/gcn +done +1/1 +gcn" "$hgnet" runs
expect 0 "Results: " "$hgnet" report runs --out report.html
expect 0 "0 of [0-9]+ fits done" "$hgnet" reproduce table1 --quick --plan
expect 2 "Run 'hgnet train --help'" "$hgnet" train --epochs no
expect 2 "cannot be combined with --resume" "$hgnet" train --resume runs/gcn --dataset ./net

# With tensors.
for command in "train --dataset ./net" "tune --dataset ./net" "evaluate runs/gcn" "predict runs/gcn ./net --out -" \
  "compare runs/gcn runs/gcn" "reproduce table1 --quick" "probe runs/gcn" selfcheck \
  "generate --graph grid:8x8 --samples 8 --matched gin:1"; do
  # shellcheck disable=SC2086
  expect 1 "^hgnet: error: cannot start $work/prefix/libexec/hgnet/hgnet, .*: No such file or directory $" \
    "$hgnet" $command
done
part=$(dirname "$program")/torch/hgnet
ln -s "$part" prefix/libexec/hgnet/hgnet
expect 0 "gcn of runs/gcn on net" "$hgnet" evaluate runs/gcn
expect 0 "spmm" bash -c "exec -a other '$hgnet' selfcheck"
rm prefix/libexec/hgnet/hgnet
mkdir prefix/bin/torch
ln -s "$part" prefix/bin/torch/hgnet
expect 0 "gcn of runs/gcn on net" "$hgnet" evaluate runs/gcn
mkdir links
ln -s "$hgnet" links/hgnet
expect 0 "gcn of runs/gcn on net" env PATH="$work/links:$PATH" hgnet evaluate runs/gcn
exit $((failures > 0))
