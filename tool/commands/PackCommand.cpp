// `kperf pack`: text, as `kperf dump` prints it, back into a trace.
#include "tool/commands/Command.h"
#include "decoder/io/Output.h"
#include "decoder/text/Pack.h"

#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <memory>

namespace kperf::tool {
namespace {

decoder::Expected<std::string> readAll(const std::string &path) {
  std::FILE *file = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  std::string text;
  char piece[65536];
  while (file)
    if (const std::size_t count = std::fread(piece, 1, sizeof(piece), file))
      text.append(piece, count);
    else
      break;
  const bool isRead = file && !std::ferror(file);
  const int code = errno;
  if (file && file != stdin)
    std::fclose(file);
  if (!isRead)
    return decoder::failure({.message = fmt::format("cannot be read: {}", std::strerror(code)), .file = path});
  return text;
}

decoder::Expected<int> run(const std::string &text, const std::string &output) {
  auto out = decoder::OutputFile::open(output, decoder::Replaces::AnyFile, std::span(&text, 1));
  if (!out)
    return decoder::failure(out.error());
  const auto content = readAll(text);
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
  arguments.add("-o,--output", options->output, "where to write, - for standard output").required().typeName("FILE");
  return [options] { return run(options->text, options->output); };
}

} // namespace kperf::tool
