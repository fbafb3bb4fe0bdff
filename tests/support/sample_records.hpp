#pragma once

#include <string>

#include "hgnet/records/fit_record.hpp"

namespace hgnet::test {

/// A minimal fit, for tests that do not depend on its other fields.
FitRecord sample_fit(const std::string& dataset, const std::string& model, int depth,
                     double test_score, std::uint64_t seed = 0, int fold = -1);

/// Invented fits for all four tables, of the kind and number that a reproduction makes, with
/// learning curves; some cells are missing, some quick. Also fits on a data set whose name needs
/// escaping, and probes. The same every time.
Records sample_records();

/// The same, and Table 4's 16x16 grid as run.
Records sample_records_of_both_readings();

/// As lines of a .jsonl file.
std::string to_lines(const Records& records);

}  // namespace hgnet::test
