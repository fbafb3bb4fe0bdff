#include "help.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace hgnet::app {
namespace {

constexpr std::size_t kTextColumn = 30;

/// "--lr, --learning-rate"; "--[no-]residual" for a flag that can be turned off.
std::string names_of(const CLI::Option& option) {
  std::string names;
  const auto add = [&](const std::string& name) { names += (names.empty() ? "" : ", ") + name; };
  for (const std::string& name : option.get_snames()) add("-" + name);
  const auto& off = option.get_fnames();
  const auto is_off = [&](const std::string& name) {
    return std::find(off.begin(), off.end(), name) != off.end();
  };
  for (const std::string& name : option.get_lnames()) {
    if (is_off(name)) continue;
    add(is_off("no-" + name) ? "--[no-]" + name : "--" + name);
  }
  return names;
}

/// What the option takes: the given name of its type, or the values to choose from. CLI11 describes
/// a type as "TEXT:{a,b}", "INT:POSITIVE", "FOLDER:DIR".
std::string values_of(const CLI::Option& option) {
  if (option.get_type_size() == 0) return "";
  const std::string type = option.get_type_name();
  const std::string name = type.substr(0, type.find(':'));
  const std::size_t choice = type.find(":{");
  if (choice != std::string::npos) {
    std::string values = type.substr(choice + 2, type.find('}') - choice - 2);
    std::replace(values.begin(), values.end(), ',', '|');
    return values;
  }
  if (name == "INT" || name == "UINT" || name == "FLOAT") return "NUMBER";
  if (name != "TEXT") return name;
  return type == "TEXT:FILE" ? "FILE" : "TEXT";
}

/// A sentence with its first letter large, unless that is of a value or a model's name; and what is
/// required or the default.
std::string text_of(const CLI::Option& option) {
  std::string text = option.get_description();
  if (!text.empty() && text.substr(0, text.find(' ')).find_first_of(",:") == std::string::npos)
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  if (option.get_required()) text += " (required)";
  if (!option.get_default_str().empty()) text += " (default: " + option.get_default_str() + ")";
  return text;
}

/// The text stands beside the head if that leaves room, else below it.
std::string line(const std::string& head, const std::string& text) {
  const std::string gap = head.size() + 2 > kTextColumn
                              ? "\n" + std::string(kTextColumn, ' ')
                              : std::string(kTextColumn - head.size(), ' ');
  return head + gap + wrapped(text, kHelpWidth, kTextColumn) + "\n";
}

}  // namespace

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
  std::string result;
  std::size_t column = indent;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (column > indent && column + 1 + word.size() > width) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    }
    if (column > indent) result += " ";
    column += word.size() + (column > indent ? 1 : 0);
    result += word;
  }
  return result;
}

std::string Help::make_option(const CLI::Option* option, bool is_positional) const {
  std::string head = "  " + (is_positional ? option->get_name(true) : names_of(*option));
  const std::string values = values_of(*option);
  if (!values.empty() && !(is_positional && values == "TEXT")) head += " " + values;
  return line(head, text_of(*option));
}

std::string Help::make_subcommand(const CLI::App* command) const {
  return line("  " + command->get_name(), command->get_description());
}

std::string Help::make_option_usage(const CLI::Option* option) const {
  const std::string name =
      option->get_name(true) + (option->get_items_expected_max() > 1 ? "..." : "");
  return option->get_required() ? name : "[" + name + "]";
}

/// One blank line between groups, where CLI11 has two.
std::string Help::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  std::string text = Formatter::make_help(app, std::move(name), mode);
  for (std::size_t at = text.find("\n\n\n"); at != std::string::npos; at = text.find("\n\n\n", at))
    text.erase(at, 1);
  return text;
}

}  // namespace hgnet::app
