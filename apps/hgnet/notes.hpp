#pragma once

#include <iostream>
#include <string>
#include <vector>

namespace hgnet::app {

/// What is ignored or changed of a data set, on stderr.
inline void print_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) std::cerr << "note: " << note << "\n";
}

}  // namespace hgnet::app
