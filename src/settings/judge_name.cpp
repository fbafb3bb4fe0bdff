#include "hgnet/settings/judge_name.hpp"

#include <charconv>

#include "hgnet/config/model_table.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet {

JudgeName judge_name(const std::string& text) {
  const std::size_t colon = text.find(':');
  JudgeName name{text.substr(0, colon)};
  const char* end = text.data() + text.size();
  const char* number = colon == std::string::npos ? end : text.data() + colon + 1;
  const auto [stop, error] = std::from_chars(number, end, name.layers);
  const ModelRow* row = find_model(name.model);
  name.counts_colours = row != nullptr && row->frame == Frame::kWl;
  const bool flat = row != nullptr && row->frame == Frame::kFlat;
  if (error != std::errc() || stop != end || !(name.counts_colours || flat) ||
      name.layers < row->least_depth() || name.layers > 64) {
    throw Error(
        "judge '" + text +
        "'; expected wl:ROUNDS, such as wl:2, or a flat model with its layers, such as gin:4");
  }
  return name;
}

}  // namespace hgnet
