// Fits from which claims are checked.

#pragma once

#include <string>
#include <vector>

#include "hgnet/paper/catalogue.hpp"
#include "hgnet/paper/claims.hpp"
#include "support/sample_records.hpp"

namespace hgnet::test {

using Names = std::vector<std::string>;

/// Scores at these seeds, in points above 70 %; a part common to all models differs from seed to
/// seed.
struct Fits {
  std::vector<FitRecord> records = {};

  void add(const std::string& dataset, const std::string& split, const std::string& model,
           int depth, double points, int seeds = 5, bool quick = false, int epochs = 0) {
    for (int seed = 0; seed < seeds; ++seed) {
      FitRecord fit = sample_fit(dataset, model, depth, 0.7 + 0.01 * points + 0.003 * seed, seed);
      fit.split = split;
      fit.quick = quick;
      if (epochs > 0) fit.config["epochs"] = JsonValue::parsed(std::to_string(epochs));
      records.push_back(fit);
    }
  }
  void add_all(const Names& datasets, const std::string& split, const Names& models, int depth,
               double points) {
    for (const std::string& dataset : datasets) {
      for (const std::string& model : models)
        add(dataset, split, model, depth > 0 ? depth : paper_depth(model, dataset), points);
    }
  }
  std::vector<Claim> claims() const {
    return check_result_claims(paper_results({records, {}, {}}));
  }
  ClaimCheck check(int claim, std::size_t check) const {
    return claims().at(claim - 1).checks.at(check);
  }
};

inline const Names kHierarchical = {"g-unet", "hgnet-edgepool", "hgnet-louvain"};
inline const Names kHgnets = {"hgnet-edgepool", "hgnet-louvain"};

}  // namespace hgnet::test
