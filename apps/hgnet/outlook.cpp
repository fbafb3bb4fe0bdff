#include "outlook.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "hgnet/core/error.hpp"
#include "hgnet/settings/fit_folder.hpp"
#include "hgnet/settings/shard.hpp"
#include "progress.hpp"

namespace hgnet::app {
namespace {

/// Of one unit of cost, on a core of about 3 GHz; used until a fit is done here.
constexpr double kSecondsPerCost = 1.5e-8;

/// How long a fit took; none if it is not done. A fit with damaged files counts as not done:
/// running it names them, and the others go on.
std::optional<double> seconds_of(const PlannedFit& fit) {
  if (!FitFolder::is_fit(fit.folder)) return std::nullopt;
  try {
    const std::optional<FitRecord> record = FitFolder::open(fit.folder).result();
    if (!record) return std::nullopt;
    const auto total = record->seconds.find("total");
    return total == record->seconds.end() ? 0 : total->second;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

Outlook::Outlook(const std::vector<PlannedFit>& fits) {
  for (const PlannedFit& fit : fits) {
    ++kind_of(fit).fits;
    if (const auto seconds = seconds_of(fit)) {
      count(fit, *seconds);
    } else {
      left_.push_back(fit);
    }
  }
}

Outlook::Kind& Outlook::kind_of(const PlannedFit& fit) {
  const std::string name = fit.table + " " + fit.label.substr(0, fit.label.rfind(' '));
  const auto found = std::find_if(kinds_.begin(), kinds_.end(),
                                  [&](const Kind& kind) { return kind.name == name; });
  return found != kinds_.end() ? *found : kinds_.emplace_back(Kind{name, 0, 0, 0, cost_of(fit)});
}

void Outlook::count(const PlannedFit& fit, double seconds) {
  Kind& kind = kind_of(fit);
  ++kind.done;
  kind.seconds += seconds;
}

int Outlook::fits() const {
  return std::accumulate(kinds_.begin(), kinds_.end(), 0,
                         [](int sum, const Kind& kind) { return sum + kind.fits; });
}

int Outlook::done() const {
  return std::accumulate(kinds_.begin(), kinds_.end(), 0,
                         [](int sum, const Kind& kind) { return sum + kind.done; });
}

double Outlook::seconds_left() const {
  double seconds = 0;
  double cost = 0;
  for (const Kind& kind : kinds_) {
    seconds += kind.seconds;
    cost += kind.done * kind.cost;
  }
  const double per_cost = seconds > 0 ? seconds / cost : kSecondsPerCost;
  double sum = 0;
  for (const Kind& kind : kinds_) {
    sum +=
        (kind.fits - kind.done) * (kind.done > 0 ? kind.seconds / kind.done : per_cost * kind.cost);
  }
  return sum;
}

int Outlook::kinds_estimated() const {
  return static_cast<int>(
      std::count_if(kinds_.begin(), kinds_.end(), [](const Kind& kind) { return kind.done == 0; }));
}

std::string Outlook::text(int jobs) const {
  const int estimated = kinds_estimated();
  return std::to_string(done()) + " of " + std::to_string(fits()) + " fits done; " +
         (estimated > 0 ? "roughly " : "about ") + duration_text(seconds_left() / jobs) +
         " left with " + std::to_string(jobs) + (jobs == 1 ? " job" : " jobs") +
         (estimated > 0
              ? " (" + std::to_string(estimated) + " of " + std::to_string(kinds_.size()) +
                    " kinds of fits estimated from their size: none of them is done yet)"
              : "");
}

}  // namespace hgnet::app
