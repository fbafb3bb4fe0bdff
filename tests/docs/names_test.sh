#!/bin/bash
# names_test.sh SOURCE: checks that what the docs name in code style exists: files below the source
# folder, and in docs/equations.md and docs/architecture.md every name of a type or function.

source=$1 failures=0
cd "$source" || exit 1

missing() {
  echo "$1 names $2, which does not exist" >&2
  failures=1
}

for page in README.md CONTRIBUTING.md docs/*.md; do
  # Paths of the repository.
  for path in $(grep -oE '`(\./)?(src|include|tests|docs|apps|configs|scripts|examples|benchmarks|reference|results|cmake)/[A-Za-z0-9_./-]+`' "$page" | tr -d '`' | sort -u); do
    [ -e "${path#./}" ] || [ -e "src/$path" ] || missing "$page" "$path"
  done
  # Links to other pages.
  for link in $(grep -oE '\]\([A-Za-z0-9_./-]+\.(md|cpp|hpp|sh)\)' "$page" | sed -E 's/^\]\((.*)\)$/\1/' | sort -u); do
    [ -e "$(dirname "$page")/$link" ] || missing "$page" "$link"
  done
done

for page in docs/equations.md docs/architecture.md; do
  for name in $(grep -oE '`[A-Za-z_]+(::[A-Za-z_]+)*(\([^`]*\))?`' "$page" | sed -E 's/`//g; s/\(.*//; s/::/\n/g' | sort -u); do

    grep -rqwE -- "$name" include src reference apps tests/support cmake CMakeLists.txt configs || missing "$page" "$name"
  done
done
exit $failures
