// What the files of plans have in common.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_checksum.hpp"
#include "core/nested_text.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet {

/// Throws Error, with the numbers, unless there are 1 to 1,000,000 fits and no fold is negative,
/// except for -1, which means none.
void check_plan(std::size_t configs, std::size_t seeds, const std::vector<std::int64_t>& folds);

/// The text of a plan with a checksum.
std::string with_checksum(nlohmann::ordered_json plan);

/// What `read` makes of the JSON text of a plan. Throws InvalidFile, naming `file`, for any other
/// text and for what `read` refuses.
template <class Read>
auto read_plan(std::string_view text, const std::string& file, const Read& read) {
  try {
    nlohmann::json json = parse_shallow_json(text);
    take_json_checksum(json);  // plans of version 0.1 have none
    return read(json);
  } catch (const nlohmann::json::exception& error) {
    throw InvalidFile(file, 0, "not a plan of fits: " + json_fault(error));
  } catch (const InvalidFile&) {
    throw;
  } catch (const Error& error) {
    throw InvalidFile(file, 0, error.what());
  }
}

}  // namespace hgnet
