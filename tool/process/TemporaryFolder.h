// A folder for what a command makes on its way, and nobody keeps.
#ifndef KPERF_TOOL_TEMPORARY_FOLDER_H
#define KPERF_TOOL_TEMPORARY_FOLDER_H

#include "decoder/io/Error.h"

#include <string>
#include <utility>

namespace kperf::tool {

/// Goes, with what is in it, when this does.
class TemporaryFolder {
public:
  static decoder::Expected<TemporaryFolder> make();
  TemporaryFolder(TemporaryFolder &&other) noexcept : folder(std::exchange(other.folder, {})) {}
  ~TemporaryFolder();

  const std::string &path() const { return folder; }

private:
  explicit TemporaryFolder(std::string folder) : folder(std::move(folder)) {}

  std::string folder;
};

} // namespace kperf::tool

#endif
