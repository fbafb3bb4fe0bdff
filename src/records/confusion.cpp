#include "hgnet/records/confusion.hpp"

namespace hgnet {
namespace {

std::optional<double> share(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

ClassScores class_scores(const Confusion& confusion, std::int64_t of) {
  std::int64_t there = 0;
  std::int64_t guessed = 0;
  for (std::int64_t c = 0; c < confusion.classes(); ++c) {
    there += confusion.at(of, c);
    guessed += confusion.at(c, of);
  }
  const std::int64_t hits = confusion.at(of, of);
  return {there, share(hits, guessed), share(hits, there), share(2 * hits, there + guessed)};
}

}  // namespace hgnet
