#!/bin/bash
# options_test.sh SOURCE PROGRAM: checks that every option in the docs is one of the program's, or of
# another that the docs call.

source=$1 program=$2 failures=0
cd "$source" || exit 1

known=$(
  for command in "" $("$program" --help | sed -nE 's/^  ([a-z]+) .*/\1/p'); do
    # --[no-]residual is --residual and --no-residual.
    "$program" $command --help | grep -oE -- '--(\[no-\])?[a-z][a-z-]+' | sed -E 's/^--\[no-\](.*)/--\1\n--no-\1/'
  done
)
others="--build --check --install --prefix --preset --target --torch --bound
  --array --cpus-per-task --ntasks --nnodes --no_python --nproc_per_node --rdzv_backend --rdzv_endpoint --redirects --tee
  --sshloginfile"
for page in README.md docs/*.md; do
  [ "$page" = docs/python.md ] && continue  # pip's, above all
  for option in $(grep -oE -- '(^|[ `(])--[a-z][a-z_-]+' "$page" | grep -oE -- '--.*' | sort -u); do
    grep -qxF -- "$option" <<<"$(tr ' ' '\n' <<<"$known $others")" && continue
    echo "$page has $option, which no command has" >&2
    failures=1
  done
done
exit $failures
