#include "support/runs.hpp"

#include <nlohmann/json.hpp>
#include <sstream>

#include "support/files.hpp"

namespace hgnet::test {

std::string run_outcome(const std::filesystem::path& folder) {
  auto result = nlohmann::json::parse(content_of(folder / "result.json"));
  result.erase("seconds");
  result.erase("peak_memory");
  result.erase("command");
  result.erase("xxh3");  // of these, too
  std::string text = result.dump(1);
  std::istringstream lines(content_of(folder / "epochs.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    auto epoch = nlohmann::json::parse(line);
    epoch.erase("seconds");
    text.append("\n").append(epoch.dump());
  }
  return text + content_of(folder / "best.safetensors");
}

}  // namespace hgnet::test
