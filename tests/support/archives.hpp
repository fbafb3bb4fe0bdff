#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hgnet::test {

struct Member {
  std::string name;
  std::string content;
  std::string link_to;  // not empty: a symbolic link
};

/// The bytes of a zip archive with these members.
std::string zip_of(const std::vector<Member>& members);

std::string gzipped(const std::string& bytes);

}  // namespace hgnet::test
