#include <cstdint>
#include <vector>

#include "core/nested_text.hpp"

namespace hgnet {
namespace {

/// Goes over TOML as far as it takes to know where strings and comments are.
class TomlScan {
 public:
  TomlScan(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void run() {
    while (at_ < text_.size()) step();
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == '"' || c == '\'') return skip_string(c);
    if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
      return;
    }
    ++at_;
    switch (c) {
      case '\n':
        ++line_;
        dots_ = 0;
        break;
      case '.': ++dots_; break;
      case '[':
      case '{':  // what it holds is below the keys before it
        opened_.push_back(depth() + 1);
        dots_ = 0;
        break;
      case ']':
      case '}':
        if (!opened_.empty()) opened_.pop_back();
        dots_ = 0;
        break;
      case ',': dots_ = 0; break;
      default: break;  // '=' too: the keys before it are above its value
    }
    if (depth() > kMaxNesting) {
      throw InvalidFile(file_, line_,
                        "is nested deeper than " + std::to_string(kMaxNesting) + " levels");
    }
  }

  int depth() const { return (opened_.empty() ? 0 : opened_.back()) + dots_; }

  /// Three quotes begin a string that goes over lines, and end it.
  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool long_string = text_.substr(at_, 3) == three;
    at_ += long_string ? 3 : 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        if (!long_string) return;  // an error, which the parser will name
        ++line_;
      }
      if (long_string ? text_.substr(at_, 3) == three : c == quote) {
        at_ += long_string ? 3 : 1;
        // Up to two quotes may be the last of a long string's own characters.
        for (int i = 0; long_string && i < 2 && text_.substr(at_, 1) == three.substr(2); ++i) ++at_;
        return;
      }
      const bool escapes = c == '\\' && quote == '"' && text_.substr(at_ + 1, 1) != "\n";
      at_ += escapes ? 2 : 1;
    }
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1;
  std::vector<int> opened_;  // by bracket: how deep what it holds is
  int dots_ = 0;             // of the key, or the number, that is being gone over
};

}  // namespace

void check_toml_nesting(std::string_view text, const std::string& file) {
  TomlScan(text, file).run();
}

}  // namespace hgnet
