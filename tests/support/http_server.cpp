#include "support/http_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <sstream>
#include <stdexcept>

namespace hgnet::test {
namespace {

/// Waits until there is something to read on the descriptor; false if the server should stop.
bool wait_for(int descriptor, int stop) {
  pollfd descriptors[2] = {{descriptor, POLLIN, 0}, {stop, POLLIN, 0}};
  poll(descriptors, 2, -1);
  return descriptors[1].revents == 0;
}

void send_all(int connection, const std::string& bytes) {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t count =
        ::send(connection, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) return;
    sent += static_cast<std::size_t>(count);
  }
}

}  // namespace

HttpServer::HttpServer() {
  listener_ = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (listener_ < 0 || pipe(stop_) != 0 ||
      bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      listen(listener_, 8) != 0 ||
      getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw std::runtime_error("no port on the loopback interface for the test's server");
  }
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { run(); });
}

HttpServer::~HttpServer() {
  close(stop_[1]);
  thread_.join();
  close(stop_[0]);
  close(listener_);
}

void HttpServer::serve(const std::string& path, Served file) {
  const std::scoped_lock lock(mutex_);
  files_[path] = std::move(file);
}

std::string HttpServer::url(const std::string& path) const {
  return "http://127.0.0.1:" + std::to_string(port_) + path;
}

std::vector<std::string> HttpServer::requests() const {
  const std::scoped_lock lock(mutex_);
  return requests_;
}

void HttpServer::run() {
  while (wait_for(listener_, stop_[0])) {
    const int connection = accept(listener_, nullptr, nullptr);
    if (connection < 0) continue;
    answer(connection);
    close(connection);
  }
}

void HttpServer::answer(int connection) {
  std::string head;
  while (head.find("\r\n\r\n") == std::string::npos) {
    char buffer[4096];
    if (!wait_for(connection, stop_[0])) return;
    const ssize_t count = recv(connection, buffer, sizeof buffer, 0);
    if (count <= 0) return;
    head.append(buffer, static_cast<std::size_t>(count));
  }
  std::istringstream words(head);
  std::string method;
  std::string path;
  words >> method >> path;
  std::string range;
  if (const auto place = head.find("Range: bytes="); place != std::string::npos) {
    range = head.substr(place + 13, head.find('\r', place) - place - 13);
  }
  Served file{.content = "not here", .status = 404};
  {
    const std::scoped_lock lock(mutex_);
    requests_.push_back(range.empty() ? path : path + " " + range);
    if (const auto found = files_.find(path); found != files_.end()) {
      file = found->second;
      if (--found->second.faulty_requests < 0) {
        file.send_only = -1;
        file.stall = false;
      }
    }
  }
  send(connection, file, range);
}

void HttpServer::send(int connection, const Served& file, const std::string& range) {
  const std::size_t begin = file.ranges && !range.empty() ? std::stoull(range) : 0;
  int status = file.status;
  std::string body = file.content;
  if (status == 200 && begin > 0) {
    status = begin < body.size() ? 206 : 416;
    body = begin < body.size() ? body.substr(begin) : "";
  }
  std::ostringstream head;
  head << "HTTP/1.1 " << status
       << " as asked\r\nConnection: close\r\nContent-Length: " << body.size() << "\r\n";
  if (status == 206) {
    head << "Content-Range: bytes " << begin << "-" << file.content.size() - 1 << "/"
         << file.content.size() << "\r\n";
  }
  send_all(connection, head.str() + "\r\n");
  send_all(connection, file.send_only < 0 ? body : body.substr(0, file.send_only));
  // A client that gives up closes the connection, which reads as end of file.
  if (file.stall) wait_for(connection, stop_[0]);
}

}  // namespace hgnet::test
