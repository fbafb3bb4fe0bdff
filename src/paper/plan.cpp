#include "hgnet/paper/plan.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "core/nearest_name.hpp"
#include "hgnet/config/model_table.hpp"
#include "hgnet/paper/catalogue.hpp"
#include "hgnet/paper/settings.hpp"
#include "hgnet/settings/reading.hpp"

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
  const Frame frame = model_row(model).frame;
  if (frame == Frame::kWl) return {2, 0, 1, 3, 4, 5, 6};
  if (frame == Frame::kHgnet) return {3, 1, 2, 4, 5, 6, 7, 8};
  if (model == "gin") return {4, 1, 2, 3, 6, 8, 12, 16};
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

/// About how long a fit takes, beside others on its data set. Levels shrink, layers do not.
double cost_of(const PlannedFit& fit) {
  const std::string& model = fit.config.model;
  if (std::find(kYardsticks.begin(), kYardsticks.end(), model) != kYardsticks.end()) return 0;
  const ModelConfig& network = fit.config.network;
  return is_hierarchical(model) ? 2 + 0.1 * network.levels : network.layers;
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
  const bool with_figure = !options.tables.empty() && wanted(options.tables, {kRangeTable});
  if (with_figure) std::move(of_figure.begin(), of_figure.end(), std::back_inserter(parts));
  return parts;
}

/// Collects the fits that the options want, and what there is to choose from.
class Collector {
 public:
  explicit Collector(const PaperPlanOptions& options) : options_(options) {}

  /// All models on a data set, for one fold or seed: first at their preferred depths.
  void add(const Part& part, const TableColumn& column, int number) {
    const PaperTable& table = *part.table;
    add_new(datasets_, column.dataset);
    add_new(folds_, number);
    std::vector<PlannedFit> later;
    for (const std::string& model : part.models) {
      add_new(models_, model);
      if (is_in_other_table(table.layout, model)) continue;
      const std::vector<int> depths =
          depths_of(table, model, column.dataset, number, part.over_hops);
      for (const int depth : depths) {
        add_new(depths_, depth);
        if (!is_wanted(column, model, depth, number)) continue;
        PlannedFit fit = planned(table, column, model, depth, number, options_);
        const bool once = table.depths_once && depth != depths.front();
        add(std::move(fit), wanted(kYardsticks, model) || once ? later : fits_);
      }
    }
    if (part.over_hops) {
      std::stable_sort(later.begin(), later.end(), [](const PlannedFit& a, const PlannedFit& b) {
        return cost_of(a) < cost_of(b);
      });
    }
    std::move(later.begin(), later.end(), std::back_inserter(fits_));
  }

  /// Throws NotInPaper for a table, model, data set, depth or fold that does not exist.
  std::vector<PlannedFit> fits() && {
    std::vector<std::string> tables;
    for (const PaperTable& table : paper_tables()) tables.push_back(table.layout.id);
    check_names("table", options_.tables, tables);
    const std::string of =
        options_.tables.size() == 1 ? " of " + options_.tables.front() : " of the paper's tables";
    check_names("model" + of, options_.models, models_);
    check_names("data set" + of, options_.datasets, datasets_);
    check_numbers("fold or seed", of, options_.folds, folds_);
    check_numbers("depth", of, options_.depths, depths_);
    if (fits_.empty() && same_in_both_)
      throw NotInPaper("reading as-run has no effect on these fits" + of +
                       ": they are the same in both readings, as-written and as-run");
    if (fits_.empty()) throw NotInPaper("no fit" + of + " matches all of these options");
    return std::move(fits_);
  }

 private:
  bool is_wanted(const TableColumn& column, const std::string& model, int depth, int number) const {
    return wanted(options_.datasets, column.dataset) && wanted(options_.folds, number) &&
           wanted(options_.models, model) && wanted(options_.depths, depth);
  }

  void add(PlannedFit fit, std::vector<PlannedFit>& fits) {
    if (options_.reading == Reading::kAsRun && !readings_differ(fit.config)) {
      same_in_both_ = true;
      return;
    }
    if (folders_.insert(fit.folder).second) fits.push_back(std::move(fit));
  }

  const PaperPlanOptions& options_;
  std::vector<std::string> models_, datasets_;
  std::vector<int> folds_, depths_;
  std::vector<PlannedFit> fits_;
  std::set<std::filesystem::path> folders_;
  bool same_in_both_ = false;
};

}  // namespace

std::vector<PlannedFit> plan_tables(const PaperPlanOptions& options) {
  Collector collector(options);
  for (const Part& part : asked_parts(options)) {
    for (const TableColumn& column : columns_of(*part.table)) {
      for (int number = 0; number < part.repeats; ++number) collector.add(part, column, number);
    }
  }
  return std::move(collector).fits();
}

}  // namespace hgnet
