// Findings about range, which the paper does not have, in the form of its claims.

#include "hgnet/paper/catalogue.hpp"
#include "hgnet/paper/claims.hpp"
#include "paper/comparisons.hpp"

namespace hgnet {
namespace {

using namespace claims;

std::vector<ClaimRow> range_findings() {
  const Side chance{.constant = kChance};
  return {
      {8,
       "Where local counts say nothing",
       "On matched colourings a hierarchy beats flat models, also a GIN of about as many "
       "parameters, and more levels help.",
       {.table = kRangeTable, .datasets = kMatchedSets, .enough = 1},
       {{.statement = "Counts of local patterns say nothing",
         .sentence = "We suspect that GIN is powerful enough to learn local heuristics GCN and GAT "
                     "fail to, which warrants further investigation",
         .compared = "WL counts of 2 rounds less 50 %",
         .a = {{"wl"}, {2}},
         .b = chance,
         .bounds = {below(kSlightPoints)},
         .each_dataset = true},
        {.statement = "An HGNet of 3 levels beats flat models of 4 layers",
         .compared = "the better HGNet less the best of GCN, GAT, ChebNet and GIN",
         .a = {kHgnets, {3}},
         .b = {kFlat, {4}},
         .bounds = {above(0)},
         .each_dataset = true},
        {.statement = "It beats a GIN of about as many parameters",
         .compared = "HGNet of 3 levels less the GIN that is nearest in its number of parameters, "
                     "at most 1.25 times as many or as few",
         .a = {.depths = {3}},
         .b = {{"gin"}, {kEqualDepth}},
         .bounds = {above(0)},
         .models = kHgnets,
         .each_dataset = true},
        {.statement = "Six levels are better than three",
         .compared = "six levels less three of the same model",
         .a = {.depths = {6}},
         .b = {.depths = {3}},
         .bounds = {above(0)},
         .models = kHgnets,
         .each_dataset = true}}},
      {9,
       "Crossings",
       "On crossings flat models stay at chance, whether they see far enough or not, and a "
       "hierarchy does not.",
       {.table = kRangeTable, .datasets = kCrossingSets, .enough = 1},
       {{.statement = "Flat models of up to R layers are at chance, as proved",
         .compared = "the best of GCN, GAT, ChebNet and GIN of 4 layers less 50 %",
         .a = {kFlat, {4}},
         .b = chance,
         .bounds = {below(kSlightPoints)},
         .each_dataset = true},
        {.statement = "GINs that see far enough do not learn it",
         .compared = "GIN of 16 layers less 50 %",
         .a = {{"gin"}, {16}},
         .b = chance,
         .bounds = {below(kSlightPoints)},
         .each_dataset = true},
        {.statement = "An HGNet does better than any flat model",
         .compared = "the better HGNet of 3 or 6 levels less the best flat model of any depth",
         .a = {kHgnets, {3, 6}},
         .b = {kFlat, {kChosenDepth}},
         .bounds = {above(0)},
         .each_dataset = true}}}};
}

}  // namespace

std::vector<Claim> check_range_findings(const Results& results) {
  if (results.select(kRangeTable).empty()) return {};
  return evaluated(range_findings(), results);
}

}  // namespace hgnet
