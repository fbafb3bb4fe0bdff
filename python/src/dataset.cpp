#include <torch/library.h>

#include <algorithm>

#include "classes.hpp"
#include "hgnet/data/color_connectivity.hpp"
#include "hgnet/data/color_dataset.hpp"
#include "hgnet/data/encoding.hpp"
#include "hgnet/data/load.hpp"
#include "hgnet/data/split_choice.hpp"
#include "hgnet/data/splits.hpp"
#include "tensors.hpp"

namespace hgnet::python {
namespace {

using DatasetPointer = c10::intrusive_ptr<DatasetObject>;
using GraphPointer = c10::intrusive_ptr<GraphObject>;
using ModelPointer = c10::intrusive_ptr<ModelObject>;
using PreparedPointer = c10::intrusive_ptr<PreparedObject>;
using SourcePointer = c10::intrusive_ptr<SourceObject>;
using StreamPointer = c10::intrusive_ptr<StreamObject>;

Tensor dense(const SparseMatrix& rows) {
  Tensor result = torch::zeros({rows.num_rows(), rows.num_columns()}, torch::kFloat32);
  auto* to = result.data_ptr<float>();
  const CsrView csr = rows.csr();
  for (std::int64_t r = 0; r < csr.num_rows(); ++r) {
    for (EdgeId s = csr.offsets[r]; s < csr.offsets[r + 1]; ++s)
      to[r * rows.num_columns() + csr.columns[s]] = rows.values()[s];
  }
  return result;
}

Tensor dense(const DenseRows& rows) {
  const auto count = static_cast<std::int64_t>(rows.values.size());
  Tensor result =
      torch::empty({rows.width == 0 ? 0 : count / rows.width, rows.width}, torch::kFloat32);
  std::copy(rows.values.begin(), rows.values.end(), result.data_ptr<float>());
  return result;
}

Tensor dense(const BatchFeatures& rows) {
  return std::visit([](const auto& given) { return dense(given); }, rows);
}

/// Classes as int64 [samples], -1: unlabelled; other targets as float [samples, tasks], NaN: none.
Tensor targets(const Dataset& dataset) {
  if (dataset.target_kind == TargetKind::kClasses)
    return to_tensor(std::span<const std::int32_t>(dataset.classes));
  return dense(DenseRows{dataset.num_tasks, dataset.targets});
}

std::vector<Tensor> parts_of(const Split& split) {
  std::vector<Tensor> parts;
  for (const auto* part : {&split.train, &split.val, &split.test})
    parts.push_back(to_tensor(std::span<const std::int64_t>(*part)));
  return parts;
}

DatasetPointer load_named(const std::string& name, const std::string& root, std::int64_t samples,
                          std::int64_t seed) {
  LoadOptions options;
  options.root = root;
  options.cc_samples = samples;
  options.cc_seed = static_cast<std::uint64_t>(seed);
  return c10::make_intrusive<DatasetObject>(load_dataset(name, options));
}

/// Samples on this graph; see ColorConnectivity.
DatasetPointer color_connectivity(const GraphPointer& graph, std::int64_t samples,
                                  std::int64_t seed, std::int64_t max_islands) {
  ColorConnectivityOptions options;
  options.num_samples = samples;
  options.seed = static_cast<std::uint64_t>(seed);
  options.max_islands = static_cast<int>(std::clamp<std::int64_t>(max_islands, -1, 100));
  options.num_threads = at::get_num_threads();
  return c10::make_intrusive<DatasetObject>(
      color_dataset(generate_color_connectivity(graph->graph, options)));
}

/// Columns of the user's own tables become numbers by what the training samples show.
DatasetPointer encoded_by(const DatasetPointer& data, const Tensor& train_in, bool standardise) {
  const Tensor train = checked_index("encoded", "train", train_in, -1);
  const EncodingOptions options{standardise, Missing::kMean};
  return c10::make_intrusive<DatasetObject>(
      encoded(*data->dataset, fit_encoding(*data->dataset, numbers(train), options)));
}

std::vector<Tensor> sanitized(const GraphPointer& graph, const Tensor& labels_in, std::int64_t hops,
                              std::int64_t seed, std::int64_t train_per_class, std::int64_t num_val,
                              std::int64_t num_test) {
  const Tensor labels = checked_index("sanitized", "labels", labels_in, graph->graph.num_nodes());
  TORCH_CHECK(hops >= 0 && hops < 1000, "sanitized: hops must be in 0 .. 999 (got ", hops, ")");
  const auto given = numbers(labels);
  const std::int64_t classes =
      given.empty() ? 0
                    : std::max<std::int64_t>(*std::max_element(given.begin(), given.end()), -1) + 1;
  SanitizedSplitOptions options;
  options.hops = static_cast<int>(hops);
  options.seed = static_cast<std::uint64_t>(seed);
  options.train_per_class = train_per_class;
  options.num_val = num_val;
  options.num_test = num_test;
  return parts_of(sanitized_split(
      graph->graph, std::vector<std::int32_t>(given.begin(), given.end()), classes, options));
}

std::vector<Tensor> folds(const Tensor& labels_in, std::int64_t count, std::int64_t seed) {
  const Tensor labels = checked_index("folds", "labels", labels_in, -1);
  const auto given = numbers(labels);
  std::vector<Tensor> result;
  for (const auto& fold :
       stratified_folds(std::vector<std::int32_t>(given.begin(), given.end()),
                        static_cast<int>(checked_count("folds", "number of folds", count)),
                        static_cast<std::uint64_t>(seed)))
    result.push_back(to_tensor(std::span<const std::int64_t>(fold)));
  return result;
}

std::tuple<Tensor, PreparedPointer> next(const StreamPointer& stream) {
  std::optional<SampleBatch> batch = stream->stream.next();
  TORCH_CHECK(batch.has_value(), "batches: there are no more");
  return {dense(batch->x), c10::make_intrusive<PreparedObject>(std::move(batch->hierarchy),
                                                               std::move(batch->graph_of_node))};
}

}  // namespace

SourceObject::SourceObject(const DatasetPointer& data, const ModelPointer& model)
    : dataset(data->dataset),
      source(
          *dataset, [&](const Graph& graph) { return model->model->prepare(graph); },
          at::get_num_threads()) {}

StreamObject::StreamObject(SourcePointer from, const Tensor& samples, std::int64_t size)
    : source(std::move(from)),
      stream(source->source,
             plan_batches(numbers(checked_index("batches", "samples", samples, -1)), size,
                          /*shuffle=*/nullptr)) {}

void register_dataset(torch::Library& library) {
  library.class_<DatasetObject>("Dataset")
      .def("name", [](const DatasetPointer& d) { return d->dataset->name; })
      .def("task", [](const DatasetPointer& d) { return std::string(enum_name(d->dataset->task)); })
      .def("target_kind",
           [](const DatasetPointer& d) { return std::string(enum_name(d->dataset->target_kind)); })
      .def("num_graphs", [](const DatasetPointer& d) { return d->dataset->num_graphs(); })
      .def("class_names", [](const DatasetPointer& d) { return d->dataset->class_names; })
      .def("split_names",
           [](const DatasetPointer& d) {
             std::vector<std::string> names;
             for (const auto& [name, split] : d->dataset->splits) names.push_back(name);
             return names;
           })
      .def("notes", [](const DatasetPointer& d) { return d->dataset->notes; })
      .def("x", [](const DatasetPointer& d) { return dense(model_features(*d->dataset)); })
      .def("y", [](const DatasetPointer& d) { return targets(*d->dataset); })
      .def("node_offsets",
           [](const DatasetPointer& d) {
             return to_tensor(std::span<const std::int64_t>(d->dataset->node_offsets));
           })
      .def("encoded", encoded_by)
      .def("graph",
           [](const DatasetPointer& d, std::int64_t number) {
             TORCH_CHECK(number >= 0 && number < d->dataset->num_graphs(), "graph ", number, " of ",
                         d->dataset->num_graphs());
             return c10::make_intrusive<GraphObject>(d->dataset->graphs[number]);
           })
      .def("split", [](const DatasetPointer& d, const std::string& text, std::int64_t seed,
                       std::int64_t fold) {
        return parts_of(choose_split(*d->dataset, text, static_cast<std::uint64_t>(seed),
                                     static_cast<int>(fold)));
      });
  library.class_<SourceObject>("Source").def(
      torch::init<const DatasetPointer&, const ModelPointer&>());
  library.class_<StreamObject>("Stream")
      .def(torch::init<SourcePointer, const Tensor&, std::int64_t>())
      .def("next", next);
  library.def("load_dataset", load_named);
  library.def("color_connectivity", color_connectivity);
  library.def("sanitized_split", sanitized);
  library.def("stratified_folds", folds);
}

}  // namespace hgnet::python
