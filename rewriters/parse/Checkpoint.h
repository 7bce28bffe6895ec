// Forked processes that wait in the middle of a parse, so that the rewritten source is read back without parsing its first
// headers again.
#ifndef KPERF_REWRITERS_CHECKPOINT_H
#define KPERF_REWRITERS_CHECKPOINT_H

#include "rewriters/source/FileText.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace kperf {

/// What a checkpoint goes on with.
struct ReadBackRequest {
  FileText source;               ///< only what is behind the checkpoint
  std::vector<FileText> headers; ///< rewritten copies
};

/// Checkpoints of one parse. Each is a child of this process, which must have one thread only; none outlives this object.
class Checkpoints {
public:
  static constexpr std::size_t kMax = 3; ///< at a time; each holds a copy of the parser's state, of which it shares most

  Checkpoints() = default;
  Checkpoints(const Checkpoints &) = delete;
  Checkpoints &operator=(const Checkpoints &) = delete;
  ~Checkpoints();

  /// Makes one, for a source whose first `begin` bytes were read. Nothing in this process; in the child, which returns only
  /// when it is wanted, what to go on with. The child has to end with answer().
  std::optional<ReadBackRequest> add(std::size_t begin);
  bool isFull() const { return children.size() >= kMax; }

  /// Ends the child: whether it found no error.
  [[noreturn]] void answer(bool isClean) const;

  /// Has the last checkpoint that stands before everything that was edited read `opening` and the rest of the rewritten source;
  /// `original` is the source's text as it was. False when there is none, or it found an error, which a parse of the whole
  /// tells better.
  bool readBack(llvm::StringRef original, const FileText &rewritten, const std::vector<FileText> &headers, llvm::StringRef opening);

private:
  struct Child {
    pid_t process = 0;
    int connection = -1;
    std::size_t begin = 0;
  };

  static void end(const Child &child);

  std::vector<Child> children;
  int parent = -1; ///< in a child: the way to answer
};

} // namespace kperf

#endif
