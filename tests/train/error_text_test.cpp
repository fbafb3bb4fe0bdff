#include "hgnet/core/error_text.hpp"

#include <c10/util/Exception.h>
#include <c10/util/Logging.h>
#include <gmock/gmock.h>
#include <torch/types.h>

#include <new>

namespace hgnet {
namespace {

TEST(ErrorText, LeavesOutTheStackOfLibtorch) {
  const auto of_check = [] { TORCH_CHECK(false, "spmm: two rows\nwere expected (got 3)"); };
  const auto of_enforce = [] { CAFFE_ENFORCE(false, "no file"); };
  for (const std::function<void()>& fail : {std::function<void()>(of_check), {of_enforce}}) {
    try {
      fail();
      FAIL() << "nothing was thrown";
    } catch (const c10::Error& error) {
      EXPECT_NE(std::string(error.what()), error.what_without_backtrace());
      EXPECT_EQ(error_text(error), error.what_without_backtrace());
    }
  }
}

TEST(ErrorText, SaysThatMemoryIsShortWhoeverFindsOut) {
  EXPECT_EQ(error_text(std::bad_alloc()), "there is not enough memory");
  try {
    torch::empty({std::int64_t{1} << 58});
    FAIL() << "nothing was thrown";
  } catch (const std::exception& error) {
    EXPECT_EQ(error_text(error), "there is not enough memory");
  }
  EXPECT_EQ(error_text(std::runtime_error("no\nframe")), "no\nframe");
}

}  // namespace
}  // namespace hgnet
