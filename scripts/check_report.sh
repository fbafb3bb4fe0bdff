#!/usr/bin/env bash
# Checks a report in headless Chromium: no error, nothing fetched, sorting, tips, light and dark, a
# phone, print.
#   ./scripts/check_report.sh                 makes a report from the tests' sample records
#   ./scripts/check_report.sh report.html     checks that one
#   ./scripts/check_report.sh runs.jsonl      makes one from these records, or from a folder of runs
# Screenshots and the PDF go to build/report-check. Installs what is missing; set CHROMIUM to use
# your own browser.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

work=$hgnet_root/build/report-check
mkdir -p "$work/screenshots"
packages=()
if [ -z "${CHROMIUM:-}" ]; then packages+=(chromium); fi
if ! command -v npm >/dev/null; then packages+=(nodejs npm); fi
install_missing "${packages[@]}"

if [ ! -d "$work/node_modules/puppeteer-core" ]; then
  step "installing puppeteer-core"
  # The last major version that runs on Debian 12's Node.
  (cd "$work" && printf '{"private": true}\n' >package.json && npm install --no-audit --no-fund --silent puppeteer-core@24)
fi

given=${1:-}
case $given in
  *.html) report=$(realpath "$given") ;;
  *)
    if [ -z "$given" ]; then
      install_missing "${base_packages[@]}" "${test_packages[@]}"
      build release write_sample_records -DHGNET_APP=ON -DHGNET_TESTS=ON
      given=$work/sample.jsonl
      build/release/tests/write_sample_records "$given"
    fi
    build release hgnet_app -DHGNET_APP=ON
    step "making the report"
    report=$work/report.html
    build/release/apps/hgnet/hgnet report "$given" --out "$report"
    ;;
esac

step "looking at $report"
cd "$work"
node "$hgnet_root/scripts/check_report.mjs" "$report" "$work/screenshots"
echo "screenshots are in $work/screenshots"
