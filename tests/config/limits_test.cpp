#include "hgnet/config/limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "hgnet/config/edge_use.hpp"
#include "support/errors.hpp"
#include "support/model_configs.hpp"

namespace hgnet {
namespace {

using testing::HasSubstr;

std::string refusal(const std::string& model, const std::function<void(ModelConfig&)>& change) {
  ModelConfig config = test::small(model);
  change(config);
  const std::string message = test::error_of<Error>([&] { check(config); });
  EXPECT_EQ(test::error_of<Error>([&] { make_model(config, 1); }), message);
  return message;
}

TEST(Limits, SizesBeyondReasonAreRefusedWithTheFigure) {
  using C = ModelConfig;
  EXPECT_EQ(refusal("gcn", [](C& c) { c.layers = 1'000'000; }),
            "layers is 1000000; expected at most 1000");
  EXPECT_EQ(refusal("hgnet", [](C& c) { c.levels = 2'147'483'647; }),
            "levels is 2147483647; expected at most 1000");
  EXPECT_EQ(refusal("gcn", [](C& c) { c.hidden = std::int64_t{1} << 62; }),
            "hidden is 4611686018427387904; expected at most 16777216");
  EXPECT_THAT(refusal("gcn", [](C& c) { c.inputs = std::int64_t{1} << 62; }), HasSubstr("inputs"));
  EXPECT_THAT(refusal("gcn", [](C& c) { c.outputs = std::int64_t{1} << 62; }),
              HasSubstr("outputs"));
  EXPECT_THAT(refusal("gat", [](C& c) { c.heads = 1001; }), HasSubstr("heads is 1001"));
  EXPECT_THAT(refusal("cheb", [](C& c) { c.cheb_order = 1001; }), HasSubstr("cheb-order is 1001"));
}

TEST(Limits, EveryWholeNumberHasACeiling) {
  const ModelConfig config;
  for_each_field(config, [](const char* name, const auto& field, auto&&...) {
    using T = std::remove_cvref_t<decltype(field)>;
    if constexpr (std::is_signed_v<T> && std::is_integral_v<T>) {
      EXPECT_THAT(test::error_of<Error>([&] { check_limit(name, 1 << 30); }), HasSubstr(name));
    }
  });
}

TEST(Limits, SizesThatGoAloneCanBeTooMuchTogether) {
  using C = ModelConfig;
  EXPECT_EQ(refusal("gcn",
                    [](C& c) {
                      c.hidden = 100'000;
                      c.layers = 3;
                    }),
            "model: 1.00009e+10 parameters or more; expected at most 1e+09");
  EXPECT_THAT(refusal("hgnet",
                      [](C& c) {
                        c.hidden = 2000;
                        c.levels = 1000;
                      }),
              HasSubstr("parameters or more"));
}

TEST(Limits, ParametersAreCountedWithoutMakingThem) {
  std::vector<test::NamedConfig> all = test::all_models();
  for (const test::NamedConfig& named : test::molecule_models()) all.push_back(named);
  for (const test::NamedConfig& named : test::all_models()) {
    if (!takes_edge_rows(named.config)) continue;
    all.push_back({named.name + " with edges", named.config});
    all.back().config.edge_inputs = 20;
    all.back().config.layers = 1;
    if (model_row(named.config.model).hierarchical()) all.back().config.layers = 2;
  }
  for (const test::NamedConfig& named : all) {
    for (const Task task : {Task::kNode, Task::kGraph}) {
      ModelConfig config = named.config;
      config.task = task;
      config.hidden = 48;  // biases and norms count for little
      const auto parameters = static_cast<double>(make_model(config, 1)->num_parameters());
      EXPECT_LE(least_parameters(config), parameters) << named.name;
      EXPECT_GE(8 * least_parameters(config), parameters) << named.name;
    }
  }
  ModelConfig config = test::small("gat");
  config.later_heads = 9;
  config.layers = 4;
  for (const Task task : {Task::kNode, Task::kGraph}) {
    config.task = task;
    const auto parameters = static_cast<double>(make_model(config, 1)->num_parameters());
    EXPECT_LE(least_parameters(config), parameters);
    EXPECT_GE(2 * least_parameters(config), parameters);
  }
}

}  // namespace
}  // namespace hgnet
