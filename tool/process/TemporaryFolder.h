// The temporary folder, with the error that a user reads where there can be none.
#ifndef KPERF_TOOL_TEMPORARY_FOLDER_H
#define KPERF_TOOL_TEMPORARY_FOLDER_H

#include "decoder/io/Error.h"
#include "posix/TemporaryFolder.h"

#include <string_view>

namespace kperf::process {

using posix::TemporaryFolder;

/// See TemporaryFolder::make().
decoder::Expected<TemporaryFolder> makeTemporaryFolder(std::string_view key);

} // namespace kperf::process

#endif
