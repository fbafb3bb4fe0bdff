#include "fit_use.hpp"

#include "commands.hpp"

namespace hgnet::app {

void FitUse::add_to(CLI::App& command) {
  command.add_option("--root", root, "Folder of named data sets (HGNET_DATA)")->type_name("FOLDER");
  command.add_option("--threads", threads, "Number of threads")
      ->check(at_least_one())
      ->capture_default_str();
}

}  // namespace hgnet::app
