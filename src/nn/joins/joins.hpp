// The joins for make_join.

#pragma once

#include "hgnet/nn/join.hpp"

namespace hgnet {

std::shared_ptr<Join> make_rgcn_join(const JoinOptions& options, Generator& generator);
std::shared_ptr<Join> make_sum_join(const JoinOptions& options, Generator& generator);
std::shared_ptr<Join> make_concat_join(const JoinOptions& options, Generator& generator);
std::shared_ptr<Join> make_parent_join(const JoinOptions& options, Generator& generator);

}  // namespace hgnet
