#pragma once

#include <string>

namespace hgnet {

/// The vector instructions that the kernels use on this machine, by Highway's name: "AVX3" is
/// AVX-512; "SCALAR" and "EMU128" work on every machine.
std::string instruction_set();

}  // namespace hgnet
