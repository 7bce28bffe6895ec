// Finds kperf's own files.
#include "tool/cc/Installation.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace kperf::cc {
namespace {

int anchor; // an address in this executable

std::string under(llvm::StringRef folder, llvm::StringRef below) {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, below);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

} // namespace

llvm::Expected<Installation> Installation::find(const char *programName) {
  const std::string program = llvm::sys::fs::getMainExecutable(programName, &anchor);
  const std::string bin = llvm::sys::path::parent_path(program).str();
  Installation installation;
  for (const std::string &folder : {under(bin, KPERF_RELATIVE_INCLUDE_DIR), under(bin, KPERF_INCLUDE_DIR_FROM_BUILD)})
    if (installation.include.empty() && llvm::sys::fs::exists(under(folder, "kperf/probe.h")))
      installation.include = folder;
  if (installation.include.empty())
    return llvm::createStringError("kperf's headers are not found: no kperf/probe.h in '%s'; reinstall kperf",
                                   under(bin, KPERF_RELATIVE_INCLUDE_DIR).c_str());
  const std::string folders[] = {under(bin, KPERF_RELATIVE_LIBRARY_DIR), under(bin, "../lib")};
  auto firstThatHas = [&](llvm::StringRef file) {
    for (const std::string &folder : folders)
      if (std::string path = under(folder, file); llvm::sys::fs::exists(path))
        return path;
    return under(folders[0], file);
  };
  installation.staticRuntime = firstThatHas("libkperf_runtime.a");
  installation.sharedRuntime = firstThatHas("libkperf_runtime.so");
  installation.hostLibrary = firstThatHas("libkperf_host.a");
  return installation;
}

} // namespace kperf::cc
