#include "hgnet/ranks/ranks.hpp"

#include <torch/types.h>

#include <cstring>
#include <numeric>

#include "ranks/engine.hpp"
#include "ranks/leave_behind.hpp"

namespace hgnet {

Ranks::Ranks() = default;

Ranks::Ranks(const Launch& launch)
    : rank_(launch.rank), size_(launch.size), local_size_(launch.local_size) {
  if (size_ > 1) engine_ = make_engine(launch);
}

Ranks::~Ranks() {
  if (engine_ == nullptr) return;
  const bool failed = engine_->failed();
  engine_->leave();
  if (failed) leave_behind(std::move(engine_));
}

const Ranks& Ranks::alone() {
  static const Ranks one;
  return one;
}

void Ranks::sum(const at::Tensor& values) const { sum_later(values)(); }

std::function<void()> Ranks::sum_later(const at::Tensor& values) const {
  if (is_alone()) return [] {};
  return engine_->begin(values);
}

void Ranks::sum(std::span<double> values) const {
  if (is_alone()) return;
  engine_->sum(
      torch::from_blob(values.data(), {static_cast<std::int64_t>(values.size())}, torch::kFloat64));
}

std::string Ranks::of_first(const std::string& bytes) const {
  return of_all(leads() ? bytes : "").front();
}

std::vector<std::string> Ranks::of_all(const std::string& bytes) const {
  if (is_alone()) return {bytes};
  const at::Tensor lengths = torch::zeros({size_}, torch::kInt64);
  auto* length = lengths.data_ptr<std::int64_t>();
  length[rank_] = static_cast<std::int64_t>(bytes.size());
  sum(lengths);
  const std::int64_t total = std::accumulate(length, length + size_, std::int64_t{0});
  if (total == 0) return std::vector<std::string>(size_);
  const at::Tensor all = torch::zeros({total}, torch::kUInt8);
  auto* content = reinterpret_cast<char*>(all.data_ptr<std::uint8_t>());
  std::memcpy(content + std::accumulate(length, length + rank_, std::int64_t{0}), bytes.data(),
              bytes.size());
  sum(all);
  std::vector<std::string> result;
  for (int rank = 0; rank < size_; content += length[rank++])
    result.emplace_back(content, length[rank]);
  return result;
}

void Ranks::meet() const {
  if (!is_alone()) engine_->meet();
}

void Ranks::report(const std::string& error) const {
  if (!is_alone()) engine_->report(error);
}

}  // namespace hgnet
