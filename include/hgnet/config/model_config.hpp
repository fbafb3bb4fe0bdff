#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hgnet/coarsening/methods.hpp"
#include "hgnet/config/kinds.hpp"
#include "hgnet/core/activation.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/task.hpp"

namespace hgnet {

/// Everything that defines a model apart from its weights. Settings that the chosen model does not
/// read must keep their defaults: check() rejects others.
struct ModelConfig {
  std::string model = "gcn";  // see model_names()
  Task task = Task::kNode;
  std::int64_t inputs = 0;   // width of the node features; molecules: kAtomWidth
  std::int64_t outputs = 0;  // classes, labels or targets
  bool molecule = false;     // atoms and bonds as input
  /// Width of the features of edges that the layers read; 0: none. Molecules have bonds instead.
  std::int64_t edge_inputs = 0;

  std::int64_t hidden = 32;  // gat: per head
  int layers = 2;            // flat models; wl: rounds
  int levels = 1;            // hierarchical models
  Norm norm = Norm::kNone;
  double norm_momentum = 0.1;  // share of a batch's statistics in the running ones
  Activation activation = Activation::kElu;
  double dropout = 0;               // after every activation but the last
  double input_dropout = 0;         // on the features
  double edge_dropout = 0;          // undirected edges left out of G_0, drawn anew each time
  bool residual = false;            // flat models: x + layer(x) where the widths agree
  bool broadcast_residual = false;  // and where x has one column, which all channels get

  // Graph tasks: rows of a graph's nodes -> one row, then Linear, activation, dropout, Linear.
  Readout readout = Readout::kMean;
  std::int64_t classifier_hidden = 128;
  Activation classifier_activation = Activation::kElu;
  double classifier_dropout = 0;

  // Layers.
  LayerKind layer =
      LayerKind::kGcn;           // hgnet: of each level; with join sum or concat while refining too
  std::int64_t heads = 1;        // gat
  std::int64_t later_heads = 0;  // gat: of the layers after the first; 0: as many as the first
  std::int64_t last_heads = 1;   // gat, node tasks: of the last layer, averaged
  double attention_dropout = 0;  // gat
  int cheb_order = 2;            // cheb: K
  bool trainable_eps = false;    // gin
  bool virtual_node_residual = false;  // virtual node outside molecules: vn + MLP(...)
  bool virtual_node_dropout = false;   // the same: dropout on the result of the MLP

  // HGNet.
  Coarsening coarsening = Coarsening::kEdgePool;
  JoinKind join = JoinKind::kRgcn;
  Aggregation aggregation = Aggregation::kSum;    // join rgcn
  SelfLoops self_loops = SelfLoops::kRemove;      // edgepool: of coarse nodes
  EdgePooling edge_weights = EdgePooling::kMean;  // of coarse edges; molecules: their bond rows
  PooledRows pooled_rows = PooledRows::kAfter;    // static coarsenings, from the second level on
  Partition partition = Partition::kFirstPass;    // louvain
  bool weighted_louvain = false;                  // louvain: by the edge weights
  std::uint64_t coarsening_seed = 0;              // louvain, heavy-edge, random

  // g-U-Net and coarsening top-k: what each level keeps. Up to 1 a share of the nodes, above 1 a
  // count.
  std::vector<double> keep;

  std::int64_t colours = 2000;  // wl: told apart, the most frequent ones

  bool operator==(const ModelConfig&) const = default;
};

/// A setting that the chosen model does not read is not at its default.
class NoEffect : public Error {
 public:
  using Error::Error;
};

/// Throws Error, saying why, for an invalid configuration; NoEffect for a setting without effect.
void check(const ModelConfig& config);

/// The configurations for which a setting has an effect.
struct Readers {
  const char* who;
  bool (*include)(const ModelConfig& config);
};

namespace read_by {
extern const Readers kEveryModel;
extern const Readers kEdgeRows;
extern const Readers kGraphLayers;
extern const Readers kHiddenRows;
extern const Readers kWl;
extern const Readers kLayers;
extern const Readers kFlatModels;
extern const Readers kHierarchicalModels;
extern const Readers kHgnet;
extern const Readers kGraphTasks;
extern const Readers kGatLayers;
extern const Readers kFlatGat;
extern const Readers kGatOfNodes;
extern const Readers kNorms;
extern const Readers kResiduals;
extern const Readers kVirtualNodes;
extern const Readers kChebLayers;
extern const Readers kGinLayers;
extern const Readers kRgcnJoin;
extern const Readers kEdgePoolLevels;
extern const Readers kLouvainLevels;
extern const Readers kStaticLevels;
extern const Readers kContractedLevels;
extern const Readers kTopKLevels;
}  // namespace read_by

/// Conversion to and from a JSON object with every field; a missing field gets its default. Throws
/// Error, naming the field, if it does not exist or has an invalid value.
std::string to_json(const ModelConfig& config);
ModelConfig model_config_from_json(std::string_view json);

/// The first field in which two configurations differ, as in "hidden is 32 and 64"; empty if they
/// are equal.
std::string first_difference(const ModelConfig& a, const ModelConfig& b);

/// Calls visit(name, field, help, readers) for every field of a ModelConfig, const or not.
template <class Config, class Visit>
void for_each_field(Config& c, Visit&& visit) {
  visit("model", c.model, "name of the model", read_by::kEveryModel);
  visit("task", c.task, "what is predicted", read_by::kEveryModel);
  visit("inputs", c.inputs, "width of the node features", read_by::kEveryModel);
  visit("outputs", c.outputs, "classes, labels or targets", read_by::kEveryModel);
  visit("molecule", c.molecule, "atoms and bonds as input", read_by::kEveryModel);
  visit("edge-inputs", c.edge_inputs, "width of the features of edges", read_by::kEdgeRows);
  visit("hidden", c.hidden, "hidden width (gat: per head)", read_by::kHiddenRows);
  visit("layers", c.layers, "layers of a flat model, rounds of wl", read_by::kLayers);
  visit("levels", c.levels, "coarse levels of a hierarchical model", read_by::kHierarchicalModels);
  visit("norm", c.norm, "normalisation after each layer", read_by::kGraphLayers);
  visit("norm-momentum", c.norm_momentum, "share of a batch in a norm's running statistics",
        read_by::kNorms);
  visit("activation", c.activation, "activation after each layer", read_by::kHiddenRows);
  visit("dropout", c.dropout, "dropout after each activation", read_by::kHiddenRows);
  visit("input-dropout", c.input_dropout, "dropout on the features", read_by::kHiddenRows);
  visit("edge-dropout", c.edge_dropout, "share of edges dropped while training",
        read_by::kGraphLayers);
  visit("residual", c.residual, "flat models: add a layer's input to its output",
        read_by::kFlatModels);
  visit("broadcast-residual", c.broadcast_residual,
        "add an input of one column to all channels of the first layer", read_by::kResiduals);
  visit("readout", c.readout, "rows of nodes to one row per graph", read_by::kGraphTasks);
  visit("classifier-hidden", c.classifier_hidden, "hidden width of the classifier",
        read_by::kGraphTasks);
  visit("classifier-activation", c.classifier_activation, "activation inside the classifier",
        read_by::kGraphTasks);
  visit("classifier-dropout", c.classifier_dropout, "dropout inside the classifier",
        read_by::kGraphTasks);
  visit("layer", c.layer, "hgnet: the layer of each level", read_by::kHgnet);
  visit("heads", c.heads, "gat: attention heads", read_by::kGatLayers);
  visit("later-heads", c.later_heads, "gat: heads of the layers after the first; 0: as the first",
        read_by::kFlatGat);
  visit("last-heads", c.last_heads, "gat: heads of the last layer, node tasks; averaged",
        read_by::kGatOfNodes);
  visit("attention-dropout", c.attention_dropout, "gat: dropout on attention", read_by::kGatLayers);
  visit("cheb-order", c.cheb_order, "cheb: number of polynomials K", read_by::kChebLayers);
  visit("trainable-eps", c.trainable_eps, "gin: learn eps", read_by::kGinLayers);
  visit("virtual-node-residual", c.virtual_node_residual,
        "virtual node: add its previous state to its new one", read_by::kVirtualNodes);
  visit("virtual-node-dropout", c.virtual_node_dropout, "virtual node: dropout on its new state",
        read_by::kVirtualNodes);
  visit("coarsening", c.coarsening, "hgnet: how levels are made", read_by::kHgnet);
  visit("join", c.join, "hgnet: how a level combines with the level above", read_by::kHgnet);
  visit("aggregation", c.aggregation, "hgnet, join rgcn: sum or mean over a relation",
        read_by::kRgcnJoin);
  visit("self-loops", c.self_loops, "edgepool: keep self-loops of coarse nodes",
        read_by::kEdgePoolLevels);
  visit("edge-weights", c.edge_weights, "hgnet: weights (molecules: bond rows) of coarse edges",
        read_by::kContractedLevels);
  visit("pooled-rows", c.pooled_rows,
        "static coarsenings: pool rows from after or before a level's layer",
        read_by::kStaticLevels);
  visit("partition", c.partition, "louvain: first pass or best partition", read_by::kLouvainLevels);
  visit("weighted-louvain", c.weighted_louvain, "louvain: use the edge weights",
        read_by::kLouvainLevels);
  visit("coarsening-seed", c.coarsening_seed, "seed of louvain, heavy-edge and random",
        read_by::kStaticLevels);
  visit("keep", c.keep, "g-unet, top-k: shares or counts of nodes kept at each level",
        read_by::kTopKLevels);
  visit("colours", c.colours, "wl: how many colours are told apart", read_by::kWl);
}

}  // namespace hgnet
