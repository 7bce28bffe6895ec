// Chooses the functions that record into streams of their own (kperf/cuda/record/FunctionStream.h), and lays out their frames.
#ifndef KPERF_REWRITERS_FUNCTIONSTREAMS_H
#define KPERF_REWRITERS_FUNCTIONSTREAMS_H

#include "rewriters/kernel/FrameLayout.h"
#include "rewriters/kernel/KernelUniformity.h"
#include "rewriters/plan/PlanAdditions.h"
#include "rewriters/unit/AnnotatedFunction.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <map>
#include <optional>
#include <vector>

namespace kperf {

/// The words of a frame that hold a region's first and last clock; those of a signal are one.
struct FrameWords {
  const clang::CompoundStmt *body = nullptr; ///< whose passes are the frames
  unsigned begin = 0, end = 0;
  unsigned object = 0;                         ///< what a wait or a signal is for; 0: there is no such word
  bool sharesBegin = false, sharesEnd = false; ///< what stands before it reads that clock
};

/// A wait or a signal that may be recorded where it stands.
struct SyncEvent {
  const clang::Stmt *at;        ///< names it
  const clang::Stmt *statement; ///< in front of which a signal is recorded, and around which a wait is
  unsigned begin, end;          ///< bytes of the file
  bool isWait, hasObject;
};

/// A function's or a lambda's.
struct FunctionEvents {
  const clang::FunctionDecl *function;
  const clang::Stmt *body;
  std::vector<SyncEvent> events;
};

/// What was planned to be recorded through streams and rows, by index of the region.
struct StreamUses {
  std::map<const clang::FunctionDecl *, std::size_t> firsts; ///< the first region of each stream, by the function that the stream is of
  llvm::DenseMap<const clang::CompoundStmt *, std::multimap<unsigned, std::size_t>>
      frames;                                                    ///< by the word of their first clock, outer ones first
  std::map<const clang::FunctionDecl *, std::size_t> rowLambdas; ///< that record into rows, and a region of each

  void addToFrame(const clang::CompoundStmt *body, unsigned word, std::size_t region);
  void addToRow(const clang::FunctionDecl *function, std::size_t region);
  /// Another rewriter's.
  void add(const StreamUses &other);
};

class FunctionStreams {
public:
  /// `areThere`: the target has them. `mayHaveRows`: and all kernels that call the source's functions are in it, and open rows.
  /// `haveKernels`: kernels may have them too; `haveHeaderKernels`: those of headers.
  FunctionStreams(bool areThere, bool mayHaveRows, bool haveKernels, bool haveHeaderKernels)
      : areThere(areThere), mayHaveRows(mayHaveRows), haveKernels(haveKernels), haveHeaderKernels(haveHeaderKernels) {}

  /// Looks at all that may be recorded, before any of it is planned: functions with regions, waits or signals in loops or in lambdas
  /// get streams, and kernels to whose regions whole warps come, where nothing of them records otherwise.
  void choose(const TranslationUnit &unit, const KernelUniformity &uniformity, llvm::ArrayRef<AnnotatedFunction> functions,
              llvm::ArrayRef<FunctionEvents> events);

  /// Whether what the function (or lambda) records goes into a stream.
  bool has(const clang::FunctionDecl *function) const { return ownerOf.contains(function); }
  /// Words of a piece of the kernel's stream; 0 where it has none, or none that is used.
  unsigned wordsOfKernel(const clang::FunctionDecl *kernel, const StreamUses &uses) const;
  /// Whether a record of the function that is in no frame goes into its warp's row (kperf/cuda/record/EventRow.h).
  bool usesRow(const clang::FunctionDecl *function) const;
  /// Where the clocks go of a region that begins at the statement (its annotation's, or its first one), or of what waits or signals
  /// there (SyncEvent::at); nothing where it has a record of its own.
  std::optional<FrameWords> wordsOf(RecordName name) const;

  /// The region's place in the function's stream; `uses` gets it too.
  StreamPlace place(StreamUses &uses, const clang::FunctionDecl *function, RecordName name, std::size_t region) const;
  /// Declares the streams and frames that are used, and keeps lambdas inlined.
  void plan(const TranslationUnit &unit, const StreamUses &uses, PlanAdditions &additions) const;

private:
  struct Member;
  struct FrameBody {
    unsigned zeroed = 0;   ///< a bit for each word that the body may be passed without
    bool mayJump = false;  ///< out of the body, or into it
    unsigned gathered = 0; ///< a bit for each word to which a whole warp comes together
  };
  struct Stream {
    unsigned words = 4;
    std::vector<const clang::FunctionDecl *> lambdas;
    std::vector<const clang::CompoundStmt *> bodies; ///< with frames
  };

  using Layouts = std::map<const clang::CompoundStmt *, FrameLayout>;

  static void lay(const TranslationUnit &unit, const Member &member, Layouts &layouts);
  void leaveFrames(const clang::FunctionDecl *owner, llvm::ArrayRef<Member> members, Layouts &layouts) const;
  static unsigned maxWords(Layouts &layouts);
  void giveWords(const TranslationUnit &unit, Stream &stream, Layouts &layouts);
  void chooseGroup(const TranslationUnit &unit, const clang::FunctionDecl *owner, llvm::ArrayRef<Member> members);
  void chooseKernels(const TranslationUnit &unit, const KernelUniformity &uniformity, llvm::ArrayRef<AnnotatedFunction> functions,
                     llvm::ArrayRef<FunctionEvents> events);
  static unsigned numberOf(const TranslationUnit &unit, const StreamUses &uses, const clang::FunctionDecl *owner);
  void enlist(const clang::FunctionDecl *owner, const clang::FunctionDecl *function);

  bool areThere, mayHaveRows, haveKernels, haveHeaderKernels;
  bool areRegistersShort = false;                                                   ///< kernels give some warps' registers to others
  llvm::DenseMap<const clang::FunctionDecl *, const clang::FunctionDecl *> ownerOf; ///< of a function or lambda: itself, or around it
  std::map<const clang::FunctionDecl *, Stream> streams;
  std::map<RecordName, FrameWords> words;
  llvm::DenseMap<const clang::CompoundStmt *, FrameBody> frames;
};

} // namespace kperf

#endif
