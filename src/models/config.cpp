#include "hgnet/models/config.hpp"

#include "core/field_json.hpp"
#include "hgnet/models/model.hpp"
#include "hgnet/nn/molecule.hpp"

namespace hgnet {
namespace {

void require(bool holds, const std::string& rule) {
  if (!holds) throw Error("model: " + rule);
}

bool is_share(double p) { return p >= 0 && p < 1; }

void check_ranges(const ModelConfig& c) {
  require(c.inputs > 0, "inputs, the width of the features, must be positive");
  require(c.outputs > 0, "outputs must be positive");
  require(c.hidden > 0, "hidden must be positive");
  require(c.layers > 0, "layers must be positive");
  require(c.levels > 0, "levels must be positive");
  require(c.classifier_hidden > 0, "classifier-hidden must be positive");
  require(c.heads > 0 && c.last_heads > 0, "heads must be positive");
  require(c.cheb_order > 0, "cheb-order must be positive");
  require(is_share(c.dropout) && is_share(c.input_dropout) && is_share(c.edge_dropout) &&
              is_share(c.classifier_dropout) && is_share(c.attention_dropout),
          "a dropout must be at least 0 and below 1");
  for (const double kept : c.keep)
    require(kept > 0 && kept < 2e9, "keep needs shares of the nodes (up to 1) or counts (above)");
}

/// Options that only some models read must be at their defaults elsewhere.
void check_unused(const ModelConfig& c) {
  const ModelConfig unset;
  const bool hgnet = c.model == "hgnet";
  const bool hierarchical = hgnet || c.model == "g-unet";
  const bool gat = c.model == "gat" || (hgnet && c.layer == LayerKind::kGat);
  const bool cheb = c.model == "cheb" || (hgnet && c.layer == LayerKind::kCheb);
  const bool gin = c.model == "gin" || c.model == "gin-vn" || (hgnet && c.layer == LayerKind::kGin);
  const bool edgepool = hgnet && c.coarsening == Coarsening::kEdgePool;
  const bool louvain = hgnet && c.coarsening == Coarsening::kLouvain;
  const bool top_k = hgnet && c.coarsening == Coarsening::kTopK;
  const auto only = [&](bool used, bool set, const char* what, const char* where = "this model") {
    if (!used && set) throw NoEffect("model: " + std::string(what) + " has no effect on " + where);
  };
  only(hierarchical, c.levels != unset.levels, "levels");
  only(!hierarchical, c.layers != unset.layers, "layers");
  only(!hierarchical, c.residual, "residual");
  only(hgnet, c.layer != unset.layer, "layer");
  only(gat, c.heads != unset.heads, "heads");
  only(c.model == "gat", c.last_heads != unset.last_heads, "last-heads");
  only(c.task == Task::kNode, c.last_heads != unset.last_heads, "last-heads", "graph tasks");
  only(gat, c.attention_dropout != 0, "attention-dropout");
  only(cheb, c.cheb_order != unset.cheb_order, "cheb-order");
  only(gin, c.trainable_eps, "trainable-eps");
  only(!c.molecule, c.trainable_eps, "trainable-eps", "molecules, whose gin always learns eps");
  only(hgnet, c.coarsening != unset.coarsening, "coarsening");
  only(hgnet, c.join != unset.join, "join");
  only(hgnet && c.join == Join::kRgcn, c.aggregation != unset.aggregation, "aggregation");
  only(edgepool, c.self_loops != unset.self_loops, "self-loops");
  only(hgnet && !top_k, c.edge_weights != unset.edge_weights, "edge-weights");
  only(louvain, c.partition != unset.partition, "partition");
  only(louvain, c.weighted_louvain, "weighted-louvain");
  only(hgnet && !edgepool && !top_k, c.coarsening_seed != 0, "coarsening-seed");
  only(c.model == "g-unet" || top_k, !c.keep.empty(), "keep");
  const auto only_graphs = [&](bool set, const char* what) {
    only(c.task == Task::kGraph, set, what, "node tasks");
  };
  only_graphs(c.readout != unset.readout, "readout");
  only_graphs(c.classifier_hidden != unset.classifier_hidden, "classifier-hidden");
  only_graphs(c.classifier_activation != unset.classifier_activation, "classifier-activation");
  only_graphs(c.classifier_dropout != unset.classifier_dropout, "classifier-dropout");
}

void check_molecule(const ModelConfig& c) {
  const bool layer_reads_bonds = c.model == "gcn" || c.model == "gcn-vn" || c.model == "gin" ||
                                 c.model == "gin-vn" ||
                                 (c.model == "hgnet" && c.layer == LayerKind::kGcn);
  require(layer_reads_bonds,
          "no layer of this model reads bonds; for molecules take gcn, gcn-vn, gin, gin-vn or an "
          "hgnet of gcn layers");
  static_assert(kAtomWidth == 174);
  require(c.inputs == kAtomWidth,
          "molecules have 174 inputs: one for each category of each column of an atom");
  if (c.model != "hgnet") return;
  require(c.join == Join::kParent, "molecules need join parent, the only one that reads bonds");
  require(c.coarsening != Coarsening::kTopK,
          "top-k makes edges between nodes that share no bond, so molecules cannot use it");
  require(c.self_loops == SelfLoops::kRemove,
          "a self-loop has no bond; molecules need them removed");
  require(c.edge_weights == EdgePooling::kMean && c.coarsening != Coarsening::kHeavyEdge,
          "the molecule layers have no edge weights");
}

}  // namespace

void check(const ModelConfig& c) {
  model_defaults(c.model);  // throws for an unknown name
  require(c.model != "hgnet-edgepool" && c.model != "hgnet-louvain",
          c.model + " is short for hgnet with a coarsening: take model_defaults()");
  check_ranges(c);
  check_unused(c);
  if (c.molecule) check_molecule(c);
  if (c.model == "hgnet" && c.layer == LayerKind::kGat) {
    require(c.hidden % c.heads == 0, "hidden, of all heads together, must be a multiple of heads");
    const bool down_to_outputs = c.join == Join::kSum || c.join == Join::kConcat;
    require(
        c.task != Task::kNode || !down_to_outputs || c.outputs % c.heads == 0,
        "with join sum or concat the last gat layer has as many channels as outputs, which must "
        "be a multiple of heads");
  }
  const bool keeps =
      c.model == "g-unet" || (c.model == "hgnet" && c.coarsening == Coarsening::kTopK);
  if (keeps) {
    require(static_cast<int>(c.keep.size()) == c.levels,
            "keep needs one number for each of the " + std::to_string(c.levels) + " levels (got " +
                std::to_string(c.keep.size()) + ")");
  }
  if (c.weighted_louvain) {
    require(c.edge_weights == EdgePooling::kSum,
            "weighted-louvain goes by sums of edges: it needs edge-weights sum");
  }
}

std::string to_json(const ModelConfig& config) {
  nlohmann::ordered_json json;
  for_each_field(config, [&](const char* name, const auto& field, const char*) {
    json[name] = value_to_json(field);
  });
  return json.dump(2);
}

ModelConfig model_config_from_json(std::string_view text) {
  nlohmann::json json;
  try {
    json = nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    throw Error(std::string("model configuration is not JSON: ") + error.what());
  }
  if (!json.is_object()) throw Error("model configuration: expected a JSON object");
  ModelConfig config;
  for_each_field(config, [&](const char* name, auto& field, const char*) {
    const auto found = json.find(name);
    if (found == json.end()) return;
    try {
      value_from_json(*found, field);
    } catch (const std::exception& error) {
      throw Error(std::string("model configuration, field ") + name + ": " + error.what());
    }
    json.erase(found);
  });
  if (!json.empty()) throw Error("model configuration has an unknown field " + json.begin().key());
  return config;
}

std::string first_difference(const ModelConfig& a, const ModelConfig& b) {
  const auto theirs = nlohmann::json::parse(to_json(b));
  std::string result;
  for_each_field(a, [&](const char* name, const auto& field, const char*) {
    const nlohmann::json ours = value_to_json(field);
    if (result.empty() && ours != theirs.at(name))
      result = std::string(name) + " is " + ours.dump() + " and " + theirs.at(name).dump();
  });
  return result;
}

}  // namespace hgnet
