// Builds a graph, makes a model, saves it, loads it again and predicts every node. No Python
// involved.

#include <hgnet/hgnet.hpp>

#include <iostream>

int main() {
  // A ring of eight nodes with a chord; each node has two features.
  hgnet::EdgeList edges;
  for (std::int64_t v = 0; v < 8; ++v) {
    edges.source.push_back(v);
    edges.target.push_back((v + 1) % 8);
  }
  edges.source.push_back(0);
  edges.target.push_back(4);
  const hgnet::Graph graph = hgnet::Graph::from_edges(8, edges);
  const torch::Tensor x = torch::arange(16, torch::kFloat32).view({8, 2}) / 16;

  // HGNet with two levels of edge contraction. A trained model would come from a file.
  hgnet::ModelConfig config = hgnet::model_defaults("hgnet-edgepool");
  config.inputs = 2;
  config.outputs = 3;
  config.levels = 2;
  hgnet::save_model(*hgnet::make_model(config, /*seed=*/1), "example-model.safetensors");

  const std::shared_ptr<hgnet::Model> model = hgnet::load_model("example-model.safetensors");
  std::cout << model->describe();
  const torch::NoGradGuard no_grad;
  const hgnet::Input input = hgnet::Input::of(model->prepare(graph), x);
  const torch::Tensor classes = model->forward(input).argmax(1);
  for (std::int64_t v = 0; v < 8; ++v)
    std::cout << "node " << v << ": class " << classes[v].item<std::int64_t>() << "\n";
}
