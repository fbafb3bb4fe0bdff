#include "hgnet/paper/plan.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "hgnet/config/model_table.hpp"
#include "hgnet/core/nearest_name.hpp"
#include "hgnet/paper/catalogue.hpp"
#include "hgnet/paper/settings.hpp"
#include "hgnet/settings/reading.hpp"
#include "report/number_text.hpp"

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

/// Depths in the figure over hops; empty for models that it shows at one depth.
std::vector<int> hop_depths(const std::string& model) {
  const ModelRow& row = model_row(model);
  if (row.frame == Frame::kWl) return {2, 0, 1, 3, 4, 5, 6};
  if (row.frame == Frame::kHgnet) return {3, 1, 2, 4, 5, 6, 7, 8};
  if (row.frame == Frame::kFlat && row.layer == LayerKind::kGin && !row.virtual_node)
    return {4, 1, 2, 3, 6, 8, 12, 16};
  return {};
}

/// The depths to fit for the number-th fold or seed, the preferred one first.
std::vector<int> depths_of(const PaperTable& table, const std::string& model,
                           const std::string& dataset, int number, bool over_hops) {
  const TableLayout& layout = table.layout;
  if (over_hops && !hop_depths(model).empty()) return hop_depths(model);
  if (model_row(model).yardstick()) return {2};
  std::vector<int> depths = is_hierarchical(model) ? layout.levels : layout.layers;
  if (depths.empty()) return {paper_depth(model, dataset)};
  // Only HGNet's levels are varied beyond the preferred number; g-U-Net has three.
  const bool one = table.depths_once && (number > 0 || model_row(model).frame == Frame::kGUnet);
  if (one) depths.resize(1);
  return depths;
}

template <class T>
bool has(const std::vector<T>& items, const T& item) {
  return std::ranges::find(items, item) != items.end();
}

template <class T>
bool wanted(const std::vector<T>& asked, const T& item) {
  return asked.empty() || has(asked, item);
}

template <class T>
void add_new(std::vector<T>& items, const T& item) {
  if (!has(items, item)) items.push_back(item);
}

void check_names(const std::string& what, const std::vector<std::string>& asked,
                 const std::vector<std::string>& known) {
  for (const std::string& name : asked) {
    if (!wanted(known, name)) throw NotInPaper(unknown_name(what, name, known));
  }
}

void check_numbers(const std::string& what, const std::string& of, const std::vector<int>& asked,
                   std::vector<int> known) {
  std::ranges::sort(known);
  const auto text = [](int number) { return std::to_string(number); };
  for (const int number : asked) {
    if (!wanted(known, number))
      throw NotInPaper("no " + what + " " + text(number) + of +
                       "; available: " + joined(known, ", ", text));
  }
}

/// A fit that the tables have.
struct Candidate {
  const PaperTable* table;
  TableColumn column;
  std::string model;
  int depth;
  int number;  // fold or seed
};

/// About how long it takes, beside others on its data set. Levels shrink, layers do not.
double relative_cost(const Candidate& fit) {
  const ModelRow& model = model_row(fit.model);
  if (model.yardstick()) return 0;
  return model.hierarchical() ? 2 + 0.1 * fit.depth : fit.depth;
}

PlannedFit planned(const Candidate& candidate, const PaperPlanOptions& options) {
  const auto& [of_table, column, model, depth, number] = candidate;
  PlannedFit fit;
  fit.table = of_table->layout.id;
  fit.quick = options.quick;
  fit.keep_checkpoint = false;
  TrainConfig& config = fit.config;
  config = paper_settings(model, depth, column.dataset, column.split, options.reading, of_table);
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
  fit.folder = options.out / fit.table;
  if (options.reading == Reading::kAsRun) fit.folder /= "as-run";
  fit.folder = fit.folder / folder_name(column.dataset) / folder_name(column.split) / name / repeat;
  if (options.quick) fit.folder += "-quick";
  if (other_epochs) fit.folder += "-epochs-" + std::to_string(config.epochs);
  fit.label = column.dataset + " " + (column.qualifier.empty() ? "" : column.split + " ") + name +
              " " + repeat;
  return fit;
}

/// Fits of a table.
struct Part {
  const PaperTable* table;
  std::vector<std::string> models;
  int repeats;
  bool over_hops;  // at all depths of the figure over hops
};

/// What is asked for. With the table on range come, last, the depths that the figure over hops has
/// of other tables, which `reproduce` of those leaves out.
std::vector<Part> asked_parts(const PaperPlanOptions& options) {
  const bool as_written = options.reading == Reading::kAsWritten;
  std::vector<Part> parts, of_figure;
  for (const PaperTable& table : paper_tables()) {
    const TableLayout& layout = table.layout;
    const bool range = layout.id == kRangeTable;
    if (options.tables.empty() ? table.of_paper : wanted(options.tables, layout.id)) {
      const int repeats = options.quick ? std::min(kQuickRepeats, table.repeats) : table.repeats;
      Part& part = parts.emplace_back(Part{&table, layout.models, repeats, range});
      if (table.yardsticks && as_written)
        part.models.insert(part.models.end(), kYardsticks.begin(), kYardsticks.end());
    }
    if (!layout.over_hops || range || !as_written) continue;
    Part& part = of_figure.emplace_back(Part{&table, layout.models, 1, true});
    std::erase_if(part.models, [](const std::string& model) { return hop_depths(model).empty(); });
    part.models.push_back("wl");
  }
  if (has(options.tables, {kRangeTable})) std::ranges::move(of_figure, std::back_inserter(parts));
  return parts;
}

/// All models on a data set, for one fold or seed: first at their preferred depths.
void add_candidates(const Part& part, const TableColumn& column, int number,
                    std::vector<Candidate>& all) {
  std::vector<Candidate> later;
  for (const std::string& model : part.models) {
    const std::vector<int> depths =
        depths_of(*part.table, model, column.dataset, number, part.over_hops);
    for (const int depth : depths) {
      const bool once = part.table->depths_once && depth != depths.front();
      auto& list = model_row(model).yardstick() || once ? later : all;
      list.push_back({part.table, column, model, depth, number});
    }
  }
  if (part.over_hops) std::ranges::stable_sort(later, {}, relative_cost);
  std::ranges::move(later, std::back_inserter(all));
}

/// Throws NotInPaper for a table, model, data set, depth or fold that does not exist.
void check_choices(const PaperPlanOptions& options, const std::vector<Candidate>& all,
                   const std::string& of) {
  std::vector<std::string> tables, models, datasets;
  std::vector<int> folds, depths;
  for (const PaperTable& table : paper_tables()) tables.push_back(table.layout.id);
  for (const Candidate& fit : all) {
    add_new(models, fit.model);
    add_new(datasets, fit.column.dataset);
    add_new(folds, fit.number);
    add_new(depths, fit.depth);
  }
  check_names("table", options.tables, tables);
  check_names("model" + of, options.models, models);
  check_names("data set" + of, options.datasets, datasets);
  check_numbers("fold or seed", of, options.folds, folds);
  check_numbers("depth", of, options.depths, depths);
}

/// Fits that another table has need not be run again.
bool is_wanted(const Candidate& fit, const PaperPlanOptions& options) {
  return wanted(options.datasets, fit.column.dataset) && wanted(options.folds, fit.number) &&
         wanted(options.models, fit.model) && wanted(options.depths, fit.depth) &&
         !has(fit.table->layout.of_other_table, fit.model);
}

}  // namespace

std::vector<PlannedFit> plan_tables(const PaperPlanOptions& options) {
  std::vector<Candidate> all;
  for (const Part& part : asked_parts(options)) {
    for (const TableColumn& column : columns_of(*part.table)) {
      for (int number = 0; number < part.repeats; ++number)
        add_candidates(part, column, number, all);
    }
  }
  const std::string of =
      options.tables.size() == 1 ? " of " + options.tables.front() : " of the paper's tables";
  check_choices(options, all, of);
  std::vector<PlannedFit> fits;
  std::set<std::filesystem::path> folders;
  bool same_in_both = false;
  for (const Candidate& candidate : all) {
    if (!is_wanted(candidate, options)) continue;
    PlannedFit fit = planned(candidate, options);
    const bool same = options.reading == Reading::kAsRun && !readings_differ(fit.config);
    same_in_both = same_in_both || same;
    if (!same && folders.insert(fit.folder).second) fits.push_back(std::move(fit));
  }
  if (fits.empty() && same_in_both)
    throw NotInPaper("reading as-run has no effect on these fits" + of +
                     ": they are the same in both readings, as-written and as-run");
  if (fits.empty()) throw NotInPaper("no fit" + of + " matches all of these options");
  return fits;
}

}  // namespace hgnet
