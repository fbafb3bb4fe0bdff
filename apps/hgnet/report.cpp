// hgnet report: makes tables, claims and pictures from the records of fits.

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>

#include "commands.hpp"
#include "generate_svg.hpp"
#include "hgnet/coarsening/methods.hpp"
#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/version.hpp"
#include "hgnet/data/color_connectivity.hpp"
#include "hgnet/data/graph_file.hpp"
#include "hgnet/data/registry.hpp"
#include "hgnet/graph/generators.hpp"
#include "hgnet/paper/catalogue.hpp"
#include "hgnet/paper/claims.hpp"
#include "hgnet/report/html.hpp"
#include "hgnet/report/page.hpp"
#include "hgnet/report/writers.hpp"
#include "hgnet/settings/fit_folder.hpp"
#include "hgnet/settings/search.hpp"
#include "hierarchy_svg.hpp"
#include "stacked_svg.hpp"

namespace hgnet::app {
namespace {

const char* const kSubject =
    "Rampášek and Wolf, Hierarchical graph neural nets can capture long-range interactions.";

struct ReportArguments {
  std::vector<std::filesystem::path> places;
  std::string out;
  std::string markdown;
  std::string csv;
  std::string latex;
  std::string records;
  std::string page;
  std::string title;  // empty: what the report is about
  std::filesystem::path root;
  bool json = false;
};

/// Grids and a path, and the road networks if they are on this machine.
std::vector<SizeSubject> size_subjects(std::filesystem::path root) {
  std::vector<SizeSubject> subjects = default_size_subjects();
  if (root.empty()) root = user_data_root();
  if (root.empty()) return subjects;
  for (const char* road : {"euroroad", "minnesota"}) {
    const KnownDataset& known = known_dataset(std::string("cc-") + road);
    if (!on_disk(known, root)) continue;
    const Graph graph = read_graph(root / known.files.front().path);
    subjects.push_back({road, graph});
  }
  return subjects;
}

/// 12 nodes and 14 edges, as in the paper's Figure 1.
ReportFigure levels_figure() {
  constexpr int kColumns = 4;
  EdgeList edges;
  edges.source = {0, 1, 2, 0, 1, 3, 4, 6, 4, 6, 7, 8, 9, 10};
  edges.target = {1, 2, 3, 4, 5, 7, 5, 7, 8, 10, 11, 9, 10, 11};
  const Graph graph = Graph::from_edges(12, edges);
  const Hierarchy hierarchy = build_hierarchy(graph, 2, coarsen_step(Coarsening::kEdgePool, {}));
  return {
      "Figure 1. HGNet with two levels",
      "A graph of 12 nodes and 14 edges below the levels that edge contraction makes of it. While "
      "coarsening, a GCN layer runs on each level before its nodes are merged; while refining, "
      "an RGCN layer runs over the edges of a level and those to the parents. Dashed lines are "
      "edges between levels.",
      stacked_svg(hierarchy, grid_layout(kColumns, 3), "two levels of edge contraction")};
}

ReportFigure examples_figure(const std::string& title, int side) {
  const std::string size = std::to_string(side) + "x" + std::to_string(side);
  const ColorConnectivity samples =
      generate_color_connectivity(grid_graph(side, side), {.num_samples = 64});
  return {title,
          "Two samples of each label on the " + size +
              " grid: the red nodes are one island (label 0) or two (label 1).",
          examples_svg(samples, grid_layout(side, side), "cc-grid" + std::to_string(side))};
}

std::vector<ReportFigure> figures() {
  constexpr int kSide = 16;
  constexpr int kLevels = 3;
  const Graph grid = grid_graph(kSide, kSide);
  const Layout layout = grid_layout(kSide, kSide);
  std::vector<ReportFigure> result = {levels_figure()};
  for (const Coarsening method : {Coarsening::kEdgePool, Coarsening::kLouvain}) {
    const Hierarchy hierarchy = build_hierarchy(grid, kLevels, coarsen_step(method, {}));
    const std::string method_name(enum_name(method));
    result.push_back({"Hierarchy by " + method_name,
                      "A 16x16 grid with its nodes coloured by their coarse node at each level.",
                      hierarchy_svg(hierarchy, layout, "grid of 16x16, " + method_name)});
  }
  result.push_back(examples_figure("Figure A.1. Color-connectivity", kSide));
  result.push_back(examples_figure("Figure A.2. Color-connectivity, larger", 2 * kSide));
  return result;
}

void write(const std::string& file, const std::string& text) {
  if (file.empty()) return;
  if (file == "-") {
    std::string lines = text;
    std::erase(lines, '\r');  // of csv, which a terminal would show
    std::cout << lines;
    return;
  }
  write_atomically(file, text);
  std::cerr << "wrote " << file << "\n";
}

/// Own fits have no part in the paper: their report has their table and nothing of the paper.
bool are_own(const std::vector<ResultTable>& tables) {
  return std::none_of(tables.begin(), tables.end(), [](const ResultTable& table) {
    return table.layout.id != "others" && table.filled() > 0;
  });
}

/// "gcn and gin on my_graphs".
std::string own_title(const Results& results) {
  std::set<std::string> models;
  std::set<std::string> data;
  for (const FitGroup& group : results.groups()) {
    models.insert(group.key.model);
    data.insert(group.key.dataset);
  }
  const auto listed = [](const std::set<std::string>& names, const char* many) {
    constexpr std::size_t kMost = 3;
    if (names.size() > kMost) return std::to_string(names.size()) + many;
    std::string text;
    std::size_t left = names.size();
    for (const std::string& name : names) {
      text += (text.empty() ? "" : left == 1 ? " and " : ", ") + name;
      --left;
    }
    return text;
  };
  return listed(models, " models") + " on " + listed(data, " data sets");
}

struct Content {
  std::string title;
  std::string subject;
  std::vector<ResultTable> tables;
  std::vector<Claim> claims;
  std::vector<Claim> findings;
  std::vector<ReportFigure> pictures;
  std::vector<FactTable> facts;
};

void print_text(const Content& content) {
  for (const ResultTable& table : content.tables)
    std::cout << table.layout.title << ": " << table.filled() << " of "
              << table.rows.size() * table.columns.size() << " cells\n";
  for (const Claim& claim : content.claims) std::cout << "claim " << claim.heading() << "\n";
  for (const Claim& finding : content.findings)
    std::cout << "finding " << finding.heading() << "\n";
}

Content content_of(const Results& results, const ReportArguments& options) {
  Content content;
  content.tables = result_tables(results);
  if (are_own(content.tables)) {
    std::erase_if(content.tables, [](const ResultTable& table) { return table.filled() == 0; });
    for (ResultTable& table : content.tables) {
      table.layout.title = "Results";
      table.layout.caption = "Scores on test samples.";
    }
    content.title = own_title(results);
  } else {
    content.title = "Hierarchical Graph Net, reproduced";
    content.subject = kSubject;
    content.claims = check_result_claims(results);
    content.claims.push_back(check_size_claim(size_subjects(options.root)));
    content.findings = check_range_findings(results);
    content.pictures = figures();
    content.facts = {dataset_facts()};
  }
  if (!options.title.empty()) content.title = options.title;
  return content;
}

std::ptrdiff_t num_on_standard_output(const ReportArguments& options) {
  const std::vector<std::string> files{options.out, options.markdown, options.csv, options.latex,
                                       options.records};
  return std::count(files.begin(), files.end(), "-") + (options.json ? 1 : 0);
}

/// The HTML file: the one asked for, or report.html if nothing else is. Only the former may replace
/// a file.
std::string html_file(const ReportArguments& options) {
  const bool other = options.json || !options.markdown.empty() || !options.csv.empty() ||
                     !options.latex.empty() || !options.records.empty() || !options.page.empty();
  if (!options.out.empty() || other) return options.out;
  const std::string file = "report.html";
  if (std::filesystem::exists(file)) throw Error(file + " exists; --out " + file + " replaces it");
  return file;
}

/// The trials of searches are no results. A search has one: the test scores of what each fold
/// chose by validation.
class Searches {
 public:
  explicit Searches(const std::vector<std::filesystem::path>& places) {
    for (const std::filesystem::path& place : places) {
      if (!std::filesystem::is_directory(place)) continue;
      add(place.has_filename() ? place : place.parent_path());  // without a slash at its end
      const auto skip = std::filesystem::directory_options::skip_permission_denied;
      for (const auto& entry : std::filesystem::recursive_directory_iterator(place, skip)) {
        if (entry.is_directory()) add(entry.path());
      }
    }
  }

  /// The results of the searches that are done.
  const std::vector<FitRecord>& results() const { return results_; }

  bool is_of_trial(const std::filesystem::path& file) const {
    const std::filesystem::path fit = file.parent_path().lexically_normal();
    return std::any_of(folders_.begin(), folders_.end(), [&](const auto& search) {
      return fit.lexically_relative(search).begin()->string().starts_with(kTrialFolder);
    });
  }

 private:
  void add(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / kSearchFile;
    if (!std::filesystem::exists(file)) return;
    const Search search = Search::from_json(read_whole(file), file.string());
    const bool done = search.rounds_done() == search.rounds.size();
    folders_.push_back(folder.lexically_normal());
    std::cerr << "note: " << folder.string() << " is a search of " << search.trials.size()
              << " trials, "
              << (done ? "of which only what validation chose is shown\n"
                       : "which is not done and not shown\n");
    if (!done) return;
    for (const std::filesystem::path& fit : search.chosen_folders(folder)) {
      auto record = FitFolder::open(fit).result();
      if (!record) continue;
      // One row for all folds, whatever model and settings each of them chose.
      record->model = "tuned in " + folder.filename().string();
      record->config.clear();
      record->reading = "both";
      results_.push_back(*std::move(record));
    }
  }

  std::vector<std::filesystem::path> folders_;
  std::vector<FitRecord> results_;
};

/// Throws InvalidFile if a result stands in the folder of a fit with other settings.
void check_place(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path();
  if (file.filename() == "result.json" && FitFolder::is_fit(folder))
    FitFolder::open(folder).result();
}

void run_report(const ReportArguments& options) {
  if (num_on_standard_output(options) > 1)
    throw WrongUsage("only one of --json and the files can go to standard output");
  const std::string html = html_file(options);
  const Searches searches(options.places);
  Records records = read_records(options.places, [&](const std::filesystem::path& file) {
    if (searches.is_of_trial(file)) return true;
    check_place(file);
    return false;
  });
  records.fits.insert(records.fits.end(), searches.results().begin(), searches.results().end());
  if (records.fits.empty() && records.probes.empty())
    throw Error("no fit records found; each fit writes a result.json");
  if (!options.records.empty()) write(options.records, packed(records));
  const Results results = paper_results(std::move(records));
  for (const std::string& note : results.notes()) std::cerr << "note: " << note << "\n";
  const Content content = content_of(results, options);
  const std::vector<ResultTable>& tables = content.tables;
  write(html, to_html({content.title, content.subject, "hgnet " + version(), results, tables,
                       content.claims, content.findings, content.pictures, content.facts}));
  write(options.markdown, to_markdown(tables, content.claims, content.findings, content.title));
  if (!options.page.empty())
    write(options.page,
          filled_page(read_whole(options.page),
                      page_parts(results, tables, content.claims, content.findings), options.page));
  write(options.csv, to_csv(tables));
  write(options.latex, to_latex(tables));
  if (num_on_standard_output(options) > 0 && !options.json) return;
  if (options.json) {
    std::cout << to_json(results, tables, content.claims, content.findings) << "\n";
  } else {
    print_text(content);
  }
}

}  // namespace

void add_report(CLI::App& program) {
  auto options = std::make_shared<ReportArguments>();
  CLI::App* command = program.add_subcommand(
      "report", "Make tables and charts from the records of fits; of the paper's, also its claims");
  command->group(kModelGroup);
  command
      ->add_option("places", options->places,
                   "Run folders or record files; folders are searched for result.json, *.jsonl "
                   "and *.jsonl.gz")
      ->type_name("FOLDER|FILE")
      ->check(CLI::ExistingPath)
      ->required();
  command
      ->add_option("--out", options->out,
                   "The report, a single HTML file (default: report.html, unless another output "
                   "is asked for)")
      ->type_name("FILE");
  command->add_option("--markdown", options->markdown, "Tables and claims as Markdown")
      ->type_name("FILE");
  command->add_option("--csv", options->csv, "Tables as CSV, one line per cell")->type_name("FILE");
  command->add_option("--latex", options->latex, "Tables as LaTeX, for booktabs")
      ->type_name("FILE");
  command
      ->add_option("--records", options->records, "Collect all records in one file, NAME.jsonl.gz")
      ->type_name("FILE");
  command
      ->add_option("--page", options->page,
                   "A Markdown file whose parts between <!-- report: NAME --> and <!-- end --> "
                   "are replaced by those of the report")
      ->type_name("FILE");
  command->add_option("--title", options->title, "Title of the report");
  command->add_option("--root", options->root, "Folder of the data sets (HGNET_DATA)")
      ->type_name("FOLDER");
  command->add_flag("--json", options->json, "Print tables and claims as one JSON object");
  command->footer(
      "Examples:\n"
      "  hgnet report runs\n"
      "  hgnet report runs/table1 more.jsonl.gz --out table1.html --csv table1.csv");
  command->callback([options] { run_report(*options); });
}

}  // namespace hgnet::app
