#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hgnet {

/// A figure published by others, to compare ours with; as a fraction, like the metric.
struct PublishedFigure {
  std::string model;
  std::string dataset;
  double mean = 0;
  std::optional<double> deviation;
  std::string source;  // short, for a table
};

/// What a report knows about models and data sets: names and labels as in the paper, and published
/// figures.
struct Catalogue {
  struct Model {
    std::string name;   // as in records
    std::string label;  // for readers
  };
  struct Data {
    std::string name;
    std::string label;
    std::string split;  // the usual one, which published figures use
    std::string metric;
    int epochs = 0;  // of a full fit
  };

  std::vector<Model> models;   // in the order in which they are shown
  std::vector<Data> datasets;  // small ones first
  std::vector<PublishedFigure> figures;

  // Models and data sets that are not listed keep their names and have no figures.
  std::string model_label(std::string_view model) const;
  std::string dataset_label(std::string_view dataset) const;
  const Data* data(std::string_view dataset) const;
  const PublishedFigure* figure(std::string_view model, std::string_view dataset) const;
  /// The model's position in the list, or one past its end. Determines its colour and marker in all
  /// charts.
  int style(std::string_view model) const;
};

/// "2 layers", "1 level".
std::string depth_text(std::string_view model, int depth);
/// "GCN, 2 layers", "g-U-Net, 1 level"; depth 0: the label alone.
std::string depth_label(const std::string& label, std::string_view model, int depth);

}  // namespace hgnet
