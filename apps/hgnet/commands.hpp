// One function per subcommand: adds it to the program. The command itself runs in its callback and
// reports failure by throwing.

#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "hgnet/config/limits.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet::app {

/// The command line and start time of the program, for the records of fits.
struct Invocation {
  std::string command;
  std::vector<std::string> arguments;
  std::chrono::steady_clock::time_point begin;
};

/// Options that cannot be combined: exit code 2.
class WrongUsage : public CLI::Error {
 public:
  explicit WrongUsage(const std::string& what)
      : CLI::Error("WrongUsage", what, CLI::ExitCodes::ValidationError) {}
};

/// Reports settings out of range, and combinations that there are not, as wrong usage; what is
/// wrong with a file or a data set is none. `what` names what has the settings.
template <class Check>
void check_usage(const std::string& what, const Check& check_settings) {
  try {
    check_settings();
  } catch (const InvalidFile&) {
    throw;
  } catch (const InvalidDataset&) {
    throw;
  } catch (const Error& error) {
    throw WrongUsage(what + ": " + error.what());
  }
}

/// Ended because the user wanted it: exit code 1, but the message does not call it an error.
class Stopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Quotes the text as one word for a shell: always, or only if needed.
std::string shell_quoted(const std::string& text);
std::string shell_word(const std::string& text);

inline CLI::Validator at_least(int least, const char* name) {
  return {[least](const std::string& text) {
            double number = 0;
            return CLI::detail::lexical_cast(text, number) && number >= least &&
                           std::isfinite(number)
                       ? std::string()
                       : "'" + text + "'; expected a number of at least " + std::to_string(least);
          },
          name};
}

/// For counts. CLI11's own check prints a number of 300 digits.
inline CLI::Validator at_least_one() { return at_least(1, "POSITIVE"); }

/// For seeds, whose unsigned type would read -1 as its largest number, and for times.
inline CLI::Validator not_negative() { return at_least(0, "NONNEGATIVE"); }

/// For threads and jobs.
inline CLI::Validator up_to(std::int64_t most) { return CLI::Range(std::int64_t{1}, most); }

/// A data set is named by --dataset or, where nothing else is, without it.
inline constexpr const char* kDatasetOption = "dataset,--dataset";

/// The groups under which `hgnet --help` lists the commands.
inline constexpr const char* kDataGroup = "Data";
inline constexpr const char* kModelGroup = "Graphs and models";
inline constexpr const char* kToolGroup = "Tools";

void add_compare(CLI::App& program);
void add_completion(CLI::App& program);
void add_datasets(CLI::App& program);
void add_download(CLI::App& program);
void add_generate(CLI::App& program);
void add_hierarchy(CLI::App& program);
void add_inspect(CLI::App& program);
void add_evaluate(CLI::App& program);
void add_predict(CLI::App& program);
void add_models(CLI::App& program);
void add_probe(CLI::App& program);
void add_report(CLI::App& program);
void add_reproduce(CLI::App& program, const Invocation& invocation);
void add_runs(CLI::App& program);
void add_selfcheck(CLI::App& program);
void add_train(CLI::App& program, const Invocation& invocation);
void add_tune(CLI::App& program, const Invocation& invocation);

}  // namespace hgnet::app
