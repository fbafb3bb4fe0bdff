#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>

struct archive;

namespace hgnet {

/// A zip archive that is being written, member after member. All throw Error when that fails.
class ZipWriter {
 public:
  explicit ZipWriter(const std::filesystem::path& file);

  void begin(const std::string& member);
  void add(std::span<const char> bytes);
  void close();

 private:
  [[noreturn]] void fail() const;

  std::string name_;
  std::unique_ptr<archive, int (*)(archive*)> archive_;
};

}  // namespace hgnet
