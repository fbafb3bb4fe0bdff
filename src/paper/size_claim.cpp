// Claim 7: how large hierarchies are, and how long paths through them are.

#include <algorithm>
#include <array>
#include <cmath>

#include "hgnet/coarsening/measures.hpp"
#include "hgnet/coarsening/methods.hpp"
#include "hgnet/core/text.hpp"
#include "hgnet/graph/generators.hpp"
#include "hgnet/paper/claims.hpp"
#include "report/number_text.hpp"

namespace hgnet {
namespace {

using Measures = HierarchyMeasures;

/// One of the quantities: what it is, and what it is compared with.
struct Quantity {
  const char* statement;
  const char* sentence;
  const char* unit;
  double (*value)(const Measures&);
  double (*against)(const Measures&);

  double factor(const Measures& measures) const {
    return against(measures) > 0 ? value(measures) / against(measures) : 0;
  }
};

double nodes(const Measures& m) { return static_cast<double>(m.levels.front().nodes); }
double edges(const Measures& m) { return static_cast<double>(m.levels.front().edges); }
double log2_nodes(const Measures& m) { return std::max(1.0, std::log2(nodes(m))); }

const std::array kQuantities = {
    Quantity{"O(N) nodes in all levels",
             "the total number of nodes in the entire hierarchical structure [...] is O(N)", "N",
             [](const Measures& m) { return static_cast<double>(m.total_nodes); }, nodes},
    Quantity{"O(E) edges inside levels", "we can expect [...] O(E) intra-level edges in total", "E",
             [](const Measures& m) { return static_cast<double>(m.total_edges); }, edges},
    Quantity{"O(N) edges to parents", "the number of inter-level edges [...] is O(N)", "N",
             [](const Measures& m) { return static_cast<double>(m.parent_edges); }, nodes},
    Quantity{"O(log N) levels", "the number of possible levels is [...] O(log N)", "log2 N",
             [](const Measures& m) { return static_cast<double>(m.levels.size() - 1); },
             log2_nodes},
    Quantity{"O(log N) edges between any two connected nodes",
             "the shortest path length between any two nodes is upper-bounded by O(log N)",
             "log2 N", [](const Measures& m) { return static_cast<double>(m.longest_path.high); },
             log2_nodes}};

struct Measured {
  std::string graph;
  std::string method;
  Measures measures;
};

std::vector<Measured> measure(std::span<const SizeSubject> subjects) {
  std::vector<Measured> result;
  for (const Coarsening method : {Coarsening::kEdgePool, Coarsening::kLouvain}) {
    for (const SizeSubject& subject : subjects)
      result.push_back(
          {subject.name, std::string(enum_name(method)),
           measure(build_hierarchy(subject.graph, kFullDepth, coarsen_step(method, {})))});
  }
  return result;
}

Verdict verdict_of(bool holds) { return holds ? Verdict::kHolds : Verdict::kFails; }

ClaimCheck check_of(std::string statement, std::string sentence, std::string rule,
                    std::vector<ClaimPart> parts) {
  const std::size_t count = parts.size();
  return {std::move(statement), std::move(sentence), std::move(rule), std::move(parts), count};
}

ClaimCheck size_check(const Quantity& quantity, const std::vector<Measured>& all) {
  std::vector<ClaimPart> parts;
  for (const Measured& measured : all) {
    const double factor = quantity.factor(measured.measures);
    std::string numbers = short_number(quantity.value(measured.measures)) + ", " +
                          fixed(factor, 2) + " " + quantity.unit;
    const Bounds& diameter = measured.measures.diameter;
    if (&quantity == &kQuantities.back())
      numbers += "; in the graph alone " + std::to_string(diameter.low) +
                 (diameter.exact() ? "" : " or more");
    parts.push_back(
        {measured.graph + ", " + measured.method, verdict_of(factor <= kSizeFactor), numbers, {}});
  }
  return check_of(quantity.statement, quantity.sentence,
                  "at most " + short_number(kSizeFactor) + " " + quantity.unit, std::move(parts));
}

/// From the smallest grid to the largest.
ClaimCheck growth_check(const std::vector<Measured>& all) {
  std::vector<ClaimPart> parts;
  for (const char* method : {"edgepool", "louvain"}) {
    for (const Quantity& quantity : kQuantities) {
      std::vector<double> factors;
      std::string numbers;
      for (const Measured& measured : all) {
        if (measured.method != method || !measured.graph.starts_with("grid")) continue;
        factors.push_back(quantity.factor(measured.measures));
        append(numbers, " -> ", fixed(factors.back(), 2));
      }
      if (factors.size() >= 2)
        parts.push_back({std::string(quantity.statement) + ", " + method,
                         verdict_of(factors.back() <= kGrowthFactor * factors.front()),
                         numbers + " " + quantity.unit,
                         {}});
    }
  }
  return check_of("These factors do not grow with the graph",
                  "its size remains asymptotically unchanged under reasonable assumptions",
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
  for (const Quantity& quantity : kQuantities)
    claim.checks.push_back(size_check(quantity, measured));
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
