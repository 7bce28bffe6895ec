// Where results go: standard output, a file that appears only when it is whole, or a string.
#ifndef KPERF_DECODER_OUTPUT_H
#define KPERF_DECODER_OUTPUT_H

#include "decoder/io/Error.h"
#include "posix/AtomicFile.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace kperf::decoder {

/// Collects what is written and hands it on in large pieces. Errors are kept until finish().
class Output {
public:
  virtual ~Output() = default;
  /// Text in whole characters. Names of a trace may be in it, and the result on a terminal: control characters but new lines and tabs, and
  /// what is not UTF-8, become '?'.
  void write(std::string_view text);
  /// Bytes of a result that is no text, as they are.
  void writeBytes(std::string_view bytes);
  /// A terminal's style: the parameters of "select graphic rendition", "0" ends it.
  void writeStyle(std::string_view parameters);
  /// Hands on what is left; the result is not there for others before this succeeded.
  virtual Status finish() = 0;

protected:
  static constexpr std::size_t kPieceBytes = std::size_t{1} << 17;
  virtual void flush() = 0;
  std::string buffer;
};

/// What a result may take the place of.
enum class Replaces {
  NoTrace, ///< any file but a trace, which cannot be made again
  AnyFile, ///< a trace too: the result is one
};

/// An error where a result under that name would replace what it may not, or one of the files that it is made from. Nothing is changed.
Status checkReplaceable(const std::string &path, Replaces replaces = Replaces::NoTrace, std::span<const std::string> sources = {});

/// An error where the path is "-" and standard output a terminal: for results that are no text, in which names would be what it obeys.
Status checkTakesBytes(const std::string &path);

/// A file, or standard output for "-". The file is written under a temporary name beside its own and renamed by
/// finish(); without that it disappears again.
class OutputFile final : public Output {
public:
  /// Fails where checkReplaceable() does, and for a trace where checkTakesBytes() does.
  static Expected<OutputFile> open(const std::string &path, Replaces replaces = Replaces::NoTrace,
                                   std::span<const std::string> sources = {});
  Status finish() override;
  /// For everybody who may read it, from its first moment on.
  void makeExecutable();
  /// The name that it has until finish(), for libraries that write to names; "" for what has its own already, such as a device.
  const std::string &temporaryPath() const { return file.temporaryPath(); }

private:
  OutputFile(const std::string &path, posix::AtomicFile file) : path(path), file(std::move(file)) {}
  void flush() override;

  std::string path;
  posix::AtomicFile file; ///< not of standard output
  int errorNumber = 0;
};

class OutputString final : public Output {
public:
  Status finish() override { return {}; }
  const std::string &text() const { return buffer; }

private:
  void flush() override {}
};

} // namespace kperf::decoder

#endif
