#!/usr/bin/env bash
# Installs what is missing, builds the program and runs it. Can be run again at any time, from any directory.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_missing "${base_packages[@]}"
build release hgnet_app -DHGNET_APP=ON -DHGNET_TESTS=OFF

# The models and the benchmark data are not there yet. Until then the main job is the numeric core's own check.
step "checking the kernels on this machine"
build/release/apps/hgnet/hgnet selfcheck --threads "$(nproc)"

cat <<'END'

The program is build/release/apps/hgnet/hgnet; try it with --help.
What there is so far: graphs, hierarchies and sparse kernels with gradients, as a library and this self-check.
Next: ./scripts/test.sh runs all tests.
END
