#include "data/fetch.hpp"

#include <curl/curl.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <memory>
#include <system_error>
#include <utility>

#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

constexpr long kConnectSeconds = 30;
constexpr long kOk = 200;
constexpr long kRangeNotSatisfiable = 416;
constexpr long kServerErrors = 500;

/// One request for what the part file lacks.
class Request {
 public:
  Request(const std::string& url, PartFile& part, const FetchOptions& options)
      : part_(part), options_(options), begin_(part.size()), curl_(make(), curl_easy_cleanup) {
    if (!curl_) throw DownloadFailed(url + ": libcurl cannot be started");
    set(CURLOPT_URL, url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https,file");
    set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    set(CURLOPT_FOLLOWLOCATION, 1L);
    set(CURLOPT_MAXREDIRS, 10L);
    set(CURLOPT_FAILONERROR, 1L);  // a "not found" page is not the file
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(options.stall_seconds));
    set(CURLOPT_USERAGENT, "hgnet");
    set(CURLOPT_ERRORBUFFER, reason_);
    set(CURLOPT_WRITEFUNCTION, &Request::receive);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_NOPROGRESS, options.progress ? 0L : 1L);
    set(CURLOPT_XFERINFOFUNCTION, &Request::report);
    set(CURLOPT_XFERINFODATA, this);
    const std::string range = std::to_string(begin_) + "-";
    if (begin_ > 0) set(CURLOPT_RANGE, range.c_str());
  }

  CURLcode perform() {
    const CURLcode code = curl_easy_perform(curl_.get());
    if (thrown_) std::rethrow_exception(thrown_);
    return code;
  }

  long status() const {
    long status = 0;
    curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &status);
    return status;
  }

  std::string reason(CURLcode code) const {
    if (code == CURLE_WRITE_ERROR && !write_error_.empty()) return write_error_;
    if (code == CURLE_HTTP_RETURNED_ERROR) return "HTTP status " + std::to_string(status());
    return reason_[0] != '\0' ? reason_ : curl_easy_strerror(code);
  }

 private:
  static CURL* make() {
    // Once per process and thread-safe; libcurl's own call is not thread-safe everywhere.
    static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
    return started == CURLE_OK ? curl_easy_init() : nullptr;
  }

  template <class Value>
  void set(CURLoption option, Value value) {
    curl_easy_setopt(curl_.get(), option, value);
  }

  static std::size_t receive(char* data, std::size_t, std::size_t size, void* self) {
    Request& request = *static_cast<Request*>(self);
    // The server may send the whole file instead of the rest of it.
    const bool afresh = request.begin_ > 0 && request.status() == kOk;
    if (afresh) request.begin_ = 0;
    if ((afresh && !request.part_.clear()) || !request.part_.append(data, size)) {
      request.write_error_ = std::strerror(errno);
      return 0;
    }
    if (request.part_.size() <= request.options_.max_bytes) return size;
    request.write_error_ = "has more than " + std::to_string(request.options_.max_bytes) +
                           " bytes, the most this file can have";
    request.part_.clear();
    return 0;
  }

  static int report(void* self, curl_off_t total, curl_off_t received, curl_off_t, curl_off_t) {
    Request& request = *static_cast<Request*>(self);
    try {
      request.options_.progress(request.begin_ + received,
                                total > 0 ? request.begin_ + total : std::int64_t{-1});
    } catch (...) {  // exceptions must not pass through libcurl
      request.thrown_ = std::current_exception();
      return 1;
    }
    return 0;
  }

  PartFile& part_;
  const FetchOptions& options_;
  std::int64_t begin_;
  std::unique_ptr<CURL, void (*)(CURL*)> curl_;
  char reason_[CURL_ERROR_SIZE] = "";
  std::string write_error_;
  std::exception_ptr thrown_;
};

bool worth_another_attempt(CURLcode code, long status) {
  switch (code) {
    case CURLE_PARTIAL_FILE:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_GOT_NOTHING: return true;
    default: return code == CURLE_HTTP_RETURNED_ERROR && status >= kServerErrors;
  }
}

}  // namespace

PartFile::PartFile(std::filesystem::path path) : path_(std::move(path)) {
  std::error_code error;
  std::filesystem::create_directories(path_.parent_path(), error);
  constexpr mode_t kRights = 0666;  // less what the user's mask takes away
  // Neither a pipe nor somebody else's file behind a link.
  constexpr int kFlags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW;
  descriptor_ = open(path_.c_str(), kFlags, kRights);
  if (descriptor_ < 0) {
    throw DownloadFailed("cannot write " + path_.string() + ": " + std::strerror(errno));
  }
  struct stat status {};
  if (fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
    close(descriptor_);
    throw DownloadFailed(path_.string() + " is not a regular file");
  }
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    close(descriptor_);
    throw DownloadFailed(path_.string() + " is being written by another program");
  }
  size_ = lseek(descriptor_, 0, SEEK_END);
}

PartFile::~PartFile() {
  if (size_ == 0) unlink(path_.c_str());
  close(descriptor_);
}

bool PartFile::clear() {
  if (ftruncate(descriptor_, 0) != 0) return false;
  size_ = 0;
  return true;
}

bool PartFile::append(const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = write(descriptor_, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    data += written;
    size -= written;
    size_ += written;
  }
  return true;
}

void fetch(const std::string& url, PartFile& part, const FetchOptions& options) {
  for (int attempt = 1;; ++attempt) {
    Request request(url, part, options);
    const bool resumed = part.size() > 0;
    const CURLcode code = request.perform();
    if (code == CURLE_OK) return;
    // There is nothing after what we have: the file was already complete, or it is a different one.
    if (resumed && request.status() == kRangeNotSatisfiable) return;
    if (attempt >= options.attempts || !worth_another_attempt(code, request.status())) {
      throw DownloadFailed(url + ": " + request.reason(code));
    }
  }
}

}  // namespace hgnet
