# Sourced by the scripts: current folder, missing packages, progress messages.
# shellcheck shell=bash

set -Eeuo pipefail

hgnet_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
hgnet_script=$(basename "$0")
hgnet_step="starting"
trap 'printf "\n%s: failed while %s (exit code %s)\n" "$hgnet_script" "$hgnet_step" "$?" >&2' ERR

step() {
  hgnet_step=$1
  printf '\n== %s\n' "$1"
}

# What the library and the program are built with. Your own libtorch, named by CMAKE_PREFIX_PATH or
# Torch_DIR, is used instead of Debian's.
base_packages=(g++ cmake ninja-build libopenblas-dev libhwy-dev libcli11-dev nlohmann-json3-dev
  libcurl4-openssl-dev libarchive-dev libssl-dev libxxhash-dev zlib1g-dev libpugixml-dev protobuf-compiler libprotobuf-dev
  libtomlplusplus-dev)
if [ -z "${CMAKE_PREFIX_PATH:-}${Torch_DIR:-}" ]; then
  base_packages+=(libtorch-dev libgloo-dev)
fi
test_packages=(libgtest-dev libgmock-dev libigraph-dev zsh)
benchmark_packages=(libbenchmark-dev libigraph-dev)
python_packages=(python3-torch python3-pytest python3-hypothesis python3-networkx python3-pandas mypy
  python3-matplotlib python3-nbclient python3-nbformat python3-ipykernel)

# install_missing PACKAGE...: installs only the missing packages, and does not call the package
# manager if there are none.
install_missing() {
  local missing=() package
  step "looking for missing packages"
  if ! command -v dpkg-query >/dev/null; then
    echo "This is not a Debian machine; assuming that these are installed: $*"
    return
  fi
  for package in "$@"; do
    if [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
      missing+=("$package")
    fi
  done
  if [ ${#missing[@]} -eq 0 ]; then
    echo "none"
    return
  fi
  step "installing ${missing[*]}"
  local sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "Neither root nor sudo available. Please install these packages: ${missing[*]}" >&2
      false
    fi
    sudo=(sudo)
  fi
  "${sudo[@]}" apt-get update -qq
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

# pypi_torch PACKAGE...: installs PyTorch 2 and these packages from PyPI in a virtual environment below
# build/pypi (several GB). Sets pypi_python and pypi_option, which names them to CMake.
pypi_torch() {
  step "installing PyTorch in build/pypi/venv"
  pypi_python=$hgnet_root/build/pypi/venv/bin/python
  [ -x "$pypi_python" ] || /usr/bin/python3 -m venv build/pypi/venv
  "$pypi_python" -m pip install --quiet torch numpy "$@"
  pypi_option=-DCMAKE_PREFIX_PATH=$("$pypi_python" -c 'import torch; print(torch.utils.cmake_prefix_path)')
}

# build PRESET TARGET OPTION...: configures and builds below build/PRESET.
build() {
  local preset=$1 target=$2
  shift 2
  step "configuring ($preset)"
  cmake --preset "$preset" "$@"
  step "building ($preset)"
  cmake --build --preset "$preset" --target "$target"
}

cd "$hgnet_root"
