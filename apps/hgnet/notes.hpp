#pragma once

#include <iostream>
#include <string>
#include <vector>

namespace hgnet::app {

/// What is ignored or changed of a data set, on stderr.
inline void print_note(const std::string& note) { std::cerr << "note: " << note << "\n"; }
inline void print_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) print_note(note);
}

}  // namespace hgnet::app
