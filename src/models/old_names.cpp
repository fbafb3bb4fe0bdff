#include "models/old_names.hpp"

#include <array>
#include <span>
#include <string_view>

#include "hgnet/config/model_table.hpp"

namespace hgnet {
namespace {

/// Names that were "network.<word><level>." are now "network.<prefix><level>.<suffix>.".
struct Renamed {
  std::string_view word;
  std::string_view prefix;
  std::string_view suffix;
};

constexpr Renamed kFlat[] = {{"layer", "block", "layer"}, {"tail", "block", "tail"}};
constexpr Renamed kHgnetNames[] = {{"up", "coarsen", "layer"},
                                   {"up_tail", "coarsen", "tail"},
                                   {"down", "refine", "block.layer"},
                                   {"down_tail", "refine", "block.tail"}};
// g-U-Net called the way to coarser levels down.
constexpr Renamed kGUnet[] = {{"down", "coarsen", "layer"},
                              {"down_tail", "coarsen", "tail"},
                              {"up", "refine", "block.layer"},
                              {"up_tail", "refine", "block.tail"}};

std::span<const Renamed> renamed_in(Frame frame) {
  switch (frame) {
    case Frame::kFlat: return kFlat;
    case Frame::kGUnet: return kGUnet;
    case Frame::kHgnet: return kHgnetNames;
    case Frame::kWl:
    case Frame::kRows: break;
  }
  return {};
}

}  // namespace

std::string current_tensor_name(const ModelConfig& config, const std::string& name) {
  constexpr std::string_view kNetwork = "network.";
  if (!name.starts_with(kNetwork)) return name;
  const std::size_t digits = name.find_first_of("0123456789", kNetwork.size());
  if (digits == std::string::npos) return name;
  const std::size_t rest = name.find_first_not_of("0123456789", digits);
  if (rest == std::string::npos) return name;
  const std::string_view word(name.data() + kNetwork.size(), digits - kNetwork.size());
  for (const Renamed& renamed : renamed_in(model_row(config.model).frame)) {
    if (renamed.word != word) continue;
    return std::string(kNetwork) + std::string(renamed.prefix) +
           name.substr(digits, rest - digits) + "." + std::string(renamed.suffix) +
           name.substr(rest);
  }
  return name;
}

}  // namespace hgnet
