#include "hgnet/train/event_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <string_view>

#include "core/crc32c.hpp"
#include "event.pb.h"
#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/error.hpp"

// A file is a sequence of records: length (8 bytes), its masked CRC (4), the event, its masked CRC
// (4); all little-endian.

namespace hgnet {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t kHead = 12;
constexpr std::size_t kFoot = 4;

/// TFRecord masks a CRC, because the CRC of bytes that contain their own CRC is useless.
std::uint32_t masked_crc(std::string_view bytes) {
  return std::rotr(crc32c(bytes), 15) + 0xa282ead8;
}

template <class T>
void append_number(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

template <class T>
T number_at(std::string_view bytes, std::size_t place) {
  T value;
  std::memcpy(&value, bytes.data() + place, sizeof(value));
  return value;
}

std::string record_of(const proto::Event& event) {
  const std::string data = event.SerializeAsString();
  std::string record;
  append_number(record, std::uint64_t{data.size()});
  append_number(record, masked_crc(record));
  record += data;
  append_number(record, masked_crc(data));
  return record;
}

/// The event at the start of the bytes and the size of its record; none if it is damaged or
/// incomplete.
std::optional<std::pair<proto::Event, std::size_t>> first_event(std::string_view bytes) {
  if (bytes.size() < kHead + kFoot) return std::nullopt;
  const auto length = number_at<std::uint64_t>(bytes, 0);
  if (number_at<std::uint32_t>(bytes, 8) != masked_crc(bytes.substr(0, 8))) return std::nullopt;
  if (length > bytes.size() - kHead - kFoot) return std::nullopt;
  const std::string_view data = bytes.substr(kHead, length);
  if (number_at<std::uint32_t>(bytes, kHead + length) != masked_crc(data)) return std::nullopt;
  proto::Event event;
  if (!event.ParseFromArray(data.data(), static_cast<int>(data.size()))) return std::nullopt;
  return std::pair{event, kHead + length + kFoot};
}

struct Kept {
  std::int64_t size = 0;
  std::int64_t last_step = 0;
};

/// The part of a file up to `last_step`; nothing of a file that does not start like an event file.
Kept kept_part(std::string_view bytes, std::int64_t last_step) {
  Kept kept;
  while (const auto next = first_event(bytes.substr(kept.size))) {
    const auto& [event, size] = *next;
    const bool begins = kept.size == 0;
    if (begins != event.has_file_version() || (!begins && event.step() > last_step)) break;
    kept.size += static_cast<std::int64_t>(size);
    kept.last_step = event.step();
  }
  return kept;
}

double now() {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since_1970).count();
}

proto::Event version_event() {
  proto::Event event;
  event.set_wall_time(now());
  event.set_file_version("brain.Event:2");
  return event;
}

[[noreturn]] void fail(const std::filesystem::path& file) {
  throw Error("cannot write " + file.string() + ": " + std::strerror(errno));
}

}  // namespace

EventFile::EventFile(const std::filesystem::path& folder, std::int64_t last_step)
    : path_(folder / kName) {
  std::error_code ignored;  // open reports it better
  std::filesystem::create_directories(folder, ignored);
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0) fail(path_);
  try {
    const Kept kept = kept_part(read_whole(path_), last_step);
    if (::ftruncate(descriptor_, kept.size) != 0) fail(path_);
    size_ = kept.size;
    last_step_ = kept.last_step;
    if (size_ == 0) pending_ = record_of(version_event());
    flush();
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

EventFile::~EventFile() {
  write_pending();
  ::close(descriptor_);
}

void EventFile::add(std::int64_t step, double wall_time,
                    std::span<const std::pair<std::string, double>> scalars) {
  if (step < last_step_) {
    throw Error(path_.string() + ": step " + std::to_string(step) + " after step " +
                std::to_string(last_step_));
  }
  proto::Event event;
  event.set_step(step);
  event.set_wall_time(wall_time);
  for (const auto& [tag, value] : scalars) {
    proto::Summary::Value* entry = event.mutable_summary()->add_value();
    entry->set_tag(tag);
    entry->set_simple_value(static_cast<float>(value));
  }
  pending_ += record_of(event);
  last_step_ = step;
}

void EventFile::flush() {
  if (!write_pending()) fail(path_);
}

/// Writes after the last complete record: the next attempt overwrites what a failed one left
/// incomplete.
bool EventFile::write_pending() {
  std::size_t written = 0;
  while (written < pending_.size()) {
    const ssize_t count =
        ::pwrite(descriptor_, pending_.data() + written, pending_.size() - written,
                 size_ + static_cast<std::int64_t>(written));
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) written += static_cast<std::size_t>(count);
  }
  size_ += static_cast<std::int64_t>(written);
  pending_.clear();
  return true;
}

}  // namespace hgnet
