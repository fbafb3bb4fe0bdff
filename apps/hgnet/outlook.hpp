// How much of many fits is done, and how long the rest takes.

#pragma once

#include <string>
#include <vector>

#include "hgnet/settings/planned_fit.hpp"

namespace hgnet::app {

class Outlook {
 public:
  /// The fits of one table, data set and model.
  struct Kind {
    std::string name;  // "table1 cora gcn-2"
    int fits = 0;
    int done = 0;
    double seconds = 0;  // of the fits done
    double cost = 0;     // of a fit
  };

  /// Looks into the folders of the fits for those that are done.
  explicit Outlook(const std::vector<PlannedFit>& fits);

  /// A fit that was left is done now.
  void count(const PlannedFit& fit, double seconds);

  const std::vector<Kind>& kinds() const { return kinds_; }
  /// The fits that were not done at the beginning.
  const std::vector<PlannedFit>& left() const { return left_; }
  int fits() const;
  int done() const;
  /// On one core: from fits of the same kind or, where none is done, from the cost, at the speed of
  /// all fits that are done.
  double seconds_left() const;
  /// Kinds with fits left of which none is done.
  int kinds_estimated() const;
  /// "12 of 80 fits done; about 1:20:00 left with 2 jobs".
  std::string text(int jobs) const;

 private:
  Kind& kind_of(const PlannedFit& fit);

  std::vector<Kind> kinds_;
  std::vector<PlannedFit> left_;
};

}  // namespace hgnet::app
