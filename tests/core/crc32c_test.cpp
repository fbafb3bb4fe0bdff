#include "core/crc32c.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hgnet {
namespace {

// RFC 3720, B.4, and the check value from CRC catalogues.
TEST(Crc32c, GivesThePublishedValues) {
  EXPECT_EQ(crc32c(""), 0U);
  EXPECT_EQ(crc32c("123456789"), 0xe3069283U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aaU);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43U);
  std::string up;
  for (char c = 0; c < 32; ++c) up += c;
  EXPECT_EQ(crc32c(up), 0x46dd794eU);
  EXPECT_EQ(crc32c(std::string(up.rbegin(), up.rend())), 0x113fdb5cU);
}

}  // namespace
}  // namespace hgnet
