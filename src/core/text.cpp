#include "hgnet/core/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace hgnet {
namespace {

constexpr std::uint32_t kInvalid = 0xffffffff;

/// Takes one character off the front of UTF-8; kInvalid, and one byte off, where there is none.
std::uint32_t take_character(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xc2 ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
  constexpr std::array<std::uint32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  constexpr std::array<std::uint32_t, 5> kFirstBits{0, 0x7f, 0x1f, 0x0f, 0x07};
  std::uint32_t character = first & kFirstBits[length];
  bool valid = length > 0 && length <= text.size();
  for (std::size_t i = 1; valid && i < length; ++i) {
    valid = (byte(i) & 0xc0) == 0x80;
    character = character << 6 | (byte(i) & 0x3f);
  }
  const bool surrogate = character >= 0xd800 && character < 0xe000;
  valid = valid && character >= kSmallest[length] && character <= 0x10ffff && !surrogate;
  text.remove_prefix(valid ? length : 1);
  return valid ? character : kInvalid;
}

bool is_control(std::uint32_t character) {
  return character < 0x20 || (character >= 0x7f && character < 0xa0);
}

bool is_decimal(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

}  // namespace

const char* text_fault(std::string_view text) {
  while (!text.empty()) {
    const std::uint32_t character = take_character(text);
    if (character == kInvalid) return "a byte that is not UTF-8";
    if (is_control(character)) return "a control character";
  }
  return nullptr;
}

std::string printable(std::string_view text) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string result;
  while (!text.empty()) {
    std::string_view rest = text;
    const std::uint32_t character = take_character(rest);
    const std::string_view bytes = text.substr(0, text.size() - rest.size());
    if (character != kInvalid && !is_control(character)) {
      result += bytes;
    } else {
      for (const unsigned char byte : bytes)
        result.append("\\x").append({kDigits[byte >> 4], kDigits[byte & 15]});
    }
    text = rest;
  }
  return result;
}

std::string printable_lines(std::string_view text) {
  std::string result;
  while (true) {
    const std::size_t end = text.find_first_of("\n\t");
    result += printable(text.substr(0, end));
    if (end == std::string_view::npos) return result;
    result += text[end];
    text.remove_prefix(end + 1);
  }
}

std::string csv_cell(std::string_view text) {
  const bool formula = !text.empty() &&
                       std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos &&
                       !is_decimal(text);
  std::string cell = formula ? "'" : "";
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return cell.append(text);
  for (const char c : text) cell += c == '"' ? "\"\"" : std::string(1, c);
  return "\"" + cell + "\"";
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kShown = 60;
  std::size_t end = std::min(text.size(), kShown);
  const bool cut = end < text.size();
  if (cut) {  // but no character in two
    while (end > kShown - 3 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  }
  std::string result = "'";
  result += printable(text.substr(0, end));
  return result += cut ? "...'" : "'";
}

}  // namespace hgnet
