#include "data/cache_format.hpp"

#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

#include "data/distinct_graphs.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

constexpr std::size_t kAlignment = 8;

std::size_t padding(std::size_t size) { return (kAlignment - size % kAlignment) % kAlignment; }

enum class FeatureKind : std::int64_t { kDense, kSparse, kCategorical, kBits, kColumns };
constexpr std::int64_t kFeatureKinds = 5;

class Encoder {
 public:
  explicit Encoder(const std::function<void(std::span<const std::byte>)>& write) : write_(write) {}

  void number(std::int64_t value) { raw(std::span<const std::int64_t>(&value, 1)); }

  /// An array in one piece.
  template <class Array>
  void array(const Array& values) {
    using T = typename Array::value_type;  // of a vector, string or span
    number(static_cast<std::int64_t>(values.size()));
    raw(std::span<const T>(values.data(), values.size()));
    pad(values.size() * sizeof(T));
  }

  void names(const std::vector<std::string>& all) {
    number(static_cast<std::int64_t>(all.size()));
    for (const std::string& name : all) array(name);
  }

  /// An array made of `part(g)` for every graph.
  template <class T, class Part>
  void joined(const std::vector<const Graph*>& graphs, const Part& part) {
    std::size_t size = 0;
    for (const Graph* graph : graphs) size += std::span<const T>(part(*graph)).size();
    number(static_cast<std::int64_t>(size));
    for (const Graph* graph : graphs) raw(std::span<const T>(part(*graph)));
    pad(size * sizeof(T));
  }

 private:
  template <class T>
  void raw(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    write_(std::as_bytes(values));
  }
  void pad(std::size_t size) {
    constexpr std::array<std::byte, kAlignment> kZeros{};
    write_(std::span(kZeros).first(padding(size)));
  }

  const std::function<void(std::span<const std::byte>)>& write_;
};

class Decoder {
 public:
  explicit Decoder(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::int64_t number() {
    std::int64_t value = 0;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }

  template <class T>
  std::span<const T> view() {
    const std::int64_t size = number();
    if (size < 0 || static_cast<std::size_t>(size) > bytes_.size() / sizeof(T)) {
      throw InvalidDataset("cache: an array of " + std::to_string(size) + " does not fit");
    }
    const std::size_t length = static_cast<std::size_t>(size) * sizeof(T);
    const std::span<const std::byte> bytes = take(length + padding(length));
    return {reinterpret_cast<const T*>(bytes.data()), static_cast<std::size_t>(size)};
  }

  template <class T>
  std::vector<T> array() {
    const std::span<const T> values = view<T>();
    return {values.begin(), values.end()};
  }

  std::string text() {
    const std::span<const char> letters = view<char>();
    return {letters.begin(), letters.end()};
  }

  std::vector<std::string> names() {
    std::vector<std::string> all;
    for (std::int64_t left = number(); left > 0; --left) all.push_back(text());
    return all;
  }

  /// A number for one of `count` values.
  template <class Enum>
  Enum choice(std::int64_t count) {
    const std::int64_t value = number();
    if (value < 0 || value >= count) throw InvalidDataset("cache: an unknown kind");
    return static_cast<Enum>(value);
  }

  void expect_end() const {
    if (!bytes_.empty()) throw InvalidDataset("cache: data after the end of the data set");
  }

 private:
  std::span<const std::byte> take(std::size_t size) {
    if (size > bytes_.size()) throw InvalidDataset("cache: ends too early");
    const std::span<const std::byte> taken = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return taken;
  }

  std::span<const std::byte> bytes_;
};

/// For each graph, which of the distinct graphs it is; then the distinct graphs.
void encode_graphs(Encoder& encoder, const std::vector<Graph>& all) {
  const auto [graphs, number] = distinct_graphs(all);
  encoder.array(std::vector<std::uint32_t>(number.begin(), number.end()));
  encoder.number(graphs.empty() ? 0 : graphs.front()->edge_row_width());
  std::vector<std::uint8_t> weighted;
  weighted.reserve(graphs.size());
  for (const Graph* graph : graphs) weighted.push_back(graph->has_weights());
  encoder.array(weighted);
  encoder.joined<EdgeId>(graphs, [](const Graph& graph) { return graph.offsets(); });
  encoder.joined<NodeId>(graphs, [](const Graph& graph) { return graph.columns(); });
  encoder.joined<float>(graphs, [](const Graph& graph) { return graph.weights(); });
  encoder.joined<float>(graphs, [](const Graph& graph) { return graph.edge_rows(); });
}

/// Removes `count` elements from the front.
template <class T>
std::span<const T> take_front(std::span<const T>& values, std::int64_t count) {
  if (count < 0 || static_cast<std::size_t>(count) > values.size()) {
    throw InvalidDataset("cache: the graphs' arrays end too early");
  }
  const std::span<const T> front = values.first(static_cast<std::size_t>(count));
  values = values.subspan(static_cast<std::size_t>(count));
  return front;
}

std::vector<Graph> decode_graphs(Decoder& decoder, const std::vector<std::int64_t>& node_offsets,
                                 const std::shared_ptr<const void>& owner) {
  const auto number = decoder.view<std::uint32_t>();
  const std::int64_t width = decoder.number();
  const auto weighted = decoder.view<std::uint8_t>();
  auto offsets = decoder.view<EdgeId>();
  auto columns = decoder.view<NodeId>();
  auto weights = decoder.view<float>();
  auto edge_rows = decoder.view<float>();
  const auto check = [](bool fits) {
    if (!fits) throw InvalidDataset("cache: the graphs' arrays do not fit together");
  };
  check(node_offsets.size() == number.size() + 1 && width >= 0 && width <= 1 << 20);
  std::vector<Graph> graphs;
  std::vector<std::size_t> first;  // by distinct graph: its index in `graphs`
  for (std::size_t g = 0; g < number.size(); ++g) {
    if (number[g] < first.size()) {
      graphs.push_back(graphs[first[number[g]]]);
      continue;
    }
    check(number[g] == first.size() && first.size() < weighted.size() && node_offsets[g] >= 0 &&
          node_offsets[g + 1] >= node_offsets[g]);
    const std::int64_t num_nodes = node_offsets[g + 1] - node_offsets[g];
    check(static_cast<std::size_t>(num_nodes) < offsets.size());
    GraphView parts;
    parts.offsets = take_front(offsets, num_nodes + 1);
    const EdgeId slots = parts.offsets.back();
    parts.columns = take_front(columns, slots);
    if (weighted[first.size()] != 0) parts.weights = take_front(weights, slots);
    parts.edge_rows = take_front(edge_rows, slots * width);
    parts.edge_row_width = width;
    first.push_back(g);
    const Graph graph = Graph::from_csr(parts, owner);
    graphs.push_back(owner ? graph : Graph::adopt(graph.parts()));
  }
  check(first.size() == weighted.size());
  return graphs;
}

void encode_info(Encoder& encoder, const ColumnInfo& column) {
  encoder.array(column.name);
  encoder.number(static_cast<std::int64_t>(column.kind));
  encoder.names(column.categories);
}

ColumnInfo decode_info(Decoder& decoder) {
  ColumnInfo column{decoder.text()};
  column.kind = decoder.choice<ColumnKind>(3);
  column.categories = decoder.names();
  return column;
}

void encode_features(Encoder& encoder, const NodeFeatures& features) {
  if (const auto* dense = std::get_if<DenseRows>(&features)) {
    encoder.number(static_cast<std::int64_t>(FeatureKind::kDense));
    encoder.number(dense->width);
    encoder.array(dense->values);
  } else if (const auto* sparse = std::get_if<SparseMatrix>(&features)) {
    encoder.number(static_cast<std::int64_t>(FeatureKind::kSparse));
    encoder.number(sparse->num_columns());
    encoder.array(sparse->csr().offsets);
    encoder.array(sparse->csr().columns);
    encoder.array(sparse->values());
  } else if (const auto* categories = std::get_if<CategoricalRows>(&features)) {
    encoder.number(static_cast<std::int64_t>(FeatureKind::kCategorical));
    encoder.array(categories->sizes);
    encoder.array(categories->values);
  } else if (const auto* bits = std::get_if<BitRows>(&features)) {
    encoder.number(static_cast<std::int64_t>(FeatureKind::kBits));
    encoder.array(bits->words);
  } else {
    const std::vector<Column>& columns = std::get<ColumnRows>(features).columns;
    encoder.number(static_cast<std::int64_t>(FeatureKind::kColumns));
    encoder.number(static_cast<std::int64_t>(columns.size()));
    for (const Column& column : columns) {
      encode_info(encoder, column);
      encoder.array(column.values);
    }
  }
}

NodeFeatures decode_features(Decoder& decoder) {
  switch (decoder.choice<FeatureKind>(kFeatureKinds)) {
    case FeatureKind::kDense: {
      const std::int64_t width = decoder.number();
      return DenseRows{width, decoder.array<float>()};
    }
    case FeatureKind::kSparse: {
      const std::int64_t columns = decoder.number();
      auto offsets = decoder.array<EdgeId>();
      auto places = decoder.array<NodeId>();
      return SparseMatrix(columns, std::move(offsets), std::move(places), decoder.array<float>());
    }
    case FeatureKind::kCategorical: {
      auto sizes = decoder.array<std::int32_t>();
      return CategoricalRows{std::move(sizes), decoder.array<std::int32_t>()};
    }
    case FeatureKind::kBits: return BitRows{decoder.array<std::uint64_t>()};
    case FeatureKind::kColumns: break;
  }
  ColumnRows rows;
  for (std::int64_t left = decoder.number(); left > 0; --left) {
    const ColumnInfo info = decode_info(decoder);
    rows.columns.push_back({info, decoder.array<float>()});
  }
  return rows;
}

}  // namespace

void encode_dataset(const Dataset& dataset,
                    const std::function<void(std::span<const std::byte>)>& write) {
  Encoder encoder(write);
  encoder.array(dataset.name);
  encoder.number(static_cast<std::int64_t>(dataset.task));
  encoder.number(static_cast<std::int64_t>(dataset.target_kind));
  encoder.array(dataset.node_offsets);
  encode_graphs(encoder, dataset.graphs);
  encode_features(encoder, dataset.features);
  encoder.number(static_cast<std::int64_t>(dataset.edge_columns.size()));
  for (const ColumnInfo& column : dataset.edge_columns) encode_info(encoder, column);
  encoder.array(dataset.classes);
  encoder.names(dataset.class_names);
  encoder.array(dataset.targets);
  encoder.number(dataset.num_tasks);
  encoder.names(dataset.target_names);
  encoder.array(dataset.columns.kind);
  encoder.number(dataset.columns.first_label);
  encoder.names(dataset.columns.names);
  encoder.names(dataset.sample_names);
  encoder.names(dataset.notes);
  encoder.number(static_cast<std::int64_t>(dataset.splits.size()));
  for (const auto& [name, split] : dataset.splits) {
    encoder.array(name);
    for (const auto* part : {&split.train, &split.val, &split.test}) encoder.array(*part);
  }
  encoder.array(dataset.groups);
  encoder.number(static_cast<std::int64_t>(dataset.facts.size()));
  for (const auto& [name, text] : dataset.facts) {
    encoder.array(name);
    encoder.array(text);
  }
}

Dataset decode_dataset(std::span<const std::byte> bytes, const std::shared_ptr<const void>& owner) {
  Decoder decoder(bytes);
  Dataset dataset;
  dataset.name = decoder.text();
  dataset.task = decoder.choice<Task>(2);
  dataset.target_kind = decoder.choice<TargetKind>(3);
  dataset.node_offsets = decoder.array<std::int64_t>();
  dataset.graphs = decode_graphs(decoder, dataset.node_offsets, owner);
  dataset.features = decode_features(decoder);
  for (std::int64_t left = decoder.number(); left > 0; --left)
    dataset.edge_columns.push_back(decode_info(decoder));
  dataset.classes = decoder.array<std::int32_t>();
  dataset.class_names = decoder.names();
  dataset.targets = decoder.array<float>();
  dataset.num_tasks = decoder.number();
  dataset.target_names = decoder.names();
  dataset.columns.kind = decoder.text();
  dataset.columns.first_label = decoder.number();
  dataset.columns.names = decoder.names();
  dataset.sample_names = decoder.names();
  dataset.notes = decoder.names();
  for (std::int64_t left = decoder.number(); left > 0; --left) {
    std::string name = decoder.text();
    auto train = decoder.array<std::int64_t>();
    auto val = decoder.array<std::int64_t>();
    dataset.splits[std::move(name)] = {std::move(train), std::move(val),
                                       decoder.array<std::int64_t>()};
  }
  dataset.groups = decoder.array<std::int64_t>();
  for (std::int64_t left = decoder.number(); left > 0; --left) {
    std::string name = decoder.text();
    dataset.facts[std::move(name)] = decoder.text();
  }
  decoder.expect_end();
  validate(dataset);
  return dataset;
}

}  // namespace hgnet
