#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include "report/number_text.hpp"

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

inline std::string piece(const Markup& markup) { return markup.text; }
/// Fit for attributes in double quotes, too.
inline std::string piece(std::string_view text) {
  static const Escapes escapes = {
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
  return escaped(text, escapes);
}
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
