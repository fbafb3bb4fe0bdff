#include "hgnet/models/archive.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/graph/generators.hpp"
#include "models/safetensors.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace hgnet {
namespace {

using test::error_of;
using test::TemporaryFolder;
using testing::HasSubstr;

ModelConfig small_config() {
  ModelConfig config = model_defaults("hgnet-edgepool");
  config.inputs = 3;
  config.outputs = 2;
  config.hidden = 5;
  config.levels = 2;
  config.norm = Norm::kBatch;
  return config;
}

/// Trained a little, so that running statistics are not what they start with.
std::shared_ptr<Model> used_model(const ModelConfig& config) {
  auto model = make_model(config, 7);
  const Graph graph = grid_graph(4, 4);
  model->forward(
      Input::of(model->prepare(graph), torch::arange(48, torch::kFloat32).view({16, 3})));
  model->eval();
  return model;
}

torch::Tensor answer(Model& model) {
  const Graph graph = grid_graph(4, 4);
  const auto type = model.parameters().front().scalar_type();
  return model.forward(Input::of(model.prepare(graph), torch::arange(48, type).view({16, 3}) / 48))
      .detach();
}

class Archive : public testing::TestWithParam<const char*> {
 protected:
  std::filesystem::path file() const {
    return folder_.path() / (std::string("model") + GetParam());
  }

  TemporaryFolder folder_;
};

TEST_P(Archive, GivesBackAModelThatAnswersTheSame) {
  const auto model = used_model(small_config());
  save_model(*model, file());
  const auto loaded = load_model(file());
  EXPECT_EQ(loaded->config(), model->config());
  EXPECT_FALSE(loaded->is_training());
  EXPECT_TRUE(torch::equal(answer(*loaded), answer(*model)));
}

TEST_P(Archive, KeepsDoublePrecision) {
  const auto model = used_model(small_config());
  model->to(torch::kFloat64);
  save_model(*model, file());
  EXPECT_TRUE(torch::equal(answer(*load_model(file())), answer(*model)));
}

TEST_P(Archive, WeightsOfAnotherModelAreRefusedAndNothingChanges) {
  save_model(*used_model(small_config()), file());
  ModelConfig other = small_config();
  other.hidden = 6;
  Model model(other, 1);
  const torch::Tensor before = model.parameters().front().clone();
  EXPECT_THAT(error_of<Error>([&] { load_weights(model, file()); }),
              HasSubstr("hidden is 6 and 5"));
  EXPECT_TRUE(torch::equal(model.parameters().front(), before));
}

TEST_P(Archive, WeightsGoIntoAModelThatDiffersInDropoutOnly) {
  const auto model = used_model(small_config());
  save_model(*model, file());
  ModelConfig other = small_config();
  other.dropout = 0.5;
  Model target(other, 1);
  load_weights(target, file());
  target.eval();
  EXPECT_TRUE(torch::equal(answer(target), answer(*model)));
}

TEST_P(Archive, DamagedFilesAreErrorsNotCrashes) {
  save_model(*used_model(small_config()), file());
  const std::string whole = read_whole(file());
  for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{40},
                                   whole.size() / 2, whole.size() - 1}) {
    write_atomically(file(), whole.substr(0, length));
    EXPECT_THROW(load_model(file()), Error) << length << " bytes";
  }
  EXPECT_THROW(load_model(folder_.path() / "nosuchfile"), Error);
  EXPECT_THROW(load_model(folder_.path()), Error);
}

INSTANTIATE_TEST_SUITE_P(BothForms, Archive, testing::Values(".pt", ".safetensors"));

TEST(Safetensors, IsTheFormOthersRead) {
  const std::string bytes =
      to_safetensors({{{"a", torch::tensor({1.0F, 2.0F})}}, {{"note", "hello"}}});
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0U);
  const std::string header = bytes.substr(8, length);
  EXPECT_THAT(header, HasSubstr(R"("a":{"data_offsets":[0,8],"dtype":"F32","shape":[2]})"));
  EXPECT_THAT(header, HasSubstr(R"("__metadata__":{"crc32c":")"));
  EXPECT_THAT(header, HasSubstr(R"("note":"hello")"));
  float values[2];
  std::memcpy(values, bytes.data() + 8 + length, 8);
  EXPECT_EQ(values[1], 2.0F);
}

TEST(Safetensors, EveryDamageToTheHeaderIsNoticedOrHarmless) {
  const std::string whole =
      to_safetensors({{{"a", torch::ones({3, 2})}, {"b", torch::zeros({4})}}, {{"hgnet", "{}"}}});
  Generator generator(1);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = whole;
    bytes[generator.below(bytes.size())] = static_cast<char>(generator.below(256));
    try {
      from_safetensors(bytes, "x");
    } catch (const Error&) {
    }
  }
}

TEST(Safetensors, DamagedNumbersAreNoticed) {
  const std::string whole = to_safetensors({{{"a", torch::ones({3, 2})}}, {}});
  for (std::size_t place = whole.size() - 24; place < whole.size(); ++place) {
    std::string bytes = whole;
    bytes[place] = static_cast<char>(bytes[place] ^ 4);
    EXPECT_THAT(error_of<Error>([&] { from_safetensors(bytes, "x"); }), HasSubstr("damaged"));
  }
}

TEST(Safetensors, PlacesOutsideTheFileAreRefused) {
  const std::string header =
      R"({"a":{"dtype":"F32","shape":[1000000],"data_offsets":[0,4000000]}})";
  std::string bytes(8, '\0');
  const std::uint64_t length = header.size();
  std::memcpy(bytes.data(), &length, 8);
  EXPECT_THAT(error_of<Error>([&] { from_safetensors(bytes + header, "x"); }),
              HasSubstr("place of tensor a"));
  const std::string huge =
      R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}})";
  const std::uint64_t huge_length = huge.size();
  std::memcpy(bytes.data(), &huge_length, 8);
  EXPECT_THAT(error_of<Error>([&] { from_safetensors(bytes + huge, "x"); }), HasSubstr("shape"));
}

TEST(Safetensors, HeadersAreNotNestedWithoutEnd) {
  const std::string header = std::string(100'000, '[') + std::string(100'000, ']');
  std::string bytes(8, '\0');
  const std::uint64_t length = header.size();
  std::memcpy(bytes.data(), &length, 8);
  EXPECT_THAT(error_of<Error>([&] { from_safetensors(bytes + header, "x"); }),
              HasSubstr("x:1: is nested deeper than 64 levels"));
}

TEST(AtomicFile, AFolderThatCannotBeWrittenIsNamed) {
  EXPECT_THAT(error_of<Error>([] { write_atomically("/nosuchfolder/file", "x"); }),
              HasSubstr("/nosuchfolder/file"));
}

TEST(AtomicFile, LinksAndDevicesStayWhatTheyAre) {
  namespace fs = std::filesystem;
  const test::TemporaryFolder folder;
  const fs::path target = folder.write("target", "old");
  fs::create_symlink("target", folder.path() / "link");
  write_atomically(folder.path() / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link"));
  EXPECT_EQ(read_whole(target), "new");
  EXPECT_NO_THROW(write_atomically("/dev/null", "x"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_THAT(error_of<Error>([] { write_atomically("/dev/full", "x"); }), HasSubstr("/dev/full"));
}

}  // namespace
}  // namespace hgnet
