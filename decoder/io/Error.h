// An error in the decoder, as a value: only a main prints it.
#ifndef KPERF_DECODER_ERROR_H
#define KPERF_DECODER_ERROR_H

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

namespace kperf::decoder {

struct Error {
  std::string message;                 ///< lower case, no final stop
  std::string found;                   ///< "" when there is nothing to show
  std::string expected;                ///< "" when there is nothing to show
  std::string remedy;                  ///< what the user can do; "" when nothing
  std::optional<std::uint64_t> offset; ///< byte offset in the file
  std::uint32_t line = 0;              ///< 1-based, in a text; 0 elsewhere
  std::uint32_t column = 0;            ///< 1-based, in a text
  std::string file;                    ///< "" when unknown

  /// "file:line:column: at byte N: message: found F, expected E; remedy"
  std::string text() const;
};

template <typename T> using Expected = std::expected<T, Error>;
using Status = Expected<void>;

/// `error` as the unexpected value of any Expected.
inline std::unexpected<Error> failure(Error error) { return std::unexpected(std::move(error)); }

} // namespace kperf::decoder

#endif
