#pragma once

#include <exception>
#include <string>

namespace hgnet {

/// What an exception says, in a sentence: without libtorch's stack, and with words for lack of
/// memory.
std::string error_text(const std::exception& error);

}  // namespace hgnet
