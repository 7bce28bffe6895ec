// Which functions record into a stream of their own (kperf/gpu/record/FunctionStream.h), and where in a frame their regions' clocks go.
#ifndef KPERF_REWRITERS_FUNCTIONSTREAMS_H
#define KPERF_REWRITERS_FUNCTIONSTREAMS_H

#include "rewriters/unit/AnnotatedFunction.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <map>
#include <optional>
#include <vector>

namespace kperf {

/// The words of a frame that hold a region's first and last clock.
struct FrameWords {
  const clang::CompoundStmt *body = nullptr; ///< whose passes are the frames
  unsigned begin = 0, end = 0;
  bool sharesBegin = false; ///< its first clock is the last one of the region before it
};

class FunctionStreams {
public:
  /// `areThere`: the target has them. `haveFrames`: regions are all that is recorded.
  FunctionStreams(bool areThere, bool haveFrames) : areThere(areThere), haveFrames(haveFrames) {}

  /// Looks at what is annotated and chosen, before any of it is planned: functions with regions in loops or in lambdas get streams.
  void choose(TranslationUnit &unit, llvm::ArrayRef<AnnotatedFunction> functions);
  /// A statement of the function is recorded, in no frame. Whether that is in a loop or in a lambda, and the function gets, or has, a
  /// stream.
  bool chooseEvent(TranslationUnit &unit, const AnnotatedFunction &holder, const clang::Stmt *statement);

  /// Whether what the function (or lambda) records goes into a stream.
  bool has(const clang::FunctionDecl *function) const { return ownerOf.contains(function); }
  /// Once for all of a source's functions, behind the last chooseEvent(): what stands around lambdas with streams has them too.
  void complete();
  /// Where the clocks of a region go that begins at the statement (its annotation's, or its first one); nothing where it has a record
  /// of its own.
  std::optional<FrameWords> wordsOf(const clang::Stmt *statement) const;

  /// The region at the statement was planned.
  void add(TranslationUnit &unit, const clang::FunctionDecl *function, const clang::Stmt *statement, std::size_t region);
  /// Declares the streams and frames that regions were added to, and keeps their lambdas inlined.
  void plan(TranslationUnit &unit) const;

private:
  struct Boundary;
  struct Layout;
  struct FrameBody {
    std::map<unsigned, std::size_t> regions; ///< by the word of their first clock
    unsigned zeroed = 0;                     ///< a bit for each word that the body may be passed without
  };
  struct Stream {
    unsigned words = 4;
    std::optional<std::size_t> region; ///< the first one that was added: its id is the function's
    std::vector<const clang::FunctionDecl *> lambdas;
    std::vector<const clang::CompoundStmt *> bodies; ///< with frames
  };

  using Layouts = std::map<const clang::CompoundStmt *, Layout>;

  bool lay(TranslationUnit &unit, const AnnotatedFunction &holder, Layouts &layouts);
  void giveWords(Stream &stream, Layouts &layouts, llvm::ArrayRef<const AnnotatedFunction *> holders);
  void chooseGroup(TranslationUnit &unit, const clang::FunctionDecl *owner, llvm::ArrayRef<const AnnotatedFunction *> holders);
  unsigned numberOf(const TranslationUnit &unit, const clang::FunctionDecl *owner) const;
  void enlist(const clang::FunctionDecl *owner, const clang::FunctionDecl *function);

  bool areThere, haveFrames;
  llvm::DenseMap<const clang::FunctionDecl *, const clang::FunctionDecl *> ownerOf; ///< of a function or lambda: itself, or around it
  std::map<const clang::FunctionDecl *, Stream> streams;
  llvm::DenseMap<const clang::Stmt *, FrameWords> words;
  llvm::DenseMap<const clang::CompoundStmt *, FrameBody> frames;
};

} // namespace kperf

#endif
