#!/usr/bin/env bash
# Builds the Python package, checks its types and runs its tests.
#   ./scripts/python.sh                with Debian's python3-torch; installs what is missing
#   ./scripts/python.sh --torch pypi   with PyTorch 2, PyTorch Geometric and networkx from PyPI, in a virtual
#                                      environment below build/pypi (several GB)
# Can be run again at any time, from any directory.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case "$*" in
  "")
    install_missing "${base_packages[@]}" "${python_packages[@]}"
    python=/usr/bin/python3 preset=release options=(-DHGNET_PYTHON=ON)
    ;;
  "--torch pypi")
    install_missing "${base_packages[@]}" python3-venv
    pypi_torch torch_geometric networkx pandas matplotlib pytest hypothesis mypy nbclient nbformat ipykernel
    python=$pypi_python preset=pypi options=("$pypi_option")
    ;;
  *)
    echo "usage: $0 [--torch pypi]" >&2
    exit 2
    ;;
esac

build "$preset" hgnet_python "${options[@]}"
step "checking types"
"$python" -m mypy --config-file python/mypy.ini python/hgnet
step "testing the Python package ($preset)"
export OMP_WAIT_POLICY=passive PYTHONPATH=build/$preset/python
"$python" -m pytest -q -p no:cacheprovider -c python/pytest.ini python/tests "build/$preset/python/hgnet"
