#include <string_view>
#include <type_traits>

#include "core/json_checksum.hpp"
#include "records/json_tree.hpp"
#include "records/record_fields.hpp"

namespace hgnet {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json json_of(const T& field) {
  return field;
}

Json json_of(const JsonFields& fields) {
  Json object = Json::object();
  for (const auto& [name, value] : fields) object[name] = tree_of(value);
  return object;
}

Json json_of(const FitRecord& record) {
  Json object;
  for_each_record_field(record, [&](const char* name, const auto& field, bool required) {
    using Field = std::remove_cvref_t<decltype(field)>;
    const bool no_fold = name == std::string_view("fold") && record.fold < 0;
    if constexpr (!std::is_arithmetic_v<Field>) {
      if (!required && field.empty()) return;
    }
    object[name] = no_fold ? Json() : json_of(field);
  });
  for (const auto& [name, value] : record.other) object[name] = tree_of(value);
  return object;
}

Json json_of(const ProbeRecord& record) {
  Json object{{"kind", "probe"}};
  for_each_probe_field(record,
                       [&](const char* name, const auto& field, bool) { object[name] = field; });
  return object;
}

}  // namespace

std::string to_json(const FitRecord& record) { return dumped(json_of(record)); }

std::string to_json_with_checksum(const FitRecord& record) {
  Json json = json_of(record);
  json[kJsonChecksum] = json_checksum(json);
  return dumped(json);
}

std::string to_json(const ProbeRecord& record) { return dumped(json_of(record)); }

std::string to_json(std::span<const ProbeRecord> records) {
  if (records.size() == 1) return dumped(json_of(records.front()), 2);
  Json all = Json::array();
  for (const ProbeRecord& record : records) all.push_back(json_of(record));
  return dumped(Json{{"probes", all}}, 2);
}

}  // namespace hgnet
