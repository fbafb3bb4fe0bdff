#include "data/cache.hpp"

#include <sys/mman.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "core/regular_file.hpp"
#include "core/staged_file.hpp"
#include "data/cache_format.hpp"
#include "hgnet/core/error.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace hgnet {
namespace {

constexpr std::array<char, 8> kMagic{'h', 'g', 'n', 'e', 't', 'd', 's', '\n'};

/// At the start of the file; the checksum covers what follows.
struct Header {
  std::array<char, 8> magic = kMagic;
  std::uint32_t version = kCacheVersion;
  std::uint32_t byte_order = 0x01020304;
  std::uint64_t key = 0;
  std::uint64_t size = 0;  // of what follows
  std::uint64_t checksum = 0;
};
static_assert(sizeof(Header) % 8 == 0 && std::has_unique_object_representations_v<Header>);

std::uint64_t hash_of(const std::string& text) { return XXH3_64bits(text.data(), text.size()); }

std::uint64_t key_hash(const CacheKey& key) { return hash_of(key.what + "\n" + key.state); }

using HashState = std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)>;

HashState new_hash() {
  HashState state(XXH3_createState(), XXH3_freeState);
  if (!state) throw std::bad_alloc();
  return state;
}

/// A file's bytes, mapped; none when it cannot be.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& file) {
    try {
      const RegularFile opened(file);
      size_ = static_cast<std::size_t>(opened.size());
      if (size_ == 0) return;
      const int ahead = size_ < kStayInFile ? MAP_POPULATE : 0;
      data_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE | ahead, opened.descriptor(), 0);
    } catch (const InvalidFile&) {
    }
  }
  ~MappedFile() {
    if (data_ != MAP_FAILED) munmap(data_, size_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const {
    if (data_ == MAP_FAILED) return {};
    return {static_cast<const std::byte*>(data_), size_};
  }

 private:
  void* data_ = MAP_FAILED;
  std::size_t size_ = 0;
};

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void write_file(const std::filesystem::path& name, const CacheKey& key, const Dataset& dataset) {
  constexpr std::size_t kPiece = 1 << 20;
  const HashState state = new_hash();
  XXH3_64bits_reset(state.get());
  Header header;
  header.key = key_hash(key);
  const auto header_text = [&] { return text_of(std::as_bytes(std::span(&header, 1))); };
  StagedFile file(name);
  std::string pending(header_text());  // a data set has millions of small pieces
  const auto flush = [&] {
    file.append(pending);
    pending.clear();
  };
  encode_dataset(dataset, [&](std::span<const std::byte> bytes) {
    XXH3_64bits_update(state.get(), bytes.data(), bytes.size());
    header.size += bytes.size();
    pending += text_of(bytes);
    if (pending.size() >= kPiece) flush();
  });
  flush();
  header.checksum = XXH3_64bits_digest(state.get());
  file.overwrite(0, header_text());
  file.commit();
}

}  // namespace

std::filesystem::path cache_file(const std::filesystem::path& folder, const CacheKey& key) {
  std::string name;
  for (const unsigned char c : key.name.substr(0, 40)) {
    name += std::isalnum(c) != 0 || c == '-' ? static_cast<char>(c) : '_';
  }
  std::array<char, 17> digits{};
  std::to_chars(digits.data(), digits.data() + 16, hash_of(key.what), 16);
  return folder / (name + "-" + digits.data() + ".hgnet");
}

std::string state_of(const std::vector<std::filesystem::path>& files) {
  std::string state;
  std::vector<char> buffer(1 << 18);
  for (const std::filesystem::path& file : files) {
    RegularFile opened(file);
    const HashState hash = new_hash();
    XXH3_128bits_reset(hash.get());
    while (const std::size_t count = opened.read(buffer)) {
      XXH3_128bits_update(hash.get(), buffer.data(), count);
    }
    const XXH128_hash_t sum = XXH3_128bits_digest(hash.get());
    state +=
        file.string() + " " + std::to_string(sum.high64) + " " + std::to_string(sum.low64) + "\n";
  }
  return state;
}

std::optional<Dataset> read_cache(const std::filesystem::path& folder, const CacheKey& key,
                                  std::size_t stay_from) {
  const auto file = std::make_shared<const MappedFile>(cache_file(folder, key));
  const std::span<const std::byte> bytes = file->bytes();
  if (bytes.size() < sizeof(Header)) return std::nullopt;
  Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::span<const std::byte> content = bytes.subspan(sizeof header);
  Header expected;
  expected.key = key_hash(key);
  expected.size = content.size();
  expected.checksum = XXH3_64bits(content.data(), content.size());
  if (std::memcmp(&header, &expected, sizeof header) != 0) return std::nullopt;
  try {
    return decode_dataset(content, bytes.size() >= stay_from ? file : nullptr);
  } catch (const Error&) {
    return std::nullopt;
  }
}

void write_cache(const std::filesystem::path& folder, const CacheKey& key, const Dataset& dataset) {
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  try {
    write_file(cache_file(folder, key), key, dataset);
  } catch (const Error&) {  // the data set is then read from its files next time
  }
}

}  // namespace hgnet
