#!/usr/bin/env bash
# Installs what is missing, builds everything and runs all tests.
#   ./scripts/test.sh          the release build, what users run
#   ./scripts/test.sh asan     another preset: dev, asan, tsan
#   ./scripts/test.sh pypi     the release build with PyTorch 2 from PyPI, in a virtual environment below
#                              build/pypi (several GB)
# Can be run again at any time, from any directory.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

preset=${1:-release}
case $preset in
  release | dev | asan | tsan | pypi) ;;
  *)
    echo "usage: $0 [release|dev|asan|tsan|pypi]" >&2
    exit 2
    ;;
esac

packages=("${base_packages[@]}" "${test_packages[@]}")
if [ "$preset" = dev ]; then packages+=("${benchmark_packages[@]}"); fi
if [ "$preset" = pypi ]; then packages+=(python3-venv); fi
install_missing "${packages[@]}"
options=(-DHGNET_APP=ON -DHGNET_TESTS=ON)
if [ "$preset" = pypi ]; then
  pypi_torch
  options+=("$pypi_option")
fi
build "$preset" all "${options[@]}"
step "testing ($preset)"
ctest --preset "$preset" --parallel "$(nproc)"
