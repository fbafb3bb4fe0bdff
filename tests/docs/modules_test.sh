#!/bin/bash
# modules_test.sh SOURCE BUILD: the table of modules in docs/architecture.md is the one that CMake builds by, and what is said to be without
# torch includes none of its headers. Exit code 77: not built by Ninja, which knows what was included.

source=$1 build=$2 failures=0

# "| `graph` | no | core | ..." -> "graph | no | core"
documented=$(sed -nE 's/^\| `([a-z]+)` \| (yes|no) \| ([a-z ,]*[a-z])? *\| .*/\1 | \2 | \3/p' "$source/docs/architecture.md" | tr -d ',')
built=$(sed 's/ *$//' "$build/modules.txt")
if ! diff <(echo "$documented" | sed 's/ *$//') <(echo "$built"); then
  echo "docs/architecture.md (<) and the CMakeLists of the modules (>) differ" >&2
  failures=1
fi

# The listing is of headers that a file was last compiled with.
command -v ninja >/dev/null && [ -f "$build/build.ninja" ] || exit 77
for module in $(awk '$3 == "no" {print $1}' "$build/modules.txt"); do
  objects=$(ninja -C "$build" -t targets all | grep -oE "^src/$module/CMakeFiles/hgnet_$module.dir/[^:]+\.o")
  torch=$(ninja -C "$build" -t deps $objects | grep -E '/(torch|ATen|c10)/' | sort -u | head -5)
  if [ -z "$objects" ] || [ -n "$torch" ]; then
    echo "module $module is to be without torch, but includes: $torch" >&2
    failures=1
  fi
done
exit $failures
