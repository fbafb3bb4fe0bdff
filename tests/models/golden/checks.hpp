// Layers and whole models compared with another implementation's outputs and gradients, on the same
// weights: what the checks share, and the checks. Each fails by gtest's assertions.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "hgnet/models/model.hpp"
#include "hgnet/nn/layer.hpp"
#include "hgnet/nn/linear.hpp"
#include "hgnet/nn/tail.hpp"
#include "support/golden.hpp"

namespace hgnet::golden {

using test::GoldenCase;
using torch::Tensor;

inline constexpr double kTolerance = 1e-5;
inline constexpr double kNormTolerance = 1e-4;  // through batch normalisation, and for training

/// Which of our tensors holds which of theirs: a name, and how theirs is brought into our shape.
/// One of ours may be stacked from several of theirs.
struct Parameter {
  Tensor ours;
  std::vector<std::string> theirs;
  Tensor (*shape)(const Tensor&);
};

using Parameters = std::vector<Parameter>;

inline Tensor as_it_is(const Tensor& t) { return t; }
inline Tensor transposed(const Tensor& t) { return t.t(); }
inline Tensor flat(const Tensor& t) { return t.reshape({-1}); }
inline Tensor without_first(const Tensor& t) { return t.squeeze(0); }
inline Tensor two_rows(const Tensor& t) { return t.view({2, -1}); }

/// `norm`: of a GIN's hidden rows; `order`: of a ChebNet.
Parameters layer_parameters(GraphLayer& layer, const std::string& prefix, bool norm = false,
                            int order = 2);
Parameters norm_parameters(const TailImpl& tail, const std::string& prefix);
Parameters linear_parameters(const LinearImpl& linear, const std::string& prefix);
Parameters classifier_parameters(const Model& model, const std::string& first,
                                 const std::string& second);
Parameters hgnet_parameters(const Model& model, const std::string& prefix);
void append(Parameters& to, const Parameters& from);

/// Their value of a parameter, or its gradient, in our shape.
Tensor theirs(const GoldenCase& c, const Parameter& p, bool gradient);
/// Copies their values into ours.
void load(const GoldenCase& c, const Parameters& parameters);
/// Compares the output, and the gradients of sum(out * probe) by all parameters and `inputs`.
void expect_case(const GoldenCase& c, const Tensor& out, const Parameters& parameters,
                 const std::map<std::string, Tensor>& inputs, double tolerance);

inline Tensor leaf(const Tensor& t) { return t.detach().clone().set_requires_grad(true); }
ParentMap graph_of_node(const GoldenCase& c);
Input input_of(const GoldenCase& c);

// Single layers.
void check_gcn(const GoldenCase& c);
void check_gin(const GoldenCase& c);
void check_gat(const GoldenCase& c);
void check_cheb(const GoldenCase& c);
void check_rgcn(const GoldenCase& c);
void check_edge_pool(const GoldenCase& c);
void check_top_k(const GoldenCase& c);
void check_molecule_layer(const GoldenCase& c);
// Whole models.
void check_flat_model(const GoldenCase& c);
void check_g_unet(const GoldenCase& c);
void check_hgnet(const GoldenCase& c);
void check_molecule_hgnet(const GoldenCase& c);
// Splits, metrics and training steps.
void check_sanitized_walk(const GoldenCase& c);
void check_metrics(const GoldenCase& c);
void check_training(const GoldenCase& c);

}  // namespace hgnet::golden
