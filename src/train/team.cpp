#include "train/team.hpp"

#include <algorithm>
#include <numeric>
#include <sstream>

#include "core/crc32c.hpp"
#include "models/state.hpp"
#include "train/norms.hpp"
#include "train/stopwatch.hpp"

namespace hgnet {

using torch::Tensor;

Share share_of(std::span<const std::int64_t> batch, const std::function<double(std::int64_t)>& cost,
               const Ranks& ranks) {
  Share share{.samples = {}, .places = {}, .batch = std::ssize(batch)};
  if (ranks.is_alone()) {
    share.samples.assign(batch.begin(), batch.end());
    return share;
  }
  std::vector<double> costs;
  for (const std::int64_t sample : batch) costs.push_back(cost(sample));
  std::vector<std::int64_t> heaviest_first(batch.size());
  std::iota(heaviest_first.begin(), heaviest_first.end(), 0);
  std::ranges::stable_sort(heaviest_first, std::greater(),
                           [&](std::int64_t place) { return costs[place]; });
  std::vector<double> load(ranks.size());
  for (const std::int64_t place : heaviest_first) {
    const auto rank = std::ranges::min_element(load) - load.begin();
    load[rank] += costs[place];
    if (rank == ranks.rank()) share.places.push_back(place);
  }
  share.counts = !share.places.empty();
  if (!share.counts) share.places.push_back(0);
  std::ranges::sort(share.places);
  for (const std::int64_t place : share.places) share.samples.push_back(batch[place]);
  return share;
}

Team::Team(const Ranks& ranks, Model& model, NormOver norm_over)
    : ranks_(ranks),
      model_(model),
      norm_over_(norm_over),
      norms_(norms_of(model)),
      gradients_(ranks, model.parameters()) {
  if (norm_over_ != NormOver::kBatch) return;
  for (TailImpl* norm : norms_) {
    norm->over_ranks = [this](std::span<double> sums) {
      const Stopwatch watch;
      ranks_.sum(sums);
      exchange_seconds_ += watch.seconds();
    };
  }
}

Team::~Team() {
  for (TailImpl* norm : norms_) norm->over_ranks = nullptr;
}

Tensor Team::forward(const Input& input, const Share& share) {
  for (TailImpl* norm : norms_) norm->counts = share.counts;
  Generator& generator = model_.generator();
  const std::uint64_t seed = generator();
  const Generator::State next = generator.state();
  generator = Generator(seed, static_cast<std::uint64_t>(ranks_.rank()));
  Tensor logits = model_.forward(input);
  generator.set_state(next);
  return logits;
}

Team::Step Team::backward(const Tensor& loss, const Tensor& logits, const Share& share, bool stop) {
  // Loss, wish to stop, and the rows of logits at the places of this rank.
  const std::int64_t width = logits.size(1);
  const Tensor notes = torch::zeros({2 + share.batch * width});
  notes[0] = loss.item<float>();
  notes[1] = stop ? 1.0F : 0.0F;
  Tensor rows = notes.narrow(0, 2, share.batch * width).view({share.batch, width});
  if (share.counts)
    rows.index_copy_(0, torch::tensor(share.places, torch::kInt64), logits.detach());
  const auto notes_there = ranks_.sum_later(notes);
  gradients_.begin();
  loss.backward();
  const Stopwatch watch;
  gradients_.finish();
  notes_there();
  exchange_seconds_ += watch.seconds();
  return {notes[0].item<double>(), rows, notes[1].item<float>() > 0};
}

void Team::share_statistics() {
  if (norm_over_ != NormOver::kRank) return;
  const torch::NoGradGuard no_grad;
  for (const TailImpl* norm : norms_) {
    for (Tensor statistics : {norm->running_mean, norm->running_var}) {
      if (!ranks_.leads()) statistics.zero_();
      ranks_.sum(statistics);
    }
  }
}

void Team::agree(FitCounters& counters) const {
  std::uint32_t sum = 0;
  for (const auto& [name, tensor] : model_state(model_)) {
    const Tensor values = tensor.contiguous();
    const std::string_view bytes(static_cast<const char*>(values.data_ptr()), values.nbytes());
    sum = sum * 31 + crc32c(bytes);
  }
  std::ostringstream own;
  own.precision(17);
  own << sum << " " << counters.train_seconds << " " << counters.evaluate_seconds;
  const std::vector<std::string> all = ranks_.of_all(own.str());
  const auto sum_of = [](const std::string& text) { return text.substr(0, text.find(' ')); };
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    if (sum_of(all[rank]) != sum_of(all[0]))
      throw RankFailed("rank " + std::to_string(rank) +
                       " has other weights than rank 0 after epoch " +
                       std::to_string(counters.epoch + 1) +
                       ": the machines compute differently, or a rank has other data");
  }
  std::istringstream first(all[0]);
  first >> sum >> counters.train_seconds >> counters.evaluate_seconds;
}

}  // namespace hgnet
