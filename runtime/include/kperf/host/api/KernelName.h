// Names the instance of a kernel template that a launch in another template is of, which only the compiler knows.
#ifndef KPERF_HOST_KERNEL_NAME_H
#define KPERF_HOST_KERNEL_NAME_H

#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <string>
#include <typeinfo>

namespace kperf::host {

/// A type that has a kernel in its name.
template <auto Kernel> struct KernelTag {};

/// `name` with the template arguments that follow it in a tag's name; as it is where there are none, and where one of them stands in a
/// function or is a file's own: others may be written as it is.
inline std::string withArguments(const std::string &name, const char *mangledTag) {
  // What stands in a function is mangled as Z…E: a name with a Z in it goes without its arguments rather.
  for (const char *z = std::strchr(mangledTag, 'Z'); z; z = std::strchr(z + 1, 'Z'))
    if (z - mangledTag < 2 || std::strncmp(z - 2, "L_", 2) != 0)
      return name;
  int status = 0;
  char *const text = abi::__cxa_demangle(mangledTag, nullptr, nullptr, &status);
  const std::string tag = status == 0 && text ? text : "";
  std::free(text);
  const std::string begin = "(void " + name;
  const std::size_t at = tag.find(begin + "<"), open = at + begin.size();
  if (at == std::string::npos)
    return name;
  std::size_t end = open, depth = 0;
  do {
    depth += tag[end] == '<';
    depth -= tag[end] == '>';
    ++end;
  } while (depth > 0 && end < tag.size());
  const std::string arguments = tag.substr(open, end - open);
  for (const char *const own : {")::", "{", "$_", "'"}) // of a file, and lambdas by several compilers
    if (arguments.find(own) != std::string::npos)
      return name;
  return depth == 0 ? name + arguments : name;
}

/// What a launch of the kernel is called in the trace; lives for ever, for that is written behind static destructors. `name`: the
/// template's.
template <auto Kernel> const char *launchName(const char *name) {
#ifdef __GXX_RTTI
  static const char *const own = strdup(withArguments(name, typeid(KernelTag<Kernel>).name()).c_str());
  return own;
#else
  return name;
#endif
}

} // namespace kperf::host

#endif
