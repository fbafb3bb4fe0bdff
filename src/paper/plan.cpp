#include "hgnet/paper/plan.hpp"

#include <algorithm>
#include <iterator>

#include "core/nearest_name.hpp"
#include "hgnet/paper/catalogue.hpp"
#include "hgnet/paper/settings.hpp"
#include "hgnet/train/reading.hpp"

namespace hgnet {
namespace {

constexpr int kQuickRepeats = 2;

std::int64_t quick_epochs(const std::string& dataset) {
  if (dataset.starts_with("cc-")) return 10;
  return dataset.starts_with("ogbg-") ? 3 : 30;
}

/// Data set by data set, small ones first.
std::vector<TableColumn> columns_of(const PaperTable& table) {
  std::vector<TableColumn> columns;
  for (const Catalogue::Data& data : paper_catalogue().datasets) {
    for (const TableColumn& column : table.layout.columns) {
      if (column.dataset == data.name) columns.push_back(column);
    }
  }
  return columns;
}

/// The depths to fit for the number-th fold or seed, the preferred one first.
std::vector<int> depths_of(const PaperTable& table, const std::string& model,
                           const std::string& dataset, int number) {
  const TableLayout& layout = table.layout;
  if (model == "mlp") return {2};
  const bool range = layout.id == kRangeTable;
  if (model == "wl") return range ? std::vector<int>{2, 0, 1, 3, 4, 5, 6} : std::vector<int>{2};
  std::vector<int> depths = is_hierarchical(model) ? layout.levels : layout.layers;
  // Deeper flat models are GINs.
  if (range && (model == "g-unet" || (model != "gin" && !is_hierarchical(model)))) depths.resize(1);
  if (depths.empty()) return {paper_depth(model, dataset)};
  // Only HGNet's levels are varied beyond the preferred number; g-U-Net has three.
  const bool one = table.depths_once && (number > 0 || model == "g-unet");
  if (one) depths.resize(1);
  return depths;
}

template <class T>
bool wanted(const std::vector<T>& asked, const T& item) {
  return asked.empty() || std::find(asked.begin(), asked.end(), item) != asked.end();
}

/// Fits that another table has need not be run again.
bool is_in_other_table(const TableLayout& layout, const std::string& model) {
  return !layout.of_other_table.empty() && wanted(layout.of_other_table, model);
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
      throw NotInPaper("no " + what + " " + std::to_string(number) + of + "; available: " + there);
  }
}

PlannedFit planned(const PaperTable& of_table, const TableColumn& column, const std::string& model,
                   int depth, int number, const PaperPlanOptions& options) {
  const std::string& table = of_table.layout.id;
  PlannedFit fit;
  fit.table = table;
  fit.quick = options.quick;
  fit.keep_checkpoint = false;
  TrainConfig& config = fit.config;
  config = paper_settings(model, depth, column.dataset, column.split, options.reading, &of_table);
  config.root = options.root;
  const bool folds = column.split.starts_with("folds");
  if (folds) {
    config.fold = number;
  } else {
    config.seed = static_cast<std::uint64_t>(number);
  }
  if (options.quick) config.epochs = std::min(config.epochs, quick_epochs(column.dataset));
  const bool other_epochs = options.epochs && *options.epochs != config.epochs;
  if (other_epochs) config.epochs = *options.epochs;
  const std::string name = model + "-" + std::to_string(depth);
  const std::string repeat = (folds ? "fold-" : "seed-") + std::to_string(number);
  const auto folder_name = [](std::string text) {
    std::replace(text.begin(), text.end(), ':', '-');
    return text;
  };
  fit.folder = options.out / table;
  if (options.reading == Reading::kAsRun) fit.folder /= "as-run";
  fit.folder = fit.folder / folder_name(column.dataset) / folder_name(column.split) / name / repeat;
  if (options.quick) fit.folder += "-quick";
  if (other_epochs) fit.folder += "-epochs-" + std::to_string(config.epochs);
  fit.label = column.dataset + " " + (column.qualifier.empty() ? "" : column.split + " ") + name +
              " " + repeat;
  return fit;
}

}  // namespace

std::vector<PlannedFit> plan_tables(const PaperPlanOptions& options) {
  std::vector<std::string> tables, models, datasets;
  std::vector<int> folds, depths;
  std::vector<PlannedFit> fits;
  bool same_in_both = false;
  for (const PaperTable& table : paper_tables()) {
    tables.push_back(table.layout.id);
    const bool asked =
        options.tables.empty() ? table.of_paper : wanted(options.tables, table.layout.id);
    if (!asked) continue;
    std::vector<std::string> of_table = table.layout.models;
    if (table.yardsticks && options.reading == Reading::kAsWritten)
      of_table.insert(of_table.end(), kYardsticks.begin(), kYardsticks.end());
    for (const TableColumn& column : columns_of(table)) {
      add_new(datasets, column.dataset);
      for (int number = 0; number < (options.quick ? kQuickRepeats : table.repeats); ++number) {
        add_new(folds, number);
        std::vector<PlannedFit> other_depths;  // after the preferred ones of all models
        for (const std::string& model : of_table) {
          add_new(models, model);
          if (is_in_other_table(table.layout, model)) continue;
          const std::vector<int> of_model = depths_of(table, model, column.dataset, number);
          for (const int depth : of_model) {
            add_new(depths, depth);
            if (!wanted(options.datasets, column.dataset) || !wanted(options.folds, number) ||
                !wanted(options.models, model) || !wanted(options.depths, depth))
              continue;
            PlannedFit fit = planned(table, column, model, depth, number, options);
            if (options.reading == Reading::kAsRun && !readings_differ(fit.config)) {
              same_in_both = true;
              continue;
            }
            const bool later =
                wanted(kYardsticks, model) || (table.depths_once && depth != of_model.front());
            (later ? other_depths : fits).push_back(std::move(fit));
          }
        }
        std::move(other_depths.begin(), other_depths.end(), std::back_inserter(fits));
      }
    }
  }
  check_names("table", options.tables, tables);
  const std::string of =
      options.tables.size() == 1 ? " of " + options.tables.front() : " of the paper's tables";
  check_names("model" + of, options.models, models);
  check_names("data set" + of, options.datasets, datasets);
  check_numbers("fold or seed", of, options.folds, folds);
  check_numbers("depth", of, options.depths, depths);
  if (fits.empty() && same_in_both)
    throw NotInPaper("--reading as-run has no effect on these fits" + of +
                     ": they are the same in both readings");
  if (fits.empty()) throw NotInPaper("no fit" + of + " matches all of these options");
  return fits;
}

}  // namespace hgnet
