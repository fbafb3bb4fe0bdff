#pragma once

#include <string>
#include <vector>

#include "hgnet/records/confusion.hpp"

namespace hgnet {

/// How samples of each class, or of each label, were predicted.
struct ClassTable {
  std::vector<std::string> names;
  std::vector<Confusion> confusions;  // one of all classes; or of no and yes, for each label
  bool are_labels = false;

  ClassScores scores(std::size_t of) const;
  /// Adds the counts of another one with the same classes or labels.
  void add(const ClassTable& other);
};

}  // namespace hgnet
