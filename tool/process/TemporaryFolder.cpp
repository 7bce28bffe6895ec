// Makes and removes a folder for what nobody keeps.
#include "tool/process/TemporaryFolder.h"

#include <cstdlib>
#include <filesystem>

namespace kperf::tool {

namespace fs = std::filesystem;

decoder::Expected<TemporaryFolder> TemporaryFolder::make() {
  std::error_code code;
  std::string path = (fs::temp_directory_path(code) / "kperf-XXXXXX").string(); // mkdtemp's template
  if (code || !mkdtemp(path.data()))
    return decoder::failure({.message = "cannot make a temporary folder", .remedy = "set TMPDIR to one that can be written"});
  return TemporaryFolder(std::move(path));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code code;
  if (!folder.empty())
    fs::remove_all(folder, code);
}

} // namespace kperf::tool
