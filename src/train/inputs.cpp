#include "hgnet/train/inputs.hpp"

#include "hgnet/data/fingerprint.hpp"
#include "hgnet/data/sample_rows.hpp"
#include "hgnet/graph/batch.hpp"
#include "hgnet/train/node_batches.hpp"
#include "train/not_finite.hpp"

namespace hgnet {
namespace {

/// Or more: so many that a batch is a sample of the graph, not a place in it.
constexpr std::int64_t kCommunitiesOfABatch = 8;

torch::Tensor to_tensor(DenseRows rows) {
  const std::int64_t width = rows.width;
  const auto count = static_cast<std::int64_t>(rows.values.size());
  auto* values = new std::vector<float>(std::move(rows.values));
  return torch::from_blob(
      values->data(), {width == 0 ? 0 : count / width, width}, [values](void*) { delete values; },
      torch::kFloat32);
}

/// The graphs of a node task, prepared and joined.
Input join_all(const Dataset& dataset, const Preparation& preparation, int threads) {
  std::vector<Hierarchy> parts;
  for (const Graph& graph : dataset.graphs) parts.push_back(preparation.of(graph, threads));
  std::vector<const Hierarchy*> pointers;
  for (const Hierarchy& part : parts) pointers.push_back(&part);
  Hierarchy joined = parts.size() == 1 ? parts.front() : Hierarchy::joined(pointers);
  return {to_features(model_features(dataset)), std::move(joined),
          Batch(dataset.graphs).graph_of_node()};
}

}  // namespace

Features to_features(BatchFeatures rows) {
  if (auto* dense = std::get_if<DenseRows>(&rows)) return {to_tensor(std::move(*dense))};
  return {std::get<SparseMatrix>(std::move(rows))};
}

Input to_input(SampleBatch batch) {
  return {to_features(std::move(batch.x)), std::move(batch.hierarchy),
          std::move(batch.graph_of_node)};
}

FitInputs::FitInputs(std::shared_ptr<const Dataset> dataset, const Preparation& preparation,
                     int threads, const Encoding& encoding, const NodeMemory& memory)
    : encoding_(encoding),
      dataset_(encoding == Encoding()
                   ? std::move(dataset)
                   : std::make_shared<const Dataset>(encoded(*dataset, encoding))),
      objective_(*dataset_) {
  if (preparation.rows == SampleRows::kWl)
    colours_ = colour_rows(*dataset_, preparation.rounds, threads, preparation.edge_rows);
  if (dataset_->task == Task::kNode) {
    whole_ = join_all(*dataset_, preparation, threads);
    if (colours_) whole_.x = Features(*colours_);
    whole_.at_a_time = memory.at_a_time;
    if (memory.batch_nodes > 0) {
      num_node_batches_ = std::max<std::int64_t>(
          1, (dataset_->num_nodes() + memory.batch_nodes - 1) / memory.batch_nodes);
      const bool by_louvain =
          preparation.levels > 0 && preparation.coarsening == Coarsening::kLouvain;
      communities_ = batch_communities(
          whole_.hierarchy, by_louvain,
          std::max<std::int64_t>(1, memory.batch_nodes / kCommunitiesOfABatch), threads);
    }
    return;
  }
  const bool reduces = preparation.rows != SampleRows::kOfNodes;
  if (reduces)
    reduced_ = one_node_graphs(
        *dataset_,
        colours_ ? *colours_ : pooled_rows(*dataset_, preparation.rows == SampleRows::kMean));
  source_.emplace(
      reduces ? reduced_ : *dataset_,
      [preparation](const Graph& graph) { return preparation.of(graph); }, threads);
}

const std::map<std::string, std::string>& FitInputs::fingerprint() const {
  return fingerprint_.get([&] { return hgnet::fingerprint(*dataset_); });
}

torch::Tensor evaluate(Model& model, const FitInputs& inputs, std::span<const std::int64_t> samples,
                       std::int64_t batch, NonFinite non_finite, const Ranks& ranks) {
  const torch::NoGradGuard no_grad;
  model.eval();
  const auto checked = [&](const Input& input, const torch::Tensor& logits,
                           std::span<const std::int64_t> rows) {
    if (non_finite == NonFinite::kRefuse) check_finite(model, input, logits, rows);
    return logits;
  };
  if (inputs.dataset().task == Task::kNode) {
    const Input& input = inputs.whole();
    return checked(input, model.forward(input).index_select(0, to_indices(samples)), samples);
  }
  torch::Tensor logits = torch::zeros({std::ssize(samples), model.config().outputs});
  std::vector<std::vector<std::int64_t>> mine;
  std::vector<std::int64_t> begins;  // rows of the logits
  std::int64_t number = 0;
  for (std::vector<std::int64_t>& part : plan_batches(samples, batch, nullptr)) {
    if (number % ranks.size() == ranks.rank()) {
      begins.push_back(number * batch);
      mine.push_back(std::move(part));
    }
    ++number;
  }
  BatchStream stream(inputs.source(), std::move(mine));
  for (const std::int64_t begin : begins) {
    SampleBatch part = *stream.next();
    const std::vector<std::int64_t> rows = part.samples;
    const Input input = to_input(std::move(part));
    logits.narrow(0, begin, std::ssize(rows)).copy_(checked(input, model.forward(input), rows));
  }
  if (logits.numel() > 0) ranks.sum(logits);
  return logits;
}

}  // namespace hgnet
