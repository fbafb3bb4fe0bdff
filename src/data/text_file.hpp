#pragma once

#include <charconv>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/staged_file.hpp"

namespace hgnet {

/// Collects text and writes it in large pieces: these files have tens of millions of short lines.
/// Throws Error when it cannot be written.
class TextFile {
 public:
  explicit TextFile(const std::filesystem::path& file) : file_(file) {}

  template <class Number>
  TextFile& number(Number value) {
    char digits[32];
    text_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    return *this;
  }

  TextFile& text(std::string_view piece) {
    text_ += piece;
    if (text_.size() >= kPiece) flush();
    return *this;
  }

  void close() {
    flush();
    file_.commit();
  }

 private:
  static constexpr std::size_t kPiece = 1 << 20;

  void flush() {
    file_.append(text_);
    text_.clear();
  }

  StagedFile file_;
  std::string text_;
};

}  // namespace hgnet
