#!/bin/bash
# Completes as a user's shell would: completion_test.sh bash|zsh PROGRAM. Exit code 77: the shell is
# not installed.

shell=$1 program=$2 failures=0
command -v "$shell" >/dev/null || { echo "no $shell here"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir folder
touch graph.edges 'two words.mtx'
"$program" completion "$shell" >script || exit 1

# What a completion of the last word offers, one on a line, sorted.
bash_offers() {
  bash -c 'source ./script
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _hgnet
    printf "%s\n" "${COMPREPLY[@]}"' bash "$@" | sort
}

# zsh completes only in its line editor, so one runs on a separate terminal; compadd is made to
# print the matches.
zsh_offers() {
  zsh -f -c '
    zmodload zsh/zpty
    zpty work zsh -f -i
    send() { zpty -w work "$1" }
    send "PROMPT= RPROMPT=; unsetopt zle_bracketed_paste 2>/dev/null; stty -echo; TERM=dumb"
    send "autoload -U compinit && compinit -D -u && source ./script"
    send "compadd() { local -a all; builtin compadd -O all \"\$@\"; (( \$#all )) && print -l -r -- \$all >>offered; builtin compadd \"\$@\" }"
    send "finish() { zle -I; print -r -- done >>finished }; zle -N finish; bindkey \"^X^F\" finish; : >ready"
    until [[ -e ready ]]; do sleep 0.05; done
    zpty -w -n work "${(j: :)argv}"$'"'\t'"'
    zpty -w -n work $'"'\\x18\\x06'"'
    for i in {1..200}; do [[ -e finished ]] && break; sleep 0.05; done
    zpty -d work' zsh "$@"
  sort -u offered 2>/dev/null
  rm -f offered finished ready
}

# expect "OFFERS" WORD...: what completing the last word gives.
expect() {
  local expected=$1 got
  shift
  got=$("${shell}_offers" "$@" | tr '\n' ' ')
  if [[ $got != "$expected " ]]; then
    echo "$shell: $*: got '$got', expected '$expected '"
    failures=$((failures + 1))
  fi
}

expect "hierarchy" hgnet hier
expect "datasets download" hgnet d
expect "--samples --seed --starts --svg" hgnet generate --s
expect "edgepool" hgnet hierarchy --coarsening e
expect "bash zsh" hgnet completion ''
expect "ogbg-molbace ogbg-molbbbp" hgnet download cora ogbg-molb
expect "cora" hgnet inspect cor
if [ "$shell" = bash ]; then
  expect "louvain" hgnet hierarchy --coarsening = lo
  expect "edgepool heavy-edge louvain random" hgnet hierarchy --coarsening =
  expect "graph.edges" hgnet hierarchy --graph gr
  expect "two words.mtx" hgnet inspect tw
  expect "folder" hgnet datasets --root ''
  expect "" hgnet selfcheck --seed ''
  expect "--help --json --seed --threads -h" hgnet selfcheck ''
fi
exit $((failures > 0))
