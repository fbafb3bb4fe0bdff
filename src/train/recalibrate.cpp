#include "hgnet/train/recalibrate.hpp"

#include <vector>

#include "hgnet/train/node_batches.hpp"
#include "train/norms.hpp"

namespace hgnet {

bool has_running_statistics(const Model& model) { return !norms_of(model).empty(); }

void recalibrate(Model& model, const FitInputs& inputs, std::span<const std::int64_t> samples,
                 std::int64_t batch) {
  const std::vector<TailImpl*> norms = norms_of(model);
  const torch::NoGradGuard no_grad;
  model.train();
  const double momentum = model.config().norm_momentum;
  double batches = 0;
  const auto see = [&](const Input& input) {
    ++batches;
    for (TailImpl* norm : norms) norm->momentum = 1 / batches;
    model.forward(input);
  };
  if (inputs.communities() != nullptr) {
    Generator order(0);
    HierarchyCutter cutter(inputs.whole().hierarchy);
    for (const std::vector<NodeId>& nodes :
         plan_communities(*inputs.communities(), inputs.num_node_batches(), order))
      see(batch_input(inputs.whole(), cutter, nodes));
  } else if (inputs.dataset().task == Task::kNode) {
    see(inputs.whole());
  } else {
    Generator order(0);
    BatchStream stream(inputs.source(), plan_batches(samples, batch, &order));
    while (std::optional<SampleBatch> part = stream.next()) see(to_input(*std::move(part)));
  }
  for (TailImpl* norm : norms) norm->momentum = momentum;
  model.eval();
}

}  // namespace hgnet
