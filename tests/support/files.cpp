#include "support/files.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "support/archives.hpp"

namespace hgnet::test {

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "hgnet-XXXXXX").string();
  path_ = mkdtemp(name.data());
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path TemporaryFolder::write(const std::string& name,
                                             const std::string& bytes) const {
  const std::filesystem::path file = path_ / name;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}

std::filesystem::path TemporaryFolder::write_zip(const std::string& name,
                                                 const Files& members) const {
  std::vector<Member> list;
  for (const auto& [member, bytes] : members) list.push_back({member, bytes, ""});
  return write(name, zip_of(list));
}

std::string TemporaryFolder::without_folder(std::string message) const {
  const std::string folder = path_.string() + "/";
  for (std::size_t at = message.find(folder); at != std::string::npos; at = message.find(folder)) {
    message.erase(at, folder.size());
  }
  return message;
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace hgnet::test
