#include "fuzz/target.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/records/fit_record.hpp"
#include "hgnet/settings/columns.hpp"
#include "hgnet/settings/config.hpp"
#include "hgnet/settings/protocol.hpp"
#include "hgnet/settings/search.hpp"
#include "settings/epoch_json.hpp"

// The files of a run that are text. What can be read can also be written, and is then the same.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto files = hgnet::fuzz::files_of(
      hgnet::fuzz::text_of(data, size),
      {"config.toml", "columns.json", "epochs.jsonl", "result.json", "plan.json"});
  const auto attempt = [&](const std::string& name, auto read) {
    const auto found = files.find(name);
    if (found == files.end()) return;
    try {
      read(found->second);
    } catch (const hgnet::Error&) {
    }
  };
  attempt("config.toml", [](const std::string& text) {
    const hgnet::TrainConfig config = hgnet::train_config_from_toml(text, "config.toml");
    if (hgnet::train_config_from_toml(to_toml(config), "again") != config) __builtin_trap();
  });
  attempt("columns.json", [](const std::string& text) {
    const hgnet::ColumnNames columns = hgnet::columns_from_json(text, "columns.json");
    if (hgnet::columns_from_json(to_json(columns), "again") != columns) __builtin_trap();
  });
  attempt("epochs.jsonl", [](const std::string& text) {
    epoch_to_json(hgnet::epoch_from_json(text, "epochs.jsonl", 1));
  });
  attempt("result.json",
          [](const std::string& text) { to_json(hgnet::parse_fit_record(text, "result.json")); });
  attempt("plan.json",
          [](const std::string& text) { hgnet::Protocol::from_json(text, "plan.json").to_json(); });
  return 0;
}
