#!/bin/bash
# Runs the program on machines that are exhausted, and on models that have nothing to say:
# exhaustion_test.sh PROGRAM [SANITIZER]

hgnet=$1 sanitizer=${2-}
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"

check() {
  "$@" || fail "not so: $*"
}

mkdir net
printf 'id,x,y,label,split\na,1,3,u,train\nb,0,9,v,train\nc,1,2,u,val\nd,0,8,v,val\ne,1,7,v,test\n' >net/nodes.csv
printf 'source,target\na,b\nc,a\nb,d\nd,e\n' >net/edges.csv
train=("$hgnet" train --dataset ./net --model gcn --epochs 3)

# Ceilings, with the figure.
expect 2 "threads is 1000000; expected at most 1024" "${train[@]}" --threads 1000000 --out no
expect 2 "1000000 not in range .*1024" "${train[@]}" --seeds 2 --jobs 1000000 --out no
expect 0 "Run folder" "${train[@]}" --threads 1000 --out threads

# Numbers that mean nothing.
expect 1 "the loss is nan in epoch 2|answer for node [0-9] is not finite.*(layer|parameter) network" \
  "${train[@]}" --lr 1e300 --out nan
expect 1 "the 1 validation samples of .*net .split own. have only one label, which leaves roc_auc undefined" \
  bash -c "sed -i 's/d,0,8,v,val/d,0,8,v,test/' net/nodes.csv; ${train[*]} --metric roc_auc --out no"
sed -i 's/d,0,8,v,test/d,0,8,v,val/' net/nodes.csv
check test ! -e no/config.toml
mkdir huge
sed 's/^\(.\),[0-9]*,[0-9]*,/\1,3e38,-3e38,/' net/nodes.csv >huge/nodes.csv
cp net/edges.csv huge
expect 0 "" "${train[@]}" --lr 100 --out steep
expect 1 "the model's answer for node [0-9] is not finite; the first value that is not finite is in the features" \
  "$hgnet" predict steep --dataset ./huge --out -
expect 0 ",not finite,[uv],nan,nan" "$hgnet" predict steep --dataset ./huge --out - --allow-nonfinite
expect 1 "the model's answer for node [0-9] is not finite" "$hgnet" evaluate steep --dataset ./huge --split own
expect 0 "left out [0-9] whose answer is not finite" "$hgnet" evaluate steep --dataset ./huge --split own --allow-nonfinite

# Sanitizers need more descriptors, and all addresses.
[ -z "$sanitizer" ] && address_space="ulimit -v" || address_space=:

# A hub merges with one neighbour per level.
{
  echo "20001 20000"
  seq -f "1 %.0f" 2 20001
} >star.edges
expect 0 "^note: the levels end here.* 0 +20001 +20000 " bash -c "$address_space 3000000; '$hgnet' hierarchy --graph star.edges"
expect 0 "^level.* 1 +1 +0 " "$hgnet" hierarchy --graph path:2

# Closed descriptors: nothing that is printed gets into a file.
expect 0 "" "${train[@]}" --out reference
"${train[@]}" --out closed 2>&- >/dev/null
check cmp closed/best.safetensors reference/best.safetensors
check test "$(wc -l <closed/epochs.jsonl)" = 3
check test "$(grep -c . closed/config.toml)" = "$(grep -c . reference/config.toml)"
expect 0 "" "$hgnet" evaluate closed
expect 1 "cannot write to standard output" bash -c "'$hgnet' datasets >&-"
expect 1 "cannot write to standard output" bash -c "'$hgnet' datasets >/dev/full"
expect 1 "cannot write to standard output" bash -c "set -o pipefail; { sleep 1; '$hgnet' datasets; } | true"

# Limits on the sizes of files: a sentence, and the run goes on later. The cache is optional.
# The thread sanitizer writes a file of its own before main, and ends by the signal.
[ "$sanitizer" = thread ] ||
  expect 0 "nodes +5" bash -c "(ulimit -f 0; HGNET_CACHE=$work/small exec '$hgnet' inspect ./net) | cat"
check test -z "$(ls small 2>/dev/null)"
expect 1 "cannot write .*File too large" bash -c "ulimit -f 4; exec ${train[*]} --out limited 2>&1 | cat; exit \${PIPESTATUS[0]}"
expect 0 "Run folder" bash -c "test -e limited/config.toml && '$hgnet' train --resume limited || ${train[*]} --out limited"
check cmp limited/best.safetensors reference/best.safetensors
echo old >picture.svg
expect 1 "cannot write .*picture.svg: File too large" \
  bash -c "ulimit -f 1; '$hgnet' hierarchy --graph grid:16x16 --svg picture.svg 2>&1 | cat; exit \${PIPESTATUS[0]}"
check test "$(cat picture.svg)" = old
check test -z "$(ls | grep 'picture.svg.')"
expect 1 "cannot write .*File too large" \
  bash -c "ulimit -f 8; '$hgnet' generate --graph grid:8x8 --samples 200 --out drawn 2>&1 | cat; exit \${PIPESTATUS[0]}"
check test -z "$(ls drawn 2>/dev/null)"

# Descriptors, memory. The loader needs one descriptor, so those of ctest are closed.
if [ -n "$sanitizer" ]; then
  echo "not tried with sanitizer $sanitizer: few descriptors, little memory"
else
  expect 1 "hgnet: .*(Too many open files|error)" \
    bash -c "exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; ulimit -n 4; exec ${train[*]} --out few"
  expect 1 "^hgnet: error: there is not enough memory" \
    bash -c "ulimit -v 1200000; exec '$hgnet' hierarchy --graph grid:4096x4096"
  expect 1 "^hgnet: error: there is not enough memory: the limit on addresses .ulimit -v. is 600000 kB" \
    bash -c "ulimit -v 600000; exec ${train[*]} --out low"
  check test ! -e low
  expect 0 "the limit on addresses .ulimit -v. leaves room for [1-9] of 20 jobs.*Run folder" \
    bash -c "ulimit -v 1500000; exec ${train[*]} --seeds 20 --jobs 20 --out crowd"
fi

# Threads: the limit is for other users than root, who can become one.
other=(setpriv --reuid 64123 --regid 64123 --clear-groups)
if [[ $(id -u) = 0 && $(nproc) -gt 1 ]] && "${other[@]}" test -x "$hgnet"; then
  mkdir poor
  chmod 755 "$work"
  chmod 777 poor
  expect 1 "libtorch needs [0-9]+ threads more, of which only 0 can be started: Resource temporarily" \
    "${other[@]}" bash -c "ulimit -u 1; OPENBLAS_NUM_THREADS=1 exec ${train[*]} --out poor/run"
  check test -z "$(ls -A poor)"
  expect 0 "Run folder" "${other[@]}" "${train[@]}" --out poor/run
  check cmp poor/run/best.safetensors reference/best.safetensors
fi

# A fit that failed says why, even if nothing else is said.
expect 1 "gcn seed 1 failed: .*result.json.*1 of 2 fits failed" \
  bash -c "${train[*]} --seeds 2 --out many --quiet && echo '{' >many/seed-1/result.json && '$hgnet' train --resume many --quiet"

# Names are text: for a shell, a terminal, a spreadsheet.
mkdir "it's \$(touch pwned)"
TMPDIR="$work/it's \$(touch pwned)" "$hgnet" hierarchy --graph path:4 --svg path.svg >out 2>&1
printf '1 2\n2 3\n' >small.edges
TMPDIR="$work/it's \$(touch pwned)" "$hgnet" hierarchy --graph small.edges --svg small.svg >out 2>&1
check test ! -e pwned
mkdir $'e\033[31mvil'
cp net/*.csv $'e\033[31mvil'
expect 1 'e.x1b.31mvil. has a control character' "$hgnet" inspect $'./e\033[31mvil'
expect 2 'e.x1b.31mvil/no' "$hgnet" hierarchy --graph $'e\033[31mvil/no'
check test -z "$(tr -dc '\033' <out)"
mkdir formula
sed 's/,u,/,=1+1,/; s/^a,/-a,/' net/nodes.csv >formula/nodes.csv
sed 's/^a,/-a,/; s/,a$/,-a/' net/edges.csv >formula/edges.csv
expect 0 "Run folder" "$hgnet" train --dataset ./formula --model gcn --epochs 1 --out formula-run
expect 0 "p '?=1.1.* '-a," "$hgnet" predict formula-run --dataset ./formula --out -

# Many data sets and models that have little in common.
for i in $(seq 3000); do
  echo "{\"dataset\":\"d$i\",\"model\":\"m$i\",\"metric\":\"accuracy\",\"metrics\":{\"test\":{\"accuracy\":0.5}}}"
done >many.jsonl
expect 0 "Results: 3000 of 3000 cells" "$hgnet" report many.jsonl --out many.html
exit $((failures > 0))
