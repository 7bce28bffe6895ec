// Names an instance of a kernel template where the compiler gives several instances the same name.
#ifndef KPERF_HOST_INSTANCE_NAME_H
#define KPERF_HOST_INSTANCE_NAME_H

#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <string>
#include <typeinfo>
#include <vector>

namespace kperf {
namespace host {

/// Which lambda of its function each one in a demangled name is, and which of several local types of one name each one in the mangled
/// name is; the last lambda is the caller's own.
inline std::vector<std::string> localNumbers(const std::string &mangled) {
  std::vector<std::string> numbers;
  int status = 0;
  char *const text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
  const std::string demangled = status == 0 && text ? text : "";
  std::free(text);
  for (std::size_t at = 0; (at = demangled.find('#', at)) != std::string::npos; ++at)
    numbers.push_back(demangled.substr(at + 1, demangled.find('}', at) - at - 1));
  if (!numbers.empty())
    numbers.pop_back();
  for (std::size_t half; (half = numbers.size() / 2) > 0 && numbers.size() % 2 == 0 && // the parameters repeat the arguments
                         std::vector<std::string>(numbers.begin(), numbers.begin() + half) ==
                             std::vector<std::string>(numbers.begin() + half, numbers.end());)
    numbers.resize(half);
  // Of a local type's name, behind which an underscore and a number stand: the demangler leaves them out.
  for (std::size_t at = 0; (at = mangled.find('_', at + 1)) != std::string::npos;) {
    const std::size_t digits = at + (mangled[at + 1] == '_' ? 2 : 1);
    std::size_t begin = at;
    for (std::size_t length = 1; length < at; ++length)
      if (const std::string count = std::to_string(length);
          length + count.size() <= at && mangled.compare(at - length - count.size(), count.size(), count) == 0)
        begin = at - length;
    if (begin < at && digits < mangled.size() && mangled[digits] >= '0' && mangled[digits] <= '9')
      numbers.push_back(std::to_string(std::atol(mangled.c_str() + digits) + 2));
  }
  return numbers;
}

/// "… [with F = main()::<lambda()>] #2" for the second lambda of main(): the compiler's name has no number.
inline std::string numbered(const char *name, const std::string &mangled) {
  std::string suffix;
  bool isFirst = true;
  for (const std::string &number : localNumbers(mangled)) {
    suffix += (suffix.empty() ? " #" : ",") + number;
    isFirst = isFirst && number == "1";
  }
  return isFirst ? name : name + suffix;
}

} // namespace host

/// `name`, __PRETTY_FUNCTION__ of the kernel's instance, told apart from others; `Here` is a type of that instance alone. Lives for ever,
/// for the trace is written behind static destructors.
template <class Here> const char *instanceName(const char *name, const Here &) {
#if defined(__GXX_RTTI) && !defined(__clang__)
  static const char *const own = strdup(host::numbered(name, typeid(Here).name()).c_str());
  return own;
#else
  return name; // which has the place of each lambda, or, without type information, is numbered by the runtime
#endif
}

} // namespace kperf

#endif
