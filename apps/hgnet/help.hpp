#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace hgnet::app {

/// Columns of a line of help, at most.
inline constexpr std::size_t kHelpWidth = 100;

/// Help texts: each option with its names, what it takes, a sentence and its default.
class Help : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_option_usage(const CLI::Option* option) const override;
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
};

/// Words in lines of at most `width` columns; all lines but the first begin with `indent` blanks.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent);

}  // namespace hgnet::app
