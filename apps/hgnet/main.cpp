// The hgnet program. Exit codes: 0 done, 1 failed, 2 wrong usage.

#include <torch/version.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <memory>

#include "commands.hpp"
#include "help.hpp"
#include "hgnet/config/model_config.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/error_text.hpp"
#include "hgnet/core/memory.hpp"
#include "hgnet/core/version.hpp"
#include "hgnet/kernels/instruction_set.hpp"
#include "hgnet/paper/plan.hpp"
#include "standard_streams.hpp"
#include "suggest.hpp"

namespace {

constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;
constexpr const char* kErrorPrefix = "hgnet: error: ";

std::string version_text() {
  return "hgnet " + hgnet::version() +
         " (libtorch " TORCH_VERSION ", kernels: " + hgnet::instruction_set() + ")";
}

/// The command line for the records; arguments that a shell would split are quoted.
std::string command_line(int argc, char** argv) {
  std::string text = "hgnet";
  for (int i = 1; i < argc; ++i) text += " " + hgnet::app::shell_word(argv[i]);
  return text;
}

/// What CLI11 says, in the words of the other messages.
std::string plain_text(const std::string& error) {
  if (const auto end = error.find(": At Most 1 required but received "); end != std::string::npos)
    return error.substr(0, end) + " is given more than once";
  if (const std::string kind = "Could not convert: "; error.starts_with(kind)) {
    const auto equals = error.find(" = ");
    if (equals != std::string::npos)
      return error.substr(kind.size(), equals - kind.size()) + ": '" + error.substr(equals + 3) +
             "'; expected a whole number, not too large";
  }
  const std::pair<const char*, const char*> words[]{
      {"Directory does not exist: ", "there is no folder "},
      {"File does not exist: ", "there is no file "},
      {"Path does not exist: ", "there is no file or folder "},
      {"Directory is actually a file: ", "expected a folder, not the file "},
      {"File is actually a directory: ", "expected a file, not the folder "}};
  for (const auto& [theirs, ours] : words) {
    if (const auto at = error.find(theirs); at != std::string::npos)
      return error.substr(0, at) + ours + error.substr(at + std::strlen(theirs));
  }
  return error;
}

int run(int argc, char** argv) {
  const hgnet::app::Invocation invocation{
      command_line(argc, argv), {argv + 1, argv + argc}, std::chrono::steady_clock::now()};
  CLI::App program(
      "Hierarchical Graph Net: graph neural networks over a hierarchy of coarser graphs.", "hgnet");
  program.require_subcommand(0, 1);  // handled below, so that the message can name a mistyped one
  program.set_version_flag("--version", version_text);
  program.formatter(std::make_shared<hgnet::app::Help>());
  hgnet::app::add_train(program, invocation);
  hgnet::app::add_tune(program, invocation);
  hgnet::app::add_evaluate(program);
  hgnet::app::add_predict(program);
  hgnet::app::add_runs(program);
  hgnet::app::add_compare(program);
  hgnet::app::add_reproduce(program, invocation);
  hgnet::app::add_report(program);
  hgnet::app::add_probe(program);
  hgnet::app::add_models(program);
  hgnet::app::add_hierarchy(program);
  hgnet::app::add_datasets(program);
  hgnet::app::add_download(program);
  hgnet::app::add_inspect(program);
  hgnet::app::add_generate(program);
  hgnet::app::add_completion(program);
  hgnet::app::add_selfcheck(program);
  program.footer(  // after the commands, because they would inherit it
      "Examples:\n"
      "  hgnet download cora ENZYMES\n"
      "  hgnet inspect cora\n"
      "  hgnet train --dataset cora\n"
      "  hgnet train --dataset ./my_graphs --model gcn,gin,hgnet-edgepool\n"
      "  hgnet reproduce table1 --quick\n"
      "  hgnet hierarchy --graph grid:16x16 --svg levels.svg\n"
      "'hgnet COMMAND --help' shows a command's options and more examples.");
  try {
    program.parse(argc, argv);
  } catch (const CLI::Error& error) {
    if (error.get_exit_code() == 0) return program.exit(error);  // --help, --version
    // CLI11 may report something else first, such as a required option that was mistyped.
    const std::string unknown = hgnet::app::unknown_argument(program);
    std::cerr << kErrorPrefix << (unknown.empty() ? plain_text(error.what()) : unknown) << "\nRun '"
              << hgnet::app::command_words(program) << " --help' for more information.\n";
    return kWrongUsage;
  }
  if (program.get_subcommands().empty()) {
    std::cerr << program.help();
    return kWrongUsage;
  }
  return 0;
}

/// Whether an argument was wrong in a way that shows only once the data is read.
bool is_wrong_usage(const std::exception& error) {
  return dynamic_cast<const hgnet::UnknownDataset*>(&error) != nullptr ||
         dynamic_cast<const hgnet::NotInPaper*>(&error) != nullptr ||
         dynamic_cast<const hgnet::Mismatch*>(&error) != nullptr ||
         dynamic_cast<const hgnet::InvalidSplit*>(&error) != nullptr ||
         dynamic_cast<const hgnet::NoEffect*>(&error) != nullptr;
}

/// A line that says what to do about the error, if the program knows.
std::string how_to_mend(const std::exception& error) {
  if (dynamic_cast<const hgnet::AmbiguousTask*>(&error) != nullptr)
    return "Name it with --targets classes or --targets regression; a cell without a label is "
           "empty\n";
  const auto* missing = dynamic_cast<const hgnet::MissingDataset*>(&error);
  if (missing == nullptr) return "";
  return "Fetch it with: hgnet download " + missing->dataset() + " --root " +
         hgnet::app::shell_word(missing->root()) + "\n";
}

/// Of an exception that nothing catches, such as lack of memory on a thread of its own.
[[noreturn]] void end_with_reason() {
  std::string reason = "ended";
  try {
    if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    reason = hgnet::error_text(error);
  } catch (...) {
  }
  std::cerr << kErrorPrefix << reason << "\n";
  std::_Exit(kFailed);
}

}  // namespace

std::string hgnet::app::shell_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

std::string hgnet::app::shell_word(const std::string& text) {
  const bool plain =
      !text.empty() && text.find_first_of(" \t\n\"'\\$`*?|&;<>()#~") == std::string::npos;
  return plain ? text : shell_quoted(text);
}

int main(int argc, char** argv) {
  const hgnet::app::StandardStreams streams;
  std::set_terminate(end_with_reason);
  hgnet::keep_freed_memory();
  try {
    const int code = run(argc, argv);
    if (hgnet::app::StandardStreams::flush()) return code;
    std::cerr << kErrorPrefix << "cannot write to standard output\n";
  } catch (const hgnet::app::Stopped& stop) {
    std::cerr << "hgnet: " << stop.what() << "\n";
  } catch (const std::exception& error) {
    std::cerr << kErrorPrefix << hgnet::error_text(error) << "\n" << how_to_mend(error);
    if (is_wrong_usage(error)) return kWrongUsage;
  }
  return kFailed;
}
