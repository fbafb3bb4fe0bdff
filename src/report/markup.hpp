#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace hgnet {

/// A piece of a page. Arguments are escaped unless they are Markup themselves.
struct Markup {
  std::string text;

  Markup& operator+=(const Markup& more) {
    text += more.text;
    return *this;
  }
  bool empty() const { return text.empty(); }
};

/// For text and for attributes in double quotes.
inline std::string html_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\'': result += "&#39;"; break;
      default: result += c;
    }
  }
  return result;
}

inline std::string piece(const Markup& markup) { return markup.text; }
inline std::string piece(std::string_view text) { return html_text(text); }
inline std::string piece(std::integral auto number) { return std::to_string(number); }

/// The template with its {} replaced by the arguments, in order; their numbers must match.
template <class... Arguments>
Markup markup(std::string_view form, const Arguments&... arguments) {
  const std::vector<std::string> pieces = {piece(arguments)...};
  Markup result;
  std::size_t next = 0;
  for (std::size_t i = 0; i < form.size(); ++i) {
    const bool place = form.substr(i, 2) == "{}";
    result.text += place ? pieces.at(next++) : std::string(1, form[i]);
    i += place ? 1 : 0;
  }
  return result;
}

/// A table that scrolls sideways if needed. Headings that begin with # mark columns of numbers.
Markup plain_table(std::string_view label, bool sortable, const std::vector<std::string>& headings,
                   const Markup& rows);

}  // namespace hgnet
