// A custom training loop with libtorch's optimiser: on a 12 x 12 grid whose left column is marked,
// learn which nodes are in the left half. Half of the nodes are labelled; the score is measured on
// the others. A node six steps from the marked column has to receive information about it.

#include <torch/nn/functional/loss.h>
#include <torch/optim/adam.h>
#include <hgnet/hgnet.hpp>

#include <iostream>

int main() {
  const std::int64_t side = 12;
  const hgnet::Graph grid = hgnet::grid_graph(side, side);
  const torch::Tensor node = torch::arange(side * side);
  const torch::Tensor column = node.remainder(side);
  const torch::Tensor x = column.eq(0).to(torch::kFloat32).unsqueeze(1);
  const torch::Tensor label = column.ge(side / 2).to(torch::kLong);
  const torch::Tensor train = node.masked_select(node.remainder(5).le(2));
  const torch::Tensor test = node.masked_select(node.remainder(5).gt(2));

  hgnet::ModelConfig config = hgnet::model_defaults("hgnet-edgepool");
  config.inputs = 1;
  config.outputs = 2;
  config.levels = 4;
  const auto model = hgnet::make_model(config, /*seed=*/1);
  const hgnet::Input input = hgnet::Input::of(model->prepare(grid), x);

  torch::optim::Adam adam(model->parameters(), torch::optim::AdamOptions(0.01));
  for (int epoch = 1; epoch <= 100; ++epoch) {
    model->train();
    adam.zero_grad();
    const torch::Tensor loss = torch::nn::functional::cross_entropy(
        model->forward(input).index_select(0, train), label.index_select(0, train));
    loss.backward();
    adam.step();
    if (epoch % 25 != 0) continue;
    model->eval();
    const torch::NoGradGuard no_grad;
    const torch::Tensor right = model->forward(input).argmax(1).eq(label).to(torch::kFloat32);
    std::cout << "epoch " << epoch << ": loss " << loss.item<float>() << ", "
              << 100 * right.index_select(0, test).mean().item<float>()
              << " % of the other nodes correct\n";
  }
}
