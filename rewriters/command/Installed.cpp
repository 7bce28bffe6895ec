// Searches the folders in which a toolkit may be installed.
#include "rewriters/command/Installed.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

using namespace llvm;

namespace kperf {

std::string joined(StringRef folder, const Twine &rest) {
  SmallString<256> path(folder);
  sys::path::append(path, rest);
  return path.str().str();
}

std::string fromEnvironment(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

std::string prefixOf(StringRef program) {
  ErrorOr<std::string> found = sys::findProgramByName(program);
  SmallString<256> real;
  if (!found || sys::fs::real_path(*found, real))
    return {};
  return sys::path::parent_path(sys::path::parent_path(real)).str();
}

} // namespace kperf
