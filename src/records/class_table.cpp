#include "hgnet/records/class_table.hpp"

namespace hgnet {

ClassScores ClassTable::scores(std::size_t of) const {
  return are_labels ? class_scores(confusions[of], 1)
                    : class_scores(confusions.front(), static_cast<std::int64_t>(of));
}

void ClassTable::add(const ClassTable& other) {
  for (std::size_t i = 0; i < confusions.size(); ++i) {
    Confusion& ours = confusions[i];
    for (std::int64_t t = 0; t < ours.classes(); ++t) {
      for (std::int64_t g = 0; g < ours.classes(); ++g)
        ours.at(t, g) += other.confusions[i].at(t, g);
    }
  }
}

}  // namespace hgnet
