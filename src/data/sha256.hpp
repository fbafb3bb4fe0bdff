#pragma once

#include <memory>
#include <span>
#include <string>

struct evp_md_ctx_st;

namespace hgnet {

/// SHA-256 of the bytes that are added, piece by piece.
class Sha256 {
 public:
  Sha256();

  void add(std::span<const char> bytes);
  /// 64 hexadecimal digits. Nothing can be added after that.
  std::string digest();

 private:
  std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> context_;
};

}  // namespace hgnet
