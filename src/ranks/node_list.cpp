// Host names and tasks in SLURM's notation.

#include <sstream>

#include "hgnet/core/error.hpp"
#include "hgnet/ranks/launch.hpp"

namespace hgnet {
namespace {

constexpr std::size_t kMostHosts = 100'000;

[[noreturn]] void refuse(const std::string& list) {
  throw Error("SLURM's list of nodes is '" + list + "'; expected one like node[01-03,7],login");
}

bool is_number(const std::string& text) {
  return !text.empty() && text.size() <= 9 &&
         text.find_first_not_of("0123456789") == std::string::npos;
}

/// The parts between commas that are outside brackets.
std::vector<std::string> parts_of(const std::string& text, const std::string& list) {
  std::vector<std::string> parts{""};
  int depth = 0;
  for (const char c : text) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (depth < 0 || depth > 1) refuse(list);
    if (c == ',' && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  if (depth != 0) refuse(list);
  return parts;
}

/// "01-03" is 01, 02, 03: as wide as the first.
std::vector<std::string> numbers_in(const std::string& range, const std::string& list) {
  const std::size_t dash = range.find('-');
  const std::string first = range.substr(0, dash);
  const std::string last = dash == std::string::npos ? first : range.substr(dash + 1);
  if (!is_number(first) || !is_number(last) || std::stol(first) > std::stol(last)) refuse(list);
  std::vector<std::string> numbers;
  for (long n = std::stol(first); n <= std::stol(last); ++n) {
    std::string text = std::to_string(n);
    if (text.size() < first.size()) text.insert(0, first.size() - text.size(), '0');
    numbers.push_back(std::move(text));
    if (numbers.size() > kMostHosts) refuse(list);
  }
  return numbers;
}

}  // namespace

std::vector<std::string> hosts_of(const std::string& node_list) {
  std::vector<std::string> hosts;
  for (const std::string& part : parts_of(node_list, node_list)) {
    std::vector<std::string> names{""};  // grows with every bracket of the part
    for (std::size_t at = 0; at < part.size();) {
      const std::size_t open = std::min(part.find('[', at), part.size());
      for (std::string& name : names) name += part.substr(at, open - at);
      if (open == part.size()) break;
      const std::size_t close = part.find(']', open);
      std::vector<std::string> longer;
      for (const std::string& range :
           parts_of(part.substr(open + 1, close - open - 1), node_list)) {
        for (const std::string& number : numbers_in(range, node_list)) {
          for (const std::string& name : names) longer.push_back(name + number);
          if (longer.size() > kMostHosts) refuse(node_list);
        }
      }
      names = std::move(longer);
      at = close + 1;
    }
    for (std::string& name : names) {
      if (name.empty()) refuse(node_list);
      hosts.push_back(std::move(name));
    }
  }
  return hosts;
}

std::vector<int> tasks_of(const std::string& tasks_per_node) {
  const auto wrong = [&] {
    return Error("SLURM's tasks per node are '" + tasks_per_node +
                 "'; expected a list like 2(x3),1");
  };
  std::vector<int> tasks;
  std::istringstream parts(tasks_per_node + ",");
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t open = std::min(part.find("(x"), part.size());
    std::string machines = "1";
    if (open < part.size()) {
      if (part.back() != ')') throw wrong();
      machines = part.substr(open + 2, part.size() - open - 3);
    }
    if (!is_number(part.substr(0, open)) || !is_number(machines)) throw wrong();
    if (tasks.size() + std::stoul(machines) > kMostHosts) throw wrong();
    tasks.insert(tasks.end(), std::stoul(machines), std::stoi(part.substr(0, open)));
  }
  return tasks;
}

}  // namespace hgnet
