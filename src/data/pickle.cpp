#include "data/pickle.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>

#include "data/pickle_machine.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

using Kind = PickleMachine::Kind;
using Value = PickleMachine::Value;

static_assert(std::endian::native == std::endian::little, "pickled arrays are little-endian");

constexpr std::size_t kMaxBytes = std::size_t{1} << 30;

/// What numpy stores for an array: (version, shape, type, column-major, data).
struct ArrayView {
  std::vector<std::int64_t> shape;
  std::string_view type;
  std::string_view data;
};

std::vector<std::int64_t> integers_of(const PickleMachine& machine, const Value& items,
                                      const char* what) {
  std::vector<std::int64_t> integers;
  for (const PickleMachine::Ref item : items.items) {
    const Value& value = machine.value(item);
    if (value.kind != Kind::kInteger || value.integer < 0) {
      machine.fail(std::string(what) + " is not made of non-negative integers");
    }
    integers.push_back(value.integer);
  }
  return integers;
}

/// The type's code, such as i4, if its bytes are in this machine's order.
std::string_view type_of(const PickleMachine& machine, const Value& type, const char* what) {
  const Value& state = machine.value(type.state);
  const bool little = state.items.size() > 1 && (machine.value(state.items[1]).bytes == "<" ||
                                                 machine.value(state.items[1]).bytes == "|");
  if (type.kind != Kind::kDtype || !little) {
    machine.fail(std::string(what) + " is not of a little-endian type");
  }
  return type.bytes;
}

ArrayView array_of(const PickleMachine& machine, const Value& array, const char* what) {
  const Value& state = machine.value(array.state);
  if (array.kind != Kind::kArray || state.items.size() != 5) {
    machine.fail(std::string(what) + " is not an array");
  }
  const auto part = [&](std::size_t i) -> const Value& { return machine.value(state.items[i]); };
  ArrayView view;
  if (part(1).kind != Kind::kTuple) machine.fail(std::string(what) + " has no shape");
  view.shape = integers_of(machine, part(1), "the shape of an array");
  view.type = type_of(machine, part(2), what);
  if (part(3).integer != 0) machine.fail(std::string(what) + " is stored by columns");
  if (part(4).kind != Kind::kBytes) machine.fail(std::string(what) + " has no data");
  view.data = part(4).bytes;
  return view;
}

template <class Stored, class T>
std::vector<T> converted(const PickleMachine& machine, const ArrayView& array, const char* what) {
  std::int64_t room = static_cast<std::int64_t>(array.data.size() / sizeof(Stored));
  std::int64_t size = 1;
  for (const std::int64_t extent : array.shape) {
    if (extent > 0 && size > room / extent) size = -1;
    if (size < 0) break;
    size *= extent;
  }
  if (size < 0 || static_cast<std::size_t>(size) * sizeof(Stored) != array.data.size()) {
    machine.fail(std::string(what) + ": " + std::to_string(array.data.size()) +
                 " bytes do not make an array of its shape");
  }
  std::vector<T> values(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < values.size(); ++i) {
    Stored stored;
    std::memcpy(&stored, array.data.data() + i * sizeof(Stored), sizeof(Stored));
    values[i] = static_cast<T>(stored);
  }
  return values;
}

/// The array's numbers; integers are read only from an array of integers.
template <class T>
std::vector<T> numbers_of(const PickleMachine& machine, const ArrayView& array, const char* what) {
  if (array.type == "i4") return converted<std::int32_t, T>(machine, array, what);
  if (array.type == "i8") return converted<std::int64_t, T>(machine, array, what);
  if constexpr (std::is_floating_point_v<T>) {
    if (array.type == "f4") return converted<float, T>(machine, array, what);
    if (array.type == "f8") return converted<double, T>(machine, array, what);
  }
  machine.fail(std::string(what) + " has the type '" + std::string(array.type.substr(0, 20)) +
               "'; expected i4, i8" + (std::is_floating_point_v<T> ? ", f4 or f8" : ""));
}

const Value& entry_of(const PickleMachine& machine, const Value& dictionary, std::string_view key) {
  const std::vector<PickleMachine::Ref>& items = dictionary.items;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    const Value& name = machine.value(items[i]);
    if (name.kind == Kind::kBytes && name.bytes == key) return machine.value(items[i + 1]);
  }
  machine.fail("the matrix has no '" + std::string(key) + "'");
}

/// SparseMatrix requires ascending columns; scipy does not guarantee them.
void sort_rows(const std::vector<EdgeId>& offsets, std::vector<NodeId>& columns,
               std::vector<float>& values) {
  std::vector<std::pair<NodeId, float>> row;
  for (std::size_t r = 0; r + 1 < offsets.size(); ++r) {
    const auto begin = columns.begin() + offsets[r];
    const auto end = columns.begin() + offsets[r + 1];
    if (std::is_sorted(begin, end)) continue;
    row.clear();
    for (EdgeId s = offsets[r]; s < offsets[r + 1]; ++s) row.emplace_back(columns[s], values[s]);
    std::sort(row.begin(), row.end());
    for (std::size_t i = 0; i < row.size(); ++i) {
      columns[offsets[r] + static_cast<EdgeId>(i)] = row[i].first;
      values[offsets[r] + static_cast<EdgeId>(i)] = row[i].second;
    }
  }
}

void check_offsets(const PickleMachine& machine, const std::vector<EdgeId>& offsets,
                   std::size_t num_entries) {
  if (offsets.empty() || offsets.front() != 0 ||
      offsets.back() != static_cast<EdgeId>(num_entries) ||
      !std::is_sorted(offsets.begin(), offsets.end())) {
    machine.fail("the matrix's indptr does not rise from 0 to the number of its entries");
  }
}

}  // namespace

SparseMatrix unpickle_csr_matrix(ByteStream stream) {
  const std::string bytes = stream.read_all(kMaxBytes);
  const PickleMachine machine(stream.name(), bytes);
  if (machine.result().kind != Kind::kCsrMatrix) machine.fail("expected a csr_matrix");
  const Value& state = machine.value(machine.result().state);
  const auto array = [&](const char* key) {
    return array_of(machine, entry_of(machine, state, key), key);
  };
  const auto shape = integers_of(machine, entry_of(machine, state, "_shape"), "the matrix's shape");
  std::vector<EdgeId> offsets = numbers_of<EdgeId>(machine, array("indptr"), "indptr");
  const auto wide_columns = numbers_of<std::int64_t>(machine, array("indices"), "indices");
  std::vector<float> values = numbers_of<float>(machine, array("data"), "data");
  if (shape.size() != 2 || static_cast<std::int64_t>(offsets.size()) != shape[0] + 1 ||
      wide_columns.size() != values.size()) {
    machine.fail("the matrix's arrays do not match its shape");
  }
  check_offsets(machine, offsets, values.size());
  std::vector<NodeId> columns;
  columns.reserve(wide_columns.size());
  for (const std::int64_t column : wide_columns) {
    if (column < 0 || column > std::numeric_limits<NodeId>::max()) {
      machine.fail("the matrix has a column " + std::to_string(column));
    }
    columns.push_back(static_cast<NodeId>(column));
  }
  sort_rows(offsets, columns, values);
  try {
    return {shape[1], std::move(offsets), std::move(columns), std::move(values)};
  } catch (const InvalidMatrix& error) {
    machine.fail(error.what());
  }
}

PickledMatrix unpickle_matrix(ByteStream stream) {
  const std::string bytes = stream.read_all(kMaxBytes);
  const PickleMachine machine(stream.name(), bytes);
  const ArrayView array = array_of(machine, machine.result(), "the pickle");
  if (array.shape.size() != 2) machine.fail("expected an array of two dimensions");
  return {array.shape[0], array.shape[1], numbers_of<double>(machine, array, "the array")};
}

EdgeList unpickle_neighbours(ByteStream stream) {
  const std::string bytes = stream.read_all(kMaxBytes);
  const PickleMachine machine(stream.name(), bytes);
  if (machine.result().kind != Kind::kDict) machine.fail("expected a dictionary of neighbours");
  const std::vector<PickleMachine::Ref>& items = machine.result().items;
  EdgeList edges;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    const Value& node = machine.value(items[i]);
    const Value& neighbours = machine.value(items[i + 1]);
    if (node.kind != Kind::kInteger || neighbours.kind != Kind::kList) {
      machine.fail("entry " + std::to_string(i / 2) + " is not a node and its list of neighbours");
    }
    for (const std::int64_t neighbour : integers_of(machine, neighbours, "a list of neighbours")) {
      edges.source.push_back(node.integer);
      edges.target.push_back(neighbour);
    }
    // A list shared by many nodes could stand for more edges than the memory holds.
    if (edges.source.size() > bytes.size()) machine.fail("lists of neighbours are used repeatedly");
  }
  return edges;
}

}  // namespace hgnet
