#include "hgnet/paper/plan.hpp"

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

template <class T>
void add_new(std::vector<T>& items, const T& item) {
  if (std::find(items.begin(), items.end(), item) == items.end()) items.push_back(item);
}

void check_names(const std::string& what, const std::vector<std::string>& asked,
                 const std::vector<std::string>& known) {
  for (const std::string& name : asked) {
    if (!wanted(known, name)) throw NotInPaper(unknown_name(what, name, known));
  }
}

void check_numbers(const std::string& what, const std::string& of, const std::vector<int>& asked,
                   std::vector<int> known) {
  std::sort(known.begin(), known.end());
  std::string there;
  for (const int number : known) there += (there.empty() ? "" : ", ") + std::to_string(number);
  for (const int number : asked) {
    if (!wanted(known, number))
      throw NotInPaper("there is no " + what + " " + std::to_string(number) + of + "; there are " +
                       there);
  }
}

PlannedFit planned(const std::string& table, const Block& block, const Subject& subject, int number,
                   const PaperPlanOptions& options) {
  PlannedFit fit;
  fit.table = table;
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
  const bool other_epochs = options.epochs && *options.epochs != config.epochs;
  if (other_epochs) config.epochs = *options.epochs;
  const std::string depth = std::to_string(subject.depth);
  const std::string repeat = (block.folds ? "fold-" : "seed-") + std::to_string(number);
  std::string split = block.split;
  std::replace(split.begin(), split.end(), ':', '-');
  fit.folder = options.out / table / block.dataset / split / (subject.model + "-" + depth) / repeat;
  if (options.quick) fit.folder += "-quick";
  if (other_epochs) fit.folder += "-epochs-" + std::to_string(config.epochs);
  fit.label = block.dataset + " " + (table == "table2" ? block.split + " " : "") + subject.model +
              "-" + depth + " " + repeat;
  return fit;
}

}  // namespace

std::vector<std::string> paper_tables() { return {"table1", "table2", "table3", "table4"}; }

std::vector<PlannedFit> plan_tables(const PaperPlanOptions& options) {
  check_names("table", options.tables, paper_tables());
  std::vector<std::string> models, datasets;
  std::vector<int> folds, depths;
  std::vector<PlannedFit> fits;
  for (const std::string& table : options.tables) {
    for (const Block& block : blocks_of(table)) {
      add_new(datasets, block.dataset);
      for (int number = 0; number < (options.quick ? kQuickRepeats : block.repeats); ++number) {
        add_new(folds, number);
        for (const std::string& model : models_of(table)) {
          add_new(models, model);
          for (const int depth : depths_of(table, model, block.dataset)) {
            add_new(depths, depth);
            if (wanted(options.datasets, block.dataset) && wanted(options.folds, number) &&
                wanted(options.models, model) && wanted(options.depths, depth))
              fits.push_back(planned(table, block, {model, depth}, number, options));
          }
        }
      }
    }
  }
  const std::string of =
      options.tables.size() == 1 ? " of " + options.tables.front() : " of the paper's tables";
  check_names("model" + of, options.models, models);
  check_names("data set" + of, options.datasets, datasets);
  check_numbers("fold or seed", of, options.folds, folds);
  check_numbers("depth", of, options.depths, depths);
  if (fits.empty()) throw NotInPaper("no fit" + of + " has all that these options ask for");
  return fits;
}

}  // namespace hgnet
