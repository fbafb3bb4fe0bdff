#include "models/safetensors.hpp"

#include <bit>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/crc32c.hpp"
#include "core/nested_text.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

static_assert(std::endian::native == std::endian::little, "the form is little-endian");

constexpr std::size_t kLengthBytes = sizeof(std::uint64_t);
constexpr const char* kChecksum = "crc32c";        // of all tensors' bytes, in the metadata
constexpr std::uint64_t kMaxHeader = 100'000'000;  // as the form's own library has it

const char* type_name(torch::ScalarType type) {
  if (type == torch::kFloat32) return "F32";
  if (type == torch::kFloat64) return "F64";
  throw Error("safetensors: only float32 and float64 are written");
}

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& what) {
  throw InvalidFile(file.string(), 0, "not a safetensors file we can read: " + what);
}

/// Number of entries; refuses shapes whose product overflows.
std::int64_t entries(const std::vector<std::int64_t>& shape, const std::filesystem::path& file) {
  std::int64_t n = 1;
  for (const std::int64_t size : shape) {
    if (size < 0 || (size > 0 && n > std::numeric_limits<std::int64_t>::max() / 16 / size))
      fail(file, "a shape is out of range");
    n *= size;
  }
  return n;
}

torch::Tensor read_tensor(const nlohmann::json& entry, const std::string& name,
                          std::string_view data, const std::filesystem::path& file) {
  const auto type = entry.at("dtype").get<std::string>();
  if (type != "F32" && type != "F64")
    fail(file, "tensor " + name + " has type " + type + "; expected F32 or F64");
  const auto shape = entry.at("shape").get<std::vector<std::int64_t>>();
  const auto begin = entry.at("data_offsets").at(0).get<std::uint64_t>();
  const auto end = entry.at("data_offsets").at(1).get<std::uint64_t>();
  const std::uint64_t width = type == "F32" ? 4 : 8;
  if (begin > end || end > data.size() ||
      end - begin != width * static_cast<std::uint64_t>(entries(shape, file)))
    fail(file, "the place of tensor " + name + " does not fit its shape or the file");
  torch::Tensor tensor = torch::empty(shape, type == "F32" ? torch::kFloat32 : torch::kFloat64);
  std::memcpy(tensor.data_ptr(), data.data() + begin, end - begin);
  return tensor;
}

}  // namespace

std::string to_safetensors(const NamedTensors& content) {
  nlohmann::json header;
  std::string data;
  for (const auto& [name, tensor] : content.tensors) {
    const torch::Tensor values = tensor.detach().contiguous();
    const std::size_t begin = data.size();
    data.append(static_cast<const char*>(values.data_ptr()), values.nbytes());
    header[name] = {{"dtype", type_name(values.scalar_type())},
                    {"shape", values.sizes().vec()},
                    {"data_offsets", {begin, data.size()}}};
  }
  header["__metadata__"] = content.metadata;
  header["__metadata__"][kChecksum] = std::to_string(crc32c(data));
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // tensors start at multiples of 8
  const std::uint64_t length = text.size();
  std::string bytes;
  bytes.reserve(kLengthBytes + text.size() + data.size());
  bytes.append(reinterpret_cast<const char*>(&length), kLengthBytes);
  bytes.append(text);
  bytes.append(data);
  return bytes;
}

NamedTensors from_safetensors(const std::string& bytes, const std::filesystem::path& file) {
  if (bytes.size() < kLengthBytes) fail(file, "it is too short");
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), kLengthBytes);
  if (length > kMaxHeader || length > bytes.size() - kLengthBytes)
    fail(file, "its header does not fit the file");
  const std::string_view data = std::string_view(bytes).substr(kLengthBytes + length);
  NamedTensors result;
  try {
    const auto header =
        parse_json(std::string_view(bytes).substr(kLengthBytes, length), file.string());
    if (!header.is_object()) fail(file, "its header is no JSON object");
    for (const auto& [name, entry] : header.items()) {
      if (name == "__metadata__") {
        result.metadata = entry.get<std::map<std::string, std::string>>();
      } else {
        result.tensors[name] = read_tensor(entry, name, data, file);
      }
    }
  } catch (const nlohmann::json::exception& error) {
    fail(file, std::string("its header is wrong: ") + error.what());
  }
  const auto checksum = result.metadata.find(kChecksum);  // others write none
  if (checksum == result.metadata.end()) return result;
  if (checksum->second != std::to_string(crc32c(data)))
    fail(file, "it is damaged: the checksum is wrong");
  result.metadata.erase(checksum);
  return result;
}

}  // namespace hgnet
