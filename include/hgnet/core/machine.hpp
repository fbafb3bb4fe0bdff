#pragma once

#include <string>

namespace hgnet {

/// The processor's name and the number of its cores, such as "AMD EPYC, 2 cores"; the number alone
/// where the system does not tell the name.
std::string machine();

}  // namespace hgnet
