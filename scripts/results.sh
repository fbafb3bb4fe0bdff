#!/usr/bin/env bash
# Fills the parts of docs/results.md that are made from the records in results/.
#   ./scripts/results.sh            replaces them
#   ./scripts/results.sh --check    says what would be replaced, and fails if anything would be
# Builds the program; set HGNET to use another one.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if [ -z "${HGNET:-}" ]; then
  install_missing "${base_packages[@]}"
  build release hgnet_app -DHGNET_APP=ON
  HGNET=build/release/apps/hgnet/hgnet
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp docs/results.md "$work"
step "reading the records"
# An empty data root: the page has to be the same on every machine, with data sets or without.
"$HGNET" report results --page "$work/results.md" --root "$work" >"$work/text"
if [ "${1:-}" != --check ]; then
  cp "$work/results.md" docs/results.md
elif ! diff -u docs/results.md "$work/results.md"; then
  echo "docs/results.md is not what ./scripts/results.sh makes of results/" >&2
  exit 1
fi
