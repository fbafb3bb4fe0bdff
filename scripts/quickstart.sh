#!/usr/bin/env bash
# Installs what is missing, builds the program and shows its main use on a small scale: draws
# color-connectivity samples, trains three models on them in parallel and compares them. Can be run
# again at any time, from any directory.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_missing "${base_packages[@]}"
build release hgnet_app -DHGNET_APP=ON -DHGNET_TESTS=OFF

hgnet=build/release/apps/hgnet/hgnet
work=build/quickstart
rm -rf "$work"
mkdir -p "$work"

step "drawing 4,000 colourings of a 16x16 grid: one red island, or two?"
"$hgnet" generate --graph grid:16x16 --samples 4000 --seed 1 --out "$work" --svg "$work/examples.svg"

step "training HGNet-EdgePool, GCN and GIN on them in parallel"
"$hgnet" train --dataset "$work/cc-grid16" --model hgnet-edgepool,gcn,gin --epochs 30 --out "$work/runs"

step "making a report of it"
"$hgnet" report "$work/runs" --title "Color-connectivity, quick start" --out "$work/report.html" >/dev/null

cat <<END

The samples are in $work/cc-grid16 (pictures of some in examples.svg), the runs in $work/runs, the report in $work/report.html.
Next, for example:
  $hgnet probe $work/runs/hgnet-edgepool $work/runs/gcn     how far each model looks
  $hgnet train --dataset $work/cc-grid16 --model hgnet-louvain --levels 4
  $hgnet reproduce table4 --quick                            the paper's own experiment
  $hgnet --help
END
