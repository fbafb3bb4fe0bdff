#include "hgnet/train/event_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>
#include <cmath>
#include <csignal>
#include <cstring>
#include <limits>
#include <map>
#include <vector>

#include "hgnet/core/error.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace hgnet {
namespace {

using test::content_of;
using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;
using Scalars = std::vector<std::pair<std::string, double>>;

constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();

// --- A second reader of such files, from the description of TFRecord and of protobuf's encoding.

std::uint32_t crc_bit_by_bit(const std::string& bytes) {
  std::uint32_t rest = ~0U;
  for (const unsigned char byte : bytes) {
    for (int bit = 0; bit < 8; ++bit) {
      const bool one = ((rest ^ (byte >> bit)) & 1) != 0;
      rest = (rest >> 1) ^ (one ? 0x82f63b78U : 0U);
    }
  }
  return ~rest;
}

std::uint32_t masked(std::uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xa282ead8U; }

struct Event {
  double wall_time = 0;
  std::int64_t step = 0;
  std::string version;
  std::map<std::string, float> scalars;
};

/// Removes numbers and fields from the front of some bytes; fails the test at their end.
struct Cursor {
  std::string bytes;

  std::string take(std::size_t count) {
    EXPECT_LE(count, bytes.size());
    std::string front = bytes.substr(0, count);
    bytes.erase(0, count);
    return front;
  }
  template <class T>
  T number() {
    T value{};
    const std::string raw = take(sizeof(T));
    std::memcpy(&value, raw.data(), raw.size());
    return value;
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = number<std::uint8_t>();
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) break;
    }
    return value;
  }
  std::string text() { return take(varint()); }
};

std::pair<std::string, float> value_of(Cursor cursor) {
  std::pair<std::string, float> result;
  while (!cursor.bytes.empty()) {
    switch (const std::uint64_t key = cursor.varint()) {
      case 1 << 3 | 2: result.first = cursor.text(); break;
      case 2 << 3 | 5: result.second = cursor.number<float>(); break;
      default: ADD_FAILURE() << "key " << key << " in a value"; return result;
    }
  }
  return result;
}

Event event_of(Cursor cursor) {
  Event event;
  while (!cursor.bytes.empty()) {
    switch (const std::uint64_t key = cursor.varint()) {
      case 1 << 3 | 1: event.wall_time = cursor.number<double>(); break;
      case 2 << 3 | 0: event.step = static_cast<std::int64_t>(cursor.varint()); break;
      case 3 << 3 | 2: event.version = cursor.text(); break;
      case 5 << 3 | 2: {
        Cursor summary{cursor.text()};
        while (!summary.bytes.empty()) {
          EXPECT_EQ(summary.varint(), std::uint64_t{1 << 3 | 2});
          event.scalars.insert(value_of({summary.text()}));
        }
        break;
      }
      default: ADD_FAILURE() << "key " << key << " in an event"; return event;
    }
  }
  return event;
}

std::vector<Event> events_of(const std::filesystem::path& file) {
  std::vector<Event> events;
  Cursor cursor{content_of(file)};
  while (!cursor.bytes.empty() && !testing::Test::HasFailure()) {
    const std::string length = cursor.bytes.substr(0, 8);
    const auto size = cursor.number<std::uint64_t>();
    EXPECT_EQ(cursor.number<std::uint32_t>(), masked(crc_bit_by_bit(length)));
    const std::string data = cursor.take(size);
    EXPECT_EQ(cursor.number<std::uint32_t>(), masked(crc_bit_by_bit(data)));
    events.push_back(event_of({data}));
  }
  return events;
}

/// The steps of all but the first event, which has to be the file's version.
std::vector<std::int64_t> steps_of(const std::filesystem::path& file) {
  std::vector<std::int64_t> steps;
  const std::vector<Event> events = events_of(file);
  EXPECT_FALSE(events.empty());
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(events[i].version, i == 0 ? "brain.Event:2" : "");
    if (i > 0) steps.push_back(events[i].step);
  }
  return steps;
}

class EventFileTest : public testing::Test {
 protected:
  std::filesystem::path run() const { return folder_.path() / "runs" / "a"; }
  std::filesystem::path file() const { return run() / "events.out.tfevents.hgnet"; }

  void write_steps(std::int64_t last_step, const std::vector<std::int64_t>& steps) const {
    EventFile events(run(), last_step);
    for (const std::int64_t step : steps) {
      events.add(step, 100.0 + static_cast<double>(step), Scalars{{"loss", 1.0}, {"val", 0.5}});
    }
    events.flush();
  }

  test::TemporaryFolder folder_;
};

TEST_F(EventFileTest, HoldsVersionAndScalars) {
  const std::string long_tag(300, 'x');
  {
    EventFile events(run(), -1);
    events.add(0, 1700000000.25, Scalars{{"train/loss", 0.75}, {"val/accuracy", -2e30}});
    events.add(300, 1700000001.5, Scalars{{long_tag, 1.0 / 3.0}, {"zero", 0.0}});
    events.add(std::int64_t{1} << 40, 1.0,
               Scalars{{"nan", std::nan("")}, {"inf", std::numeric_limits<double>::infinity()}});
    events.add(std::int64_t{1} << 40, 1.0, {});
    events.flush();
    EXPECT_EQ(events.path(), file());
  }
  std::vector<Event> events = events_of(file());
  ASSERT_EQ(events.size(), 5U);
  EXPECT_EQ(events[0].version, "brain.Event:2");
  EXPECT_GT(events[0].wall_time, 1.6e9);
  EXPECT_EQ(events[1].step, 0);
  EXPECT_EQ(events[1].wall_time, 1700000000.25);
  EXPECT_EQ(events[1].scalars,
            (std::map<std::string, float>{{"train/loss", 0.75F}, {"val/accuracy", -2e30F}}));
  EXPECT_EQ(events[2].step, 300);
  EXPECT_EQ(events[2].scalars,
            (std::map<std::string, float>{{long_tag, 1.0F / 3.0F}, {"zero", 0.0F}}));
  EXPECT_EQ(events[3].step, std::int64_t{1} << 40);
  EXPECT_TRUE(std::isnan(events[3].scalars.at("nan")));
  EXPECT_TRUE(std::isinf(events[3].scalars.at("inf")));
  EXPECT_TRUE(events[4].scalars.empty());
}

// Assembled by hand from the two formats' descriptions.
TEST_F(EventFileTest, WritesTheseBytes) {
  constexpr std::array<unsigned char, 42> kRecord = {
      26,   0,    0,    0,    0,    0,   0, 0,    0x12,
      0x9b, 0xd8, 0x2d,                                  // length and its masked CRC
      0x09, 0,    0,    0,    0,    0,   0, 0xf8, 0x3f,  // field 1, double 1.5
      0x10, 3,                                           // field 2, varint
      0x2a, 13,                                          // field 5, 13 bytes: the summary
      0x0a, 11,                                          // its field 1, 11 bytes: a value
      0x0a, 4,    'l',  'o',  's',  's',                 // its field 1, 4 bytes: the tag
      0x15, 0,    0,    0x80, 0x3e,                      // its field 2, float 0.25
      0xd0, 0x54, 0xb2, 0x55};                           // masked CRC of the 26 bytes
  write_steps(-1, {});
  const std::size_t head = content_of(file()).size();
  {
    EventFile events(run(), kAll);
    events.add(3, 1.5, Scalars{{"loss", 0.25}});
  }
  EXPECT_EQ(content_of(file()).substr(head), std::string(kRecord.begin(), kRecord.end()));
}

TEST_F(EventFileTest, KeepsEventsUntilFlushAndFlushesAtTheEnd) {
  {
    EventFile events(run(), -1);
    EXPECT_THAT(steps_of(file()), ElementsAre());
    events.add(1, 0.0, Scalars{{"a", 1.0}});
    EXPECT_THAT(steps_of(file()), ElementsAre());
    events.flush();
    EXPECT_THAT(steps_of(file()), ElementsAre(1));
    events.flush();
    events.add(2, 0.0, Scalars{{"a", 1.0}});
  }
  EXPECT_THAT(steps_of(file()), ElementsAre(1, 2));
}

TEST_F(EventFileTest, GoesOnBehindTheLastStepAskedFor) {
  write_steps(-1, {0, 1, 2, 2, 3, 4});
  write_steps(2, {3, 5});
  EXPECT_THAT(steps_of(file()), ElementsAre(0, 1, 2, 2, 3, 5));
  write_steps(kAll, {6});
  EXPECT_THAT(steps_of(file()), ElementsAre(0, 1, 2, 2, 3, 5, 6));
  write_steps(-1, {});
  EXPECT_THAT(steps_of(file()), ElementsAre());
}

TEST_F(EventFileTest, CutsAHalfWrittenRecordWhereverItEnds) {
  write_steps(-1, {});
  std::vector<std::size_t> ends = {content_of(file()).size()};
  for (const std::int64_t step : {1, 2, 3}) {
    write_steps(kAll, {step});
    ends.push_back(content_of(file()).size());
  }
  const std::string whole = content_of(file());
  for (std::size_t size = ends.front(); size <= whole.size(); ++size) {
    folder_.write("runs/a/events.out.tfevents.hgnet", whole.substr(0, size));
    write_steps(kAll, {9});
    std::vector<std::int64_t> expected;
    for (std::size_t i = 1; i < ends.size() && ends[i] <= size; ++i) {
      expected.push_back(static_cast<std::int64_t>(i));
    }
    expected.push_back(9);
    ASSERT_EQ(steps_of(file()), expected) << size << " bytes";
  }
}

TEST_F(EventFileTest, CutsAtADamagedRecord) {
  write_steps(-1, {1});
  const std::size_t begin = content_of(file()).size();
  write_steps(kAll, {2});
  const std::size_t end = content_of(file()).size();
  write_steps(kAll, {3});
  const std::string whole = content_of(file());
  for (std::size_t at = begin; at < end; ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
    folder_.write("runs/a/events.out.tfevents.hgnet", damaged);
    write_steps(kAll, {9});
    ASSERT_THAT(steps_of(file()), ElementsAre(1, 9)) << "byte " << at;
  }
}

TEST_F(EventFileTest, BeginsAnewWhereNoEventFileIs) {
  for (const std::string& bytes : {std::string(), std::string("no events"), std::string(500, 0)}) {
    folder_.write("runs/a/events.out.tfevents.hgnet", bytes);
    write_steps(kAll, {4});
    EXPECT_THAT(steps_of(file()), ElementsAre(4));
  }
}

TEST_F(EventFileTest, RefusesStepsThatGoDown) {
  write_steps(-1, {5});
  EventFile events(run(), 5);
  EXPECT_THAT(error_of<Error>([&] { events.add(4, 0.0, {}); }), HasSubstr("step 4 after step 5"));
}

TEST_F(EventFileTest, NamesTheFileThatCannotBeWritten) {
  folder_.write("runs", "a file where a folder should be");
  EXPECT_EQ(error_of<Error>([&] { EventFile(run(), -1); }),
            "cannot write " + file().string() + ": Not a directory");
}

// A limit on file size simulates a full disk: the write stops in the middle of a record.
TEST_F(EventFileTest, SaysThatTheDiskIsFullAndWritesTheRestLater) {
  EventFile events(run(), -1);
  events.add(1, 0.0, Scalars{{"a", 1.0}});
  events.flush();
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  rlimit tight = limit;
  tight.rlim_cur = content_of(file()).size() + 10;
  std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
  events.add(2, 0.0, Scalars{{"a", 2.0}});
  const std::string message = error_of<Error>([&] { events.flush(); });
  const std::size_t size = content_of(file()).size();
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  std::signal(SIGXFSZ, SIG_DFL);
  EXPECT_EQ(message, "cannot write " + file().string() + ": File too large");
  EXPECT_EQ(size, tight.rlim_cur);
  events.flush();
  EXPECT_THAT(steps_of(file()), ElementsAre(1, 2));
}

}  // namespace
}  // namespace hgnet
