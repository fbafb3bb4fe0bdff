#include "progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "hgnet/core/text.hpp"

namespace hgnet::app {
namespace {

constexpr double kRedrawSeconds = 0.1;
constexpr double kLineSeconds = 10;
constexpr int kMaxBar = 30;

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

/// Characters of UTF-8 text, each counted as one column.
int columns(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), starts_character));
}

/// At most `width` columns; "~" marks what was cut off.
std::string cut(const std::string& text, int width) {
  if (columns(text) <= width) return text;
  if (width <= 0) return "";
  std::string result;
  int taken = 0;
  for (const char c : text) {
    if (starts_character(c) && ++taken == width) break;
    result += c;
  }
  return result + "~";
}

template <class... Values>
std::string format(const char* pattern, Values... values) {
  char buffer[64];
  std::snprintf(buffer, sizeof(buffer), pattern, values...);
  return buffer;
}

std::string number_text(double value) {
  const double size = std::abs(value);
  const bool plain = size == 0 || (size >= 1e-3 && size < 1e4);
  return format(plain ? "%.4f" : "%.3g", value);
}

std::string rate_text(const FitProgress& progress) {
  const double rate = progress.samples_per_second;
  const std::string number = rate < 10     ? format("%.1f", rate)
                             : rate < 10e3 ? format("%.0f", rate)
                             : rate < 10e6 ? format("%.0fk", rate / 1e3)
                                           : format("%.0fM", rate / 1e6);
  return number + " " + progress.unit + "/s";
}

bool has_begun(const FitProgress& progress) { return progress.epoch > 0 || progress.batch > 0; }

/// 0 ... 1.
double done_fraction(const FitProgress& progress) {
  if (progress.epochs <= 0) return 0;
  const double part = progress.batches > 0 ? static_cast<double>(progress.batch) /
                                                 static_cast<double>(progress.batches)
                                           : 0;
  const double done =
      (static_cast<double>(progress.epoch) + part) / static_cast<double>(progress.epochs);
  return std::clamp(done, 0.0, 1.0);
}

std::string bar_text(double fraction, int width) {
  const auto filled = static_cast<int>(fraction * width);
  std::string text(1, '[');
  text.append(filled, '#').append(width - filled, '.');
  return text += ']';
}

std::string epoch_text(const FitProgress& progress) {
  return std::to_string(progress.epoch) + "/" + std::to_string(progress.epochs);
}

/// Padded to the same width for every epoch.
std::string padded_epoch_text(const FitProgress& progress) {
  const std::string text = epoch_text(progress);
  const std::size_t width = 2 * std::to_string(progress.epochs).size() + 1;
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

/// Part of a line; parts with a higher rank are left out first.
struct Part {
  int rank = 0;
  std::string text;
};

/// Everything but label, bar and epoch. Leaves out what is not known yet.
std::vector<Part> parts_of(const FitProgress& progress) {
  std::vector<Part> parts;
  if (has_begun(progress)) parts.push_back({2, "loss " + number_text(progress.loss)});
  if (progress.val) parts.push_back({1, progress.metric + " " + number_text(*progress.val)});
  if (progress.best_val) parts.push_back({6, "best " + number_text(*progress.best_val)});
  if (progress.samples_per_second > 0) parts.push_back({5, rate_text(progress)});
  if (progress.seconds_left > 0) {
    parts.push_back({3, duration_text(progress.seconds_left) + " left"});
  }
  return parts;
}

std::string joined(const std::vector<Part>& parts) {
  std::string text;
  for (const Part& part : parts) text += (text.empty() ? "" : "  ") + part.text;
  return text;
}

void leave_out_least(std::vector<Part>& parts) {
  parts.erase(std::max_element(parts.begin(), parts.end(),
                               [](const Part& a, const Part& b) { return a.rank < b.rank; }));
}

}  // namespace

std::string duration_text(double seconds) {
  if (!(seconds >= 0 && seconds < 1e9)) return "?";
  const long long whole = std::llround(seconds);
  const long long minutes = whole / 60;
  const long long hours = minutes / 60;
  if (hours >= 24) return format("%lld d %lld h", hours / 24, hours % 24);
  if (hours > 0) return format("%lld:%02lld:%02lld", hours, minutes % 60, whole % 60);
  return format("%lld:%02lld", minutes, whole % 60);
}

std::string fit_line(const FitProgress& progress, int width, int label_width) {
  constexpr int kMinBar = 5;
  constexpr int kBarRank = 4;
  const double done = done_fraction(progress);
  const std::string epoch = padded_epoch_text(progress);
  std::string label = progress.label;
  label.append(std::max(0, label_width - columns(label)), ' ');
  std::vector<Part> parts = {{0, label}, {kBarRank, bar_text(done, kMinBar)}, {0, epoch}};
  for (Part& part : parts_of(progress)) parts.push_back(std::move(part));
  while (parts.size() > 2 && columns(joined(parts)) > width) leave_out_least(parts);
  const int room = width - columns(joined(parts));
  if (room < 0) {
    label = cut(progress.label, width - columns(epoch) - 2);
    return label.empty() ? cut(epoch, width) : label + "  " + epoch;
  }
  if (parts[1].rank == kBarRank) {
    parts[1].text = bar_text(done, std::min(kMaxBar, kMinBar + room));
  }
  return joined(parts);
}

std::string plain_line(const FitProgress& progress) {
  std::vector<Part> parts = parts_of(progress);
  parts.insert(parts.begin(), {0, progress.label + ": epoch " + epoch_text(progress)});
  return joined(parts);
}

std::string total_line(int done, int fits, int running, int width) {
  return cut(std::to_string(done) + " of " + std::to_string(fits) + " fits done, " +
                 std::to_string(running) + " running",
             width);
}

void TerminalProgress::update(int fit, const FitProgress& progress) {
  const std::lock_guard lock(mutex_);
  running_[fit] = progress;
  if (screen_.seconds() - last_draw_ >= kRedrawSeconds) draw("");
}

void TerminalProgress::finished(int fit, const FitProgress& progress, const std::string& summary) {
  const std::lock_guard lock(mutex_);
  running_.erase(fit);
  ++done_;
  draw(progress.label + ": " + summary + "\n");
}

void TerminalProgress::message(const std::string& line) {
  const std::lock_guard lock(mutex_);
  draw(printable(line) + "\n");
}

/// Leaves room for the cursor's line: a line that scrolled away could not be redrawn.
std::vector<std::string> TerminalProgress::block(Screen::Size size) const {
  const int width = size.columns - 1;  // terminals treat the last column differently
  const auto running = static_cast<int>(running_.size());
  const int shown = std::min(running, std::max(0, size.rows - 2));
  int label_width = 0;
  for (const auto& [fit, progress] : running_) {
    label_width = std::max(label_width, columns(progress.label));
  }
  std::vector<std::string> lines;
  for (auto at = running_.begin(); static_cast<int>(lines.size()) < shown; ++at) {
    lines.push_back(fit_line(at->second, width, label_width));
  }
  if (fits_ > 1 && done_ < fits_) lines.push_back(total_line(done_, fits_, running, width));
  return lines;
}

/// Replaces the old block with `above`, which is whole lines, and draws a new block below it. All
/// in one write, to avoid flicker and interleaving with other output.
void TerminalProgress::draw(const std::string& above) {
  std::string out = "\r";
  if (drawn_lines_ > 0) out.append("\033[").append(std::to_string(drawn_lines_)).append("A");
  if (!above.empty()) out += "\033[J" + above;
  const std::vector<std::string> lines = block(screen_.size());
  for (const std::string& line : lines) out += line + "\033[K\n";
  out += "\033[J";
  screen_.write(out);
  drawn_lines_ = static_cast<int>(lines.size());
  last_draw_ = screen_.seconds();
}

void LineProgress::update(int fit, const FitProgress& /*progress*/) {
  const std::lock_guard lock(mutex_);
  last_.try_emplace(fit, Last{screen_.seconds(), 0});
}

void LineProgress::epoch(int fit, const FitProgress& progress) {
  const std::lock_guard lock(mutex_);
  const double now = screen_.seconds();
  Last& last = last_.try_emplace(fit, Last{now, 0}).first->second;
  const std::int64_t tenth = 10 * progress.epoch / std::max<std::int64_t>(1, progress.epochs);
  // finished() writes the line of the last epoch.
  if (tenth <= last.tenth || now - last.seconds < kLineSeconds ||
      progress.epoch >= progress.epochs) {
    return;
  }
  last = {now, tenth};
  screen_.write(plain_line(progress) + "\n");
}

void LineProgress::finished(int /*fit*/, const FitProgress& progress, const std::string& summary) {
  message(progress.label + ": " + summary);
}

void LineProgress::message(const std::string& line) {
  const std::lock_guard lock(mutex_);
  screen_.write(printable(line) + "\n");
}

namespace {

Screen::Size stderr_size() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) {
    return {};
  }
  return {size.ws_col, size.ws_row};
}

Screen stderr_screen() {
  return {.write = [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); },
          .size = stderr_size,
          .seconds =
              [] {
                const auto now = std::chrono::steady_clock::now().time_since_epoch();
                return std::chrono::duration<double>(now).count();
              }};
}

class QuietProgress : public ProgressSink {
 public:
  void update(int /*fit*/, const FitProgress& /*progress*/) override {}
  void finished(int /*fit*/, const FitProgress& /*progress*/,
                const std::string& /*summary*/) override {}
  void message(const std::string& /*line*/) override {}
  void failure(const std::string& line) override { LineProgress(stderr_screen()).message(line); }
};

bool can_redraw() {
  const char* kind = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) != 0 && kind != nullptr && std::strcmp(kind, "dumb") != 0;
}

}  // namespace

std::unique_ptr<ProgressSink> make_progress(int fits, bool quiet) {
  if (quiet) return std::make_unique<QuietProgress>();
  if (can_redraw()) return std::make_unique<TerminalProgress>(stderr_screen(), fits);
  return std::make_unique<LineProgress>(stderr_screen());
}

}  // namespace hgnet::app
