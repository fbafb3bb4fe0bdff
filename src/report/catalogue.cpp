#include "hgnet/report/catalogue.hpp"

#include <algorithm>

#include "hgnet/records/fit_record.hpp"

namespace hgnet {
namespace {

template <class Item>
const Item* named(const std::vector<Item>& items, std::string_view name) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.name == name; });
  return found == items.end() ? nullptr : &*found;
}

}  // namespace

std::string Catalogue::model_label(std::string_view model) const {
  const Model* known = named(models, model);
  return known != nullptr ? known->label : std::string(model);
}

std::string Catalogue::dataset_label(std::string_view dataset) const {
  const Data* known = data(dataset);
  return known != nullptr ? known->label : std::string(dataset);
}

const Catalogue::Data* Catalogue::data(std::string_view dataset) const {
  return named(datasets, dataset);
}

const PublishedFigure* Catalogue::figure(std::string_view model, std::string_view dataset) const {
  for (const PublishedFigure& figure : figures) {
    if (figure.model == model && figure.dataset == dataset) return &figure;
  }
  return nullptr;
}

int Catalogue::style(std::string_view model) const {
  const Model* known = named(models, model);
  return static_cast<int>(known != nullptr ? known - models.data() : models.size());
}

std::string depth_text(std::string_view model, int depth) {
  return std::to_string(depth) + " " + depth_unit(model) + (depth == 1 ? "" : "s");
}

std::string depth_label(const std::string& label, std::string_view model, int depth) {
  return depth < least_depth(model) ? label : label + ", " + depth_text(model, depth);
}

}  // namespace hgnet
