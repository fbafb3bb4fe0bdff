#!/bin/bash
# Two ranks in two network namespaces, joined by a virtual cable that is then cut: network_cut_test.sh
# PROGRAM. Exit code 77: this machine does not let us make them.

hgnet=$1
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
a=hgnet-a-$$ b=hgnet-b-$$
cleanup() {
  ip netns del "$a" 2>/dev/null
  ip netns del "$b" 2>/dev/null
  rm -rf "$work"
}
trap cleanup EXIT

make_network() {
  ip netns add "$a" && ip netns add "$b" &&
    ip link add veth0 netns "$a" type veth peer name veth0 netns "$b" &&
    ip -n "$a" addr add 10.77.0.1/24 dev veth0 && ip -n "$b" addr add 10.77.0.2/24 dev veth0 &&
    ip -n "$a" link set veth0 up && ip -n "$b" link set veth0 up &&
    ip -n "$a" link set lo up && ip -n "$b" link set lo up
}
if ! command -v ip >/dev/null || ! make_network 2>why; then
  echo "skipped: no network namespaces here: $(cat why 2>/dev/null)"
  exit 77
fi

mkdir SHAPES
node=1
for g in $(seq 0 39); do
  n=$((5 + g % 7))
  for v in $(seq 0 $((n - 1))); do
    echo $((g + 1)) >>SHAPES/SHAPES_graph_indicator.txt
    echo "$((node + v)), $((v + 1 < n ? node + v + 1 : node + (g % 2) * v / 2))" >>SHAPES/SHAPES_A.txt
  done
  node=$((node + n))
  echo $((g % 2)) >>SHAPES/SHAPES_graph_labels.txt
done

# rank NUMBER NAMESPACE VARIABLES...
rank() {
  local number=$1 space=$2
  shift 2
  ip netns exec "$space" env RANK="$number" WORLD_SIZE=2 MASTER_PORT=29611 "$@" "$hgnet" train --dataset ./SHAPES \
    --model gin --batch 8 --epochs 100000 --checkpoint-seconds 0 --rank-timeout 3 --quiet --out run >"out.$number" 2>"err.$number" &
  pid=$!
}
# ended PID NAME: with an error, within 20 s
ended() {
  for _ in $(seq 400); do
    kill -0 "$1" 2>/dev/null || break
    sleep 0.05
  done
  kill -0 "$1" 2>/dev/null && fail "$2 goes on" && kill -9 "$1"
  wait "$1" 2>/dev/null
  [ $? = 1 ] || fail "$2 has not ended with an error"
}

rank 0 "$a" MASTER_ADDR=10.77.0.1; first=$pid
rank 1 "$b" MASTER_ADDR=10.77.0.1; second=$pid
for _ in $(seq 600); do [ -e run/epochs.jsonl ] && break; sleep 0.05; done
[ -e run/epochs.jsonl ] || fail "the ranks do not train over the cable: $(cat err.0 err.1)"
ip -n "$b" link set veth0 down
ended $first "rank 0"
ended $second "rank 1"
grep -q "rank 1 has ended, hangs or has lost its connection" err.0 || fail "rank 0 does not name rank 1: $(cat err.0)"
grep -q "rank 0 .*cannot be reached" err.1 || fail "rank 1 does not name rank 0: $(cat err.1)"
before=$(wc -l <run/epochs.jsonl)
"$hgnet" train --resume run --checkpoint-seconds 0 --quiet >out 2>&1 &
pid=$!
for _ in $(seq 600); do [ "$(wc -l <run/epochs.jsonl)" -gt "$before" ] && break; sleep 0.05; done
[ "$(wc -l <run/epochs.jsonl)" -gt "$before" ] || fail "the run does not go on from its checkpoint: $(cat out)"
kill -TERM $pid
wait $pid

# Without an address, the store does not hear the cable.
ip -n "$b" link set veth0 up
rm -rf run
rank 0 "$a" MASTER_ADDR=127.0.0.1; first=$pid
rank 1 "$b" MASTER_ADDR=10.77.0.1; second=$pid
ended $second "rank 1"
ended $first "rank 0"
grep -q "rank 1 has not found rank 0" err.1 || fail "rank 1 reaches a store on loopback: $(cat err.1)"

# Rank 0's name stands for loopback on its own machine, as Debian writes it into /etc/hosts.
echo 127.0.1.1 first >hosts.a
echo 10.77.0.1 first >hosts.b
rm -rf run
ip netns exec "$a" sh -c 'mount --bind hosts.a /etc/hosts && exec "$@"' sh true 2>why || { echo "names: skipped: $(cat why)"; exit $((failures > 0)); }
named() { # NUMBER NAMESPACE HOSTS
  ip netns exec "$2" sh -c "mount --bind $3 /etc/hosts && exec \"\$@\"" sh env RANK="$1" WORLD_SIZE=2 MASTER_PORT=29611 \
    MASTER_ADDR=first "$hgnet" train --dataset ./SHAPES --model gin --batch 8 --epochs 2 --rank-timeout 20 --quiet --out run \
    >"out.$1" 2>"err.$1" || fail "rank $1 fails where rank 0's name stands for loopback: $(cat "err.$1")"
}
named 1 "$b" hosts.b &
named 0 "$a" hosts.a
wait
grep -q '"ranks": *2' run/result.json || fail "the fit was not shared: $(cat err.1)"

exit $((failures > 0))
