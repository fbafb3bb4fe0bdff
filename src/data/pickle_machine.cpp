#include "data/pickle_machine.hpp"

#include <array>
#include <utility>

#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

// A hundred times what the largest citation set needs.
constexpr std::size_t kMaxValues = std::size_t{1} << 24;

enum Opcode : unsigned char {
  kProto = 0x80,
  kStop = '.',
  kMark = '(',
  kNone = 'N',
  kNewTrue = 0x88,
  kNewFalse = 0x89,
  kBinInt = 'J',
  kBinInt1 = 'K',
  kBinInt2 = 'M',
  kBinString = 'T',
  kShortBinString = 'U',
  kEmptyTuple = ')',
  kTuple = 't',
  kTuple1 = 0x85,
  kTuple2 = 0x86,
  kTuple3 = 0x87,
  kEmptyList = ']',
  kAppend = 'a',
  kAppends = 'e',
  kEmptyDict = '}',
  kSetItems = 'u',
  kBinPut = 'q',
  kLongBinPut = 'r',
  kBinGet = 'h',
  kGlobal = 'c',
  kReduce = 'R',
  kNewObj = 0x81,
  kBuild = 'b',
};

struct KnownGlobal {
  std::string_view module;
  std::string_view name;
  PickleMachine::Global global;
};

constexpr std::array kGlobals{
    KnownGlobal{"scipy.sparse.csr", "csr_matrix", PickleMachine::Global::kCsrMatrix},
    KnownGlobal{"numpy.core.multiarray", "_reconstruct", PickleMachine::Global::kReconstruct},
    KnownGlobal{"numpy", "ndarray", PickleMachine::Global::kNdarray},
    KnownGlobal{"numpy", "dtype", PickleMachine::Global::kDtype},
    KnownGlobal{"collections", "defaultdict", PickleMachine::Global::kDefaultdict},
    KnownGlobal{"__builtin__", "list", PickleMachine::Global::kList}};

}  // namespace

PickleMachine::PickleMachine(std::string name, std::string_view bytes)
    : name_(std::move(name)), bytes_(bytes), values_(1) {
  while (step()) {
  }
  result_ = pop();
}

void PickleMachine::fail(const std::string& what) const { throw InvalidFile(name_, 0, what); }

void PickleMachine::fail_here(const std::string& what) const {
  fail("byte " + std::to_string(opcode_at_) + ": " + what);
}

bool PickleMachine::step() {
  opcode_at_ = position_;
  const auto opcode = static_cast<unsigned char>(take(1).front());
  switch (opcode) {
    case kStop: return false;
    case kProto:
      if (take_unsigned(1) > 2) fail_here("the pickle's protocol is newer than 2");
      return true;
    case kMark: marks_.push_back(stack_.size()); return true;
    case kBinPut: put(static_cast<std::uint32_t>(take_unsigned(1))); return true;
    case kLongBinPut: put(static_cast<std::uint32_t>(take_unsigned(4))); return true;
    case kBinGet: get(static_cast<std::uint32_t>(take_unsigned(1))); return true;
    case kGlobal: global(); return true;
    case kReduce: reduce(); return true;
    case kNewObj: new_object(); return true;
    case kBuild: build(); return true;
    default: break;
  }
  if (!constant(opcode) && !container(opcode)) {
    fail_here("instruction " + std::to_string(opcode) +
              " is refused, because data does not need it");
  }
  return true;
}

bool PickleMachine::constant(unsigned char opcode) {
  Value value;
  switch (opcode) {
    case kNone: break;
    case kNewTrue:
    case kNewFalse:
      value.kind = Kind::kBool;
      value.integer = opcode == kNewTrue;
      break;
    case kBinInt:
      value.kind = Kind::kInteger;
      value.integer = static_cast<std::int32_t>(take_unsigned(4));
      break;
    case kBinInt1:
    case kBinInt2:
      value.kind = Kind::kInteger;
      value.integer = static_cast<std::int64_t>(take_unsigned(opcode == kBinInt1 ? 1 : 2));
      break;
    case kShortBinString:
    case kBinString:
      value.kind = Kind::kBytes;
      value.bytes = take(take_unsigned(opcode == kShortBinString ? 1 : 4));
      break;
    default: return false;
  }
  push(std::move(value));
  return true;
}

bool PickleMachine::container(unsigned char opcode) {
  switch (opcode) {
    case kEmptyTuple: push_tuple(0); return true;
    case kTuple1: push_tuple(1); return true;
    case kTuple2: push_tuple(2); return true;
    case kTuple3: push_tuple(3); return true;
    case kTuple: {
      std::vector<Ref> items = pop_to_mark();
      push({.kind = Kind::kTuple, .items = std::move(items)});
      return true;
    }
    case kEmptyList: push({.kind = Kind::kList}); return true;
    case kEmptyDict: push({.kind = Kind::kDict}); return true;
    case kAppend: append({{pop()}}, Kind::kList, "a list"); return true;
    case kAppends: append(pop_to_mark(), Kind::kList, "a list"); return true;
    case kSetItems: {
      const std::vector<Ref> items = pop_to_mark();
      if (items.size() % 2 != 0) fail_here("a key without a value");
      append(items, Kind::kDict, "a dictionary");
      return true;
    }
    default: return false;
  }
}

void PickleMachine::append(std::span<const Ref> items, Kind kind, const char* what) {
  const Ref target = pop();
  stack_.push_back(target);
  Value& value = values_[target];
  if (value.kind != kind) fail_here(std::string("expected ") + what + " to add to");
  value.items.insert(value.items.end(), items.begin(), items.end());
}

void PickleMachine::put(std::uint32_t key) {
  const Ref top = pop();
  stack_.push_back(top);
  memo_[key] = top;
}

void PickleMachine::get(std::uint32_t key) {
  const auto found = memo_.find(key);
  if (found == memo_.end()) fail_here("nothing is stored under " + std::to_string(key));
  stack_.push_back(found->second);
}

void PickleMachine::global() {
  const std::string_view module = take_line();
  const std::string_view name = take_line();
  for (const KnownGlobal& known : kGlobals) {
    if (module == known.module && name == known.name) {
      push({.kind = Kind::kGlobal, .integer = static_cast<std::int64_t>(known.global)});
      return;
    }
  }
  std::string called(module.substr(0, 100));
  called += '.';
  called += name.substr(0, 100);
  fail_here(called + " is refused, because a data file does not need it");
}

void PickleMachine::reduce() {
  const Value& arguments = values_[pop()];
  const Value& callable = values_[pop()];
  if (callable.kind != Kind::kGlobal || arguments.kind != Kind::kTuple) {
    fail_here("expected a known callable and its arguments");
  }
  switch (static_cast<Global>(callable.integer)) {
    case Global::kReconstruct: push({.kind = Kind::kArray}); return;
    case Global::kDefaultdict: push({.kind = Kind::kDict}); return;
    case Global::kDtype: {
      const std::vector<Ref>& items = arguments.items;
      if (items.empty() || values_[items.front()].kind != Kind::kBytes) {
        fail_here("expected the code of a type");
      }
      push({.kind = Kind::kDtype, .bytes = values_[items.front()].bytes});
      return;
    }
    default: fail_here("a call that data does not need is refused");
  }
}

void PickleMachine::new_object() {
  const Ref arguments = pop();
  const Value& type = values_[pop()];
  if (type.kind != Kind::kGlobal || type.integer != static_cast<std::int64_t>(Global::kCsrMatrix) ||
      values_[arguments].kind != Kind::kTuple) {
    fail_here("expected the creation of a csr_matrix");
  }
  push({.kind = Kind::kCsrMatrix});
}

void PickleMachine::build() {
  const Ref state = pop();
  const Ref target = pop();
  stack_.push_back(target);
  Value& value = values_[target];
  const Kind needed = value.kind == Kind::kCsrMatrix ? Kind::kDict : Kind::kTuple;
  if ((value.kind != Kind::kArray && value.kind != Kind::kDtype &&
       value.kind != Kind::kCsrMatrix) ||
      values_[state].kind != needed) {
    fail_here("expected an array, a type or a matrix, and its state");
  }
  value.state = state;
}

std::string_view PickleMachine::take(std::size_t size) {
  if (size > bytes_.size() - position_) fail_here("the file ends too early");
  position_ += size;
  return bytes_.substr(position_ - size, size);
}

std::string_view PickleMachine::take_line() {
  const std::size_t end = bytes_.find('\n', position_);
  if (end == std::string_view::npos) fail_here("the file ends too early");
  const std::string_view line = take(end - position_);
  ++position_;
  return line;
}

std::uint64_t PickleMachine::take_unsigned(std::size_t size) {
  std::uint64_t value = 0;
  int shift = 0;
  for (const char byte : take(size)) {
    value |= std::uint64_t{static_cast<unsigned char>(byte)} << shift;
    shift += 8;
  }
  return value;
}

void PickleMachine::push(Value value) {
  if (values_.size() >= kMaxValues) fail_here("more values than a data set has");
  stack_.push_back(static_cast<Ref>(values_.size()));
  values_.push_back(std::move(value));
}

void PickleMachine::push_tuple(std::size_t size) {
  std::vector<Ref> items(size);
  while (size > 0) items[--size] = pop();
  push({.kind = Kind::kTuple, .items = std::move(items)});
}

PickleMachine::Ref PickleMachine::pop() {
  if (stack_.size() <= (marks_.empty() ? 0 : marks_.back()))
    fail_here("nothing to take from the stack");
  const Ref top = stack_.back();
  stack_.pop_back();
  return top;
}

std::vector<PickleMachine::Ref> PickleMachine::pop_to_mark() {
  if (marks_.empty()) fail_here("no mark on the stack");
  const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
  std::vector<Ref> items(begin, stack_.end());
  stack_.erase(begin, stack_.end());
  marks_.pop_back();
  return items;
}

}  // namespace hgnet
