#include "standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <string_view>

#include "hgnet/core/text.hpp"

namespace hgnet::app {
namespace {

void take_descriptors() {
  // Printing to a standard output that is closed fails; to a standard error, it goes nowhere.
  for (const auto& [descriptor, flags] :
       {std::pair(STDIN_FILENO, O_RDONLY), {STDOUT_FILENO, O_RDONLY}, {STDERR_FILENO, O_WRONLY}}) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    if (::open("/dev/null", flags) != descriptor) std::_Exit(1);
  }
}

/// Passes text on with its control characters made visible.
class PrintableBuffer : public std::streambuf {
 public:
  explicit PrintableBuffer(std::streambuf& to) : to_(to) {}

 protected:
  int_type overflow(int_type c) override {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const char character = traits_type::to_char_type(c);
    // A single character is the program's own: one of text comes with the rest of it.
    return to_.sputc(character);
  }
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    const std::string shown = printable_lines({text, static_cast<std::size_t>(size)});
    return to_.sputn(shown.data(), std::ssize(shown)) == std::ssize(shown) ? size : 0;
  }
  int sync() override { return to_.pubsync(); }

 private:
  std::streambuf& to_;
};

}  // namespace

StandardStreams::StandardStreams() {
  take_descriptors();
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  raw_out_ = std::cout.rdbuf();
  raw_err_ = std::cerr.rdbuf();
  out_ = std::make_unique<PrintableBuffer>(*raw_out_);
  err_ = std::make_unique<PrintableBuffer>(*raw_err_);
  std::cout.rdbuf(out_.get());
  std::cerr.rdbuf(err_.get());
}

StandardStreams::~StandardStreams() {
  std::cout.rdbuf(raw_out_);
  std::cerr.rdbuf(raw_err_);
}

bool StandardStreams::flush() {
  return std::cout.flush() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

}  // namespace hgnet::app
