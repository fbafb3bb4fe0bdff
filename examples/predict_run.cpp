// Applies a trained run to new graphs, from the folder that `hgnet train` wrote. Includes no torch
// header, so it compiles in seconds; link hgnet::lab.
//
//   predict_run RUN GRAPHS...    each of GRAPHS a data set: a name, a folder, a file
//   predict_run RUN              a graph made here

#include <hgnet/data/load.hpp>
#include <hgnet/graph/generators.hpp>
#include <hgnet/train/predictor.hpp>

#include <iostream>

namespace {

void print(const hgnet::Predictions& predictions) {
  for (std::int64_t sample = 0; sample < predictions.num_samples(); ++sample) {
    std::cout << "  sample " << sample << ":";
    if (predictions.kind == hgnet::TargetKind::kClasses)
      std::cout << " " << predictions.class_of(sample) << ",";
    for (std::size_t c = 0; c < predictions.outputs.size(); ++c)
      std::cout << " " << predictions.outputs[c] << " " << predictions.row(sample)[c];
    std::cout << "\n";
  }
}

void predict(int argc, char** argv) {
  // A run over several seeds or folds predicts the mean of its models.
  const hgnet::Predictor predictor(argv[1]);
  std::cout << predictor.num_models() << " models, " << predictor.num_features() << " features ("
            << predictor.features().kind << ")\n";

  // Whole data sets: columns are found by name, labels need not be there.
  for (int i = 2; i < argc; ++i) {
    std::cout << argv[i] << "\n";
    print(predictor.predict(hgnet::load_dataset(argv[i])));
  }
  if (argc > 2) return;

  // Or a graph and the features of its nodes, row by row.
  const hgnet::Graph path = hgnet::path_graph(5);
  const std::vector<float> rows(static_cast<std::size_t>(5 * predictor.num_features()), 0.5F);
  std::cout << "a path of 5 nodes\n";
  print(predictor.predict(path, rows));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: predict_run RUN [GRAPHS...]\n";
    return 2;
  }
  try {
    predict(argc, argv);
  } catch (const hgnet::Error& error) {
    std::cerr << "predict_run: " << error.what() << "\n";
    return 1;
  }
}
