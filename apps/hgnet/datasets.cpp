// hgnet datasets: the known data sets, and which of them are on this machine.

#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "hgnet/data/registry.hpp"

namespace hgnet::app {
namespace {

struct DatasetsArguments {
  std::string root;
  bool json = false;
};

nlohmann::json to_json(const KnownDataset& set, const std::filesystem::path& root) {
  nlohmann::json files = nlohmann::json::array();
  for (const KnownFile& file : set.files) {
    files.push_back({{"path", file.path},
                     {"url", file.url},
                     {"sum_known", !file.sums.empty()},
                     {"on_disk", std::filesystem::is_regular_file(root / file.path)}});
  }
  return {{"name", set.name},       {"task", set.task},         {"graphs", set.graphs},
          {"nodes", set.nodes},     {"edges", set.edges},       {"features", set.features},
          {"classes", set.classes}, {"protocol", set.protocol}, {"metric", set.metric},
          {"source", set.source},   {"files", files},           {"on_disk", on_disk(set, root)}};
}

void print_text(const std::filesystem::path& root) {
  const auto row = [](const auto& name, const auto& graphs, const auto& nodes, const auto& edges,
                      const auto& classes, const auto& here) -> std::ostream& {
    return std::cout << std::left << std::setw(17) << name << std::right << std::setw(8) << graphs
                     << std::setw(9) << nodes << std::setw(9) << edges << std::setw(9) << classes
                     << "  " << std::left << std::setw(6) << here;
  };
  std::cout << "data root: " << root.string() << "\nnodes and edges are averages per graph\n\n";
  row("name", "graphs", "nodes", "edges", "classes", "here") << "task, protocol, metric; source\n";
  for (const KnownDataset& set : known_datasets()) {
    const char* here = set.files.empty() ? "made" : on_disk(set, root) ? "yes" : "no";
    row(set.name, set.graphs, set.nodes, set.edges, set.classes, here)
        << set.task << ", " << set.protocol << ", " << set.metric << "; " << set.source << "\n";
  }
}

void run_datasets(const DatasetsArguments& options) {
  const std::filesystem::path root =
      options.root.empty() ? default_data_root() : std::filesystem::path(options.root);
  if (!options.json) {
    print_text(root);
    return;
  }
  nlohmann::json sets = nlohmann::json::array();
  for (const KnownDataset& set : known_datasets()) sets.push_back(to_json(set, root));
  const nlohmann::json all{{"root", root.string()}, {"datasets", sets}};
  std::cout << all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
}

}  // namespace

void add_datasets(CLI::App& program) {
  auto options = std::make_shared<DatasetsArguments>();
  CLI::App* command = program.add_subcommand(
      "datasets",
      "List the known data sets: sizes, tasks, sources, and whether they are on this machine");
  command->group(kDataGroup);
  command
      ->add_option("--root", options->root,
                   "Folder of the data sets (default: HGNET_DATA, or in the user's cache folder)")
      ->type_name("FOLDER");
  command->add_flag("--json", options->json, "Print one JSON object instead of text");
  command->footer("Example:\n  hgnet datasets --root data");
  command->callback([options] { run_datasets(*options); });
}

}  // namespace hgnet::app
