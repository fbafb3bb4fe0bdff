#include "fit_use.hpp"

#include "commands.hpp"
#include "hgnet/config/limits.hpp"

namespace hgnet::app {

void add_fit_use(CLI::App& command, FitUse& use) {
  command.add_option("--root", use.root, "Folder of named data sets (HGNET_DATA)")
      ->type_name("FOLDER");
  command.add_option("--threads", use.threads, "Number of threads")
      ->check(up_to(kMostThreads))
      ->capture_default_str();
}

void add_allow_nonfinite(CLI::App& command, NonFinite& choice) {
  command.add_flag_callback(
      "--allow-nonfinite", [&choice] { choice = NonFinite::kAllow; },
      "Mark samples whose answer is not finite, instead of failing");
}

}  // namespace hgnet::app
