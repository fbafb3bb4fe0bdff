// Claim 7: how large hierarchies are, and how far it is through them.

#include <algorithm>
#include <array>
#include <cmath>

#include "core/text.hpp"
#include "hgnet/coarsening/measures.hpp"
#include "hgnet/coarsening/methods.hpp"
#include "hgnet/graph/generators.hpp"
#include "report/claim_parts.hpp"
#include "report/number_text.hpp"

namespace hgnet {
namespace {

/// One of the quantities: what it is, and what it is held against.
struct Quantity {
  std::string statement;
  std::string unit;
  double (*value)(const HierarchyMeasures&);
  double (*against)(const HierarchyMeasures&);
};

double log2_nodes(const HierarchyMeasures& r) {
  return std::max(1.0, std::log2(static_cast<double>(r.levels.front().nodes)));
}

const std::array kQuantities = {
    Quantity{
        "O(N) nodes in all levels", "N",
        [](const HierarchyMeasures& r) { return static_cast<double>(r.total_nodes); },
        [](const HierarchyMeasures& r) { return static_cast<double>(r.levels.front().nodes); }},
    Quantity{
        "O(E) edges inside levels", "E",
        [](const HierarchyMeasures& r) { return static_cast<double>(r.total_edges); },
        [](const HierarchyMeasures& r) { return static_cast<double>(r.levels.front().edges); }},
    Quantity{
        "O(N) edges to parents", "N",
        [](const HierarchyMeasures& r) { return static_cast<double>(r.parent_edges); },
        [](const HierarchyMeasures& r) { return static_cast<double>(r.levels.front().nodes); }},
    Quantity{"O(log N) levels", "log2 N",
             [](const HierarchyMeasures& r) { return static_cast<double>(r.levels.size() - 1); },
             log2_nodes},
    Quantity{"O(log N) edges between any two connected nodes", "log2 N",
             [](const HierarchyMeasures& r) { return static_cast<double>(r.longest_path.high); },
             log2_nodes}};

struct Measured {
  std::string name;  // graph and coarsening
  bool grid = false;
  Coarsening method;
  HierarchyMeasures report;
};

double factor(const Quantity& quantity, const HierarchyMeasures& report) {
  const double against = quantity.against(report);
  return against > 0 ? quantity.value(report) / against : 0;
}

std::vector<Measured> measure(std::span<const SizeSubject> subjects) {
  std::vector<Measured> result;
  for (const Coarsening method : {Coarsening::kEdgePool, Coarsening::kLouvain}) {
    for (const SizeSubject& subject : subjects) {
      const Hierarchy hierarchy =
          build_hierarchy(subject.graph, kFullDepth, coarsen_step(method, {}));
      result.push_back({subject.name + ", " + std::string(enum_name(method)),
                        subject.name.starts_with("grid"), method, measure(hierarchy)});
    }
  }
  return result;
}

ClaimPart size_part(const Quantity& quantity, const Measured& measured) {
  const double times = factor(quantity, measured.report);
  ClaimPart part{measured.name, Verdict::kNotEnoughRuns, {}, {}, {}};
  claims::settle(part, times <= kSizeFactor);
  part.numbers =
      short_number(quantity.value(measured.report)) + ", " + fixed(times, 2) + " " + quantity.unit;
  if (&quantity == &kQuantities.back()) {
    const Bounds& diameter = measured.report.diameter;
    part.numbers += "; in the graph alone " + std::to_string(diameter.low) +
                    (diameter.exact() ? "" : " or more");
  }
  return part;
}

/// From the smallest grid to the largest.
ClaimCheck growth_check(const std::vector<Measured>& measured) {
  std::vector<ClaimPart> parts;
  for (const Coarsening method : {Coarsening::kEdgePool, Coarsening::kLouvain}) {
    std::vector<const Measured*> grids;
    for (const Measured& m : measured) {
      if (m.grid && m.method == method) grids.push_back(&m);
    }
    if (grids.size() < 2) continue;
    for (const Quantity& quantity : kQuantities) {
      ClaimPart part{quantity.statement + ", " + std::string(enum_name(method)),
                     Verdict::kNotEnoughRuns,
                     {},
                     {},
                     {}};
      for (const Measured* grid : grids)
        part.numbers +=
            (part.numbers.empty() ? "" : " -> ") + fixed(factor(quantity, grid->report), 2);
      part.numbers += " " + quantity.unit;
      claims::settle(part, factor(quantity, grids.back()->report) <=
                               kGrowthFactor * factor(quantity, grids.front()->report));
      parts.push_back(std::move(part));
    }
  }
  return claims::in_all("These factors do not grow with the graph",
                        "from the smallest grid to the largest by at most " +
                            short_number(100 * (kGrowthFactor - 1)) + " %",
                        std::move(parts));
}

}  // namespace

Claim check_size_claim(std::span<const SizeSubject> subjects) {
  Claim claim{7,
              "Size of hierarchies",
              "A hierarchy of full depth has O(N) nodes, O(E) edges and O(log N) levels, and joins "
              "any two connected nodes by O(log N) edges.",
              {}};
  const std::vector<Measured> measured = measure(subjects);
  for (const Quantity& quantity : kQuantities) {
    std::vector<ClaimPart> parts;
    for (const Measured& m : measured) parts.push_back(size_part(quantity, m));
    claim.checks.push_back(claims::in_all(
        quantity.statement, "at most " + short_number(kSizeFactor) + " " + quantity.unit,
        std::move(parts)));
  }
  claim.checks.push_back(growth_check(measured));
  return claim;
}

std::vector<SizeSubject> default_size_subjects() {
  std::vector<SizeSubject> subjects;
  for (const int side : {16, 32, 64})
    subjects.push_back(
        {"grid of " + std::to_string(side) + "x" + std::to_string(side), grid_graph(side, side)});
  subjects.push_back({"path of 1024", path_graph(1024)});
  return subjects;
}

}  // namespace hgnet
