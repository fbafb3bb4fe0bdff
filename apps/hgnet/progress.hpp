// Display of the progress of fits: lines redrawn in place on a terminal, plain lines elsewhere.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "hgnet/train/progress.hpp"

namespace hgnet::app {

/// Shows the progress of `fits` fits on stderr: redrawn in place on a terminal, otherwise as
/// occasional lines. `quiet`: shows failures only.
std::unique_ptr<ProgressSink> make_progress(int fits, bool quiet);

/// "0:07", "12:34", "3:04:05", "2 d 3 h"; "?" for an invalid time.
std::string duration_text(double seconds);

/// The line of a running fit in at most `width` columns. Leaves out the least important parts if
/// there is no room. The label is padded to `label_width`, so that the lines of several fits are
/// aligned.
std::string fit_line(const FitProgress& progress, int width, int label_width = 0);

/// The same for a log: all parts, no bar.
std::string plain_line(const FitProgress& progress);

/// "3 of 10 fits done, 2 running", in at most `width` columns.
std::string total_line(int done, int fits, int running, int width);

/// The environment of the two displays.
struct Screen {
  struct Size {
    int columns = 80;
    int rows = 24;
  };
  std::function<void(std::string_view)> write;
  std::function<Size()> size;
  std::function<double()> seconds;  // a monotonic clock
};

/// One line per running fit, redrawn in place, and one that counts the fits; the cursor is below
/// them. Lines of finished fits and messages appear above and stay.
class TerminalProgress : public ProgressSink {
 public:
  TerminalProgress(Screen screen, int fits) : screen_(std::move(screen)), fits_(fits) {}

  void update(int fit, const FitProgress& progress) override;
  void finished(int fit, const FitProgress& progress, const std::string& summary) override;
  void message(const std::string& line) override;

 private:
  void draw(const std::string& above);
  std::vector<std::string> block(Screen::Size size) const;

  Screen screen_;
  int fits_;
  std::mutex mutex_;
  std::map<int, FitProgress> running_;
  int done_ = 0;
  int drawn_lines_ = 0;  // above the cursor
  double last_draw_ = -1e9;
};

/// One line per fit for every tenth of its epochs or every ten seconds, whichever is rarer, and one
/// at its end.
class LineProgress : public ProgressSink {
 public:
  explicit LineProgress(Screen screen) : screen_(std::move(screen)) {}

  void update(int fit, const FitProgress& progress) override;
  void epoch(int fit, const FitProgress& progress) override;
  void finished(int fit, const FitProgress& progress, const std::string& summary) override;
  void message(const std::string& line) override;

 private:
  struct Last {
    double seconds = 0;
    std::int64_t tenth = 0;
  };

  Screen screen_;
  std::mutex mutex_;
  std::map<int, Last> last_;  // line of each fit; before the first, when the fit was first reported
};

}  // namespace hgnet::app
