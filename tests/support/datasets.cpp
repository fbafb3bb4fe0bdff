#include "support/datasets.hpp"
#include "support/archives.hpp"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <string_view>

namespace hgnet::test {
namespace {

bool same_parts(const GraphParts& a, const GraphParts& b) {
  return a.offsets == b.offsets && a.columns == b.columns && a.weights == b.weights &&
         a.edge_rows == b.edge_rows && a.edge_row_width == b.edge_row_width;
}

template <class T>
bool same(std::span<const T> a, std::span<const T> b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

bool same_features(const NodeFeatures& a, const NodeFeatures& b) {
  if (a.index() != b.index()) return false;
  if (const auto* dense = std::get_if<DenseRows>(&a)) {
    return dense->width == std::get<DenseRows>(b).width &&
           dense->values == std::get<DenseRows>(b).values;
  }
  if (const auto* sparse = std::get_if<SparseMatrix>(&a)) {
    const auto& other = std::get<SparseMatrix>(b);
    return sparse->num_columns() == other.num_columns() &&
           same(sparse->csr().offsets, other.csr().offsets) &&
           same(sparse->csr().columns, other.csr().columns) &&
           same(sparse->values(), other.values());
  }
  if (const auto* columns = std::get_if<ColumnRows>(&a)) {
    return std::equal(columns->columns.begin(), columns->columns.end(),
                      std::get<ColumnRows>(b).columns.begin(),
                      std::get<ColumnRows>(b).columns.end(), [](const Column& x, const Column& y) {
                        return static_cast<const ColumnInfo&>(x) == y && x.values == y.values;
                      });
  }
  if (const auto* bits = std::get_if<BitRows>(&a)) return bits->words == std::get<BitRows>(b).words;
  return std::get<CategoricalRows>(a).sizes == std::get<CategoricalRows>(b).sizes &&
         std::get<CategoricalRows>(a).values == std::get<CategoricalRows>(b).values;
}

template <class T>
std::string raw(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::string joined(std::initializer_list<std::string_view> pieces) {
  std::string text;
  for (const std::string_view piece : pieces) text += piece;
  return text;
}

// The instructions of a pickle that push a short string, an integer, and an array.

std::string short_string(std::string_view text) {
  const auto size = static_cast<char>(text.size());
  return joined({"U", {&size, 1}, text});
}

std::string integer(std::int32_t value) { return joined({"J", raw<std::int32_t>({value})}); }

/// As numpy does it: _reconstruct(ndarray, (0,), 'b') and then its state.
std::string array(std::string_view type, const std::vector<int>& shape, std::string_view data) {
  std::string extents;
  for (const int extent : shape) extents += integer(extent);
  const std::string size = raw<std::int32_t>({static_cast<std::int32_t>(data.size())});
  return joined({"cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\n",
                 integer(0),
                 "\x85",
                 short_string("b"),
                 "\x87R(",
                 integer(1),
                 "(",
                 extents,
                 "tcnumpy\ndtype\n",
                 short_string(type),
                 integer(0),
                 integer(1),
                 "\x87R(",
                 integer(3),
                 short_string("<"),
                 "NNN",
                 integer(-1),
                 integer(-1),
                 integer(0),
                 "tb\x89T",
                 size,
                 data,
                 "tb"});
}

}  // namespace

std::string difference(const Dataset& a, const Dataset& b) {
  if (a.name != b.name || a.task != b.task || a.target_kind != b.target_kind) return "kind";
  if (a.graphs.size() != b.graphs.size()) return "number of graphs";
  for (std::size_t g = 0; g < a.graphs.size(); ++g) {
    if (!same_parts(a.graphs[g].parts(), b.graphs[g].parts())) return "graph " + std::to_string(g);
  }
  if (a.node_offsets != b.node_offsets) return "node offsets";
  if (!same_features(a.features, b.features)) return "features";
  if (a.edge_columns != b.edge_columns) return "edge columns";
  if (a.target_names != b.target_names || a.notes != b.notes) return "names of tasks, or notes";
  if (a.classes != b.classes || a.class_names != b.class_names) return "classes";
  if (a.sample_names != b.sample_names) return "names of samples";
  if (a.columns != b.columns) return "what columns stand for";
  if (a.num_tasks != b.num_tasks || !same<float>(a.targets, b.targets)) return "targets";
  if (a.splits.size() != b.splits.size()) return "splits";
  for (const auto& [name, split] : a.splits) {
    const auto other = b.splits.find(name);
    if (other == b.splits.end() || split.train != other->second.train ||
        split.val != other->second.val || split.test != other->second.test) {
      return "split " + name;
    }
  }
  if (a.groups != b.groups) return "groups";
  if (a.facts != b.facts) return "facts";
  return "";
}

std::vector<std::int64_t> samples_of(const Split& split) {
  std::vector<std::int64_t> samples = split.train;
  samples.insert(samples.end(), split.val.begin(), split.val.end());
  samples.insert(samples.end(), split.test.begin(), split.test.end());
  std::sort(samples.begin(), samples.end());
  return samples;
}

Files tu_files(const std::string& prefix) {
  return {{prefix + "_A.txt", "1, 2\n2, 1\n2, 3\n3, 2\n1, 3\n3, 1\n4, 5\n5, 4\n4, 5\n5, 4\n4, 4\n"},
          {prefix + "_graph_indicator.txt", "1\n1\n1\n2\n2\n"},
          {prefix + "_graph_labels.txt", "7\n-1\n"},
          {prefix + "_node_labels.txt", "3\n4\n6\n3\n3\n"}};
}

Files ogb_files(const std::string& prefix) {
  return {{prefix + "raw/num-node-list.csv.gz", gzipped("3\n2\n1\n")},
          {prefix + "raw/num-edge-list.csv.gz", gzipped("2\n1\n0\n")},
          {prefix + "raw/edge.csv.gz", gzipped("0,1\n1,2\n0,1\n")},
          {prefix + "raw/edge-feat.csv.gz", gzipped("0,0,0\n4,5,1\n1,0,0\n")},
          {prefix + "raw/node-feat.csv.gz",
           gzipped("5,0,4,5,3,0,2,0,0\n118,4,11,11,9,5,5,1,1\n0,0,0,0,0,0,0,0,0\n"
                   "5,0,4,5,3,0,2,0,0\n7,0,4,5,3,0,2,0,0\n5,0,0,5,0,0,2,0,0\n")},
          {prefix + "raw/graph-label.csv.gz", gzipped("1,0\n,1\n0,0\n")},
          {prefix + "split/scaffold/train.csv.gz", gzipped("2\n")},
          {prefix + "split/scaffold/valid.csv.gz", gzipped("0\n")},
          {prefix + "split/scaffold/test.csv.gz", gzipped("1\n")},
          {prefix + "mapping/README.md", "not data"}};
}

std::string pickled_csr_matrix(int rows, int columns, const std::vector<std::int32_t>& offsets,
                               const std::vector<std::int32_t>& places,
                               const std::vector<float>& values) {
  const auto size = [](const auto& numbers) { return static_cast<int>(numbers.size()); };
  return joined({"\x80\x02", "cscipy.sparse.csr\ncsr_matrix\nq\x01)\x81}(", short_string("_shape"),
                 integer(rows), integer(columns), "\x86", short_string("indptr"),
                 array("i4", {size(offsets)}, raw(offsets)), short_string("indices"),
                 array("i4", {size(places)}, raw(places)), short_string("data"),
                 array("f4", {size(values)}, raw(values)), "ub."});
}

std::string pickled_matrix(const std::vector<std::int32_t>& values, int rows, int columns) {
  return joined({"\x80\x02", array("i4", {rows, columns}, raw(values)), "."});
}

Files planetoid_files(const std::string& name) {
  const std::string prefix = "planetoid/ind." + name + ".";
  const std::string graph =
      joined({"\x80\x02", "ccollections\ndefaultdict\nc__builtin__\nlist\n\x85R(", integer(0), "](",
              integer(1), integer(2), integer(0), "e", integer(5), "]", integer(2), "a", integer(3),
              "]", integer(0), "au."});
  return {{prefix + "allx", pickled_csr_matrix(3, 3, {0, 2, 3, 3}, {2, 0, 1}, {3, 1, 5})},
          {prefix + "ally", pickled_matrix({1, 0, 0, 1, 1, 0}, 3, 2)},
          {prefix + "y", pickled_matrix({1, 0, 0, 1}, 2, 2)},
          {prefix + "tx", pickled_csr_matrix(2, 3, {0, 1, 3}, {2, 0, 1}, {2, 1, 1})},
          {prefix + "ty", pickled_matrix({0, 1, 1, 0}, 2, 2)},
          {prefix + "graph", graph},
          {prefix + "test.index", "5\n3\n"}};
}

Files csv_files() {
  return {{"nodes.csv",
           "id,height,label,width,split\n"
           "alice,1.5,cat,0,train\n"
           "\"b, \"\"ob\"\"\",-2,dog,1e1,val\n"
           "17,0,,3,\n"
           "d e,1,cat,4,test\n"},
          {"edges.csv", "source,target\nalice,17\n17,\"b, \"\"ob\"\"\"\nd e,alice\n"}};
}

}  // namespace hgnet::test
