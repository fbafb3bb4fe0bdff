#!/usr/bin/env bash
# Epochs of training by one or two programs in turn, on one thread of an otherwise idle machine:
#   ./scripts/epochs.sh build/release/apps/hgnet/hgnet [OTHER_PROGRAM]
# Prints the seconds of the best epoch of three rounds, and how many times as fast the first program is. The
# programs must come to the same loss. Data sets are found as 'hgnet train' finds them (HGNET_DATA).
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
  echo "usage: $0 PROGRAM [OTHER_PROGRAM]" >&2
  exit 2
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export OPENBLAS_NUM_THREADS=1

# field NAME FILE: the numbers behind "NAME": of all epochs
field() { grep -o "\"$1\":[0-9.e-]*" "$2" | cut -d: -f2; }

# fit NUMBER PROGRAM DATASET MODEL EPOCHS: appends the seconds of its epochs to seconds.NUMBER; the last loss is in
# loss.NUMBER
fit() {
  "$2" train --dataset "$3" --model "$4" --epochs "$5" --threads 1 --jobs 1 --quiet --out "$folder/run" >/dev/null
  sed 's/.*"seconds"://' "$folder/run/epochs.jsonl" >"$folder/lines"
  field train "$folder/lines" >>"$folder/seconds.$1"
  field loss "$folder/run/epochs.jsonl" | tail -n 1 >"$folder/loss.$1"
  rm -r "$folder/run"
}

best() { sort -g "$folder/seconds.$1" | head -n 1; }

printf '%-12s %-16s %10s %10s %8s\n' "data set" model seconds other other/first
while read -r dataset model epochs; do
  rm -f "$folder"/seconds.*
  for _ in 1 2 3; do
    number=0
    for program in "$@"; do
      number=$((number + 1))
      fit $number "$program" "$dataset" "$model" "$epochs"
    done
  done
  if [ $# = 2 ]; then
    awk -v a="$(cat "$folder/loss.1")" -v b="$(cat "$folder/loss.2")" -v what="$dataset $model" \
      'BEGIN {if (a - b > 0.02 * (a + b) || b - a > 0.02 * (a + b)) {print what ": losses " a " and " b; exit 1}}'
    awk -v a="$(best 1)" -v b="$(best 2)" -v d="$dataset" -v m="$model" \
      'BEGIN {printf "%-12s %-16s %10.4f %10.4f %8.2f\n", d, m, a, b, b / a}'
  else
    awk -v a="$(best 1)" -v d="$dataset" -v m="$model" 'BEGIN {printf "%-12s %-16s %10.4f\n", d, m, a}'
  fi
done <<FITS
NCI1 gcn 6
NCI1 gin 6
NCI1 hgnet-edgepool 4
cc-grid16 gcn 2
cc-grid16 hgnet-edgepool 2
cora gcn 30
cora hgnet-edgepool 30
pubmed gcn 20
FITS
