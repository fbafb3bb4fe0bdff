#include "comparison.hpp"

#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <torch/csrc/autograd/autograd.h>

#include <cstdio>
#include <cstring>
#include <limits>
#include <map>
#include <stdexcept>
#include <thread>

#include "hgnet/kernels/instruction_set.hpp"

namespace hgnet::benchmarks {
namespace {

using torch::Tensor;

constexpr int kThreadCounts[] = {1, 2};

std::vector<Comparison>& comparisons() {
  static std::vector<Comparison> all;
  return all;
}

/// Once per comparison, before the first of its forms is timed.
void check_forms_agree(Comparison& comparison) {
  if (comparison.checked) return;
  const Tensor first = comparison.forms.front().work();
  const double scale = std::max(1e-3, first.abs().max().item<double>());
  for (const Form& form : comparison.forms) {
    const double error = (form.work() - first).abs().max().item<double>() / scale;
    if (!(error <= comparison.tolerance)) {
      throw std::runtime_error(comparison.name + " (" + comparison.size + "): " + form.name +
                               " differs by " + std::to_string(error));
    }
  }
  comparison.checked = true;
}

std::string full_name(const Comparison& comparison, const Form& form, int threads) {
  return comparison.name + "|" + comparison.size + "|" + form.name + "|" + std::to_string(threads);
}

void time_form(benchmark::State& state, const Comparison& comparison, const Form& form,
               int threads) {
  at::set_num_threads(threads);
  for ([[maybe_unused]] auto iteration : state) benchmark::DoNotOptimize(form.work());
  const auto calls = static_cast<double>(state.iterations());
  if (comparison.edges > 0) {
    state.counters["edges/s"] = benchmark::Counter(calls * static_cast<double>(comparison.edges),
                                                   benchmark::Counter::kIsRate);
  }
  if (comparison.bytes > 0) {
    state.counters["GB/s"] = benchmark::Counter(
        calls * static_cast<double>(comparison.bytes) * 1e-9, benchmark::Counter::kIsRate);
  }
}

/// Bytes copied per second between buffers far larger than the caches; each is read once and
/// written once.
void time_copy(benchmark::State& state, int threads) {
  constexpr std::size_t kBytes = 512U << 20;
  std::vector<char> from(kBytes, 1);
  std::vector<char> to(kBytes, 2);
  for ([[maybe_unused]] auto iteration : state) {
    std::vector<std::thread> workers;
    for (int t = 0; t < threads; ++t) {
      const std::size_t begin = kBytes / threads * t;
      workers.emplace_back([&from, &to, begin, threads] {
        std::memcpy(to.data() + begin, from.data() + begin, kBytes / threads);
      });
    }
    for (std::thread& worker : workers) worker.join();
    benchmark::ClobberMemory();
  }
  state.counters["GB/s"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * static_cast<double>(kBytes) * 1e-9,
      benchmark::Counter::kIsRate);
}

struct Measured {
  double seconds = 0;
  double edges_per_second = 0;
  double gigabytes_per_second = 0;
};

/// Keeps the best repetition of each benchmark: the others include the machine's noise.
class Collector : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration || run.error_occurred) continue;
      const double seconds = run.real_accumulated_time / static_cast<double>(run.iterations);
      Measured& best = best_[run.run_name.function_name];
      if (best.seconds > 0 && best.seconds <= seconds) continue;
      const auto counter = [&](const char* name) {
        const auto found = run.counters.find(name);
        return found == run.counters.end() ? 0.0 : found->second.value;
      };
      best = {seconds, counter("edges/s"), counter("GB/s")};
    }
  }

  const Measured* find(const std::string& name) const {
    const auto found = best_.find(name);
    return found == best_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::string, Measured> best_;
};

void print_table(const Collector& collector) {
  std::printf("\nBest of the repetitions; kernels use %s.\n", hgnet::instruction_set().c_str());
  for (const int threads : kThreadCounts) {
    if (const Measured* copy = collector.find("copy|512 MiB||" + std::to_string(threads))) {
      std::printf("Copy rate with %d thread(s): %.2f GB/s copied.\n", threads,
                  copy->gigabytes_per_second);
    }
  }
  std::printf(
      "\n| work | size | threads | ours | edges/s | GB/s | of copy rate | others, time / "
      "ours |\n"
      "|---|---|---|---|---|---|---|---|\n");
  for (const Comparison& comparison : comparisons()) {
    for (const int threads : kThreadCounts) {
      const Measured* ours =
          collector.find(full_name(comparison, comparison.forms.front(), threads));
      if (ours == nullptr) continue;
      std::string others;
      for (std::size_t i = 1; i < comparison.forms.size(); ++i) {
        const Measured* other = collector.find(full_name(comparison, comparison.forms[i], threads));
        if (other == nullptr) continue;
        char ratio[128];
        std::snprintf(ratio, sizeof ratio, "%s%s %.1fx", others.empty() ? "" : ", ",
                      comparison.forms[i].name.c_str(), other->seconds / ours->seconds);
        others += ratio;
      }
      char rates[128] = "| | ";
      const Measured* copy = collector.find("copy|512 MiB||" + std::to_string(threads));
      if (ours->gigabytes_per_second > 0 && copy != nullptr) {
        std::snprintf(rates, sizeof rates, "%.0fM | %.1f | %.0f%%", ours->edges_per_second * 1e-6,
                      ours->gigabytes_per_second,
                      100 * ours->gigabytes_per_second / copy->gigabytes_per_second);
      } else if (ours->edges_per_second > 0) {
        std::snprintf(rates, sizeof rates, "%.0fM | | ", ours->edges_per_second * 1e-6);
      }
      std::printf("| %s | %s | %d | %.3f ms | %s | %s |\n", comparison.name.c_str(),
                  comparison.size.c_str(), threads, ours->seconds * 1e3, rates, others.c_str());
    }
  }
}

}  // namespace

Tensor probe_like(const Tensor& y) {
  return 1 +
         0.25 * torch::arange(y.numel(), y.options().requires_grad(false)).cos().view(y.sizes());
}

Work backward_of(const std::function<Tensor(const Tensor&)>& forward, const Tensor& x) {
  const Tensor leaf = x.detach().clone().set_requires_grad(true);
  const Tensor y = forward(leaf);
  const Tensor dy = probe_like(y);
  return [leaf, y, dy] { return torch::autograd::grad({y}, {leaf}, {dy}, true)[0]; };
}

void add(Comparison comparison) { comparisons().push_back(std::move(comparison)); }

int run(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (const int threads : kThreadCounts) {
    benchmark::RegisterBenchmark(("copy|512 MiB||" + std::to_string(threads)).c_str(),
                                 [threads](benchmark::State& state) { time_copy(state, threads); })
        ->UseRealTime();
  }
  for (Comparison& comparison : comparisons()) {
    for (const int threads : kThreadCounts) {
      for (const Form& form : comparison.forms) {
        benchmark::RegisterBenchmark(full_name(comparison, form, threads).c_str(),
                                     [&comparison, &form, threads](benchmark::State& state) {
                                       check_forms_agree(comparison);
                                       time_form(state, comparison, form, threads);
                                     })
            ->UseRealTime()
            ->Unit(benchmark::kMillisecond);
      }
    }
  }
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  print_table(collector);
  return 0;
}

}  // namespace hgnet::benchmarks
