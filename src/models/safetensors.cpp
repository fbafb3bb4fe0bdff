#include "models/safetensors.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "core/checksum.hpp"
#include "core/crc32c.hpp"
#include "core/nested_text.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

constexpr std::size_t kLengthBytes = sizeof(std::uint64_t);
constexpr std::uint64_t kMaxHeader = std::uint64_t{1} << 24;  // of some 100,000 tensors
constexpr std::size_t kMaxDimensions = 8;
constexpr const char* kMetadata = "__metadata__";

// An entry of the metadata: the XXH3 of the whole file with zeros in place of these digits.
constexpr const char* kChecksum = "xxh3";
constexpr std::string_view kBeforeDigits = R"("xxh3":")";
constexpr std::string_view kNoDigits = "0000000000000000";

constexpr const char* kOldChecksum = "crc32c";  // version 0.1: of all tensors' bytes

[[noreturn]] void fail(const std::string& file, const std::string& what) {
  throw InvalidFile(file, 0, "not a readable safetensors file: " + what);
}

/// Where the digits of the checksum are in a file, or npos. Quotes inside strings are escaped, so
/// nothing else looks like this.
std::size_t digits_place(std::string_view bytes, std::size_t header_end) {
  const std::size_t found = bytes.substr(0, header_end).find(kBeforeDigits);
  if (found == std::string_view::npos) return found;
  const std::size_t place = found + kBeforeDigits.size();
  return place + kNoDigits.size() <= header_end ? place : std::string_view::npos;
}

std::string checksum_of(std::string_view bytes, std::size_t digits) {
  Checksum sum;
  sum.add(bytes.substr(0, digits));
  sum.add(kNoDigits);
  sum.add(bytes.substr(digits + kNoDigits.size()));
  return sum.text();
}

/// Number of bytes; refuses shapes whose product overflows.
std::uint64_t size_of(const TensorBytes& tensor, const std::string& name, const std::string& file) {
  std::int64_t n = tensor.is_double ? 8 : 4;
  if (tensor.shape.size() > kMaxDimensions)
    fail(file, "tensor " + name + " has " + std::to_string(tensor.shape.size()) +
                   " dimensions; expected at most " + std::to_string(kMaxDimensions));
  for (const std::int64_t size : tensor.shape) {
    if (size < 0 || (size > 0 && n > std::numeric_limits<std::int64_t>::max() / size))
      fail(file, "the shape of tensor " + name + " is out of range");
    n *= size;
  }
  return static_cast<std::uint64_t>(n);
}

std::vector<std::int64_t> read_shape(const nlohmann::json& sizes, const std::string& name,
                                     const std::string& file) {
  std::vector<std::int64_t> shape;
  for (const nlohmann::json& size : sizes) {
    if (!size.is_number_integer()) fail(file, "the shape of tensor " + name + " is out of range");
    shape.push_back(size.get<std::int64_t>());
  }
  return shape;
}

TensorBytes read_tensor(const nlohmann::json& entry, const std::string& name, std::string_view data,
                        const std::string& file) {
  const auto type = entry.at("dtype").get<std::string>();
  if (type != "F32" && type != "F64")
    fail(file, "tensor " + name + " has type " + type + "; expected F32 or F64");
  TensorBytes tensor{type == "F64", read_shape(entry.at("shape"), name, file), {}};
  const nlohmann::json& place = entry.at("data_offsets");
  const bool whole = place.is_array() && place.size() == 2 && place[0].is_number_unsigned() &&
                     place[1].is_number_unsigned();
  if (!whole) fail(file, "tensor " + name + " has no offsets");
  const auto begin = place[0].get<std::uint64_t>();
  const auto end = place[1].get<std::uint64_t>();
  if (begin > end || end > data.size() || end - begin != size_of(tensor, name, file))
    fail(file, "the offsets of tensor " + name + " do not match its shape or the file");
  tensor.bytes = data.substr(begin, end - begin);
  return tensor;
}

/// As the format requires. Otherwise a small file could stand for any number of large tensors.
void check_cover(const Safetensors& content, std::string_view data, const std::string& file) {
  std::vector<std::string_view> parts;
  for (const auto& [name, tensor] : content.tensors) {
    if (!tensor.bytes.empty()) parts.push_back(tensor.bytes);
  }
  std::sort(parts.begin(), parts.end(),
            [](std::string_view a, std::string_view b) { return a.data() < b.data(); });
  const char* end = data.data();
  for (const std::string_view part : parts) {
    if (part.data() != end) fail(file, "there is a gap between two tensors, or they overlap");
    end = part.data() + part.size();
  }
  if (end != data.data() + data.size()) fail(file, "there are bytes after the last tensor");
}

void check_sum(Safetensors& content, std::string_view bytes, std::string_view data,
               const std::string& file) {
  const auto take = [&](const char* name) {
    auto node = content.metadata.extract(name);
    content.has_checksum = content.has_checksum || !node.empty();
    return node;
  };
  if (const auto sum = take(kChecksum)) {
    const auto header_end = static_cast<std::size_t>(data.data() - bytes.data());
    const std::size_t digits = digits_place(bytes, header_end);
    if (digits == std::string_view::npos || checksum_of(bytes, digits) != sum.mapped())
      fail(file, "it is damaged or was edited: the checksum is wrong");
  }
  if (const auto sum = take(kOldChecksum)) {
    if (std::to_string(crc32c(data)) != sum.mapped())
      fail(file, "it is damaged or was edited: the checksum is wrong");
  }
}

}  // namespace

std::string to_safetensors(const std::map<std::string, TensorBytes>& tensors,
                           std::map<std::string, std::string> metadata) {
  nlohmann::json header;
  std::size_t size = 0;
  for (const auto& [name, tensor] : tensors) {
    header[name] = {{"dtype", tensor.is_double ? "F64" : "F32"},
                    {"shape", tensor.shape},
                    {"data_offsets", {size, size + tensor.bytes.size()}}};
    size += tensor.bytes.size();
  }
  metadata[kChecksum] = kNoDigits;
  header[kMetadata] = std::move(metadata);
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // tensors start at multiples of 8
  const std::uint64_t length = text.size();
  std::string bytes;
  bytes.reserve(kLengthBytes + text.size() + size);
  bytes.append(reinterpret_cast<const char*>(&length), kLengthBytes);
  bytes.append(text);
  for (const auto& [name, tensor] : tensors) bytes.append(tensor.bytes);
  const std::size_t digits = digits_place(bytes, kLengthBytes + text.size());
  bytes.replace(digits, kNoDigits.size(), checksum_of(bytes, digits));
  return bytes;
}

Safetensors parse_safetensors(std::string_view bytes, const std::string& file) {
  if (bytes.size() < kLengthBytes) fail(file, "it is too short");
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), kLengthBytes);
  if (length > kMaxHeader || length > bytes.size() - kLengthBytes)
    fail(file, "its header is too long");
  const std::string_view data = bytes.substr(kLengthBytes + length);
  Safetensors result;
  try {
    const auto header = parse_shallow_json(bytes.substr(kLengthBytes, length));
    if (!header.is_object()) fail(file, "its header is not a JSON object");
    for (const auto& [name, entry] : header.items()) {
      if (name == kMetadata) {
        result.metadata = entry.get<std::map<std::string, std::string>>();
      } else {
        result.tensors[name] = read_tensor(entry, name, data, file);
      }
    }
  } catch (const nlohmann::json::exception& error) {
    fail(file, "its header is invalid: " + json_fault(error));
  }
  check_sum(result, bytes, data, file);
  check_cover(result, data, file);
  return result;
}

}  // namespace hgnet
