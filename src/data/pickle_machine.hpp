#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hgnet {

/// Reads a Python pickle as data. A pickle is a program for a stack machine that may call anything
/// Python can import. This machine knows only the few instructions that the citation data sets use
/// and the callables below, which it does not call but treats as names for kinds of values. It
/// refuses everything else, naming the position. Time and memory are linear in the file's size.
class PickleMachine {
 public:
  using Ref = std::uint32_t;  // an index into `values_`; values may share others

  enum class Kind {
    kNone,
    kBool,
    kInteger,
    kBytes,
    kTuple,
    kList,
    kDict,
    kGlobal,
    kDtype,
    kArray,
    kCsrMatrix
  };
  enum class Global { kCsrMatrix, kReconstruct, kNdarray, kDtype, kDefaultdict, kList };

  struct Value {
    Kind kind = Kind::kNone;
    Ref state = 0;                // kDtype, kArray, kCsrMatrix: set by BUILD; 0: none
    std::int64_t integer = 0;     // kBool, kInteger; the Global for kGlobal
    std::string_view bytes = {};  // kBytes; the type's code for kDtype
    std::vector<Ref> items = {};  // kTuple, kList; key, value, key, value for kDict
  };

  /// Runs the whole pickle. `bytes` must outlive the machine, whose values point into it. Throws
  /// InvalidFile naming the byte.
  PickleMachine(std::string name, std::string_view bytes);

  const Value& value(Ref ref) const { return values_[ref]; }
  const Value& result() const { return values_[result_]; }
  /// Throws InvalidFile for the pickle as a whole.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  bool step();
  bool constant(unsigned char opcode);
  bool container(unsigned char opcode);
  void put(std::uint32_t key);
  void get(std::uint32_t key);
  void global();
  void reduce();
  void new_object();
  void build();
  void append(std::span<const Ref> items, Kind kind, const char* what);

  std::string_view take(std::size_t size);
  std::string_view take_line();
  std::uint64_t take_unsigned(std::size_t size);
  void push(Value value);
  void push_tuple(std::size_t size);
  Ref pop();
  std::vector<Ref> pop_to_mark();
  [[noreturn]] void fail_here(const std::string& what) const;

  std::string name_;
  std::string_view bytes_;
  std::size_t position_ = 0;  // of the next byte
  std::size_t opcode_at_ = 0;
  std::vector<Value> values_;
  std::vector<Ref> stack_;
  std::vector<std::size_t> marks_;  // sizes of the stack
  std::unordered_map<std::uint32_t, Ref> memo_;
  Ref result_ = 0;
};

}  // namespace hgnet
