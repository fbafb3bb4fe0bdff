# Sourced by the tests beside it: a folder of their own to work in, and a count of what failed.

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export HGNET_CACHE=$work/cache
failures=0
fail() {
  echo "$*"
  failures=$((failures + 1))
}
