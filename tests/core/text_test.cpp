#include "hgnet/core/text.hpp"

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

TEST(Printable, KeepsLines) {
  EXPECT_EQ(printable_lines("a\x1b\n\tb\r\n"), "a\\x1b\n\tb\\x0d\n");
  EXPECT_EQ(printable_lines(""), "");
}

TEST(CsvCell, QuotesWhatNeedsIt) {
  EXPECT_EQ(csv_cell("cat"), "cat");
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("a \"b\"\n"), "\"a \"\"b\"\"\n\"");
  EXPECT_EQ(csv_cell(""), "");
}

TEST(CsvCell, IsNoFormula) {
  for (const char* text : {"=1+1", "+cmd", "-x", "@SUM(A1)", "-", "+", "-1+1", "-inf"})
    EXPECT_EQ(csv_cell(text), std::string("'") + text);
  EXPECT_EQ(csv_cell("=\"a\",b"), "\"'=\"\"a\"\",b\"");
  for (const char* number : {"-1", "+0.5", "-2e-3", "7"}) EXPECT_EQ(csv_cell(number), number);
}

TEST(InQuotes, CutsLongTextsBetweenCharacters) {
  EXPECT_EQ(in_quotes("cat"), "'cat'");
  EXPECT_EQ(in_quotes(std::string(60, 'a')), "'" + std::string(60, 'a') + "'");
  EXPECT_EQ(in_quotes(std::string(61, 'a')), "'" + std::string(60, 'a') + "...'");
  std::string cats(59, 'a');
  cats += "猫猫";
  EXPECT_EQ(in_quotes(cats), "'" + std::string(59, 'a') + "...'");
}

}  // namespace
}  // namespace hgnet
