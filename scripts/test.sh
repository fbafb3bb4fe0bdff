#!/usr/bin/env bash
# Installs what is missing, builds everything and runs all tests.
#   ./scripts/test.sh          the release build, what users run
#   ./scripts/test.sh asan     another preset: dev, asan, tsan
# Can be run again at any time, from any directory.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

preset=${1:-release}
case $preset in
  release | dev | asan | tsan) ;;
  *)
    echo "usage: $0 [release|dev|asan|tsan]" >&2
    exit 2
    ;;
esac

packages=("${base_packages[@]}" "${test_packages[@]}")
if [ "$preset" = dev ]; then packages+=("${benchmark_packages[@]}"); fi
install_missing "${packages[@]}"
build "$preset" all -DHGNET_APP=ON -DHGNET_TESTS=ON
step "testing ($preset)"
ctest --preset "$preset" --parallel "$(nproc)"
