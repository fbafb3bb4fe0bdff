#!/bin/bash
# Processes that train together, and what goes wrong between them: ranks_test.sh PROGRAM

hgnet=$1
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"

# says PATTERN FILE
says() {
  tr '\n' ' ' <"$2" | grep -Eq -- "$1" && return
  fail "$2 does not say '$1':"
  cat "$2"
}
# until_there FILE: at most 30 s
until_there() {
  for _ in $(seq 600); do
    [ -e "$1" ] && return
    sleep 0.05
  done
  fail "$1 does not appear"
}
# until_epoch NUMBER FOLDER: the same
until_epoch() {
  for _ in $(seq 600); do
    [ "$(wc -l <"$2/epochs.jsonl")" -ge "$1" ] && return
    sleep 0.05
  done
  fail "$2 does not get to epoch $1"
}
# ended CODE PID NAME: it ends within 15 s, with that code
ended() {
  for _ in $(seq 300); do
    kill -0 "$2" 2>/dev/null || break
    sleep 0.05
  done
  kill -0 "$2" 2>/dev/null && fail "$3 goes on" && kill -9 "$2"
  wait "$2" 2>/dev/null
  local got=$?
  [ "$got" = "$1" ] || fail "$3: exit code $got, expected $1"
}
# rank RANK SIZE ARGUMENTS...: begins one, with its messages in err.RANK; its process is in $pid
rank() {
  local number=$1 size=$2
  shift 2
  # A shell lets what it starts in the background ignore SIGINT.
  RANK=$number WORLD_SIZE=$size MASTER_PORT=$port env --default-signal=INT "$hgnet" train "$@" >"out.$number" 2>"err.$number" </dev/null &
  pid=$!
}
losses() { grep -o '"train":{[^}]*"loss":[0-9.e-]*' "$1/epochs.jsonl" | grep -o 'loss":.*'; }
# so that runs of this test beside each other do not meet
port=$((20000 + $$ % 20000))

# Sixty graphs: rings, and paths with a chord.
mkdir SHAPES
node=1
for g in $(seq 0 59); do
  n=$((5 + g % 7))
  for v in $(seq 0 $((n - 1))); do
    echo $((g + 1)) >>SHAPES/SHAPES_graph_indicator.txt
    if [ $((v + 1)) -lt $n ]; then to=$((node + v + 1)); elif [ $((g % 2)) = 0 ]; then to=$node; else to=$((node + v / 2)); fi
    echo "$((node + v)), $to" >>SHAPES/SHAPES_A.txt
  done
  node=$((node + n))
  echo $((g % 2)) >>SHAPES/SHAPES_graph_labels.txt
done
fit=(--dataset ./SHAPES --model gin --batch 8 --norm batch --dropout 0 --classifier-dropout 0 --quiet)

# One process and two have the same curve, up to rounding; a checkpoint of two goes on in one and in three.
"$hgnet" train "${fit[@]}" --epochs 4 --out one >/dev/null || fail "one process failed"
"$hgnet" train "${fit[@]}" --epochs 4 --workers 2 --out two >out 2>err || fail "two processes failed"
says "Run folder|test accuracy" out
paste -d' ' <(losses one) <(losses two) | awk -F'[: ]' '{d = $2 - $4; if (d < 0) d = -d; if (d > 1e-3) exit 1} END {if (NR != 4) exit 1}' ||
  fail "the curves of one and two processes differ: $(losses one) $(losses two)"
grep -q '"ranks": *2' two/result.json || fail "two/result.json does not say that there were two"
"$hgnet" train --resume two --epochs 5 --quiet >/dev/null || fail "one process does not go on with the run of two"
"$hgnet" train --resume two --epochs 6 --workers 3 --quiet >/dev/null || fail "three processes do not go on"
[ "$(wc -l <two/epochs.jsonl)" = 6 ] || fail "two/epochs.jsonl has not six epochs"

long=("${fit[@]}" --epochs 100000 --checkpoint-seconds 0 --rank-timeout 5)
# A rank that is killed: the others end and name it; the checkpoint is whole.
rank 0 3 "${long[@]}" --out killed; first=$pid
rank 1 3 "${long[@]}" --out killed; second=$pid
rank 2 3 "${long[@]}" --out killed; third=$pid
until_there killed/epochs.jsonl
kill -9 $second
ended 137 $second "the killed rank"
ended 1 $first "rank 0"
ended 1 $third "rank 2"
says "rank 1 has ended" err.0
says "rank 1 has ended" err.2
epochs=$(($(wc -l <killed/epochs.jsonl) + 5))
"$hgnet" train --resume killed --workers 2 --epochs 100001 --quiet >out 2>err &
pid=$!
until_epoch $epochs killed
# A signal, as Ctrl-C sends it, reaches the first process only; all stop in order.
kill -TERM $pid
ended 1 $pid "the stopped run"
says "stopped; everything is saved" err
pgrep -f "$work" >/dev/null && fail "a worker is left"

# Rank 0 killed.
rank 0 2 "${long[@]}" --out first; first=$pid
rank 1 2 "${long[@]}" --out first; second=$pid
until_there first/checkpoint.safetensors
kill -9 $first
ended 137 $first "rank 0"
ended 1 $second "rank 1"
says "rank 0 has ended" err.1

# The same among four; the run goes on from its checkpoint.
for r in 0 1 2 3; do
  rank $r 4 "${long[@]}" --out of_four
  pids[r]=$pid
done
until_there of_four/epochs.jsonl
kill -9 "${pids[0]}"
ended 137 "${pids[0]}" "rank 0 of four"
for r in 1 2 3; do
  ended 1 "${pids[r]}" "rank $r of four"
  says "^hgnet: error: rank 0 has ended or cannot be reached *$" err.$r
done
epochs=$(($(wc -l <of_four/epochs.jsonl) + 2))
"$hgnet" train --resume of_four --workers 2 --checkpoint-seconds 0 --quiet >out 2>err &
pid=$!
until_epoch $epochs of_four
kill -TERM $pid
ended 1 $pid "the run after rank 0 of four was killed"

# Rank 0 hangs.
rank 0 2 "${long[@]}" --out stopped; first=$pid
rank 1 2 "${long[@]}" --out stopped; second=$pid
until_there stopped/epochs.jsonl
kill -STOP $first
ended 1 $second "rank 1"
says "rank 0 (hangs|.*cannot be reached)" err.1
kill -CONT $first
ended 1 $first "rank 0, which hung"

# A rank that hangs, and goes on when it is too late; the signal at a rank that does not lead.
rank 0 2 "${long[@]}" --out hangs; first=$pid
rank 1 2 "${long[@]}" --out hangs; second=$pid
until_there hangs/epochs.jsonl
kill -STOP $second
ended 1 $first "rank 0"
says "rank 1 .*no sign of life for [5-9] s" err.0
kill -CONT $second
ended 1 $second "the rank that hung"
epochs=$(($(wc -l <hangs/epochs.jsonl) + 2))
rank 0 2 --resume hangs --quiet --rank-timeout 5 --checkpoint-seconds 0; first=$pid
mkdir elsewhere  # as on another machine, which has the data only
ln -s ../SHAPES elsewhere/SHAPES
cd elsewhere || exit 1
rank 1 2 --resume hangs --quiet --rank-timeout 5; second=$pid
cd ..
until_there elsewhere/err.1  # the shell in the background opens it
mv elsewhere/err.1 .
until_epoch $epochs hangs
kill -INT $second
ended 1 $second "the interrupted rank"
ended 1 $first "rank 0"
says "stopped; everything is saved. Continue with: hgnet train --resume hangs" err.0
says "stopped; everything is saved. Continue with: rank 0's command with --resume and its run folder" err.1

# What cannot begin.
rank 0 2 "${fit[@]}" --lr 0.01 --out no --rank-timeout 5; first=$pid
rank 1 2 "${fit[@]}" --lr 0.02 --out no --rank-timeout 5; second=$pid
ended 1 $first "rank 0"
ended 1 $second "rank 1"
for r in 0 1; do says "different settings: lr is 0.01 and 0.02" err.$r; done
rank 0 2 --resume one --rank-timeout 5; first=$pid
rank 1 2 "${fit[@]}" --rank-timeout 5; second=$pid
ended 1 $first "rank 0"
ended 1 $second "rank 1"
for r in 0 1; do says "rank 0 was started with --resume, rank 1 without" err.$r; done
rank 0 2 --resume nowhere --rank-timeout 5; first=$pid
rank 1 2 --resume nowhere --rank-timeout 5; second=$pid
ended 2 $first "rank 0"
ended 1 $second "rank 1"
for r in 0 1; do says "there is no folder nowhere" err.$r; done
"$hgnet" train --help >out
says "--rank-timeout NUMBER [^(]*\(default: 60\)" out
RANK=0 "$hgnet" train "${fit[@]}" --out no >out 2>err && fail "half-set variables do"
says "RANK is set, but WORLD_SIZE is not" err
rank 0 2 "${fit[@]}" --out no --workers 2
ended 2 $pid "ranks that start workers"
rank 1 2 "${fit[@]}" --out no --rank-timeout 1
ended 1 $pid "a rank without rank 0"
says "rank 1 has not found rank 0 at 127.0.0.1:$port within 1 s" err.1
"$hgnet" train "${fit[@]}" --epochs 2 --out one --workers 2 >out 2>err && fail "a folder is used twice"
says "the folder one is not empty" err
[ -e no ] && fail "a run that cannot begin makes a folder"

exit $((failures > 0))
