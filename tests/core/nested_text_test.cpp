#include "core/nested_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/errors.hpp"

namespace hgnet {
namespace {

using test::error_of;
using testing::HasSubstr;

std::string repeated(const std::string& text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

std::string lists(int depth) { return repeated("[", depth) + repeated("]", depth); }
std::string objects(int depth) { return repeated("{\"a\":", depth) + "1" + repeated("}", depth); }

std::string json_error(const std::string& text) {
  return error_of<InvalidFile>([&] { parse_json(text, "f"); });
}

std::string toml_error(const std::string& text) {
  return error_of<InvalidFile>([&] { check_toml_nesting(text, "f"); });
}

TEST(ParseJson, TakesWhatIsNestedUpToTheLimit) {
  EXPECT_EQ(json_error(lists(kMaxNesting)), "no error");
  EXPECT_EQ(json_error(objects(kMaxNesting)), "no error");
  EXPECT_EQ(parse_json("{\"a\": [1, {\"b\": 2}]}", "f")["a"][1]["b"], 2);
}

TEST(ParseJson, RefusesWhatIsNestedDeeper) {
  for (const int depth : {kMaxNesting + 1, 100'000}) {
    EXPECT_THAT(json_error(lists(depth)), HasSubstr("f:1: is nested deeper than 64 levels"));
    EXPECT_THAT(json_error(objects(depth)), HasSubstr("is nested deeper"));
    EXPECT_THAT(json_error(repeated("[", depth)), HasSubstr("is nested deeper")) << "not closed";
  }
}

TEST(ParseJson, NamesTheLineOfWhatIsNotJson) {
  EXPECT_EQ(json_error("{\n\"a\": }"), "f:2: is not JSON at byte 8; expected a JSON object");
  EXPECT_EQ(error_of<InvalidFile>([] { parse_json("x", "f", 7, "expected y"); }),
            "f:7: is not JSON at byte 1; expected y");
  EXPECT_THAT(json_error("[3e333]"), HasSubstr("a number that is out of range"));
  EXPECT_THAT(json_error("[\"\xff\"]"), HasSubstr("is not JSON"));
}

TEST(ParseShallowJson, RefusesWhatIsNestedDeeper) {
  EXPECT_NO_THROW(parse_shallow_json(lists(kMaxNesting)));
  for (const int depth : {kMaxNesting + 1, 1'000'000})
    EXPECT_THROW(parse_shallow_json(lists(depth)), nlohmann::json::exception);
}

TEST(IsNestedDeeply, LooksPastTexts) {
  EXPECT_FALSE(is_nested_deeply("\"" + lists(100) + "\\\"" + lists(100) + "\""));
  EXPECT_TRUE(is_nested_deeply("\"\\\\\"" + lists(kMaxNesting + 1)));
}

TEST(CheckTomlNesting, RefusesListsTablesAndDottedKeys) {
  for (const int depth : {kMaxNesting + 1, 100'000}) {
    EXPECT_THAT(toml_error("a = 1\nb = " + lists(depth)), HasSubstr("f:2: is nested deeper"));
    EXPECT_THAT(toml_error("a = " + repeated("{a = ", depth)), HasSubstr("is nested deeper"));
    EXPECT_THAT(toml_error(repeated("a.", depth) + "a = 1"), HasSubstr("is nested deeper"));
    EXPECT_THAT(toml_error(repeated("a . ", depth) + "a = 1"), HasSubstr("is nested deeper"));
    EXPECT_THAT(toml_error(repeated("\"a\".", depth) + "a = 1"), HasSubstr("is nested deeper"));
    EXPECT_THAT(toml_error("[" + repeated("a.", depth) + "a]"), HasSubstr("is nested deeper"));
    EXPECT_THAT(toml_error("[[" + repeated("a.", depth) + "a]]"), HasSubstr("is nested deeper"));
  }
  const std::string keys = repeated("a.", kMaxNesting / 2);
  EXPECT_THAT(toml_error("x = {" + keys + "a = {" + keys + "a = 1}}"), HasSubstr("nested deeper"))
      << "tables and keys together";
}

TEST(CheckTomlNesting, TakesSettings) {
  EXPECT_EQ(toml_error("lr = 0.1\nkeep = [" + repeated("0.5, ", 500) + "]\n[hgnet]\nlayers = 2\n"),
            "no error");
  EXPECT_EQ(toml_error(repeated("[a]\nb = {c = [1, 2]}\n", 500)), "no error");
}

TEST(CheckTomlNesting, PassesOverStringsAndComments) {
  const std::string deep = repeated("[", 1000);
  EXPECT_EQ(toml_error("a = \"" + deep + "\\\"" + deep + "\"\n"), "no error");
  EXPECT_EQ(toml_error("a = '" + deep + "\\'\n"), "no error");
  EXPECT_EQ(toml_error("# " + deep + "\n"), "no error");
  EXPECT_EQ(toml_error("a = \"\"\"\n" + deep + "\"\n" + deep + "\"\"\"\n"), "no error");
}

TEST(CheckTomlNesting, IsNotMisledByQuotes) {
  const std::string deep = repeated("[", 1000);
  EXPECT_THAT(toml_error("a = [\"x\", '\"', " + deep), HasSubstr("nested deeper"));
  EXPECT_THAT(toml_error("a = [\"\\\\\", " + deep), HasSubstr("nested deeper"));
  EXPECT_THAT(toml_error("a = [\"\", " + deep), HasSubstr("nested deeper"));
  EXPECT_THAT(toml_error("a = [\"\"\"x\"\"\"\", " + deep), HasSubstr("nested deeper"))
      << "a long string may end in quotes of its own";
  EXPECT_THAT(toml_error("a = ['''x''''', " + deep), HasSubstr("nested deeper"));
}

}  // namespace
}  // namespace hgnet
