#include "hgnet/train/judge.hpp"

#include "requests.hpp"

namespace hgnet::app {

Judge model_judge(const std::string& name, int threads) { return judge_named(name, threads); }

}  // namespace hgnet::app
