// Reads the lines of a source file that a trace names.
#include "decoder/view/SourceText.h"
#include "decoder/io/Utf8.h"

#include <filesystem>
#include <fstream>
#include <sys/stat.h>

namespace kperf::decoder {
namespace {

constexpr std::uintmax_t kMaxBytes = std::uintmax_t{16} << 20;
constexpr std::size_t kTab = 8;

/// Whether the file lies below the folder when links are followed.
bool isBelow(const std::filesystem::path &root, const std::filesystem::path &file) {
  std::error_code code;
  const auto top = std::filesystem::canonical(root, code);
  const auto real = code ? std::filesystem::path() : std::filesystem::canonical(file, code);
  const auto relative = real.lexically_relative(top);
  return !code && !relative.empty() && *relative.begin() != ".." && std::filesystem::is_regular_file(real, code) &&
         std::filesystem::file_size(real, code) <= kMaxBytes;
}

} // namespace

SourceText sourceText(const std::string &root, const std::string &file) {
  SourceText out;
  if (root.empty() || file.find('\0') != std::string::npos)
    return out;
  std::filesystem::path rest = std::filesystem::path(file).lexically_normal().relative_path();
  while (!rest.empty() && *rest.begin() == "..")
    rest = rest.lexically_relative(*rest.begin());
  for (; !rest.empty() && rest != "."; rest = rest.lexically_relative(*rest.begin())) {
    const std::filesystem::path candidate = root / rest;
    std::error_code code;
    if (!std::filesystem::exists(candidate, code) || !isBelow(root, candidate))
      continue;
    std::ifstream in(candidate, std::ios::binary);
    for (std::string line; std::getline(in, line);) {
      if (line.ends_with('\r'))
        line.pop_back();
      out.lines.push_back(std::move(line));
    }
    if (struct stat status{}; stat(candidate.c_str(), &status) == 0 && status.st_mtim.tv_sec > 0)
      out.writtenUnixNs =
          static_cast<std::uint64_t>(status.st_mtim.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(status.st_mtim.tv_nsec);
    break;
  }
  return out;
}

std::string shownLine(std::string_view line) {
  std::string out;
  for (const char c : line)
    if (c == '\t')
      out.append(kTab - columnsOf(out) % kTab, ' ');
    else
      out += c;
  return printable(out);
}

} // namespace kperf::decoder
