#!/bin/bash
# modules_test.sh SOURCE BUILD: checks that the table of modules in docs/architecture.md is what
# CMake builds, and that modules documented as free of torch include none of its headers. Exit code
# 77: not built with Ninja, which knows what was included.

source=$1 build=$2 failures=0

# "| `graph` | no | core | ..." -> "graph | no | core"
documented=$(sed -nE 's/^\| `([a-z]+)` \| (yes|no) \| ([a-z ,]*[a-z])? *\| .*/\1 | \2 | \3/p' "$source/docs/architecture.md" | tr -d ',')
built=$(sed 's/ *$//' "$build/modules.txt")
if ! diff <(echo "$documented" | sed 's/ *$//') <(echo "$built"); then
  echo "docs/architecture.md (<) and the CMakeLists of the modules (>) differ" >&2
  failures=1
fi

# What the files of a module include, whether or not it would compile without saying so.
while IFS='|' read -r name _ uses; do
  name=${name// /}
  included=$(find "$source/include/hgnet/$name" "$source/src/$name" -name '*.?pp' -o -name '*.h' | xargs cat |
    sed -nE 's/^#include "(hgnet\/)?([a-z]+)\/.*/\2/p' | sort -u | grep -vx "$name")
  if ! diff <(tr ' ' '\n' <<<"$uses" | grep . | sort) <(echo "$included" | grep .); then
    echo "USES of src/$name/CMakeLists.txt (<) and the modules that $name includes (>) differ" >&2
    failures=1
  fi
done <"$build/modules.txt"

# hgnet/lab.hpp has every header of the modules after models.
for header in $(cd "$source/include" && find hgnet/{data,records,settings,ranks,train,report,paper} -name '*.hpp'); do
  grep -q "\"$header\"" "$source/include/hgnet/lab.hpp" && continue
  echo "include/hgnet/lab.hpp lacks $header" >&2
  failures=1
done

# Lists the headers that a file was last compiled with.
command -v ninja >/dev/null && [ -f "$build/build.ninja" ] || exit 77
for module in $(awk '$3 == "no" {print $1}' "$build/modules.txt"); do
  objects=$(ninja -C "$build" -t targets all | grep -oE "^src/$module/CMakeFiles/hgnet_$module.dir/[^:]+\.o")
  torch=$(ninja -C "$build" -t deps $objects | grep -E '/(torch|ATen|c10)/' | sort -u | head -5)
  if [ -z "$objects" ] || [ -n "$torch" ]; then
    echo "module $module must not use torch, but includes: $torch" >&2
    failures=1
  fi
done
exit $failures
