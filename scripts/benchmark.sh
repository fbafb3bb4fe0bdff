#!/usr/bin/env bash
# Installs what is missing, builds the benchmarks and runs them on an otherwise idle machine.
#   ./scripts/benchmark.sh                                       all of them, half an hour or so
#   ./scripts/benchmark.sh ops --benchmark_filter='copy|spmm'    kernels; takes Google Benchmark's options
#   ./scripts/benchmark.sh coarsening                            the same for contraction and Louvain
#   ./scripts/benchmark.sh models [--bound] [MODEL]              training steps, compared with the minimum work
#   ./scripts/benchmark.sh batches                               joining batches, compared with training steps
#   ./scripts/benchmark.sh scaling FOLDER MEMORY THREADS NODES   time and memory of each stage on large graphs
#   ./scripts/benchmark.sh mapped make|mapped|memory FOLDER N    sets of graphs that stay in a file, compared with memory
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

which=${1:-all}
[ $# -gt 0 ] && shift
case "$which" in
  all) benchmarks=(ops coarsening models batches) ;;
  ops | coarsening | models | batches | scaling | mapped) benchmarks=("$which") ;;
  *)
    echo "benchmark.sh: unknown benchmark '$which'; expected ops, coarsening, models, batches, scaling or mapped" >&2
    exit 2
    ;;
esac

install_missing "${base_packages[@]}" "${benchmark_packages[@]}"
# Huge pages for all of malloc, for every variant that is timed: see docs/performance.md. One thread
# for BLAS if one is timed.
export GLIBC_TUNABLES=${GLIBC_TUNABLES:-glibc.malloc.hugetlb=1}
for benchmark in "${benchmarks[@]}"; do
  build release "${benchmark}_benchmark" -DHGNET_BENCHMARKS=ON
  step "running the $benchmark benchmark"
  case "$benchmark" in
    ops) build/release/benchmarks/ops_benchmark --benchmark_min_time=0.3 --benchmark_repetitions=5 \
      --benchmark_report_aggregates_only=false "$@" ;;
    coarsening) build/release/benchmarks/coarsening_benchmark --benchmark_repetitions=3 "$@" ;;
    scaling | mapped) GLIBC_TUNABLES= "build/release/benchmarks/${benchmark}_benchmark" "$@" ;;
    models | batches) OPENBLAS_NUM_THREADS=1 "build/release/benchmarks/${benchmark}_benchmark" "$@" ;;
  esac
done
