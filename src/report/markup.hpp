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
  for (const std::string& text : pieces) {
    const std::size_t place = form.find("{}");
    result.text.append(form.substr(0, place)).append(text);
    form = form.substr(place).substr(2);  // throws if there is no {}
  }
  result.text += form;
  return result;
}

/// What `make` returns for each item, one after the other.
template <class Items, class Make>
Markup each(const Items& items, const Make& make) {
  Markup result;
  for (const auto& item : items) result += make(item);
  return result;
}

}  // namespace hgnet
