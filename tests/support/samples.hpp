// Small data sets in memory, for tests of training.

#pragma once

#include "hgnet/data/dataset.hpp"

namespace hgnet::test {

/// Graphs of 6 to 12 nodes, alternately rings (class 0) and stars (class 1); one-hot degrees are
/// sparse features.
Dataset rings_and_stars(int count);

/// The same with two yes-or-no tasks, "is a ring" and "is a star of more than eight nodes"; every
/// fifth target is missing.
Dataset multi_label_graphs(int count);

/// The same with one regression target, a tenth of the largest degree, and dense features.
Dataset regression_graphs(int count);

/// Three communities of 20 nodes as classes, noisy features; split "own" with 5 / 5 / 10 of each.
Dataset communities();

}  // namespace hgnet::test
