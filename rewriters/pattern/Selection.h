// The rules of --auto and of selection files, as values: which statements are timed without an annotation.
#ifndef KPERF_REWRITERS_SELECTION_H
#define KPERF_REWRITERS_SELECTION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/Regex.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kperf {

/// A glob ("gemm*", "{load,store}_tile"), or a regular expression between slashes ("/^ns::load/").
class NamePattern {
public:
  /// Fails with a sentence on a malformed pattern.
  static llvm::Expected<NamePattern> parse(llvm::StringRef text);

  /// As the user gave it.
  llvm::StringRef spelling() const { return *text; }
  /// A glob has to cover the name, or the part behind its last "::"; a regular expression may match anywhere in it.
  bool matchesName(llvm::StringRef name) const;
  /// The same for a path, or any part of it that begins behind a slash.
  bool matchesPath(llvm::StringRef path) const;

private:
  bool matches(llvm::StringRef name) const;

  std::shared_ptr<const std::string> text; ///< what `glob` points into
  std::optional<llvm::GlobPattern> glob;
  std::shared_ptr<const llvm::Regex> regex; ///< shared so that selections can be copied
};

using NamePatterns = std::vector<NamePattern>;

/// Whether a pattern covers the path as the compiler has it, or the whole one.
bool anyMatchesPath(const NamePatterns &patterns, llvm::StringRef path);

/// 1-based, both ends included.
struct NumberRange {
  unsigned first = 0, last = 0;

  bool contains(unsigned number) const { return first <= number && number <= last; }
  /// "12" or "12-20"; fails with a sentence.
  static llvm::Expected<NumberRange> parse(llvm::StringRef text);
};

enum class SelectionKind { Kernels, Functions, Loops, Barriers, Async, Calls, Lines, Match };

struct SelectionRule {
  SelectionKind kind = SelectionKind::Loops;
  NamePatterns patterns;            ///< of Calls: the functions called; else the functions that hold what is timed
  NamePatterns exclude;             ///< taken out of `patterns` again
  NamePatterns in;                  ///< of Calls and Match: the functions looked into; empty: all
  NamePatterns files;               ///< empty: the source and every header that the selection looks into
  std::optional<NumberRange> lines; ///< of Lines: what is timed; else where what is timed begins
  std::optional<NumberRange> depth; ///< of loops: 1 is in no other loop of its function
  std::string matcher;              ///< of Match: the expression
  std::string name;                 ///< a template: NameTemplate.h
  std::string place;                ///< "select.yaml:4" or "--auto=loops"
  bool isAutomatic = false;         ///< gives way to other rules, and to the guard
};

struct Selection {
  std::vector<SelectionRule> rules;
  NamePatterns headers;        ///< looked into besides the source itself
  NamePatterns aggregate;      ///< regions, or functions that hold them, whose entries are summed up on the device
  bool keepsExtremes = false;  ///< of those, the shortest and the longest entry too
  bool keepsHistogram = false; ///< and how many entries were how long
  unsigned sample = 0;         ///< N: one block in N is recorded; 0: each of them, and kernels have no untouched copy
  unsigned guard = 64;         ///< operations (WorkEstimate.h) below which an automatic rule leaves a place alone
};

/// The words that --auto takes, in the order of SelectionKind.
llvm::ArrayRef<llvm::StringRef> automaticKinds();

/// The rule behind a word of --auto; fails on an unknown one, listing those there are.
llvm::Expected<SelectionRule> automaticRule(llvm::StringRef word);

/// What a command line says about selection.
struct SelectionOptions {
  std::vector<std::string> automatic; ///< words of --auto
  std::string file;                   ///< of --select; empty: none
  std::string guard;                  ///< of --auto-guard, a number; empty: not given
  std::vector<std::string> aggregate; ///< patterns of --aggregate
  bool extremes = false;              ///< of --extremes
  bool histogram = false;             ///< of --histogram
  std::optional<std::string> sample;  ///< of --sample, a number or nothing; not given: all blocks are recorded
};

/// Reads the selection file, if any, and adds the automatic rules. Fails with one message a line; those about the file
/// begin with its name and line.
llvm::Expected<Selection> makeSelection(const SelectionOptions &options);

} // namespace kperf

#endif
