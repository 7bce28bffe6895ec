// Recognises what a file is that is not a trace.
#include "decoder/trace/FileSignature.h"

#include <fmt/format.h>
#include <kperf/format.h>

#include <string_view>

namespace kperf::decoder {
namespace {

using namespace std::string_view_literals;

struct Signature {
  std::string_view start;
  const char *found;
  const char *remedy;
};

constexpr const char *kBinaryTransfer = "copy the trace again in binary mode";
constexpr const char *kNotOurs = "give a .kperf file that an instrumented program wrote";

constexpr Signature kSignatures[] = {
    {"\x89kperf\n"sv, "a trace whose line ends were rewritten", kBinaryTransfer},
    {"\x89kperf\r\r\n"sv, "a trace whose line ends were rewritten", kBinaryTransfer},
    {"\tkperf"sv, "a trace whose eighth bits were cut off", kBinaryTransfer},
    {"\xef\xbf\xbdkperf"sv, "a trace that was re-encoded as UTF-8", kBinaryTransfer},
    {"\xc2\x89kperf"sv, "a trace that was re-encoded as UTF-8", kBinaryTransfer},
    {"\x89kperf"sv, "a damaged trace signature", kBinaryTransfer},
    {"kperf "sv, "the text form of a trace", "kperf pack turns it into a trace"},
    {"\x1f\x8b"sv, "a gzip file", "decompress it with gunzip first"},
    {"\x28\xb5\x2f\xfd"sv, "a zstd file", "decompress it with unzstd first"},
    {"\xfd"
     "7zXZ"sv,
     "an xz file", "decompress it with unxz first"},
    {"PK\x03\x04"sv, "a zip archive", "unpack it first"},
    {"\x7f"
     "ELF"sv,
     "an ELF program or library", "run the instrumented program: it writes <program>.<pid>.kperf"},
    {"SQLite format 3"sv, "an SQLite database", kNotOurs},
    {"{"sv, "JSON text", kNotOurs},
    {"["sv, "JSON text", kNotOurs},
};

std::string hex(std::string_view bytes) {
  std::string out;
  for (const char c : bytes.substr(0, 8))
    out += fmt::format("{}{:02x}", out.empty() ? "" : " ", static_cast<unsigned char>(c));
  return out;
}

} // namespace

Status checkMagic(std::span<const std::byte> start) {
  const std::string_view text(reinterpret_cast<const char *>(start.data()), start.size());
  const std::string_view magic(reinterpret_cast<const char *>(format::kMagic), sizeof(format::kMagic));
  if (text.starts_with(magic))
    return {};
  Error error{.message = "not a kperf trace", .found = hex(text), .expected = hex(magic), .remedy = kNotOurs, .offset = 0};
  if (text.empty())
    error.found = "an empty file";
  for (const Signature &signature : kSignatures) {
    if (!text.starts_with(signature.start))
      continue;
    error.found = fmt::format("{} ({})", signature.found, hex(text));
    error.remedy = signature.remedy;
    break;
  }
  return failure(std::move(error));
}

} // namespace kperf::decoder
