// `kperf pack`: text, as `kperf dump` prints it, back into a trace.
#include "decoder/io/Output.h"
#include "decoder/io/TextFile.h"
#include "decoder/text/Pack.h"
#include "tool/commands/Command.h"
#include "tool/commands/SharedOptions.h"

#include <cstdint>
#include <fmt/format.h>
#include <memory>

namespace kperf::tool {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{8} << 30; // all of it is held in memory

/// Whether its beginning is that of a trace: what does not end, such as what `yes` prints, is not read on.
decoder::Status checkBeginning(std::string_view text, const std::string &path) {
  std::uint32_t line = 1;
  for (bool isMore = true; isMore; ++line) {
    const std::size_t end = text.find('\n'), start = text.find_first_not_of(" \t\r\n");
    isMore = end != std::string_view::npos && (start > end || text[start] == '#');
    if (isMore)
      text.remove_prefix(end + 1);
    else if (start != std::string_view::npos && (text[start] == '#' || text.substr(start).starts_with("kperf")))
      return {};
    else
      break;
  }
  return decoder::failure({.message = "not the text form of a trace",
                           .expected = "'kperf 1.0' first, as kperf dump prints it",
                           .line = line,
                           .column = 1,
                           .file = path});
}

decoder::Expected<int> run(const std::string &text, const std::string &output) {
  auto out = decoder::OutputFile::open(output, decoder::Replaces::AnyFile, std::span(&text, 1));
  if (!out)
    return decoder::failure(out.error());
  const auto content = decoder::readTextFile(text, kMaxBytes, [&](std::string_view piece) { return checkBeginning(piece, text); });
  if (!content)
    return decoder::failure(content.error());
  const auto bytes = decoder::packText(*content, text);
  if (!bytes)
    return decoder::failure(bytes.error());
  out->writeBytes({reinterpret_cast<const char *>(bytes->data()), bytes->size()});
  if (auto status = out->finish(); !status)
    return decoder::failure(status.error());
  return 0;
}

} // namespace

Run packCommand(const Arguments &arguments) {
  struct Options {
    std::string text, output;
  };
  const auto options = std::make_shared<Options>();
  arguments.add("TEXT", options->text, "what kperf dump prints, - for standard input").required();
  addNamedOutput(arguments, options->output);
  return [options] { return run(options->text, options->output); };
}

} // namespace kperf::tool
