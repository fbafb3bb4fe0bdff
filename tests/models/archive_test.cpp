#include "hgnet/models/archive.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <torch/script.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "core/checksum.hpp"
#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/graph/generators.hpp"
#include "models/named_tensors.hpp"
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

class Archive : public testing::Test {
 protected:
  std::filesystem::path file() const { return folder_.path() / "model.safetensors"; }

  /// What load_model says of a file of these bytes.
  std::string refusal(const std::string& bytes) const {
    write_atomically(file(), bytes);
    return folder_.without_folder(error_of<Error>([&] { load_model(file()); }));
  }

  TemporaryFolder folder_;
};

TEST_F(Archive, GivesBackAModelThatAnswersTheSame) {
  const auto model = used_model(small_config());
  save_model(*model, file());
  const auto loaded = load_model(file());
  EXPECT_EQ(loaded->config(), model->config());
  EXPECT_FALSE(loaded->is_training());
  EXPECT_TRUE(torch::equal(answer(*loaded), answer(*model)));
}

TEST_F(Archive, KeepsDoublePrecision) {
  const auto model = used_model(small_config());
  model->to(torch::kFloat64);
  save_model(*model, file());
  EXPECT_TRUE(torch::equal(answer(*load_model(file())), answer(*model)));
}

TEST_F(Archive, WeightsOfAnotherModelAreRefusedAndNothingChanges) {
  save_model(*used_model(small_config()), file());
  ModelConfig other = small_config();
  other.hidden = 6;
  Model model(other, 1);
  const torch::Tensor before = model.parameters().front().clone();
  EXPECT_THAT(error_of<Error>([&] { load_weights(model, file()); }),
              HasSubstr("hidden is 6 and 5"));
  EXPECT_TRUE(torch::equal(model.parameters().front(), before));
}

TEST_F(Archive, WeightsGoIntoAModelThatDiffersInDropoutOnly) {
  const auto model = used_model(small_config());
  save_model(*model, file());
  ModelConfig other = small_config();
  other.dropout = 0.5;
  Model target(other, 1);
  load_weights(target, file());
  target.eval();
  EXPECT_TRUE(torch::equal(answer(target), answer(*model)));
}

TEST_F(Archive, DamagedFilesAreErrorsNotCrashes) {
  save_model(*used_model(small_config()), file());
  const std::string whole = read_whole(file());
  for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{40},
                                   whole.size() / 2, whole.size() - 1}) {
    EXPECT_NE(refusal(whole.substr(0, length)), "no error") << length << " bytes";
  }
  EXPECT_THROW(load_model(folder_.path() / "nosuchfile"), Error);
  EXPECT_THROW(load_model(folder_.path()), Error);
}

TEST_F(Archive, EveryChangedByteIsNoticed) {
  save_model(*used_model(small_config()), file());
  const std::string whole = read_whole(file());
  for (std::size_t place = 0; place < whole.size(); ++place) {
    std::string bytes = whole;
    bytes[place] = static_cast<char>(bytes[place] ^ 1);
    EXPECT_THROW(from_safetensors(bytes, "x").has_checksum ? void() : throw Error("no checksum"),
                 Error)
        << "byte " << place;
  }
}

TEST_F(Archive, AnEditedConfigurationIsNoticed) {
  save_model(*used_model(small_config()), file());
  std::string bytes = read_whole(file());
  const std::size_t place = bytes.find("elu");
  ASSERT_NE(place, std::string::npos);
  bytes.replace(place, 3, "tan");
  EXPECT_THAT(refusal(bytes), HasSubstr("model.safetensors: "));
  EXPECT_THAT(refusal(bytes), HasSubstr("damaged or was edited: the checksum is wrong"));
}

TEST_F(Archive, AConfigurationWithoutAChecksumIsNotTrusted) {
  save_model(*used_model(small_config()), file());
  std::string bytes = read_whole(file());
  bytes.replace(bytes.find("xxh3"), 4, "note");
  EXPECT_THAT(refusal(bytes), HasSubstr("contains a model configuration, but no checksum"));
}

TEST_F(Archive, WeightsOfOtherToolsHaveNoChecksum) {
  const auto model = used_model(small_config());
  save_model(*model, file());
  std::string bytes = read_whole(file());
  bytes.replace(bytes.find("xxh3"), 4, "note");
  bytes.replace(bytes.find("\"hgnet\""), 7, "\"other\"");
  EXPECT_THAT(refusal(bytes), HasSubstr("contains tensors, but no model configuration"));
  Model target(small_config(), 1);
  load_weights(target, file());
  target.eval();
  EXPECT_TRUE(torch::equal(answer(target), answer(*model)));
}

TEST_F(Archive, ASmallFileDoesNotMakeALargeModel) {
  ModelConfig config = small_config();
  config.hidden = 10'000;
  const std::string asked =
      to_safetensors({{{"a", torch::ones({3})}}, {{"hgnet", to_json(config)}}});
  EXPECT_THAT(refusal(asked),
              HasSubstr("contains 3 numbers; its configuration needs 3.0005e+08 or more"));
  config.hidden = 5;
  config.levels = 2'000'000'000;
  EXPECT_THAT(refusal(to_safetensors({{}, {{"hgnet", to_json(config)}}})),
              HasSubstr("levels is 2000000000; expected at most 1000"));
}

/// Writes a file when it is loaded by libtorch.
std::string archive_with_a_program(const std::filesystem::path& written) {
  torch::jit::Module module("program");
  module.register_attribute("weight", c10::TensorType::get(), torch::ones({1}));
  module.register_attribute("training", c10::BoolType::get(), true);
  module.define(
      "def __getstate__(self):\n  return (self.weight, self.training)\n"
      "def __setstate__(self, state: Tuple[Tensor, bool]) -> None:\n"
      "  self.weight = state[0]\n  self.training = state[1]\n  torch.save(state[0], '" +
      written.string() + "')\n");
  std::ostringstream stream;
  module.save(stream);
  return stream.str();
}

TEST_F(Archive, NoProgramInAFileIsRun) {
  const std::filesystem::path written = folder_.path() / "written";
  const std::string bytes = archive_with_a_program(written);
  std::istringstream stream(bytes);
  torch::jit::load(stream);
  ASSERT_TRUE(std::filesystem::remove(written)) << "the archive does nothing that shows";
  EXPECT_THAT(refusal(bytes), HasSubstr("a libtorch archive, which is not read"));
  Model model(small_config(), 1);
  EXPECT_THROW(load_weights(model, file()), InvalidFile);
  EXPECT_FALSE(std::filesystem::exists(written));
}

/// A file with this header, and no checksum.
std::string with_header(const std::string& header, const std::string& data) {
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + header + data;
}

std::string safetensors_error(const std::string& bytes) {
  return error_of<InvalidFile>([&] { from_safetensors(bytes, "x"); });
}

TEST(Safetensors, IsTheFormOthersRead) {
  const std::string bytes =
      to_safetensors({{{"a", torch::tensor({1.0F, 2.0F})}}, {{"note", "hello"}}});
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0U);
  const std::string header = bytes.substr(8, length);
  EXPECT_THAT(header, HasSubstr(R"("a":{"data_offsets":[0,8],"dtype":"F32","shape":[2]})"));
  EXPECT_THAT(header, HasSubstr(R"("note":"hello","xxh3":")"));
  float values[2];
  std::memcpy(values, bytes.data() + 8 + length, 8);
  EXPECT_EQ(values[1], 2.0F);
}

TEST(Safetensors, TheChecksumIsOfTheFileWithZerosInItsPlace) {
  std::string bytes = to_safetensors({{{"a", torch::ones({3, 2})}}, {{"note", "\"xxh3\":\"\""}}});
  const std::string before = R"("xxh3":")";
  const std::size_t digits = bytes.find(before) + before.size();
  const std::string sum = bytes.substr(digits, 16);
  bytes.replace(digits, 16, 16, '0');
  Checksum expected;
  expected.add(bytes);
  EXPECT_EQ(sum, expected.text());
}

TEST(Safetensors, DamageWithoutAChecksumIsNoticedOrHarmless) {
  const std::string header =
      R"({"a":{"dtype":"F32","shape":[3,2],"data_offsets":[0,24]},"b":{"dtype":"F64","shape":[1],"data_offsets":[24,32]}})";
  const std::string whole = with_header(header, std::string(32, 'x'));
  EXPECT_EQ(safetensors_error(whole), "no error");
  Generator generator(1);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = whole;
    bytes[generator.below(bytes.size())] = static_cast<char>(generator.below(256));
    safetensors_error(bytes);
  }
}

TEST(Safetensors, PlacesOutsideTheFileAreRefused) {
  EXPECT_THAT(safetensors_error(with_header(
                  R"({"a":{"dtype":"F32","shape":[1000000],"data_offsets":[0,4000000]}})", "")),
              HasSubstr("offsets of tensor a"));
  EXPECT_THAT(
      safetensors_error(with_header(
          R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}})", "")),
      HasSubstr("shape of tensor a is out of range"));
  EXPECT_THAT(safetensors_error(
                  with_header(R"({"a":{"dtype":"F32","shape":[1e300],"data_offsets":[0,0]}})", "")),
              HasSubstr("shape of tensor a is out of range"));
  EXPECT_THAT(
      safetensors_error(with_header(
          R"({"a":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,4]}})", "1234")),
      HasSubstr("9 dimensions; expected at most 8"));
}

TEST(Safetensors, TensorsFollowEachOtherToTheEnd) {
  const std::string twice =
      R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  EXPECT_THAT(safetensors_error(with_header(twice, "12345678")), HasSubstr("overlap"));
  const std::string gap =
      R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}})";
  EXPECT_THAT(safetensors_error(with_header(gap, "123456789012")), HasSubstr("gap"));
  const std::string less = R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  EXPECT_THAT(safetensors_error(with_header(less, "12345678")), HasSubstr("after the last tensor"));
}

TEST(Safetensors, DeepHeadersAreRefused) {
  EXPECT_THAT(safetensors_error(with_header(std::string(100'000, '['), "")),
              HasSubstr("nested more than 64 deep"));
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
