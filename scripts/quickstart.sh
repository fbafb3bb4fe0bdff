#!/usr/bin/env bash
# Installs what is missing, builds the program and runs it. Can be run again at any time, from any directory.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_missing "${base_packages[@]}"
build release hgnet_app -DHGNET_APP=ON -DHGNET_TESTS=OFF

# There are no models to train yet. Until then the main job is the numeric core's own check, and says so.
step "checking the kernels on this machine"
build/release/apps/hgnet/hgnet selfcheck --threads "$(nproc)"

cat <<'END'

That was a check of the kernels; models and training are not there yet.
The program is build/release/apps/hgnet/hgnet. Next, for example:
  build/release/apps/hgnet/hgnet hierarchy --graph grid:16x16 --svg levels.svg
  ./scripts/test.sh
END
