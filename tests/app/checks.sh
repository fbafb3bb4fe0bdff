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

# expect CODE PATTERN COMMAND...: what it prints, to either stream, matches the pattern. A command that
# does not end has another code.
expect() {
  local code=$1 pattern=$2
  shift 2
  timeout -s KILL 60 "$@" >out 2>&1 </dev/null
  local got=$?
  if [[ $got != "$code" ]] || ! tr '\n' ' ' <out | grep -Eq -- "$pattern"; then
    fail "$*: exit code $got, expected $code and '$pattern':"
    cat out
  fi
}
