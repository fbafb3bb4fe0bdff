#pragma once

#include <memory>
#include <streambuf>

namespace hgnet::app {

/// The program's standard streams, made safe before anything else happens:
/// - A descriptor that was closed is taken, or the next file to be opened would get it and, with
///   it, whatever is printed.
/// - Writing to a closed pipe or beyond a limit on file sizes is an error like any other, not a
///   signal.
/// - std::cout and std::cerr show control characters as \x1b: names come from files.
class StandardStreams {
 public:
  StandardStreams();
  /// The streams are then what they were.
  ~StandardStreams();
  StandardStreams(const StandardStreams&) = delete;
  StandardStreams& operator=(const StandardStreams&) = delete;

  /// Whether everything that went to standard output has got there.
  static bool flush();

 private:
  std::unique_ptr<std::streambuf> out_, err_;
  std::streambuf* raw_out_;
  std::streambuf* raw_err_;
};

}  // namespace hgnet::app
