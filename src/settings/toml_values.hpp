// What settings in TOML are, for all files that hold some.

#pragma once

#include <toml++/toml.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "hgnet/settings/config.hpp"

namespace hgnet {

/// Throws InvalidFile, with the line, for text that is not TOML or nested too deeply.
toml::table parse_toml(std::string_view text, const std::string& file);

/// Text, a number, true, false, or a list of such. Throws InvalidFile for anything else.
nlohmann::json toml_value(const toml::node& node, const std::string& file);

/// Sets one setting. Throws InvalidFile for a name that no setting has, and a value that this one
/// cannot have.
void set_field(TrainConfig& config, const std::string& name, const toml::node& node,
               const std::string& file);

/// The tables whose settings a model takes, in this order, so that the more specific name wins:
/// hierarchical, hgnet, hgnet-louvain.
std::vector<std::string> tables_of(const std::string& model);
/// All tables that there may be.
std::vector<std::string> all_tables();

}  // namespace hgnet
