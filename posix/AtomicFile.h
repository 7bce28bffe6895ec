// A file that is written under a temporary name beside its own, and gets its own when the writer says so.
#ifndef KPERF_POSIX_ATOMIC_FILE_H
#define KPERF_POSIX_ATOMIC_FILE_H

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

namespace kperf::posix {

/// Owns the descriptor, and the temporary file until publish(). Where a function returns false, errno says why.
class AtomicFile {
public:
  /// What has the name already, and is no regular file, keeps its place and is written to as it is.
  enum class InPlace {
    Anything,         ///< a pipe too, which waits for its reader
    CharacterDevices, ///< such as /dev/null; anything else is refused with EINVAL
  };

  AtomicFile() = default; ///< no file
  AtomicFile(AtomicFile &&other) noexcept;
  AtomicFile &operator=(AtomicFile &&other) noexcept;
  ~AtomicFile() { discard(); }

  /// With the permissions that the process gives its files. A link that has the temporary name is not followed. Fails with the number of
  /// the system's error.
  static std::expected<AtomicFile, int> open(const std::string &path, InPlace inPlace = InPlace::Anything);

  bool isOpen() const { return file >= 0; }
  int descriptor() const { return file; }
  /// The name that it has until publish(), for libraries that write to names; "" once published, and for what keeps its place.
  const std::string &temporaryPath() const { return temporary; }

  /// Gives the file its name, in place of what has it. The descriptor stays open.
  bool publish();
  bool close();
  /// Opens what was published to write to it once more.
  bool reopen();
  /// Closes the file, and removes it where it was not published.
  void discard();
  /// Forgets the file without touching it, as in a forked child.
  void abandon();

private:
  bool createTemporary();

  std::string path, temporary; ///< temporary: "" when there is nothing to rename
  int file = -1;
};

/// How many bytes were written: less than all only after an error, which errno tells.
std::size_t writeAll(int descriptor, const void *data, std::size_t bytes);

/// A whole file: what has the name keeps its contents until all of the new ones are written. Both fail with the number of the system's
/// error.
std::expected<void, int> writeFile(const std::string &path, std::string_view text);
std::expected<void, int> copyFile(const std::string &from, const std::string &to);

} // namespace kperf::posix

#endif
