#pragma once

#include <string>

namespace hgnet {

/// "major.minor.patch" of this library.
std::string version();

/// The vector instruction set that the kernels use on this machine, in Highway's names: "AVX3" is
/// AVX-512, "EMU128" plain instructions that every x86-64 has.
std::string instruction_set();

}  // namespace hgnet
