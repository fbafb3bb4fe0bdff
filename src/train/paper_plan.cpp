#include "hgnet/train/paper_plan.hpp"

#include <algorithm>

#include "core/nearest_name.hpp"
#include "hgnet/models/model.hpp"
#include "hgnet/report/paper.hpp"

namespace hgnet {
namespace {

/// Fits that differ in model, depth and fold (or seed) only.
struct Block {
  std::string dataset;
  std::string preset;
  std::string split;
  bool folds = false;  // else seeds
  int repeats = 10;
  std::int64_t quick_epochs = 30;
};

struct Subject {
  std::string model;
  int depth;
};

constexpr int kQuickRepeats = 2;

std::vector<Block> blocks_of(const std::string& table) {
  std::vector<Block> blocks;
  if (table == "table1") {
    for (const std::string& set : citation_sets()) blocks.push_back({set, "citation", "public"});
    for (const char* set :
         {"ENZYMES", "PROTEINS", "IMDB-BINARY", "IMDB-MULTI", "NCI1", "DD", "COLLAB"})
      blocks.push_back({set, "tu", "folds:10", true});
  } else if (table == "table2") {
    for (const std::string& set : citation_sets()) {
      for (const char* split : {"sanitized:1", "sanitized:2"})
        blocks.push_back({set, "citation", split, false, 3});
    }
  } else if (table == "table3") {
    for (const char* set : {"ogbg-molhiv", "ogbg-molpcba"})
      blocks.push_back({set, "molecules", "scaffold", false, 10, 3});
  } else {
    for (const std::string& set : color_sets())
      blocks.push_back({set, "color-connectivity", "folds:10", true, 10, 10});
  }
  return blocks;
}

/// In the order in which they are worth having: the paper's own depth first.
std::vector<int> depths_of(const std::string& table, const std::string& model,
                           const std::string& dataset) {
  const bool hierarchical = is_hierarchical(model);
  if (table == "table2") return {1, 2, 3};
  if (table == "table3" && hierarchical) return {2, 1, 3};
  if (table == "table4") return hierarchical ? std::vector{3, 2, 1} : std::vector{4, 3, 2};
  return {paper_depth(model, dataset)};
}

std::vector<std::string> models_of(const std::string& table) {
  return table == "table3" ? table3_models() : table1_models();
}

template <class T>
bool wanted(const std::vector<T>& asked, const T& item) {
  return asked.empty() || std::find(asked.begin(), asked.end(), item) != asked.end();
}

void check_names(const std::string& what, const std::vector<std::string>& asked,
                 const std::vector<std::string>& known) {
  for (const std::string& name : asked) {
    if (!wanted(known, name)) throw Error(unknown_name(what, name, known));
  }
}

PlannedFit planned(const Block& block, const Subject& subject, int number,
                   const PaperPlanOptions& options) {
  PlannedFit fit;
  fit.table = options.table;
  fit.quick = options.quick;
  fit.keep_checkpoint = false;
  TrainConfig& config = fit.config;
  config.dataset = block.dataset;
  config.root = options.root;
  config.model = subject.model;
  config.network = model_defaults(subject.model);
  apply_preset(config, block.preset);
  (is_hierarchical(subject.model) ? config.network.levels : config.network.layers) = subject.depth;
  config.split = block.split;
  if (block.folds) {
    config.fold = number;
  } else {
    config.seed = static_cast<std::uint64_t>(number);
  }
  if (options.quick) config.epochs = std::min(config.epochs, block.quick_epochs);
  if (options.epochs) config.epochs = *options.epochs;
  const std::string depth = std::to_string(subject.depth);
  const std::string repeat = (block.folds ? "fold-" : "seed-") + std::to_string(number);
  std::string split = block.split;
  std::replace(split.begin(), split.end(), ':', '-');
  fit.folder =
      options.out / options.table / block.dataset / split / (subject.model + "-" + depth) / repeat;
  if (options.quick) fit.folder += "-quick";
  fit.label = block.dataset + " " + (options.table == "table2" ? block.split + " " : "") +
              subject.model + "-" + depth + " " + repeat;
  return fit;
}

}  // namespace

std::vector<std::string> paper_tables() { return {"table1", "table2", "table3", "table4"}; }

std::vector<PlannedFit> plan_table(const PaperPlanOptions& options) {
  check_names("table", {options.table}, paper_tables());
  const std::vector<Block> blocks = blocks_of(options.table);
  const std::vector<std::string> models = models_of(options.table);
  std::vector<std::string> datasets;
  for (const Block& block : blocks) {
    if (datasets.empty() || datasets.back() != block.dataset) datasets.push_back(block.dataset);
  }
  check_names("model of " + options.table, options.models, models);
  check_names("data set of " + options.table, options.datasets, datasets);
  std::vector<PlannedFit> fits;
  for (const Block& block : blocks) {
    if (!wanted(options.datasets, block.dataset)) continue;
    for (int number = 0; number < (options.quick ? kQuickRepeats : block.repeats); ++number) {
      if (!wanted(options.folds, number)) continue;
      for (const std::string& model : models) {
        if (!wanted(options.models, model)) continue;
        for (const int depth : depths_of(options.table, model, block.dataset)) {
          if (wanted(options.depths, depth))
            fits.push_back(planned(block, {model, depth}, number, options));
        }
      }
    }
  }
  return fits;
}

}  // namespace hgnet
