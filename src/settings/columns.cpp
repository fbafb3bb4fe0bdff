#include "hgnet/settings/columns.hpp"

#include <cmath>

#include "core/json_checksum.hpp"
#include "core/nested_text.hpp"
#include "hgnet/core/text.hpp"

namespace hgnet {
namespace {

/// Names go into files and onto terminals, so readers of data take none with control characters;
/// and a name with other bytes put in their place would be taken for another one when it is read.
void check_text(const std::string& name) {
  if (const char* fault = text_fault(name))
    throw Error("the name " + in_quotes(name) + " of a class or feature has " + fault +
                "; expected UTF-8 without control characters");
}

void check_names(const ColumnNames& columns) {
  check_text(columns.features.kind);
  for (const std::string& name : columns.outputs) check_text(name);
  for (const std::string& name : columns.features.names) check_text(name);
  for (const auto* part : {&columns.encoding.nodes, &columns.encoding.edges}) {
    for (const ColumnEncoding& column : *part) {
      check_text(column.name);
      for (const std::string& name : column.categories) check_text(name);
    }
  }
}

nlohmann::ordered_json to_json(const Standard& standard) {
  return {{"mean", standard.mean}, {"deviation", standard.deviation}};
}

Standard standard_in(const nlohmann::json& tree) {
  const Standard standard{tree.at("mean"), tree.at("deviation")};
  if (!std::isfinite(standard.mean) || !std::isfinite(standard.deviation) ||
      standard.deviation <= 0)
    throw Error("a mean and deviation of " + tree.dump() +
                "; expected numbers, the deviation above 0");
  return standard;
}

nlohmann::ordered_json to_json(const ColumnEncoding& column) {
  nlohmann::ordered_json tree{{"name", column.name}, {"kind", enum_name(column.kind)}};
  if (column.kind == ColumnKind::kCategory) tree["categories"] = column.categories;
  tree.update(to_json(column.standard));
  tree["fill"] = column.fill;
  tree["indicator"] = column.indicator;
  return tree;
}

ColumnEncoding column_in(const nlohmann::json& tree) {
  ColumnEncoding column;
  column.name = tree.at("name");
  column.kind = enum_value<ColumnKind>(tree.at("kind").get<std::string>());
  if (column.kind == ColumnKind::kCategory) column.categories = tree.at("categories");
  column.standard = standard_in(tree);
  column.indicator = tree.at("indicator");
  column.fill = tree.at("fill").get<std::vector<float>>();
  const std::int64_t inputs = column.width() - (column.indicator ? 1 : 0);
  for (const float value : column.fill) {
    if (!std::isfinite(value))
      throw Error("column " + column.name + " has a number for a missing cell that is not finite");
  }
  if (!column.fill.empty() && std::ssize(column.fill) != inputs)
    throw Error("column " + column.name + " has " + std::to_string(column.fill.size()) +
                " numbers for a missing cell; expected " + std::to_string(inputs));
  return column;
}

nlohmann::ordered_json to_json(const Encoding& encoding) {
  nlohmann::ordered_json tree{{"nodes", nlohmann::json::array()},
                              {"edges", nlohmann::json::array()},
                              {"targets", nlohmann::json::array()}};
  for (const ColumnEncoding& column : encoding.nodes) tree["nodes"].push_back(to_json(column));
  for (const ColumnEncoding& column : encoding.edges) tree["edges"].push_back(to_json(column));
  for (const Standard& standard : encoding.targets) tree["targets"].push_back(to_json(standard));
  return tree;
}

Encoding encoding_in(const nlohmann::json& tree) {
  Encoding encoding;
  for (const auto& column : tree.at("nodes")) encoding.nodes.push_back(column_in(column));
  for (const auto& column : tree.at("edges")) encoding.edges.push_back(column_in(column));
  for (const auto& standard : tree.at("targets")) encoding.targets.push_back(standard_in(standard));
  return encoding;
}

}  // namespace

ColumnNames ColumnNames::of(const Dataset& dataset, const Encoding& encoding) {
  ColumnNames columns{dataset.target_kind, dataset.class_names, dataset.columns, encoding};
  for (std::int64_t t = 0; columns.kind != TargetKind::kClasses && t < dataset.num_tasks; ++t)
    columns.outputs.push_back(dataset.target_names.empty()
                                  ? std::to_string(t)
                                  : dataset.target_names[static_cast<std::size_t>(t)]);
  return columns;
}

Encoding ColumnNames::encoding_for(const Dataset& dataset) const {
  if (encoding != Encoding() || !std::holds_alternative<ColumnRows>(dataset.features))
    return encoding;
  Encoding result;
  for (const std::string& name : features.names) result.nodes.push_back({{name}});
  return features.names.empty() ? fit_encoding(dataset, {}, {}) : result;
}

std::string to_json(const ColumnNames& columns) {
  check_names(columns);
  nlohmann::ordered_json json{{"kind", enum_name(columns.kind)},
                              {"outputs", columns.outputs},
                              {"features", columns.features.kind},
                              {"feature_names", columns.features.names},
                              {"first_label", columns.features.first_label},
                              {"encoding", to_json(columns.encoding)}};
  json[kJsonChecksum] = json_checksum(json);
  return json.dump(2);
}

ColumnNames columns_from_json(std::string_view text, const std::string& file) {
  try {
    auto json = parse_shallow_json(text);
    ColumnNames columns{enum_value<TargetKind>(json.at("kind").get<std::string>()),
                        json.at("outputs"),
                        {json.at("features"), json.at("feature_names"), json.at("first_label")},
                        {}};
    // Files of version 0.1 have neither, and the names of all columns of numbers.
    const bool old = !json.contains("encoding") && !json.contains(kJsonChecksum) &&
                     (columns.features.kind != kNumbers || !columns.features.names.empty());
    if (!old) {
      columns.encoding = encoding_in(json.at("encoding"));
      if (!take_json_checksum(json))
        throw Error("it is damaged or was edited: no checksum is there");
    }
    check_names(columns);
    constexpr std::int64_t kMost = std::int64_t{1} << 32;  // labels of nodes have 32 bits
    const std::int64_t first = columns.features.first_label;
    if (first < -kMost || first > kMost)
      throw Error("first_label is " + std::to_string(first) + "; expected 32 bits");
    return columns;
  } catch (const nlohmann::json::exception& error) {
    throw InvalidFile(file, 0, "not the columns of a fit: " + json_fault(error));
  } catch (const Error& error) {
    throw InvalidFile(file, 0, error.what());
  }
}

}  // namespace hgnet
