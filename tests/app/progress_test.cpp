#include "progress.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <thread>

namespace hgnet::app {
namespace {

using testing::ElementsAre;
using testing::StartsWith;
using Lines = std::vector<std::string>;

FitProgress example() {
  return {.label = "gcn fold 3",
          .epoch = 50,
          .epochs = 200,
          .batch = 3,
          .batches = 6,
          .loss = 0.43218,
          .metric = "accuracy",
          .val = 0.8125,
          .best_val = 0.82,
          .samples_per_second = 1234.4,
          .unit = "graphs",
          .seconds_left = 83};
}

FitProgress at_epoch(const std::string& label, std::int64_t epoch, std::int64_t epochs) {
  FitProgress progress;
  progress.label = label;
  progress.epoch = epoch;
  progress.epochs = epochs;
  progress.loss = 0.5;
  return progress;
}

int columns_of(const std::string& text) {
  int count = 0;
  for (const char c : text) count += (c & 0xc0) == 0x80 ? 0 : 1;
  return count;
}

TEST(DurationText, TakesTheUnitsThatFit) {
  EXPECT_EQ(duration_text(0), "0:00");
  EXPECT_EQ(duration_text(7.4), "0:07");
  EXPECT_EQ(duration_text(59.6), "1:00");
  EXPECT_EQ(duration_text(754), "12:34");
  EXPECT_EQ(duration_text(3 * 3600 + 4 * 60 + 5), "3:04:05");
  EXPECT_EQ(duration_text(51 * 3600), "2 d 3 h");
  EXPECT_EQ(duration_text(-1), "?");
  EXPECT_EQ(duration_text(std::numeric_limits<double>::infinity()), "?");
  EXPECT_EQ(duration_text(std::numeric_limits<double>::quiet_NaN()), "?");
}

TEST(FitLine, ShowsAllWhereThereIsRoom) {
  EXPECT_EQ(fit_line(example(), 140),
            "gcn fold 3  [#######.......................]   50/200  loss 0.4322  accuracy 0.8125  "
            "best 0.8200  1234 graphs/s  1:23 left");
}

TEST(FitLine, LeavesOutWhatMattersLeast) {
  EXPECT_EQ(fit_line(example(), 100),
            "gcn fold 3  [##......]   50/200  loss 0.4322  accuracy 0.8125  best 0.8200  "
            "1234 graphs/s  1:23 left");
  EXPECT_EQ(fit_line(example(), 80),
            "gcn fold 3  [####............]   50/200  loss 0.4322  accuracy 0.8125  1:23 left");
  EXPECT_EQ(fit_line(example(), 60),
            "gcn fold 3   50/200  loss 0.4322  accuracy 0.8125  1:23 left");
  EXPECT_EQ(fit_line(example(), 40), "gcn fold 3   50/200  accuracy 0.8125");
  EXPECT_EQ(fit_line(example(), 15), "gcn f~   50/200");
  EXPECT_EQ(fit_line(example(), 4), " 50~");
}

TEST(FitLine, IsNeverWiderThanTold) {
  FitProgress progress = example();
  progress.label = "modèle à très long nom";
  for (int width = 0; width < 200; ++width) {
    for (const int label_width : {0, 30}) {
      const std::string line = fit_line(progress, width, label_width);
      EXPECT_LE(columns_of(line), width) << line;
    }
  }
}

TEST(FitLine, SaysNothingOfWhatIsNotKnownYet) {
  EXPECT_EQ(fit_line(at_epoch("gin", 0, 10), 80), "gin  [..............................]   0/10");
  EXPECT_EQ(plain_line(at_epoch("gin", 0, 0)), "gin: epoch 0/0");
}

TEST(FitLine, KeepsStrangeNumbersShort) {
  FitProgress progress = at_epoch("gin", 12, 10);  // more than planned
  progress.loss = std::numeric_limits<double>::quiet_NaN();
  progress.metric = "mae";
  progress.val = 1.23456e12;
  progress.best_val = 1.2e-7;
  progress.samples_per_second = 3.14159;
  progress.unit = "epochs";
  progress.seconds_left = std::numeric_limits<double>::infinity();
  EXPECT_EQ(plain_line(progress),
            "gin: epoch 12/10  loss nan  mae 1.23e+12  best 1.2e-07  3.1 epochs/s  ? left");
  EXPECT_THAT(fit_line(progress, 200), StartsWith("gin  [##############################]"));
  progress.samples_per_second = 2.5e5;
  EXPECT_THAT(plain_line(progress), testing::HasSubstr("250k epochs/s"));
}

TEST(TotalLine, CountsFits) {
  EXPECT_EQ(total_line(3, 10, 2, 80), "3 of 10 fits done, 2 running");
  EXPECT_EQ(total_line(3, 10, 2, 9), "3 of 10 ~");
}

/// Emulates the few terminal functions that are used. Fails the test on any others, on lines that
/// wrap, and on movement beyond the top of the screen.
class FakeTerminal {
 public:
  FakeTerminal(int width, int height) : width_(width), height_(height) {}

  void write(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\033') {
        i = escape(text, i + 2);
      } else if (text[i] == '\r') {
        column_ = 0;
      } else if (text[i] == '\n') {
        column_ = 0;
        if (++row_ == lines_.size()) lines_.emplace_back();
      } else {
        lines_[row_].resize(std::max(lines_[row_].size(), column_ + 1), ' ');
        lines_[row_][column_++] = text[i];
        EXPECT_LT(column_, static_cast<std::size_t>(width_)) << "wraps: " << lines_[row_];
      }
    }
  }

  /// All lines ever written, without the cursor's empty line.
  Lines lines() const {
    EXPECT_EQ(row_ + 1, lines_.size()) << "the cursor is not below";
    EXPECT_EQ(lines_.back(), "");
    return {lines_.begin(), lines_.end() - 1};
  }

  Screen screen() {
    return {.write = [this](std::string_view text) { write(text); },
            .size =
                [this] {
                  return Screen::Size{width_, height_};
                },
            .seconds = [this] { return now; }};
  }

  double now = 0;

 private:
  std::size_t escape(std::string_view text, std::size_t at) {
    std::size_t count = 0;
    while (text[at] >= '0' && text[at] <= '9') count = 10 * count + (text[at++] - '0');
    if (text[at] == 'A') {
      EXPECT_LT(count, static_cast<std::size_t>(height_));
      row_ -= std::min(count, row_);
    } else if (text[at] == 'K') {
      lines_[row_].resize(std::min(lines_[row_].size(), column_));
    } else if (text[at] == 'J') {
      lines_[row_].resize(std::min(lines_[row_].size(), column_));
      lines_.resize(row_ + 1);
    } else {
      ADD_FAILURE() << "escape sequence with " << text[at];
    }
    return at;
  }

  int width_;
  int height_;
  Lines lines_ = {""};
  std::size_t row_ = 0;
  std::size_t column_ = 0;
};

TEST(TerminalProgress, RedrawsInPlaceAndLeavesCleanLines) {
  FakeTerminal terminal(40, 24);
  TerminalProgress progress(terminal.screen(), 3);
  progress.message("data: 10 graphs");
  progress.update(0, at_epoch("gcn", 1, 10));
  terminal.now = 1;
  progress.update(1, at_epoch("gcn+vn", 2, 10));
  EXPECT_THAT(terminal.lines(), ElementsAre("data: 10 graphs",                          //
                                            "gcn     [.........]   1/10  loss 0.5000",  //
                                            "gcn+vn  [#........]   2/10  loss 0.5000",  //
                                            "0 of 3 fits done, 2 running"));
  progress.finished(0, at_epoch("gcn", 10, 10), "accuracy 0.8");
  EXPECT_THAT(terminal.lines(), ElementsAre("data: 10 graphs", "gcn: accuracy 0.8",     //
                                            "gcn+vn  [#........]   2/10  loss 0.5000",  //
                                            "1 of 3 fits done, 1 running"));
  progress.message("a note");
  progress.finished(1, at_epoch("gcn+vn", 10, 10), "accuracy 0.9");
  EXPECT_THAT(terminal.lines(), ElementsAre("data: 10 graphs", "gcn: accuracy 0.8", "a note",
                                            "gcn+vn: accuracy 0.9", "2 of 3 fits done, 0 running"));
  progress.finished(2, at_epoch("gat", 10, 10), "accuracy 0.7");
  EXPECT_THAT(terminal.lines(), ElementsAre("data: 10 graphs", "gcn: accuracy 0.8", "a note",
                                            "gcn+vn: accuracy 0.9", "gat: accuracy 0.7"));
}

TEST(TerminalProgress, OneFitNeedsNoCount) {
  FakeTerminal terminal(40, 24);
  TerminalProgress progress(terminal.screen(), 1);
  progress.update(0, at_epoch("gcn", 5, 10));
  EXPECT_THAT(terminal.lines(), ElementsAre("gcn  [######......]   5/10  loss 0.5000"));
}

TEST(TerminalProgress, WritesOverWhatTheKeyboardLeftBelow) {
  FakeTerminal terminal(40, 24);
  TerminalProgress progress(terminal.screen(), 1);
  progress.update(0, at_epoch("gcn", 5, 10));
  terminal.write("^C");
  terminal.now = 1;
  progress.update(0, at_epoch("gcn", 6, 10));
  EXPECT_THAT(terminal.lines(), ElementsAre("gcn  [#######.....]   6/10  loss 0.5000"));
}

TEST(TerminalProgress, DropsWhatComesTooFast) {
  FakeTerminal terminal(30, 24);
  int writes = 0;
  Screen screen = terminal.screen();
  screen.write = [&](std::string_view text) {
    ++writes;
    terminal.write(text);
  };
  TerminalProgress progress(screen, 1);
  for (int i = 0; i < 1000; ++i) {
    terminal.now = i / 1000.0;
    progress.update(0, at_epoch("gcn", i, 1000));
  }
  EXPECT_LE(writes, 11);
  EXPECT_GE(writes, 9);
}

TEST(TerminalProgress, ShowsNoMoreFitsThanTheScreenHolds) {
  FakeTerminal terminal(30, 5);
  TerminalProgress progress(terminal.screen(), 20);
  for (int fit = 0; fit < 20; ++fit) {
    terminal.now += 1;
    progress.update(fit, at_epoch(std::to_string(fit), 0, 9));
  }
  const Lines lines = terminal.lines();
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_THAT(lines[2], StartsWith("2 "));
  EXPECT_EQ(lines[3], "0 of 20 fits done, 20 running");
}

TEST(TerminalProgress, MayBeCalledFromSeveralThreads) {
  FakeTerminal terminal(60, 24);
  {
    TerminalProgress progress(terminal.screen(), 8);
    std::vector<std::jthread> threads;
    for (int fit = 0; fit < 8; ++fit) {
      threads.emplace_back([&progress, fit] {
        const std::string label = "fit " + std::to_string(fit);
        for (int i = 0; i < 200; ++i) progress.update(fit, at_epoch(label, i, 200));
        progress.finished(fit, at_epoch(label, 200, 200), "done");
      });
    }
  }
  EXPECT_THAT(terminal.lines(), testing::UnorderedElementsAre(
                                    "fit 0: done", "fit 1: done", "fit 2: done", "fit 3: done",
                                    "fit 4: done", "fit 5: done", "fit 6: done", "fit 7: done"));
}

/// The epochs that get a line when each takes this many seconds.
Lines lines_of(int epochs, double seconds_each) {
  std::string out;
  double now = 1000;
  LineProgress progress({.write = [&](std::string_view text) { out += text; },
                         .size = {},
                         .seconds = [&] { return now; }});
  progress.update(0, at_epoch("gcn", 0, epochs));
  for (int epoch = 1; epoch <= epochs; ++epoch) {
    now += seconds_each;
    progress.epoch(0, at_epoch("gcn", epoch, epochs));
  }
  progress.finished(0, at_epoch("gcn", epochs, epochs), "accuracy 0.8");
  Lines lines;
  std::istringstream stream(out);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(LineProgress, WritesEveryTenthOfTheEpochsWhenTheyAreSlow) {
  EXPECT_THAT(lines_of(40, 60),
              ElementsAre("gcn: epoch 4/40  loss 0.5000", "gcn: epoch 8/40  loss 0.5000",
                          "gcn: epoch 12/40  loss 0.5000", "gcn: epoch 16/40  loss 0.5000",
                          "gcn: epoch 20/40  loss 0.5000", "gcn: epoch 24/40  loss 0.5000",
                          "gcn: epoch 28/40  loss 0.5000", "gcn: epoch 32/40  loss 0.5000",
                          "gcn: epoch 36/40  loss 0.5000", "gcn: accuracy 0.8"));
}

TEST(LineProgress, WritesEveryTenSecondsWhenTenthsAreFast) {
  EXPECT_THAT(lines_of(100, 0.25),  // 25 s in total
              ElementsAre("gcn: epoch 40/100  loss 0.5000", "gcn: epoch 80/100  loss 0.5000",
                          "gcn: accuracy 0.8"));
  EXPECT_THAT(lines_of(100, 0.01), ElementsAre("gcn: accuracy 0.8"));
}

TEST(LineProgress, WritesMessages) {
  std::string out;
  LineProgress progress({.write = [&](std::string_view text) { out += text; },
                         .size = {},
                         .seconds = [] { return 0.0; }});
  progress.message("data: 10 graphs");
  EXPECT_EQ(out, "data: 10 graphs\n");
}

}  // namespace
}  // namespace hgnet::app
