#include "hgnet/train/columns.hpp"

#include "core/shallow_json.hpp"

namespace hgnet {
namespace {

/// A name with other bytes put in their place would be taken for another one when it is read.
void check_text(const std::string& name) {
  try {
    nlohmann::json(name).dump();
  } catch (const nlohmann::json::exception&) {
    const nlohmann::json shown(name);
    throw Error("the name " + shown.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) +
                " of a class or feature is not UTF-8, so a run cannot keep it");
  }
}

}  // namespace

ColumnNames ColumnNames::of(const Dataset& dataset) {
  ColumnNames columns{dataset.target_kind, dataset.class_names, dataset.columns};
  for (std::int64_t t = 0; columns.kind != TargetKind::kClasses && t < dataset.num_tasks; ++t)
    columns.outputs.push_back(std::to_string(t));
  return columns;
}

std::string to_json(const ColumnNames& columns) {
  for (const auto* names : {&columns.outputs, &columns.features.names}) {
    for (const std::string& name : *names) check_text(name);
  }
  const nlohmann::ordered_json json{{"kind", enum_name(columns.kind)},
                                    {"outputs", columns.outputs},
                                    {"features", columns.features.kind},
                                    {"feature_names", columns.features.names},
                                    {"first_label", columns.features.first_label}};
  return json.dump(2);
}

ColumnNames columns_from_json(std::string_view text, const std::string& file) {
  try {
    const auto json = parse_shallow_json(text);
    return {enum_value<TargetKind>(json.at("kind").get<std::string>()),
            json.at("outputs"),
            {json.at("features"), json.at("feature_names"), json.at("first_label")}};
  } catch (const nlohmann::json::exception& error) {
    throw InvalidFile(file, 0, error.what());
  } catch (const Error& error) {
    throw InvalidFile(file, 0, error.what());
  }
}

}  // namespace hgnet
