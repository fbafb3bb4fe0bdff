// Fits that several ranks, here threads, share: the numbers of one process.

#include "hgnet/train/fit.hpp"

#include <gmock/gmock.h>

#include <sstream>

#include "hgnet/data/split_choice.hpp"
#include "hgnet/train/schedule.hpp"
#include "ranks/rank_threads.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/samples.hpp"
#include "train/fit_setting.hpp"
#include "train/team.hpp"

namespace hgnet {
namespace {

using test::fit_setting;
using test::FitSetting;
using test::no_errors;
using test::on_ranks;
using ::testing::HasSubstr;

/// Rows of random numbers: without them many gradients are 0 but for rounding, which Adam makes
/// steps of.
Dataset with_random_rows(Dataset data) {
  constexpr int kWidth = 4;
  Generator random(1);
  std::vector<float> values(static_cast<std::size_t>(data.num_nodes() * kWidth));
  for (float& value : values) value = static_cast<float>(random.uniform());
  data.features = DenseRows{kWidth, std::move(values)};
  return data;
}

/// Without dropout, whose masks differ from rank to rank. 32 training samples: batches of 7 and 4.
FitSetting setting(const std::string& model, std::int64_t epochs = 4) {
  FitSetting result = fit_setting(with_random_rows(test::rings_and_stars(40)), model, epochs);
  result.config.lr = 0.001;
  result.config.network.dropout = 0;
  result.config.network.classifier_dropout = 0;
  result.config.network.norm = Norm::kBatch;
  return result;
}

std::vector<EpochRecord> run_to_end(Fit& fit) {
  std::vector<EpochRecord> records;
  while (!fit.finished()) records.push_back(*fit.run_epoch());
  return records;
}

/// What rank 0 records; all ranks must.
std::vector<EpochRecord> curve(const FitSetting& s, int size) {
  std::vector<std::vector<EpochRecord>> curves(static_cast<std::size_t>(size));
  EXPECT_EQ(on_ranks(size,
                     [&](const Ranks& ranks) {
                       Fit fit(s.config, s.inputs, ranks);
                       curves[static_cast<std::size_t>(ranks.rank())] = run_to_end(fit);
                     }),
            no_errors(size));
  for (const std::vector<EpochRecord>& other : curves) {
    EXPECT_EQ(other.size(), curves.front().size());
    for (std::size_t i = 0; i < other.size(); ++i) {
      EXPECT_EQ(other[i].train, curves.front()[i].train);
      EXPECT_EQ(other[i].val, curves.front()[i].val);
      EXPECT_EQ(other[i].test, curves.front()[i].test);
    }
  }
  return curves.front();
}

/// Losses; other metrics count decisions, of which rounding may turn a few.
void expect_near(const std::vector<EpochRecord>& a, const std::vector<EpochRecord>& b,
                 double tolerance = 2e-4) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (const auto part : {&EpochRecord::train, &EpochRecord::val, &EpochRecord::test}) {
      for (const auto& [name, value] : a[i].*part)
        EXPECT_NEAR(value, (b[i].*part).at(name), name == "loss" ? tolerance : 0.03)
            << name << " of epoch " << i + 1;
    }
  }
}

/// Of one batch, for all of its parameters.
torch::Tensor gradient(const FitSetting& s, const Ranks& ranks) {
  const std::vector<std::int64_t> batch{3, 8, 1, 20, 21, 30, 6};
  const Share share = share_of(
      batch, [](std::int64_t sample) { return 1.0 + static_cast<double>(sample); }, ranks);
  const auto model = make_model(s.config.network, 1);
  model->train();
  const Input input = to_input(s.inputs->source().join(share.samples));
  const auto loss_of = [&](const torch::Tensor& logits) {
    return s.inputs->objective().loss(logits, share.samples);
  };
  const auto with_gradients = [&](double loss, const torch::Tensor& logits) {
    std::vector<torch::Tensor> all{torch::full({1}, loss), logits.flatten()};
    for (const torch::Tensor& p : model->parameters())
      all.push_back(p.grad().defined() ? p.grad().flatten() : torch::zeros({p.numel()}));
    return torch::cat(all).to(torch::kFloat64);
  };
  if (ranks.is_alone()) {
    const torch::Tensor logits = model->forward(input);
    const torch::Tensor loss = loss_of(logits);
    loss.backward();
    return with_gradients(loss.item<double>(), logits.detach());
  }
  Team team(ranks, *model, NormOver::kBatch);
  const torch::Tensor logits = team.forward(input, share);
  const torch::Tensor loss = loss_of(logits);
  const auto part = static_cast<double>(share.samples.size()) / static_cast<double>(batch.size());
  const Team::Step step = team.backward(loss * part, logits, share, ranks.rank() == 1);
  EXPECT_TRUE(step.stop);
  return with_gradients(step.loss, step.logits);
}

TEST(FitOverRanks, LossLogitsAndGradientsOfABatchAreThoseOfOneProcess) {
  for (const std::string model :
       {"gcn", "gin", "gat", "gcn-vn", "hgnet-louvain", "hgnet-edgepool", "g-unet"}) {
    FitSetting s = setting(model);
    if (model == "g-unet") s = fit_setting(with_random_rows(test::rings_and_stars(40)), model, 1);
    s.config.network.dropout = s.config.network.classifier_dropout = 0;
    s.config.network.attention_dropout = 0;
    const torch::Tensor expected = gradient(s, Ranks::alone());
    for (const int size : {2, 4}) {
      EXPECT_EQ(on_ranks(size,
                         [&](const Ranks& ranks) {
                           const torch::Tensor got = gradient(s, ranks);
                           const double off = (got - expected).norm().item<double>();
                           EXPECT_LE(off, 1e-5 * expected.norm().item<double>()) << model << size;
                         }),
                no_errors(size));
    }
  }
}

TEST(FitOverRanks, FollowsTheCurveOfOneProcess) {
  for (const std::string model : {"gin", "hgnet-louvain"}) {
    const FitSetting s = setting(model, 2);
    Fit alone = test::make_fit(s);
    const std::vector<EpochRecord> expected = run_to_end(alone);
    for (const int size : {2, 4}) {
      SCOPED_TRACE(model + " on " + std::to_string(size));
      expect_near(curve(s, size), expected);
    }
  }
}

/// Batches of 3 and 2: at 4 ranks, some have nothing to do.
TEST(FitOverRanks, MoreRanksThanSamplesInABatch) {
  for (const Norm norm : {Norm::kBatch, Norm::kNone}) {  // without, all gradients are the loss's
    FitSetting s = setting("gin", 2);
    s.config.batch = 3;
    s.config.network.norm = norm;
    Fit alone = test::make_fit(s);
    expect_near(curve(s, 4), run_to_end(alone));
  }
}

TEST(FitOverRanks, MissingLabelsAndClassWeightsCountAsInOneProcess) {
  FitSetting labels = fit_setting(with_random_rows(test::multi_label_graphs(50)), "gin", 3);
  labels.config.network.dropout = labels.config.network.classifier_dropout = 0;
  Fit alone = test::make_fit(labels);
  expect_near(curve(labels, 2), run_to_end(alone));

  FitSetting weighted = setting("gin", 3);
  weighted.config.class_weights = ClassWeights::kBalanced;
  weighted.config.clip = 0.1;
  Fit weighted_alone = test::make_fit(weighted);
  expect_near(curve(weighted, 2), run_to_end(weighted_alone));
}

TEST(FitOverRanks, WithOwnNormsAllRanksStillHaveOneModel) {
  FitSetting s = setting("gin", 3);
  s.config.norm_over = NormOver::kRank;
  const std::vector<EpochRecord> records = curve(s, 2);  // compares the ranks
  Fit alone = test::make_fit(s);
  EXPECT_NE(records.front().train, run_to_end(alone).front().train);
  s.config.network.norm = Norm::kNone;
  EXPECT_THAT(test::error_of<Error>([&] { test::make_fit(s); }),
              HasSubstr("norm-over has no effect"));
}

TEST(FitOverRanks, DropoutDiffersFromRankToRank) {
  FitSetting s = fit_setting(test::rings_and_stars(40), "gin", 3);
  s.config.network.dropout = 0.5;
  std::vector<torch::Tensor> logits(2);
  EXPECT_EQ(on_ranks(2,
                     [&](const Ranks& ranks) {
                       const auto model = make_model(s.config.network, 1);
                       model->train();
                       Team team(ranks, *model, NormOver::kRank);
                       const std::vector<std::int64_t> samples{0, 1, 2};
                       Share share;
                       share.samples = samples;
                       logits[ranks.rank()] =
                           team.forward(to_input(s.inputs->source().join(samples)), share).detach();
                     }),
            no_errors(2));
  EXPECT_FALSE(logits[0].allclose(logits[1]));
  curve(s, 2);  // one model on both ranks nevertheless
}

TEST(FitOverRanks, LogitsOfAnEvaluationAreThoseOfOneProcess) {
  const FitSetting s = setting("hgnet-edgepool");
  const auto model = make_model(s.config.network, 3);
  std::vector<std::int64_t> samples(40);
  std::iota(samples.begin(), samples.end(), 0);
  const torch::Tensor expected = evaluate(*model, *s.inputs, samples, 7);
  for (const int size : {2, 4}) {
    EXPECT_EQ(
        on_ranks(
            size,
            [&](const Ranks& ranks) {
              const auto own = make_model(s.config.network, 3);
              EXPECT_TRUE(
                  evaluate(*own, *s.inputs, samples, 7, NonFinite::kRefuse, ranks).equal(expected));
              EXPECT_EQ(evaluate(*own, *s.inputs, {}, 7, NonFinite::kRefuse, ranks).size(0), 0);
            }),
        no_errors(size));
  }
}

/// Stops in the middle of an epoch because one rank wants to, and goes on with another number.
TEST(FitOverRanks, GoesOnWithAnotherNumberOfRanks) {
  const FitSetting s = setting("hgnet-louvain");
  Fit alone = test::make_fit(s);
  const std::vector<EpochRecord> expected = run_to_end(alone);
  std::string checkpoint;
  std::vector<EpochRecord> records;
  EXPECT_EQ(on_ranks(2,
                     [&](const Ranks& ranks) {
                       Fit fit(s.config, s.inputs, ranks);
                       const EpochRecord first = *fit.run_epoch();
                       std::int64_t last = 0;
                       EXPECT_FALSE(fit.run_epoch([&](std::int64_t batch, std::int64_t, double) {
                         last = batch;
                         return ranks.rank() != 1 || batch != 2;
                       }));
                       EXPECT_EQ(last, 3);  // the batch after
                       if (!ranks.leads()) return;
                       records.push_back(first);
                       checkpoint = fit.save();
                     }),
            no_errors(2));
  EXPECT_EQ(on_ranks(4,
                     [&](const Ranks& ranks) {
                       Fit fit(s.config, s.inputs, ranks);
                       fit.restore(checkpoint, "checkpoint");
                       const std::vector<EpochRecord> rest = run_to_end(fit);
                       if (ranks.leads()) records.insert(records.end(), rest.begin(), rest.end());
                     }),
            no_errors(4));
  expect_near(records, expected);
  Fit last = test::make_fit(s);
  last.restore(checkpoint, "checkpoint");
  records.resize(1);
  for (const EpochRecord& record : run_to_end(last)) records.push_back(record);
  expect_near(records, expected);
}

/// 32 graphs in TU format: rings and paths.
std::string write_graphs(const test::TemporaryFolder& folder) {
  std::string edges, indicator, labels;
  for (int g = 0; g < 32; ++g) {
    for (int v = 0; v < 4; ++v) {
      indicator += std::to_string(g + 1) + "\n";
      if (v < 3 || g % 2 == 0)
        edges +=
            std::to_string(4 * g + v + 1) + ", " + std::to_string(4 * g + (v + 1) % 4 + 1) + "\n";
    }
    labels += std::to_string(g % 2) + "\n";
  }
  folder.write("RINGS/RINGS_A.txt", edges);
  folder.write("RINGS/RINGS_graph_indicator.txt", indicator);
  folder.write("RINGS/RINGS_graph_labels.txt", labels);
  return (folder.path() / "RINGS").string();
}

/// The wish comes when a fit has no batch left that would carry it to the other rank.
TEST(FitOverRanks, AWishToStopBetweenFitsStopsAllRanks) {
  const test::TemporaryFolder folder;
  ::setenv("HGNET_CACHE", (folder.path() / "cache").c_str(), 1);
  std::vector<PlannedFit> fits(2);
  for (std::size_t i = 0; i < fits.size(); ++i) {
    fits[i].config.dataset = write_graphs(folder);
    fits[i].config.model = "gin";
    fits[i].config.network = model_defaults("gin");
    apply_preset(fits[i].config, "tu");
    fits[i].config.epochs = 1;
    fits[i].config.batch = 40;  // one for all
    fits[i].config.split = "random:0.8,0.1,0.1";
    fits[i].folder = folder.path() / ("fit-" + std::to_string(i));
  }
  constexpr int kAfterTheFirst = 3;  // before it, after its batch, after it
  EXPECT_EQ(on_ranks(
                2,
                [&](const Ranks& ranks) {
                  InputStore store;
                  FitRunOptions options;
                  options.ranks = &ranks;
                  int asked = 0;
                  if (ranks.rank() == 1) options.stop = [&] { return ++asked == kAfterTheFirst; };
                  const auto outcomes = run_fits(fits, 1, store, options);
                  EXPECT_EQ(outcomes[0].kind, FitOutcome::Kind::kDone);
                  EXPECT_EQ(outcomes[1].kind, FitOutcome::Kind::kStopped);
                },
                5),
            no_errors(2));
  EXPECT_FALSE(std::filesystem::exists(fits[1].folder));
}

TEST(FitOverRanks, ALossThatIsNotFiniteEndsAllRanks) {
  FitSetting s = setting("gin");
  s.config.lr = 1e30;
  s.config.network.norm = Norm::kNone;
  const auto errors = on_ranks(2, [&](const Ranks& ranks) {
    Fit fit(s.config, s.inputs, ranks);
    run_to_end(fit);
  });
  for (const std::string& error : errors) EXPECT_THAT(error, HasSubstr("the loss is "));
}

TEST(FitOverRanks, NodesOfOneGraphAreNotShared) {
  const FitSetting s = fit_setting(test::communities(), "gcn", 2);
  const auto errors = on_ranks(2, [&](const Ranks& ranks) { Fit fit(s.config, s.inputs, ranks); });
  for (const std::string& error : errors)
    EXPECT_THAT(error, HasSubstr("are nodes of one graph, which processes cannot share"));
}

TEST(Share, EverySampleIsDealtOnceAndTheHeavyOnesEvenly) {
  const std::vector<std::int64_t> batch{10, 11, 12, 13, 14};
  const auto cost = [](std::int64_t sample) { return sample == 12 ? 100.0 : 30.0; };
  std::vector<Share> shares(2);
  EXPECT_EQ(
      on_ranks(2, [&](const Ranks& ranks) { shares[ranks.rank()] = share_of(batch, cost, ranks); }),
      no_errors(2));
  EXPECT_EQ(shares[0].samples, (std::vector<std::int64_t>{12}));
  EXPECT_EQ(shares[1].samples, (std::vector<std::int64_t>{10, 11, 13, 14}));
  EXPECT_EQ(shares[1].places, (std::vector<std::int64_t>{0, 1, 3, 4}));
}

}  // namespace
}  // namespace hgnet
