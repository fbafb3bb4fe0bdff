#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace hgnet {

/// The XXH3 of bytes given in pieces. It detects damage and edits, but anyone can compute a new
/// one.
class Checksum {
 public:
  Checksum();
  ~Checksum();

  void add(std::string_view bytes);
  /// Adds the number of elements, then their bytes, so that the border between two arrays counts.
  template <class T>
  void add_array(std::span<const T> values) {
    const std::uint64_t size = values.size();
    add({reinterpret_cast<const char*>(&size), sizeof size});
    add({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  }

  /// 16 hexadecimal digits.
  std::string text() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hgnet
