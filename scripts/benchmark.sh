#!/usr/bin/env bash
# Installs what is missing, builds the benchmarks and runs them on an otherwise idle machine.
#   ./scripts/benchmark.sh                                    all of them, ten minutes or so
#   ./scripts/benchmark.sh --benchmark_filter='copy|spmm'     some; takes Google Benchmark's options
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_missing "${base_packages[@]}" "${benchmark_packages[@]}"
build release ops_benchmark -DHGNET_BENCHMARKS=ON
step "running the benchmarks"
# Huge pages for all of malloc, whichever form is being timed: see docs/performance.md.
export GLIBC_TUNABLES=${GLIBC_TUNABLES:-glibc.malloc.hugetlb=1}
build/release/benchmarks/ops_benchmark --benchmark_min_time=0.3 --benchmark_repetitions=5 \
  --benchmark_report_aggregates_only=false "$@"
