// Says where no temporary folder can be made.
#include "tool/process/TemporaryFolder.h"

#include <fmt/format.h>

namespace kperf::process {

decoder::Expected<TemporaryFolder> makeTemporaryFolder(std::string_view key) {
  if (auto folder = TemporaryFolder::make(key))
    return std::move(*folder);
  return decoder::failure({.message = fmt::format("cannot make a temporary folder in '{}'", TemporaryFolder::root()),
                           .remedy = "set TMPDIR to a folder that can be written"});
}

} // namespace kperf::process
