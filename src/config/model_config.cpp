#include "hgnet/config/model_config.hpp"

#include "core/field_json.hpp"
#include "core/nested_text.hpp"
#include "hgnet/config/edge_use.hpp"
#include "hgnet/config/limits.hpp"
#include "hgnet/config/model_table.hpp"
#include "hgnet/config/molecules.hpp"

namespace hgnet {
namespace {

void require(bool holds, const std::string& rule) {
  if (!holds) throw Error("model: " + rule);
}

bool is_hgnet(const ModelConfig& c) { return model_row(c.model).frame == Frame::kHgnet; }

Frame frame_of(const ModelConfig& c) { return model_row(c.model).frame; }

bool is_share(double p) { return p >= 0 && p < 1; }

void check_ranges(const ModelConfig& c) {
  require(c.inputs > 0, "inputs, the width of the features, must be positive");
  require(c.outputs > 0, "outputs must be positive");
  require(c.edge_inputs >= 0, "edge-inputs must not be negative");
  require(c.edge_inputs == 0 || !c.molecule, "molecules have bonds, not edge-inputs");
  require(c.hidden > 0, "hidden must be positive");
  require(c.layers > 0 || (c.layers == 0 && frame_of(c) == Frame::kWl), "layers must be positive");
  require(c.colours > 0, "colours must be positive");
  require(frame_of(c) != Frame::kRows || c.readout != Readout::kMax,
          "mlp takes the sum or the mean of rows, not their maximum");
  require(c.levels > 0, "levels must be positive");
  require(c.classifier_hidden > 0, "classifier-hidden must be positive");
  require(c.heads > 0 && c.last_heads > 0 && c.later_heads >= 0, "heads must be positive");
  require(c.norm_momentum > 0 && c.norm_momentum <= 1,
          "norm-momentum must be above 0 and at most 1");
  require(c.cheb_order > 0, "cheb-order must be positive");
  require(is_share(c.dropout) && is_share(c.input_dropout) && is_share(c.edge_dropout) &&
              is_share(c.classifier_dropout) && is_share(c.attention_dropout),
          "dropout must be at least 0 and below 1");
  for (const double kept : c.keep)
    require(kept > 0 && kept < 2e9, "keep takes shares of the nodes (up to 1) or counts (above 1)");
}

/// Settings that the model does not read must be at their defaults.
void check_unread(const ModelConfig& c) {
  const ModelConfig defaults;
  nlohmann::json unset;
  for_each_field(defaults, [&](const char* name, const auto& field, const char*, const Readers&) {
    unset[name] = value_to_json(field);
  });
  for_each_field(c, [&](const char* name, const auto& field, const char*, const Readers& readers) {
    if (!readers.include(c) && value_to_json(field) != unset.at(name))
      throw NoEffect("model: " + std::string(name) + " has no effect here; it is for " +
                     readers.who);
  });
}

void check_molecule(const ModelConfig& c) {
  const ModelRow& row = model_row(c.model);
  require(!is_hgnet(c) || c.coarsening != Coarsening::kTopK,
          "top-k makes edges between nodes that share no bond, so molecules cannot use it");
  require(row.yardstick() || takes_edge_rows(c),
          "no layer of this model reads bonds; for molecules use gcn, gcn-vn, gin, gin-vn or an "
          "hgnet of gcn layers");
  static_assert(kAtomWidth == 174);
  require(c.inputs == kAtomWidth,
          "molecules have 174 inputs: one for each category of each atom column");
  if (!row.hierarchical()) return;
  require(traits_of(c.join).reads_edge_rows,
          "molecules need join parent, the only one that reads bonds");
  require(c.self_loops == SelfLoops::kRemove,
          "a self-loop has no bond; molecules need them removed");
  require(!traits_of(c.coarsening).by_weight, "the molecule layers have no edge weights");
}

}  // namespace

namespace read_by {

const Readers kEveryModel{"every model", [](const ModelConfig&) { return true; }};
const Readers kEdgeRows{"gcn and gin, hgnet of gcn layers with any coarsening but top-k, and wl",
                        takes_edge_rows};
const Readers kGraphLayers{"models with graph layers",
                           [](const ModelConfig& c) { return !model_row(c.model).yardstick(); }};
const Readers kHiddenRows{"models with hidden rows of nodes", [](const ModelConfig& c) {
                            return !model_row(c.model).yardstick() ||
                                   (frame_of(c) == Frame::kRows && c.task == Task::kNode);
                          }};
const Readers kWl{"wl", [](const ModelConfig& c) { return frame_of(c) == Frame::kWl; }};
const Readers kLayers{"flat models and wl", [](const ModelConfig& c) {
                        return frame_of(c) == Frame::kFlat || frame_of(c) == Frame::kWl;
                      }};
const Readers kFlatModels{"flat models",
                          [](const ModelConfig& c) { return frame_of(c) == Frame::kFlat; }};
const Readers kHierarchicalModels{
    "hierarchical models", [](const ModelConfig& c) { return model_row(c.model).hierarchical(); }};
const Readers kHgnet{"hgnet", is_hgnet};
const Readers kGraphTasks{"graph tasks, except for wl", [](const ModelConfig& c) {
                            return c.task == Task::kGraph && frame_of(c) != Frame::kWl;
                          }};
const Readers kGatLayers{"gat layers",
                         [](const ModelConfig& c) { return layer_of(c) == LayerKind::kGat; }};
const Readers kFlatGat{"the model gat", [](const ModelConfig& c) {
                         return !is_hgnet(c) && layer_of(c) == LayerKind::kGat;
                       }};
const Readers kNorms{"models with a norm",
                     [](const ModelConfig& c) { return c.norm != Norm::kNone; }};
const Readers kResiduals{"flat models with residuals", [](const ModelConfig& c) {
                           return frame_of(c) == Frame::kFlat && c.residual;
                         }};
const Readers kVirtualNodes{"a virtual node outside molecules", [](const ModelConfig& c) {
                              return model_row(c.model).virtual_node && !c.molecule;
                            }};
const Readers kGatOfNodes{"the model gat on node tasks", [](const ModelConfig& c) {
                            return !is_hgnet(c) && layer_of(c) == LayerKind::kGat &&
                                   c.task == Task::kNode;
                          }};
const Readers kChebLayers{"cheb layers",
                          [](const ModelConfig& c) { return layer_of(c) == LayerKind::kCheb; }};
const Readers kGinLayers{
    "gin layers (those of molecules always learn eps)",
    [](const ModelConfig& c) { return layer_of(c) == LayerKind::kGin && !c.molecule; }};
const Readers kRgcnJoin{"hgnet with join rgcn", [](const ModelConfig& c) {
                          return is_hgnet(c) && c.join == JoinKind::kRgcn;
                        }};
const Readers kEdgePoolLevels{"hgnet with coarsening edgepool", [](const ModelConfig& c) {
                                return is_hgnet(c) && c.coarsening == Coarsening::kEdgePool;
                              }};
const Readers kLouvainLevels{"hgnet with coarsening louvain", [](const ModelConfig& c) {
                               return is_hgnet(c) && c.coarsening == Coarsening::kLouvain;
                             }};
const Readers kStaticLevels{
    "hgnet with coarsening louvain, heavy-edge or random",
    [](const ModelConfig& c) { return is_hgnet(c) && !traits_of(c.coarsening).learned; }};
const Readers kContractedLevels{"hgnet with any coarsening but top-k", [](const ModelConfig& c) {
                                  return is_hgnet(c) && c.coarsening != Coarsening::kTopK;
                                }};
const Readers kTopKLevels{"g-unet, and hgnet with coarsening top-k", [](const ModelConfig& c) {
                            return is_hgnet(c) ? c.coarsening == Coarsening::kTopK
                                               : model_row(c.model).hierarchical();
                          }};

}  // namespace read_by

void check(const ModelConfig& c) {
  const ModelRow& row = model_row(c.model);
  require(!row.coarsening, c.model + " is short for hgnet with a coarsening: use model_defaults()");
  check_ranges(c);
  check_sizes(c);
  check_unread(c);
  if (c.molecule) check_molecule(c);
  if (is_hgnet(c) && c.layer == LayerKind::kGat) {
    require(c.hidden % c.heads == 0,
            "hidden, the total width of all heads, must be a multiple of heads");
    require(
        c.task != Task::kNode || !traits_of(c.join).of_layer || c.outputs % c.heads == 0,
        "with join sum or concat the last gat layer has as many channels as outputs, which must "
        "be a multiple of heads");
  }
  if (read_by::kTopKLevels.include(c)) {
    require(static_cast<int>(c.keep.size()) == c.levels,
            "keep needs one number for each of the " + std::to_string(c.levels) + " levels (got " +
                std::to_string(c.keep.size()) + ")");
  }
  if (c.weighted_louvain) {
    require(c.edge_weights == EdgePooling::kSum,
            "weighted-louvain uses sums of edge weights: it needs edge-weights sum");
  }
}

namespace {

nlohmann::ordered_json json_of(const ModelConfig& config) {
  nlohmann::ordered_json json;
  for_each_field(config, [&](const char* name, const auto& field, const char*, const Readers&) {
    json[name] = value_to_json(field);
  });
  return json;
}

}  // namespace

std::string to_json(const ModelConfig& config) { return json_of(config).dump(2); }

ModelConfig model_config_from_json(std::string_view text) {
  nlohmann::json json;
  try {
    json = parse_shallow_json(text);
  } catch (const nlohmann::json::exception& error) {
    throw Error("model configuration is not JSON: " + json_fault(error));
  }
  if (!json.is_object()) throw Error("model configuration: expected a JSON object");
  ModelConfig config;
  for_each_field(config, [&](const char* name, auto& field, const char*, const Readers&) {
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
  const nlohmann::ordered_json ours = json_of(a);
  const nlohmann::ordered_json theirs = json_of(b);
  for (const auto& [name, value] : ours.items()) {
    if (value != theirs.at(name))
      return name + " is " + value.dump() + " and " + theirs.at(name).dump();
  }
  return {};
}

}  // namespace hgnet
