#!/usr/bin/env bash
# Installs what is missing, builds the Python package for Debian's python3-torch, checks its types and
# runs its tests. Can be run again at any time, from any directory.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_missing "${base_packages[@]}" "${python_packages[@]}"
build release hgnet_python -DHGNET_PYTHON=ON
step "checking types"
mypy --config-file python/mypy.ini python/hgnet
step "testing the Python package"
export OMP_WAIT_POLICY=passive PYTHONPATH=build/release/python
/usr/bin/python3 -m pytest -q -p no:cacheprovider -c python/pytest.ini python/tests build/release/python/hgnet
