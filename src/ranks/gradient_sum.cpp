#include "hgnet/ranks/gradient_sum.hpp"

namespace hgnet {

GradientSum::GradientSum(const Ranks& ranks, std::vector<torch::Tensor> parameters,
                         std::int64_t bucket_bytes)
    : ranks_(ranks), parameters_(std::move(parameters)), places_(parameters_.size()) {
  const auto size_of = [&](std::size_t i) {
    return parameters_[i].numel() * static_cast<std::int64_t>(sizeof(float));
  };
  for (std::size_t end = parameters_.size(); end > 0;) {
    std::size_t begin = end - 1;
    std::int64_t bytes = size_of(begin);
    while (begin > 0 && bytes + size_of(begin - 1) <= bucket_bytes) bytes += size_of(--begin);
    Bucket& bucket = buckets_.emplace_back();
    bucket.parameters = end - begin;
    const auto values = bytes / static_cast<std::int64_t>(sizeof(float));
    bucket.values = torch::zeros({values + static_cast<std::int64_t>(bucket.parameters)});
    float* reached = bucket.values.data_ptr<float>() + values;
    std::int64_t offset = 0;
    for (std::size_t i = begin; i < end; ++i) {
      places_[i].bucket = buckets_.size() - 1;
      places_[i].view =
          bucket.values.narrow(0, offset, parameters_[i].numel()).view(parameters_[i].sizes());
      places_[i].reached = reached++;
      offset += parameters_[i].numel();
    }
    end = begin;
  }
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    hooks_.push_back(parameters_[i].register_hook(
        [this, i](const torch::Tensor& gradient) { take(i, gradient); }));
  }
}

GradientSum::~GradientSum() {
  for (std::size_t i = 0; i < parameters_.size(); ++i) parameters_[i].remove_hook(hooks_[i]);
}

void GradientSum::begin() {
  for (Bucket& bucket : buckets_) bucket.missing = bucket.parameters;
  for (Place& place : places_) *place.reached = 0;
  sent_ = 0;
  active_ = true;
}

void GradientSum::take(std::size_t parameter, const torch::Tensor& gradient) {
  if (!active_) return;
  const torch::NoGradGuard no_grad;
  Place& place = places_[parameter];
  place.view.copy_(gradient);
  *place.reached = 1;
  --buckets_[place.bucket].missing;
  send_complete();
}

void GradientSum::send_complete() {
  for (; sent_ < buckets_.size() && buckets_[sent_].missing == 0; ++sent_)
    under_way_.push_back(ranks_.sum_later(buckets_[sent_].values));
}

void GradientSum::finish() {
  const torch::NoGradGuard no_grad;
  active_ = false;
  for (Place& place : places_) {
    // A bucket that is complete may be under way.
    if (buckets_[place.bucket].missing > 0 && *place.reached == 0) place.view.zero_();
  }
  for (Bucket& bucket : buckets_) bucket.missing = 0;
  send_complete();
  for (const auto& wait : under_way_) wait();
  under_way_.clear();
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (*places_[i].reached > 0) parameters_[i].mutable_grad() = places_[i].view;
  }
}

}  // namespace hgnet
