// hgnet download: fetches and checks data sets and puts them in place.

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/interrupt.hpp"
#include "hgnet/data/download.hpp"

namespace hgnet::app {
namespace {

struct DownloadArguments {
  std::vector<std::string> names;
  std::string root;
  std::string mirror;
  int stall_seconds = 30;
  bool json = false;
};

/// A bar that is redrawn on a terminal; elsewhere, one line at the start of each file.
class ProgressLine {
 public:
  void show(const DownloadProgress& progress) {
    if (terminal_) {
      draw(progress);
    } else if (progress.path != path_) {
      std::cerr << "fetching " << progress.path << "\n";
    }
    path_ = progress.path;
  }

  /// Makes room for other output.
  void clear() {
    if (terminal_ && !path_.empty()) std::fputs("\r\033[K", stderr);
    path_.clear();
    shown_ = -1;
  }

 private:
  void draw(const DownloadProgress& progress) {
    constexpr int kWidth = 30;
    constexpr std::int64_t kMegabyte = 1 << 20;
    const bool known = progress.total > 0;
    // Redraw only when something changes: the library reports far more often.
    const std::int64_t step =
        known ? 1000 * progress.received / progress.total : progress.received / kMegabyte;
    if (progress.path == path_ && step == shown_) return;
    shown_ = step;
    std::string bar;
    if (known) {
      const auto filled = static_cast<int>(kWidth * progress.received / progress.total);
      bar = "[" + std::string(filled, '#') + std::string(kWidth - filled, '.') + "] " +
            std::to_string(step / 10) + "% of ";
    }
    const std::int64_t megabytes = (known ? progress.total : progress.received) / kMegabyte;
    std::fputs(("\r\033[K" + progress.path + " " + bar + std::to_string(megabytes) + " MB").c_str(),
               stderr);
  }

  bool terminal_ = isatty(STDERR_FILENO) != 0;
  std::string path_;
  std::int64_t shown_ = -1;
};

nlohmann::json to_json(const std::vector<DownloadedFile>& files) {
  nlohmann::json result = nlohmann::json::array();
  for (const DownloadedFile& file : files) {
    result.push_back({{"place", file.place.string()},
                      {"bytes", file.bytes},
                      {"state", file.state == FileState::kFetched ? "fetched" : "present"},
                      {"verified", file.verified}});
  }
  return result;
}

void print_text(const KnownDataset& set, const std::vector<DownloadedFile>& files) {
  if (files.empty()) {
    std::cout << set.name << ": nothing to fetch; it is " << set.source << "\n";
    return;
  }
  const auto fetched = std::count_if(files.begin(), files.end(), [](const DownloadedFile& file) {
    return file.state == FileState::kFetched;
  });
  const auto verified = std::count_if(files.begin(), files.end(),
                                      [](const DownloadedFile& file) { return file.verified; });
  std::cout << set.name << ": " << fetched << " of " << files.size() << " files fetched, "
            << verified << " verified by SHA-256"
            << (verified < std::ssize(files) ? " (no sum is known of the rest)" : "") << ", in "
            << files.front().place.parent_path().string() << "\n";
}

void run_download(const DownloadArguments& options) {
  std::vector<const KnownDataset*> sets;
  for (const std::string& name : options.names) sets.push_back(&known_dataset(name));
  ProgressLine line;
  const InterruptGuard interrupt;  // what is being moved into place gets there, or goes
  const auto end_if_asked = [&] {
    if (interrupt.requested())
      throw Stopped("interrupted; the same command goes on where it stopped");
  };
  DownloadOptions downloading{
      .root = options.root.empty() ? default_data_root() : std::filesystem::path(options.root),
      .mirror = options.mirror,
      .stall_seconds = options.stall_seconds,
      .progress = [&](const DownloadProgress& progress) {
        end_if_asked();
        line.show(progress);
      }};
  nlohmann::json report = nlohmann::json::array();
  std::string failed;
  for (const KnownDataset* set : sets) {
    nlohmann::json entry = {{"name", set->name}, {"ok", true}};
    try {
      const std::vector<DownloadedFile> files = download(*set, downloading);
      line.clear();
      entry["files"] = to_json(files);
      if (!options.json) print_text(*set, files);
    } catch (const DownloadFailed& error) {
      line.clear();
      entry["ok"] = false;
      entry["error"] = error.what();
      failed += " " + set->name;
      std::cerr << set->name << ": " << error.what()
                << "\nTo place the files by hand, download each and save it as given here:\n"
                << how_to_place_by_hand(*set, downloading.root);
    }
    report.push_back(entry);
    end_if_asked();
  }
  if (options.json) {
    const nlohmann::json all{{"root", downloading.root.string()}, {"datasets", report}};
    std::cout << all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
  }
  if (!failed.empty()) throw Error("not downloaded:" + failed);
}

}  // namespace

void add_download(CLI::App& program) {
  auto options = std::make_shared<DownloadArguments>();
  CLI::App* command =
      program.add_subcommand("download", "Fetch data sets, check them and put them in place");
  command->group(kDataGroup);
  command->add_option("names", options->names, "Data sets, as 'hgnet datasets' lists them")
      ->type_name("DATASET")
      ->required();
  command
      ->add_option("--root", options->root,
                   "Folder to download to (default: HGNET_DATA, or in the user's cache folder)")
      ->type_name("FOLDER");
  command
      ->add_option("--mirror", options->mirror,
                   "URL to fetch from, with the same paths as below the root")
      ->type_name("URL");
  command
      ->add_option("--stall-timeout", options->stall_seconds,
                   "Seconds without data after which an attempt fails")
      ->check(CLI::Range(1, 3600))
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print one JSON object instead of text");
  command->footer(
      "An interrupted download continues the next time. Examples:\n"
      "  hgnet download cora ENZYMES\n"
      "  hgnet download ogbg-molhiv --root data --mirror http://localhost:8000/");
  command->callback([options] { run_download(*options); });
}

}  // namespace hgnet::app
