#include "hgnet/train/predictor.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "hgnet/settings/memory_plan.hpp"
#include "hgnet/settings/search.hpp"
#include "hgnet/train/data_use.hpp"
#include "hgnet/train/inputs.hpp"
#include "hgnet/train/threads.hpp"
#include "hgnet/train/trained_fit.hpp"

namespace hgnet {

struct Predictor::Parts {
  struct Member {
    FitFolder fit;
    std::shared_ptr<Model> model;
  };
  std::vector<Member> members;
  ColumnNames columns;
  int threads = 1;

  const TrainConfig& config() const { return members.front().fit.config(); }
  /// The data set as this member was trained on it, prepared for its model. All that a run does to
  /// its data is done here.
  FitInputs inputs(const Member& member, const Dataset& dataset) const {
    auto matched = std::make_shared<Dataset>(dataset);
    match_to_fit(*matched, member.fit);
    check_weights(member.model->config(), *matched);
    const NodeMemory memory = scoring_memory(member.fit.config(), *matched);
    return {std::move(matched), preparation_of(member.model->config()), threads, {}, memory};
  }
};

namespace {

void check_alike(const FitFolder& first, const FitFolder& other, const std::filesystem::path& run) {
  std::string difference = first_difference(first.config(), other.config(), kOfMember);
  const ColumnNames a = first.columns();
  const ColumnNames b = other.columns();
  if (difference.empty() &&
      (a.kind != b.kind || a.outputs != b.outputs || a.features != b.features))
    difference = "columns.json differs";
  if (!difference.empty())
    throw Mismatch(run.string() + " holds fits of different models, which have no mean (" +
                   difference + "); choose one of them, such as " +
                   folder_of_model(first, run).string());
}

std::vector<float> to_floats(const torch::Tensor& rows) {
  const torch::Tensor values = rows.to(torch::kFloat32).contiguous();
  return {values.data_ptr<float>(), values.data_ptr<float>() + values.numel()};
}

/// As a table of nodes has them, if the run was trained on one.
NodeFeatures node_features(std::span<const float> rows, std::int64_t width,
                           const Encoding& encoding) {
  if (encoding.nodes.empty()) return DenseRows{width, {rows.begin(), rows.end()}};
  ColumnRows table;
  for (std::size_t c = 0; c < encoding.nodes.size(); ++c) {
    Column& column = table.columns.emplace_back(Column{encoding.nodes[c], {}});
    for (std::size_t i = c; i < rows.size(); i += encoding.nodes.size())
      column.values.push_back(rows[i]);
  }
  return table;
}

std::vector<std::string> names_of(const std::vector<ColumnEncoding>& columns) {
  std::vector<std::string> names;
  for (const ColumnEncoding& column : columns) names.push_back(column.name);
  return names;
}

std::vector<std::int64_t> all_samples(const Dataset& dataset) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(dataset.num_samples()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

std::int64_t Predictions::num_samples() const {
  return outputs.empty() ? 0 : std::ssize(values) / std::ssize(outputs);
}

std::span<const float> Predictions::row(std::int64_t sample) const {
  return std::span(values).subspan(static_cast<std::size_t>(sample) * outputs.size(),
                                   outputs.size());
}

std::size_t Predictions::best(std::int64_t sample) const {
  const std::span<const float> shares = row(sample);
  return static_cast<std::size_t>(std::max_element(shares.begin(), shares.end()) - shares.begin());
}

Predictor::Predictor(const std::filesystem::path& run, int threads)
    : parts_(std::make_unique<Parts>()) {
  parts_->threads = threads;
  for (FitFolder& fit : fits_to_use(run).fits) {
    if (!parts_->members.empty()) check_alike(parts_->members.front().fit, fit, run);
    auto model = best_of(fit);
    parts_->members.push_back({std::move(fit), std::move(model)});
  }
  parts_->columns = parts_->members.front().fit.columns();
}

Predictor::Predictor(Predictor&&) noexcept = default;
Predictor& Predictor::operator=(Predictor&&) noexcept = default;
Predictor::~Predictor() = default;

Predictions Predictor::predict(const Dataset& dataset, NonFinite non_finite) const {
  set_threads(parts_->threads);
  const std::vector<std::int64_t> all = all_samples(dataset);
  torch::Tensor sum;
  std::vector<std::string> notes;
  for (const Parts::Member& member : parts_->members) {
    const FitInputs inputs = parts_->inputs(member, dataset);
    const torch::Tensor logits =
        evaluate(*member.model, inputs, all, parts_->config().batch, non_finite);
    const torch::Tensor rows = probabilities(logits, kind(), inputs.dataset().target_standards);
    notes = inputs.dataset().notes;
    sum = sum.defined() ? sum + rows : rows;
  }
  return {kind(), outputs(), to_floats(sum / static_cast<double>(num_models())), notes};
}

Predictions Predictor::predict(const Graph& graph, std::span<const float> rows) const {
  const std::int64_t nodes = graph.num_nodes();
  if (features().kind == kAtoms)
    throw Error("predict: the features are " + features().kind +
                ", which are categories; give a data set");
  if (std::ssize(rows) != nodes * num_features())
    throw Error("predict: " + std::to_string(rows.size()) + " feature values for " +
                std::to_string(nodes) + " nodes; expected " + std::to_string(num_features()) +
                " each");
  const std::vector<ColumnEncoding>& edges = parts_->columns.encoding.edges;
  if (!edges.empty() && graph.num_edges() > 0 && graph.edge_row_width() != std::ssize(edges))
    throw Error("predict: edges have " + std::to_string(graph.edge_row_width()) +
                " features; expected " + std::to_string(edges.size()));
  Dataset dataset;
  dataset.name = "graph";
  for (const ColumnEncoding& column : edges) dataset.edge_columns.push_back(column);
  dataset.task = task();
  dataset.target_kind = kind();
  dataset.graphs = {graph};
  dataset.node_offsets = {0, nodes};
  dataset.features = node_features(rows, num_features(), parts_->columns.encoding);
  dataset.columns = features();
  const auto samples = static_cast<std::size_t>(dataset.num_samples());
  if (kind() == TargetKind::kClasses) {
    dataset.classes.assign(samples, kUnlabelled);
    dataset.class_names = outputs();
  } else {
    dataset.num_tasks = std::ssize(outputs());
    dataset.targets.assign(samples * outputs().size(), NAN);
  }
  validate(dataset);
  return predict(dataset);
}

Predictor::Embeddings Predictor::embed(const Dataset& dataset) const {
  if (num_models() != 1)
    throw Mismatch("embeddings are of one model; the run has " + std::to_string(num_models()) +
                   ", such as " + parts_->members.front().fit.path().string());
  set_threads(parts_->threads);
  const torch::NoGradGuard no_grad;
  const Parts::Member& member = parts_->members.front();
  const FitInputs inputs = parts_->inputs(member, dataset);
  std::vector<torch::Tensor> rows;
  if (task() == Task::kNode) {
    rows.push_back(member.model->node_rows(inputs.whole()));
  } else {
    BatchStream stream(inputs.source(),
                       plan_batches(all_samples(dataset), parts_->config().batch, nullptr));
    while (std::optional<SampleBatch> part = stream.next())
      rows.push_back(member.model->node_rows(to_input(*std::move(part))));
  }
  const torch::Tensor all = torch::cat(rows);
  return {all.size(1), to_floats(all)};
}

Task Predictor::task() const { return parts_->config().network.task; }
TargetKind Predictor::kind() const { return parts_->columns.kind; }
const std::vector<std::string>& Predictor::outputs() const { return parts_->columns.outputs; }
const FeatureColumns& Predictor::features() const { return parts_->columns.features; }
std::vector<std::string> Predictor::feature_names() const {
  if (parts_->columns.encoding.nodes.empty()) return features().names;
  return names_of(parts_->columns.encoding.nodes);
}
std::vector<std::string> Predictor::edge_feature_names() const {
  return names_of(parts_->columns.encoding.edges);
}

std::int64_t Predictor::num_features() const {
  const auto columns = std::ssize(parts_->columns.encoding.nodes);
  return columns > 0 ? columns : parts_->config().network.inputs;
}
std::int64_t Predictor::num_models() const { return std::ssize(parts_->members); }

}  // namespace hgnet
