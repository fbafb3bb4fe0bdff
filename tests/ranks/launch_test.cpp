// What a process learns from the variables of its starter.

#include "hgnet/ranks/launch.hpp"

#include <gmock/gmock.h>

#include <map>

#include "hgnet/core/error.hpp"
#include "support/errors.hpp"

namespace hgnet {
namespace {

using test::error_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::optional<Launch> launch_with(const std::map<std::string, std::string>& set) {
  return launch_from([&](const std::string& name) -> std::optional<std::string> {
    const auto found = set.find(name);
    if (found == set.end()) return std::nullopt;
    return found->second;
  });
}

TEST(Launch, WithoutVariablesAProcessIsAlone) {
  EXPECT_FALSE(launch_with({}));
  EXPECT_FALSE(launch_with({{"RANK", "0"}, {"WORLD_SIZE", "1"}}));
  EXPECT_FALSE(launch_with({{"SLURM_STEP_ID", "0"}, {"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "1"}}));
}

TEST(Launch, ABatchScriptOfSlurmIsAloneWhateverItAskedFor) {
  std::map<std::string, std::string> set{{"SLURM_JOB_ID", "4711"},
                                         {"SLURM_JOB_NODELIST", "node[03-06]"},
                                         {"SLURM_TASKS_PER_NODE", "1(x4)"},
                                         {"SLURM_PROCID", "0"}};
  EXPECT_FALSE(launch_with(set));
  set["SLURM_NTASKS"] = "4";
  EXPECT_FALSE(launch_with(set));
  for (const std::string step : {"4294967291", "4294967290", "batch"}) {
    set["SLURM_STEP_ID"] = step;
    EXPECT_FALSE(launch_with(set)) << step;
  }
  EXPECT_FALSE(launch_with({{"SLURM_NTASKS", "2"}}));  // the shell of salloc
}

TEST(Launch, ReadsTheVariablesOfTorchrun) {
  const auto launch = launch_with({{"RANK", "3"},
                                   {"WORLD_SIZE", "4"},
                                   {"LOCAL_RANK", "1"},
                                   {"LOCAL_WORLD_SIZE", "2"},
                                   {"MASTER_ADDR", "10.0.0.1"},
                                   {"MASTER_PORT", "1234"}});
  EXPECT_EQ(launch->rank, 3);
  EXPECT_EQ(launch->size, 4);
  EXPECT_EQ(launch->local_size, 2);
  EXPECT_EQ(launch->address, "10.0.0.1");
  EXPECT_EQ(launch->port, 1234);
  EXPECT_FALSE(launch->on_loopback());
}

TEST(Launch, LeavesTorchrunsOwnPortToIt) {
  EXPECT_EQ(launch_with({{"RANK", "0"},
                         {"WORLD_SIZE", "2"},
                         {"MASTER_PORT", "1234"},
                         {"TORCHELASTIC_USE_AGENT_STORE", "True"}})
                ->port,
            1235);
}

TEST(Launch, StaysOnThisMachineUnlessAnAddressIsGiven) {
  const auto launch = launch_with({{"RANK", "1"}, {"WORLD_SIZE", "2"}});
  EXPECT_EQ(launch->address, "127.0.0.1");
  EXPECT_TRUE(launch->on_loopback());
  EXPECT_EQ(launch->local_size, 2);
  EXPECT_EQ(launch_with({{"RANK", "1"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "a"}})->local_size, 1);
}

TEST(Launch, ReadsTheVariablesOfMpirun) {
  const auto launch = launch_with({{"OMPI_COMM_WORLD_RANK", "1"},
                                   {"OMPI_COMM_WORLD_SIZE", "2"},
                                   {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}});
  EXPECT_EQ(launch->rank, 1);
  EXPECT_EQ(launch->local_size, 2);
  EXPECT_THAT(error_of<Error>([] {
                launch_with({{"OMPI_COMM_WORLD_RANK", "1"},
                             {"OMPI_COMM_WORLD_SIZE", "4"},
                             {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}});
              }),
              HasSubstr("MASTER_ADDR is not set"));
}

TEST(Launch, ReadsTheVariablesOfSrun) {
  std::map<std::string, std::string> set{{"SLURM_STEP_ID", "0"},
                                         {"SLURM_PROCID", "5"},
                                         {"SLURM_NODEID", "2"},
                                         {"SLURM_NTASKS", "8"},
                                         {"SLURM_TASKS_PER_NODE", "2(x4)"},
                                         {"SLURM_JOB_ID", "4711"},
                                         {"SLURM_JOB_NODELIST", "node[03-06]"}};
  const auto launch = launch_with(set);
  EXPECT_EQ(launch->rank, 5);
  EXPECT_EQ(launch->size, 8);
  EXPECT_EQ(launch->local_size, 2);
  EXPECT_EQ(launch->address, "node03");
  set["SLURM_JOB_ID"] = "4712";
  EXPECT_NE(launch_with(set)->port, launch->port);
  set["SLURM_JOB_ID"] = "4711";
  set["SLURM_STEP_ID"] = "1";
  EXPECT_NE(launch_with(set)->port, launch->port);
  set["SLURM_JOB_NODELIST"] = "node03";  // all on one machine
  EXPECT_TRUE(launch_with(set)->on_loopback());
  EXPECT_EQ(launch_with(set)->local_size, 8);
}

/// 7 tasks on 4 machines, of a job that has more of both.
TEST(Launch, ReadsTheVariablesOfAStepBeforeThoseOfItsJob) {
  std::map<std::string, std::string> set{{"SLURM_STEP_ID", "3"},
                                         {"SLURM_PROCID", "6"},
                                         {"SLURM_NODEID", "3"},
                                         {"SLURM_NTASKS", "80"},
                                         {"SLURM_NTASKS_PER_NODE", "10"},
                                         {"SLURM_STEP_NUM_TASKS", "7"},
                                         {"SLURM_TASKS_PER_NODE", "10(x8)"},
                                         {"SLURM_STEP_TASKS_PER_NODE", "2(x3),1"},
                                         {"SLURM_JOB_NODELIST", "node[01-08]"},
                                         {"SLURM_STEP_NODELIST", "node[04-07]"}};
  EXPECT_EQ(launch_with(set)->size, 7);
  EXPECT_EQ(launch_with(set)->local_size, 1);
  EXPECT_EQ(launch_with(set)->address, "node04");
  set["SLURM_NODEID"] = "2";
  EXPECT_EQ(launch_with(set)->local_size, 2);
  set.erase("SLURM_NODEID");
  EXPECT_EQ(launch_with(set)->local_size, 1);  // not known
}

TEST(Launch, ExpandsTasksPerNode) {
  EXPECT_THAT(tasks_of("2(x3),1"), ElementsAre(2, 2, 2, 1));
  EXPECT_THAT(tasks_of("4"), ElementsAre(4));
  for (const std::string bad :
       {"", "2,", "x", "2(x)", "2(x3", "2(3)", "(x2)", "1(x999999999)", "2(x3)4"})
    EXPECT_THAT(error_of<Error>([&] { tasks_of(bad); }), HasSubstr("tasks per node")) << bad;
}

TEST(Launch, PrefersTorchrunsVariables) {
  EXPECT_EQ(launch_with({{"RANK", "1"},
                         {"WORLD_SIZE", "2"},
                         {"SLURM_STEP_ID", "0"},
                         {"SLURM_PROCID", "0"},
                         {"SLURM_NTASKS", "9"}})
                ->size,
            2);
}

TEST(Launch, RefusesVariablesThatAreMissingOrWrong) {
  const std::vector<std::pair<std::map<std::string, std::string>, std::string>> cases{
      {{{"RANK", "0"}}, "RANK is set, but WORLD_SIZE is not"},
      {{{"WORLD_SIZE", "2"}}, "WORLD_SIZE is set, but RANK is not"},
      {{{"SLURM_STEP_ID", "0"}, {"SLURM_NTASKS", "2"}},
       "SLURM_NTASKS is set, but SLURM_PROCID is not"},
      {{{"RANK", "2"}, {"WORLD_SIZE", "2"}}, "RANK is '2'; expected a number from 0 to 1"},
      {{{"RANK", "-1"}, {"WORLD_SIZE", "2"}}, "RANK is '-1'"},
      {{{"RANK", "0"}, {"WORLD_SIZE", "two"}}, "WORLD_SIZE is 'two'"},
      {{{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_PORT", "99999"}}, "MASTER_PORT is '99999'"},
      {{{"SLURM_STEP_ID", "0"}, {"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "2"}},
       "neither MASTER_ADDR nor SLURM_STEP_NODELIST"}};
  for (const auto& [set, message] : cases)
    EXPECT_THAT(error_of<Error>([&] { launch_with(set); }), HasSubstr(message));
}

TEST(Launch, ExpandsListsOfHosts) {
  EXPECT_THAT(hosts_of("node[01-03,7],login"),
              ElementsAre("node01", "node02", "node03", "node7", "login"));
  EXPECT_THAT(hosts_of("r[1-2]n[8-9]"), ElementsAre("r1n8", "r2n8", "r1n9", "r2n9"));
  EXPECT_THAT(hosts_of("alone"), ElementsAre("alone"));
  for (const std::string bad :
       {"", "a,,b", "a[", "a]", "a[1-x]", "a[[1]]", "a[0-999999999]", "a[]", "a[3-1]"})
    EXPECT_THAT(error_of<Error>([&] { hosts_of(bad); }), HasSubstr("list of nodes")) << bad;
}

}  // namespace
}  // namespace hgnet
