#include "core/text.hpp"

#include <gtest/gtest.h>

namespace hgnet {
namespace {

TEST(TextFault, TakesUtf8) {
  for (const char* text : {"", "cat", "d'été", "猫", "\xf0\x9f\x90\x88", "a b~", "\xc2\xa0"}) {
    EXPECT_EQ(text_fault(text), nullptr) << text;
  }
}

TEST(TextFault, NamesControlCharacters) {
  for (const std::string text : {"\x1b[31m", "a\tb", "a\nb", "\x7f", "\xc2\x9b"}) {
    EXPECT_STREQ(text_fault(text), "a control character") << printable(text);
  }
  EXPECT_STREQ(text_fault(std::string_view("a\0", 2)), "a control character");
}

TEST(TextFault, NamesWhatIsNotUtf8) {
  for (const char* text : {"M\xfcller", "\xff", "\xc3", "\x80", "\xc0\xaf", "\xe0\x80\xaf",
                           "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe7\x8c"}) {
    EXPECT_STREQ(text_fault(text), "a byte that is not UTF-8") << printable(text);
  }
}

TEST(Printable, ShowsWhatCannotBe) {
  EXPECT_EQ(printable("a\x1b[31m猫\xff"), "a\\x1b[31m猫\\xff");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");
}

TEST(InQuotes, CutsLongTextsBetweenCharacters) {
  EXPECT_EQ(in_quotes("cat"), "'cat'");
  EXPECT_EQ(in_quotes(std::string(60, 'a')), "'" + std::string(60, 'a') + "'");
  EXPECT_EQ(in_quotes(std::string(61, 'a')), "'" + std::string(60, 'a') + "...'");
  EXPECT_EQ(in_quotes(std::string(59, 'a') + "猫猫"), "'" + std::string(59, 'a') + "...'");
}

}  // namespace
}  // namespace hgnet
