// A private folder for a run's intermediate files, removed at the end.
#ifndef KPERF_POSIX_TEMPORARY_FOLDER_H
#define KPERF_POSIX_TEMPORARY_FOLDER_H

#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace kperf::posix {

/// Below the system's temporary folder, readable by its owner only, removed with its contents at the end. Its name depends on
/// `key` alone while no other run uses it, so that equal runs of kperf-cc compile equal paths: compiler caches hit and objects are
/// reproducible.
class TemporaryFolder {
public:
  /// `name` is what its name begins with. Fails with the number of the system's error.
  static std::expected<TemporaryFolder, int> make(std::string_view key, std::string_view name = "kperf");
  /// What it is made below: $TMPDIR or /tmp, absolute.
  static std::string root();

  TemporaryFolder(TemporaryFolder &&other) noexcept
      : folder(std::move(other.folder)), lock(std::exchange(other.lock, -1)), isKept(other.isKept) {}
  TemporaryFolder &operator=(TemporaryFolder &&) = delete;
  ~TemporaryFolder();

  /// Absolute, without symbolic links of our making.
  const std::string &path() const { return folder; }
  /// The folder outlives this object.
  void keep() { isKept = true; }

private:
  TemporaryFolder(std::string folder, int lock) : folder(std::move(folder)), lock(lock) {}

  std::string folder;
  int lock = -1;
  bool isKept = false;
};

} // namespace kperf::posix

#endif
