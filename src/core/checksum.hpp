#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace hgnet {

/// XXH3 over bytes that come in pieces: notices damage and edits, but anyone can compute it anew.
class Checksum {
 public:
  Checksum();
  ~Checksum();

  void add(std::string_view bytes);
  /// The elements' bytes, behind their number: two arrays do not run into each other.
  template <class T>
  void add_array(std::span<const T> values) {
    const std::uint64_t size = values.size();
    add({reinterpret_cast<const char*>(&size), sizeof size});
    add({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  }

  /// Of all that was added, as 16 hexadecimal digits.
  std::string text() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hgnet
