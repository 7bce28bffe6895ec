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

/// The name of a type in the source's words; "" where it is not known.
inline std::string demangled(const std::string &mangled) {
  int status = 0;
  char *const text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
  std::string out = status == 0 && text ? text : "";
  std::free(text);
  return out;
}

/// Which lambda of its function each one in a demangled name is, and which of several local types of one name each one in the mangled
/// name is; the last lambda is the caller's own.
inline std::vector<std::string> localNumbers(const std::string &mangled) {
  std::vector<std::string> numbers;
  const std::string plain = demangled(mangled);
  for (std::size_t at = 0; (at = plain.find('#', at)) != std::string::npos; ++at)
    numbers.push_back(plain.substr(at + 1, plain.find('}', at) - at - 1));
  if (!numbers.empty())
    numbers.pop_back();
  for (std::size_t half; (half = numbers.size() / 2) > 0 && numbers.size() % 2 == 0 && // the parameters repeat the arguments
                         std::vector<std::string>(numbers.begin(), numbers.begin() + half) ==
                             std::vector<std::string>(numbers.begin() + half, numbers.end());)
    numbers.resize(half);
  // Behind the first local type of a name stands nothing, behind others "_0" to "_9" or "__10_", …, and nothing else in a mangled name
  // can be left out without changing what it is demangled to.
  std::string last;
  for (std::size_t at = 0; !plain.empty() && (at = mangled.find('_', at + 1)) != std::string::npos;) {
    const bool isLong = mangled.compare(at, 2, "__") == 0;
    const std::size_t digits = at + (isLong ? 2 : 1), end = isLong ? mangled.find('_', digits) : at + 1;
    if (end == std::string::npos || mangled[digits] < '0' || mangled[digits] > '9')
      continue;
    std::string without = mangled;
    without.erase(at, end + 1 - at);
    if (without == last || demangled(without) != plain)
      continue;
    numbers.push_back(std::to_string(std::atol(mangled.substr(digits, isLong ? end - digits : 1).c_str()) + 2));
    last = without;
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
