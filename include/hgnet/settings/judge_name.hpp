#pragma once

#include <string>

namespace hgnet {

/// A judge of colourings, by name: "wl:2" counts colours after two rounds, "gin:4" is a flat model
/// with its number of layers.
struct JudgeName {
  std::string model;
  int layers = 0;
  bool counts_colours = false;
};

/// Throws Error, with the form expected, for another text.
JudgeName judge_name(const std::string& text);

}  // namespace hgnet
