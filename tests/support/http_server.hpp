#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace hgnet::test {

/// How a file is served.
struct Served {
  std::string content;
  int status = 200;
  bool ranges = true;
  /// Bytes sent, regardless of the announced length; -1: all.
  std::int64_t send_only = -1;
  /// For how many requests; later ones get everything.
  int faulty_requests = 1 << 30;
  /// Keeps the connection open after the bytes of `send_only`, sending nothing more.
  bool stall = false;
};

/// Serves files over HTTP on a loopback port, with Range, one connection at a time.
class HttpServer {
 public:
  HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();

  void serve(const std::string& path, Served file);
  /// "http://127.0.0.1:port" and the path.
  std::string url(const std::string& path = "") const;
  /// "path" or "path range" of each request so far.
  std::vector<std::string> requests() const;

 private:
  void run();
  void answer(int connection);
  void send(int connection, const Served& file, const std::string& range);

  int listener_ = -1;
  int port_ = 0;
  int stop_[2] = {-1, -1};  // a pipe; closing it ends everything
  mutable std::mutex mutex_;
  std::map<std::string, Served> files_;
  std::vector<std::string> requests_;
  std::thread thread_;
};

}  // namespace hgnet::test
