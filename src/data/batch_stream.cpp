#include <string>
#include <system_error>

#include "hgnet/core/error.hpp"
#include "hgnet/data/batches.hpp"

namespace hgnet {
namespace {

/// Batches are small while all that are ready have no more nodes and directed edges than this.
constexpr std::int64_t kSmallSlots = 1 << 16;

std::int64_t slots_of(const SampleBatch& batch) {
  const Graph& graph = batch.hierarchy.graph(0);
  return graph.num_nodes() + graph.num_edges();
}

}  // namespace

BatchStream::BatchStream(const BatchSource& source, std::vector<std::vector<std::int64_t>> plan,
                         int ahead)
    : source_(source), plan_(std::move(plan)), ahead_(static_cast<std::size_t>(ahead)) {
  if (ahead <= 0) throw Error("a stream that keeps " + std::to_string(ahead) + " batches ready");
  try {
    thread_ = std::jthread([this](const std::stop_token& stop) { produce(stop); });
  } catch (const std::system_error& error) {
    throw Error(std::string("cannot start a thread that joins batches: ") + error.what());
  }
}

/// Whether there are fewer batches than are to be ready, or they are small: with fewer slots.
bool BatchStream::has_room(std::int64_t slots) const {
  return ready_.size() < ahead_ || ready_slots_ < slots;
}

void BatchStream::produce(const std::stop_token& stop) {
  std::exception_ptr failure;
  try {
    bool full = false;
    for (const std::vector<std::int64_t>& samples : plan_) {
      {
        // Once there are enough, the thread sleeps until half of them are used.
        std::unique_lock lock(mutex_);
        const std::int64_t slots = full ? kSmallSlots / 2 : kSmallSlots;
        if (!changed_.wait(lock, stop, [&] { return has_room(slots); })) return;
      }
      if (stop.stop_requested()) return;
      SampleBatch batch = source_.join(samples);
      const std::scoped_lock lock(mutex_);
      ready_slots_ += slots_of(batch);
      ready_.push_back(std::move(batch));
      full = !has_room(kSmallSlots);
      if (awaited_) changed_.notify_all();
    }
  } catch (...) {
    failure = std::current_exception();
  }
  const std::scoped_lock lock(mutex_);
  failure_ = failure;
  finished_ = true;
  changed_.notify_all();
}

std::optional<SampleBatch> BatchStream::next() {
  std::unique_lock lock(mutex_);
  awaited_ = true;
  changed_.wait(lock, [this] { return finished_ || !ready_.empty(); });
  awaited_ = false;
  if (ready_.empty()) {
    if (failure_) std::rethrow_exception(failure_);
    return std::nullopt;
  }
  SampleBatch batch = std::move(ready_.front());
  ready_.pop_front();
  ready_slots_ -= slots_of(batch);
  if (has_room(kSmallSlots / 2)) changed_.notify_all();
  return batch;
}

}  // namespace hgnet
