// Citation graphs, and the reader of pickles.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hgnet/core/error.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/data/load.hpp"
#include "support/datasets.hpp"
#include "support/errors.hpp"

namespace hgnet {
namespace {

using test::error_of;
using test::Files;
using testing::ElementsAre;
using testing::HasSubstr;

class Planetoid : public testing::Test {
 protected:
  Dataset load(const Files& files) const {
    for (const auto& [name, bytes] : files) folder_.write(name, bytes);
    return load_dataset("tiny", {.root = folder_.path(), .use_cache = false});
  }

  /// The error if one file has different content.
  std::string error(const std::string& part, const std::string& bytes) const {
    Files files = test::planetoid_files();
    files["planetoid/ind.tiny." + part] = bytes;
    return folder_.without_folder(error_of<InvalidFile>([&] { load(files); }));
  }

  test::TemporaryFolder folder_;
};

TEST_F(Planetoid, PutsTheRowsOfTestNodesInPlace) {
  const Dataset dataset = load(test::planetoid_files());
  EXPECT_EQ(dataset.name, "tiny");
  EXPECT_EQ(dataset.num_nodes(), 6);
  const auto& features = std::get<SparseMatrix>(dataset.features);
  // Rows 0 .. 2 of allx, row 1 of tx for node 3, nothing for node 4, row 0 of tx for node 5.
  EXPECT_THAT(features.csr().offsets, ElementsAre(0, 2, 3, 3, 5, 5, 6));
  EXPECT_THAT(features.csr().columns, ElementsAre(0, 2, 1, 0, 1, 2));
  EXPECT_THAT(features.values(), ElementsAre(0.25F, 0.75F, 1, 0.5F, 0.5F, 1));
  EXPECT_THAT(dataset.classes, ElementsAre(0, 1, 0, 0, kUnlabelled, 1));
}

TEST_F(Planetoid, DropsSelfLoopsAndRepeatedEdges) {
  const Graph graph = load(test::planetoid_files()).graphs.at(0);
  EXPECT_EQ(graph.num_self_loops(), 0);
  EXPECT_EQ(graph.num_undirected_edges(), 4);
  EXPECT_THAT(graph.neighbours(0), ElementsAre(1, 2, 3));
  EXPECT_THAT(graph.neighbours(4), ElementsAre());
}

TEST_F(Planetoid, HasThePublicSplit) {
  const Split split = load(test::planetoid_files()).splits.at("public");
  EXPECT_THAT(split.train, ElementsAre(0, 1));
  EXPECT_THAT(split.val, ElementsAre(2));
  EXPECT_THAT(split.test, ElementsAre(3, 5));
}

TEST_F(Planetoid, TheNextFiveHundredValidate) {
  Files files = test::planetoid_files();
  files["planetoid/ind.tiny.allx"] =
      test::pickled_csr_matrix(600, 3, std::vector<std::int32_t>(601, 0), {}, {});
  files["planetoid/ind.tiny.ally"] =
      test::pickled_matrix(std::vector<std::int32_t>(1200, 0), 600, 2);
  files["planetoid/ind.tiny.test.index"] = "601\n600\n";
  const Split split = load(files).splits.at("public");
  EXPECT_THAT(split.train, ElementsAre(0, 1));
  ASSERT_EQ(split.val.size(), 500U);
  EXPECT_EQ(split.val.front(), 2);
  EXPECT_EQ(split.val.back(), 501);
  EXPECT_THAT(split.test, ElementsAre(600, 601));
}

TEST_F(Planetoid, RefusesEveryCallableThatDataHasNoNeedOf) {
  EXPECT_EQ(error("graph",
                  "\x80\x02"
                  "cos\nsystem\nU\x06rm -rf\x85R."),
            "planetoid/ind.tiny.graph: byte 2: os.system is refused, because a data file does not "
            "need it");
  EXPECT_THAT(error("allx", "c__builtin__\neval\n."),
              HasSubstr("byte 0: __builtin__.eval is refused"));
  EXPECT_THAT(error("allx", "cnumpy\nload\n."), HasSubstr("numpy.load is refused"));
  EXPECT_THAT(error("allx", "cnumpy\nndarray\n)R."),
              HasSubstr("byte 16: a call that data does not"));
  EXPECT_THAT(error("allx", "cnumpy\ndtype\n)\x81."),
              HasSubstr("expected the creation of a csr_matrix"));
  EXPECT_THAT(error("allx", "(ios\nsystem\n."), HasSubstr("instruction 105"));
  EXPECT_THAT(error("allx", "\x80\x04."), HasSubstr("newer than 2"));
}

TEST_F(Planetoid, NamesTheByteOfWhatIsBroken) {
  EXPECT_THAT(error("allx", ""), HasSubstr("byte 0: the file ends too early"));
  EXPECT_THAT(error("allx", "T\xff\xff\xff\xff"), HasSubstr("byte 0: the file ends too early"));
  EXPECT_THAT(error("allx", "cnumpy"), HasSubstr("the file ends too early"));
  EXPECT_THAT(error("allx", "N"), HasSubstr("byte 1: the file ends too early"));
  EXPECT_THAT(error("allx", "."), HasSubstr("byte 0: nothing to take from the stack"));
  EXPECT_THAT(error("allx", "\x85."), HasSubstr("nothing to take"));
  EXPECT_THAT(error("allx", "t."), HasSubstr("no mark on the stack"));
  EXPECT_THAT(error("allx", "N(."), HasSubstr("nothing to take"));
  EXPECT_THAT(error("allx", "h\x05."), HasSubstr("nothing is stored under 5"));
  EXPECT_THAT(error("allx", "NNa."), HasSubstr("expected a list to add to"));
  EXPECT_THAT(error("allx", "}(Nu."), HasSubstr("a key without a value"));
  EXPECT_THAT(error("allx", "NNb."), HasSubstr("expected an array, a type or a matrix"));
  EXPECT_THAT(error("allx", "NNR."), HasSubstr("expected a known callable"));
  EXPECT_THAT(error("allx", "N."), HasSubstr("expected a csr_matrix"));
  EXPECT_THAT(error("graph", "N."), HasSubstr("expected a dictionary"));
  EXPECT_THAT(error("graph", "}(NNu."), HasSubstr("entry 0 is not a node"));
  EXPECT_THAT(error("ty", "N."), HasSubstr("is not an array"));
}

TEST_F(Planetoid, RefusesArraysThatDoNotFitTheirShape) {
  EXPECT_THAT(error("ty", test::pickled_matrix({0, 1, 1}, 2, 2)),
              HasSubstr("12 bytes do not make"));
  EXPECT_THAT(error("ty", test::pickled_matrix({0, 1, 1, 0}, 2'000'000'000, 2'000'000'000)),
              HasSubstr("do not make an array of its shape"));
  EXPECT_THAT(error("ty", test::pickled_matrix({0, 1, 1, 0}, -2, -2)),
              HasSubstr("non-negative integers"));
  EXPECT_THAT(error("ty", test::pickled_matrix({0, 1, 1, 0}, 4, 1)), HasSubstr("do not match"));
  EXPECT_THAT(error("ty", test::pickled_matrix({0, 1, 1, 1}, 2, 2)),
              HasSubstr("more than one label"));
}

TEST_F(Planetoid, RefusesAListThatStandsForMoreEdgesThanTheFileHasBytes) {
  std::string graph = "}(K\x01](K\x01K\x01K\x01K\x01K\x01K\x01K\x01K\x01K\x01K\x01";
  graph += "eq\x01";
  for (int i = 0; i < 50; ++i) graph += "K\x01h\x01";
  EXPECT_THAT(error("graph", graph + "u."), HasSubstr("used repeatedly"));
}

TEST_F(Planetoid, SurvivesNestingOfAnyDepth) {
  std::string tuples(1'000'000, '\x85');
  tuples.front() = 'N';
  tuples.back() = '.';
  EXPECT_THAT(error("graph", tuples), HasSubstr("expected a dictionary"));
  std::string marks(1'000'000, '(');
  marks += "N.";
  EXPECT_THAT(error("graph", marks), HasSubstr("expected a dictionary"));
  EXPECT_THAT(error("graph",
                    "]q\x01h\x01"
                    "a."),
              HasSubstr("expected a dictionary"));
}

TEST_F(Planetoid, NamesWhatDoesNotFitTogether) {
  EXPECT_THAT(error("test.index", "4\n5\n"), HasSubstr("expected 2 from 3"));
  EXPECT_THAT(error("test.index", "3\n3\n"), HasSubstr("node 3 twice"));
  EXPECT_THAT(error("test.index", "3\n900\n"), HasSubstr("leaves out most"));
  EXPECT_THAT(error("test.index", "3\nx\n"), HasSubstr("ind.tiny.test.index:2: test node 'x'"));
  EXPECT_THAT(error("test.index", ""), HasSubstr("is empty"));
  EXPECT_THAT(error("test.index", "3\n4\n"), HasSubstr("graph: edge 3 (5 -> 2): source 5"));
}

TEST_F(Planetoid, NamesTheFileThatIsMissing) {
  Files files = test::planetoid_files();
  files.erase("planetoid/ind.tiny.ty");
  EXPECT_THAT(error_of<InvalidFile>([&] { load(files); }), HasSubstr("has no file ind.tiny.ty"));
}

TEST_F(Planetoid, NeverDoesWorseThanThrowOnDamagedFiles) {
  Generator generator(1);
  const Files good = test::planetoid_files();
  load(good);
  for (int i = 0; i < 200; ++i) {
    auto file = good.begin();
    std::advance(file, generator.below(good.size()));
    std::string bytes = file->second;
    const std::size_t at = generator.below(bytes.size());
    bytes[at] = static_cast<char>(generator.below(256));
    if (i % 3 == 0) bytes.resize(at);
    try {
      validate(load({{file->first, bytes}}));
    } catch (const Error&) {
    }
    folder_.write(file->first, file->second);
  }
}

}  // namespace
}  // namespace hgnet
