// Makes one note of those that say the same of several kernels.
#ifndef KPERF_DECODER_GATHERED_NOTES_H
#define KPERF_DECODER_GATHERED_NOTES_H

#include <string>
#include <vector>

namespace kperf::decoder {

/// Notes in the order in which each was first said. What stands in parentheses directly behind a kernel's name is that kernel's own and
/// may differ.
class GatheredNotes {
public:
  void add(const std::string &kernel, const std::string &note);

  struct Gathered {
    std::string text;
    std::size_t kernels; ///< that it is of
  };
  /// "… of each of 14 kernels (advect, residual, …) …", with as many names as fit in a line.
  std::vector<Gathered> take() const;

private:
  struct Note {
    std::string before, after;
    std::vector<std::string> kernels, details;
  };
  std::vector<Note> notes;
};

} // namespace kperf::decoder

#endif
