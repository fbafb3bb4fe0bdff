// Checkpoints that were edited: with a checksum that is right, as whoever wants to deceive makes
// it.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "models/named_tensors.hpp"
#include "support/errors.hpp"
#include "support/samples.hpp"
#include "train/fit_setting.hpp"

namespace hgnet {
namespace {

using test::error_of;
using test::fit_setting;
using test::FitSetting;
using test::make_fit;
using testing::HasSubstr;

/// In the middle of its second epoch: 40 graphs, of which 32 train in 5 batches.
Fit begun(const FitSetting& setting) {
  Fit fit = make_fit(setting);
  int batches = 0;
  const auto stop = [&](std::int64_t, std::int64_t, double) { return ++batches < 8; };
  while (fit.run_epoch(stop)) {
  }
  return fit;
}

class Checkpoint : public testing::Test {
 protected:
  /// What a new fit says of the checkpoint after a change to it.
  template <class Change>
  std::string refusal(const Change& change) const {
    NamedTensors content = from_safetensors(bytes, "checkpoint");
    change(content);
    return refusal_of(to_safetensors(content), setting);
  }

  /// The same, with one of its numbers changed.
  std::string refusal(const char* name, const nlohmann::json& value) const {
    return refusal([&](NamedTensors& content) {
      auto numbers = nlohmann::json::parse(content.metadata.at("fit"));
      numbers.at(name) = value;
      content.metadata["fit"] = numbers.dump();
    });
  }

  static std::string refusal_of(const std::string& checkpoint, const FitSetting& setting) {
    Fit fit = make_fit(setting);
    const std::string before = fit.save();
    std::string message =
        error_of<InvalidFile>([&] { fit.restore(checkpoint, "run/checkpoint.safetensors"); });
    if (message != "no error") {
      EXPECT_EQ(fit.save(), before) << message;
    }
    return message;
  }

  FitSetting setting = fit_setting(test::rings_and_stars(40), "hgnet-edgepool", 3);
  std::string bytes = begun(setting).save();
};

TEST_F(Checkpoint, GoesOnAsItIs) {
  EXPECT_EQ(refusal([](NamedTensors&) {}), "no error");
  EXPECT_EQ(refusal("batch", 3), "no error");
}

TEST_F(Checkpoint, CountersOutOfRangeAreRefused) {
  const std::string place = "run/checkpoint.safetensors: not a checkpoint of this fit: ";
  EXPECT_EQ(refusal("batch", 1000), place + "batch is 1000; expected 0 to 5");
  EXPECT_EQ(refusal("batch", -1), place + "batch is -1; expected 0 to 5");
  EXPECT_THAT(refusal("batch", 5), HasSubstr("adam_steps is 8; expected 10 to 10"));
  EXPECT_EQ(refusal("best_epoch", 1000), place + "best_epoch is 1000; expected 0 to 1");
  EXPECT_EQ(refusal("best_epoch", -1), place + "best_epoch is -1; expected 0 to 1");
  EXPECT_THAT(refusal("epoch", -1), HasSubstr("epoch is -1"));
  EXPECT_THAT(refusal("epoch", 1e300), HasSubstr("epoch is 1e+300"));
  EXPECT_THAT(refusal("epoch", 18446744073709551615ULL),
              HasSubstr("epoch is 18446744073709551615"));
  EXPECT_THAT(refusal("adam_steps", 9), HasSubstr("adam_steps is 9; expected 8 to 8"));
  EXPECT_THAT(refusal("targets", -1), HasSubstr("targets is -1; expected 0 or more"));
  EXPECT_THAT(refusal("train_seconds", nullptr), HasSubstr("numbers are damaged"));
  EXPECT_THAT(refusal("shuffle", "1 2 3"), HasSubstr("state of a random generator"));
  EXPECT_THAT(refusal("shuffle", 3), HasSubstr("numbers are damaged"));
  for (const char* numbers : {"", "[]", "{}", "3"}) {
    EXPECT_THAT(refusal([&](NamedTensors& c) { c.metadata["fit"] = numbers; }),
                HasSubstr("numbers are damaged"));
  }
  EXPECT_THAT(refusal([](NamedTensors& c) { c.metadata.erase("fit"); }),
              HasSubstr("the entry fit is missing"));
}

TEST_F(Checkpoint, TensorsThatAreMissingOrOfAnotherShapeAreRefused) {
  const auto without = [&](const std::string& prefix) {
    return refusal([&](NamedTensors& content) {
      std::erase_if(content.tensors,
                    [&](const auto& item) { return item.first.starts_with(prefix); });
    });
  };
  EXPECT_THAT(without("best."), HasSubstr("tensor best.classifier_first.bias is missing"));
  EXPECT_THAT(without("adam.second.1"), HasSubstr("tensor adam.second.1"));
  EXPECT_THAT(without("epoch."), HasSubstr("tensor epoch.logits is missing"));
  const auto as = [&](const std::string& name, const torch::Tensor& tensor) {
    return refusal([&](NamedTensors& content) { content.tensors[name] = tensor; });
  };
  const std::string adam = as("adam.first.0", torch::ones({3}));
  EXPECT_THAT(adam, HasSubstr("tensor adam.first.0 has shape [3] and type Float; expected "));
  EXPECT_THAT(adam, testing::Not(HasSubstr("frame #")));
  EXPECT_THAT(as("epoch.logits", torch::ones({20, 2})), HasSubstr("expected [21, 2]"));
  EXPECT_THAT(as("epoch.logits", torch::ones({21, 2}, torch::kFloat64)), HasSubstr("type Double"));
  EXPECT_THAT(as("adam.first.99", torch::ones({3})),
              HasSubstr("tensor adam.first.99 is not expected"));
}

TEST_F(Checkpoint, BestWeightsThatAreNotFiniteAreRefused) {
  EXPECT_THAT(refusal([&](NamedTensors& content) {
                torch::Tensor& tensor = content.tensors.at("best.classifier_first.bias");
                tensor = tensor.clone();
                tensor[0] = NAN;
              }),
              HasSubstr("tensor best.classifier_first.bias has numbers that are not finite"));
}

TEST_F(Checkpoint, WithoutTheChecksumsOfItsDataItIsRefused) {
  EXPECT_THAT(refusal([](NamedTensors& c) { c.metadata.erase("data"); }),
              HasSubstr("no checksums of the data, as those of version 0.1; begin the fit anew"));
}

TEST_F(Checkpoint, WithoutAChecksumItIsNotTrusted) {
  std::string edited = bytes;
  edited.replace(edited.find("xxh3"), 4, "note");
  EXPECT_THAT(refusal_of(edited, setting), HasSubstr("it has no checksum"));
  edited = bytes;
  edited.replace(edited.find("\\\"batch\\\":3") + 10, 1, "5");
  EXPECT_THAT(refusal_of(edited, setting), HasSubstr("the checksum is wrong"));
}

TEST_F(Checkpoint, OtherSettingsAreRefusedWithWhatDiffers) {
  const auto with = [&](const auto& change) {
    FitSetting other = setting;
    change(other.config);
    return refusal_of(bytes, other);
  };
  EXPECT_THAT(
      with([](TrainConfig& c) { c.lr = 0.5; }),
      HasSubstr("the settings have changed (now, and when it began): lr is 0.5 and 0.01; only "
                "epochs, max-hours, patience, root, threads, memory may change"));
  EXPECT_THAT(with([](TrainConfig& c) { c.seed = 6; }), HasSubstr("seed is 6 and 5"));
  EXPECT_THAT(with([](TrainConfig& c) { c.fold = 1; }), HasSubstr("fold is 1 and 0"));
  EXPECT_THAT(with([](TrainConfig& c) { c.batch = 8; }), HasSubstr("batch is 8 and 7"));
  EXPECT_THAT(with([](TrainConfig& c) { c.split = "folds:5"; }), HasSubstr("split is \"folds:5\""));
  EXPECT_THAT(with([](TrainConfig& c) { c.network.activation = Activation::kRelu; }),
              HasSubstr("activation is \"relu\" and \"elu\""));
  for (const auto& change : std::vector<void (*)(TrainConfig&)>{
           [](TrainConfig& c) { c.epochs = 9; }, [](TrainConfig& c) { c.patience = 4; },
           [](TrainConfig& c) { c.threads = 2; }, [](TrainConfig& c) { c.root = "elsewhere"; }})
    EXPECT_EQ(with(change), "no error");
}

TEST_F(Checkpoint, OtherDataAreRefusedWithWhatDiffers) {
  const auto with = [&](const auto& change) {
    Dataset dataset = test::rings_and_stars(40);
    change(dataset);
    FitSetting other = setting;
    other.inputs = fit_setting(std::move(dataset), "hgnet-edgepool", 3).inputs;
    return refusal_of(bytes, other);
  };
  EXPECT_THAT(with([](Dataset& d) {
                for (std::int32_t& label : d.classes) label = 1 - label;
              }),
              testing::ContainsRegex("the data have changed since it began: .*targets of "));
  EXPECT_THAT(with([](Dataset& d) { d = test::rings_and_stars(80); }),
              HasSubstr("began: features, graphs, split, targets of"));
}

}  // namespace
}  // namespace hgnet
