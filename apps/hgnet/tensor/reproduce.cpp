// hgnet reproduce: runs the fits of the paper's tables that are not done yet.

#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <mutex>
#include <set>

#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/interrupt.hpp"
#include "hgnet/data/registry.hpp"
#include "hgnet/paper/catalogue.hpp"
#include "hgnet/paper/claims.hpp"
#include "hgnet/report/writers.hpp"
#include "hgnet/train/schedule.hpp"
#include "outlook.hpp"
#include "progress.hpp"
#include "requests.hpp"

namespace hgnet::app {
namespace {

namespace fs = std::filesystem;

/// Adds to the message of each finished fit how much is left.
class OutlookProgress : public ProgressSink {
 public:
  OutlookProgress(ProgressSink& to, Outlook outlook, int jobs)
      : to_(to), outlook_(std::move(outlook)), jobs_(jobs) {}

  void update(int fit, const FitProgress& progress) override {
    begin(fit);
    to_.update(fit, progress);
  }
  void epoch(int fit, const FitProgress& progress) override {
    begin(fit);
    to_.epoch(fit, progress);
  }
  void finished(int fit, const FitProgress& progress, const std::string& summary) override {
    begin(fit);  // a fit that lacks only its result gets here at once
    const std::string left = count(fit);
    to_.finished(fit, progress, summary + "; " + left);
  }
  void message(const std::string& line) override { to_.message(line); }
  void failure(const std::string& line) override { to_.failure(line); }

 private:
  using Clock = std::chrono::steady_clock;

  void begin(int fit) {
    const std::lock_guard lock(mutex_);
    begun_.try_emplace(fit, Clock::now());
  }

  std::string count(int fit) {
    const std::lock_guard lock(mutex_);
    outlook_.count(outlook_.left().at(fit),
                   std::chrono::duration<double>(Clock::now() - begun_.at(fit)).count());
    return outlook_.text(jobs_);
  }

  ProgressSink& to_;
  Outlook outlook_;
  int jobs_;
  std::mutex mutex_;
  std::map<int, Clock::time_point> begun_;
};

/// Writes the tables of all records below the folder to that folder.
void write_tables(const ReproduceRequest& options) {
  const std::vector<fs::path> places{options.plan.out};
  const Results results = paper_results(read_records(places));
  const std::vector<ResultTable> tables = result_tables(results);
  const std::vector<Claim> claims = check_result_claims(results);
  const std::vector<Claim> findings = check_range_findings(results);
  const fs::path file = options.plan.out / "tables.md";
  write_atomically(file, to_markdown(tables, claims, findings, "The paper's tables"));
  if (options.json) {
    std::cout << to_json(results, tables, claims, findings) << "\n";
  } else {
    std::cout << "Tables: " << file.string() << "\nThe whole report: hgnet report "
              << options.plan.out.string() << "\n";
  }
}

/// How to fetch the data sets that are not on this machine, if any.
std::string fetch_hint(const std::vector<PlannedFit>& fits) {
  const std::string& chosen = fits.front().config.root;
  const fs::path root = chosen.empty() ? default_data_root() : fs::path(chosen);
  std::set<std::string> missing;
  for (const PlannedFit& fit : fits) {
    const KnownDataset& known = known_dataset(fit.config.dataset);
    if (!on_disk(known, root)) missing.insert(known.name);
  }
  if (missing.empty()) return "";
  std::string names;
  for (const std::string& name : missing) names += " " + name;
  return ". To get the missing data sets: hgnet download" + names + " --root " +
         shell_word(root.string());
}

}  // namespace

void run_reproduce(const ReproduceRequest& options, const std::vector<PlannedFit>& fits) {
  const Outlook outlook(fits);
  const InterruptGuard interrupt;
  const auto screen = make_progress(static_cast<int>(outlook.left().size()), options.quiet);
  screen->message(outlook.text(options.jobs));
  OutlookProgress sink(*screen, outlook, options.jobs);
  FitRunOptions how;
  how.checkpoint_seconds = 30;
  how.command = options.invocation.command;
  how.program_begin = options.invocation.begin;
  how.sink = &sink;
  how.stop = [&] { return interrupt.requested(); };
  InputStore store;
  const std::vector<FitOutcome> outcomes = run_fits(outlook.left(), options.jobs, store, how);
  const auto count = [&](FitOutcome::Kind kind) {
    return static_cast<int>(
        std::count_if(outcomes.begin(), outcomes.end(),
                      [&](const FitOutcome& outcome) { return outcome.kind == kind; }));
  };
  const int failed = count(FitOutcome::Kind::kFailed);
  const int stopped = count(FitOutcome::Kind::kStopped);
  const int busy = count(FitOutcome::Kind::kBusy);
  if (outlook.done() + count(FitOutcome::Kind::kDone) > 0) write_tables(options);
  if (busy > 0) sink.message("another process is running " + std::to_string(busy) + " of the fits");
  if (stopped > 0)
    throw Stopped("stopped with " + std::to_string(stopped) +
                  " fits left; everything is saved. Run the same command to continue");
  if (failed > 0 && outcomes.size() == 1)  // run_fits leaves reporting a single fit to its caller
    throw Error("1 fit failed: " + outcomes.front().error + fetch_hint(fits));
  if (failed > 0)
    throw Error(std::to_string(failed) + " fits failed; see above" + fetch_hint(fits));
}

}  // namespace hgnet::app
