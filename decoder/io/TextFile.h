// Reads a whole text that the user names: a file, a pipe or standard input.
#ifndef KPERF_DECODER_TEXT_FILE_H
#define KPERF_DECODER_TEXT_FILE_H

#include "decoder/io/Error.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace kperf::decoder {

/// Reads it to its end; "-" is standard input. Fails on a directory, on a device that is no terminal, on a named pipe that nothing writes
/// to, on more than `maxBytes`, and where `check` refuses the first 64 KiB of a longer text.
Expected<std::string> readTextFile(const std::string &path, std::uint64_t maxBytes,
                                   const std::function<Status(std::string_view)> &check = {});

/// The file's first bytes, up to so many; none of a pipe or a device, which may give none.
std::string startOfFile(const std::string &path, std::size_t count);

} // namespace kperf::decoder

#endif
