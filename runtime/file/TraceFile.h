// Writes a trace file section by section (format.h).
//
// The file appears under its name with the first complete flush (temporary + rename) and grows by whole sections; the End
// section makes it complete. A process that dies leaves a file that is readable up to its last whole section.
#ifndef KPERF_RUNTIME_TRACE_FILE_H
#define KPERF_RUNTIME_TRACE_FILE_H

#include "posix/AtomicFile.h"

#include <kperf/format.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kperf::runtime {

/// What found no room on the devices.
struct Shortage {
  std::uint64_t warps = 0;       ///< of the program, without a slot
  std::uint64_t bufferBytes = 0; ///< of a device's buffer in which those and the others would have found room; 0: not known
  std::uint64_t records = 0;     ///< of warps that had one
  std::uint32_t mostRecords = 0; ///< that a warp of the program made in one part of its slot
  std::uint32_t mostRoom = 0;    ///< for so many records there was room in one: what no loop makes is counted beforehand
};

class TraceFile {
public:
  explicit TraceFile(std::string path) : path(std::move(path)) {}
  TraceFile(const TraceFile &) = delete;
  TraceFile &operator=(const TraceFile &) = delete;

  const std::string &name() const { return path; }
  bool isOpen() const { return file.isOpen(); }
  std::uint64_t bytesWritten() const { return counts.written; }
  std::uint64_t warpsWritten() const { return counts.warps; } ///< of the program
  /// Of what was written so far; for who writes it to add to.
  Shortage &shortage() { return counts.shortage; }
  const Shortage &shortage() const { return counts.shortage; }

  /// Creates the temporary file and writes the header. False when that failed; error() says why.
  bool open(format::Target target, std::uint64_t createdUnixNs, std::uint64_t buildId);

  /// The string's offset; the text itself is written by the next writeStrings().
  std::uint32_t intern(std::string_view text);

  template <typename T> bool write(format::SectionKind kind, std::span<const T> rows) {
    return rows.empty() || writeSection(kind, std::as_bytes(rows));
  }
  /// `payload`: a WarpsHeader, then `parts` of warps, of which `warps` are the first ones of the program's.
  bool writeWarps(std::span<const std::byte> payload, std::uint64_t parts, std::uint64_t warps);
  bool writeStrings();

  /// What is written from now on is for the time being: dropTail() takes it back. False where nothing can be: on a device.
  bool beginTail();
  /// Takes back what was written since beginTail(), where that was called. Its strings are written once more by the next
  /// writeStrings(), for others may have come to refer to them.
  bool dropTail();

  /// Makes what was written so far visible under the file's name.
  bool publish();
  /// Writes the End section, publishes and closes.
  bool finish();
  /// Takes the End section of a file that is finished back, so that more can be written. False when it is no longer there, or is none.
  bool reopen();
  /// Closes the file, and removes it where nothing was published.
  void discard() { file.discard(); }
  /// Forgets the file without touching it (in a forked child).
  void abandon() { file.abandon(); }

  std::string error() const;
  /// What KPERF_OUTPUT is to be instead: "a place with room".
  const char *betterPlace() const;

private:
  struct Counts {
    std::uint64_t written = 0, sections = 0, parts = 0, warps = 0;
    Shortage shortage;
  };

  bool writeSection(format::SectionKind kind, std::span<const std::byte> payload);
  bool writeBytes(const void *data, std::size_t bytes);

  std::string path;
  posix::AtomicFile file;
  int errorNumber = 0;
  Counts counts;
  std::optional<Counts> beforeTail;
  std::optional<Counts> beforeEnd; ///< of a finished file
  std::string tailStrings;         ///< that were written since then
  std::unordered_map<std::string, std::uint32_t> offsets;
  std::string pendingStrings;
  std::uint32_t nextOffset = 0;
};

} // namespace kperf::runtime

#endif
