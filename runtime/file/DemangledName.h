// Demangles a kernel's name.
#ifndef KPERF_RUNTIME_DEMANGLED_NAME_H
#define KPERF_RUNTIME_DEMANGLED_NAME_H

#include <cstdlib>
#include <cxxabi.h>
#include <string>
#include <string_view>

namespace kperf::runtime {

/// The name as it is where it is not mangled.
inline std::string demangled(const char *mangled) {
  if (!std::string_view(mangled).starts_with("_Z")) // else 'f', as a kernel that is extern "C" may be called, is float
    return mangled;
  int status = 0;
  char *text = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string name = status == 0 && text ? text : mangled;
  std::free(text);
  return name;
}

} // namespace kperf::runtime

#endif
