// Writes the scripts and the links.
#include "tool/jit/ShimToolkit.h"
#include "decoder/io/Output.h"

#include <filesystem>

namespace kperf::tool {
namespace {

namespace fs = std::filesystem;

decoder::Status cannotMake(const fs::path &path, const std::string &reason) {
  return decoder::failure({.message = "can't make '" + path.string() + "'", .found = reason, .remedy = "KPERF_CACHE names another folder"});
}

/// For a shell.
std::string quoted(const std::string &word) {
  std::string text = "'";
  for (const char letter : word)
    text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return text + "'";
}

/// Links to what is in a folder, but for one name. What is there already stays: another run may be using it.
decoder::Status linkEntries(const fs::path &from, const fs::path &to, const std::string &but) {
  std::error_code error;
  fs::create_directories(to, error);
  for (fs::directory_iterator entry(from, error), end; !error && entry != end; entry.increment(error)) {
    const fs::path link = to / entry->path().filename();
    if (entry->path().filename() == but || fs::is_symlink(fs::symlink_status(link)))
      continue;
    std::error_code made;
    fs::create_symlink(entry->path(), link, made);
    if (made && made != std::errc::file_exists)
      return cannotMake(link, made.message());
  }
  if (error)
    return cannotMake(to, error.message());
  return {};
}

} // namespace

decoder::Status writeNvccShim(const std::string &path, const std::vector<std::string> &compiler, const std::string &nvcc) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  if (error)
    return cannotMake(path, error.message());
  auto out = decoder::OutputFile::open(path); // a script that another run starts is whole
  if (!out)
    return cannotMake(path, out.error().message);
  out->writeBytes("#!/bin/sh\n# Written by kperf run.\nunset LD_PRELOAD\nexec");
  for (const std::string &word : compiler)
    out->writeBytes(' ' + quoted(word));
  out->writeBytes(' ' + quoted(nvcc) + " \"$@\"\n");
  out->makeExecutable();
  if (auto status = out->finish(); !status)
    return cannotMake(path, status.error().message);
  return {};
}

decoder::Status writeShimToolkit(const std::string &folder, const std::string &toolkit, const std::vector<std::string> &compiler) {
  if (auto status = linkEntries(toolkit, folder, "bin"); !status)
    return status;
  if (auto status = linkEntries(fs::path(toolkit) / "bin", fs::path(folder) / "bin", "nvcc"); !status)
    return status;
  return writeNvccShim(folder + "/bin/nvcc", compiler, toolkit + "/bin/nvcc");
}

std::string toolkitAround(const std::string &nvcc) {
  std::error_code error;
  const fs::path folder = fs::path(nvcc).parent_path().parent_path();
  const bool isWhole = fs::exists(folder / "include/cuda.h", error) && fs::is_directory(folder / "nvvm", error);
  return isWhole ? folder.string() : "";
}

} // namespace kperf::tool
