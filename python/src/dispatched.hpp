#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

namespace hgnet::python {

/// An operator by its name, to call it through the dispatcher: with its gradient, or traced.
template <class Signature>
auto dispatched(const char* name, const char* overload = "") {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, overload).typed<Signature>();
}

}  // namespace hgnet::python
