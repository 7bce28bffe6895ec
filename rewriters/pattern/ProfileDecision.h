// What an earlier profile decides about regions, as a plain list that depends on no trace reader.
#ifndef KPERF_REWRITERS_PROFILEDECISION_H
#define KPERF_REWRITERS_PROFILEDECISION_H

#include "llvm/ADT/StringRef.h"

#include <cctype>
#include <string>
#include <vector>

namespace kperf {

/// Where the rules stand by which a profile has places looked at closer (SelectionRule::place).
inline constexpr llvm::StringLiteral kProfileRule = "--profile";

/// What becomes of one region that the profile has.
struct ProfileDecision {
  enum class Outcome { Record, Sums, LeftOut };

  std::string name, function; ///< qualified, without the macros that it was compiled with
  std::string file;           ///< as the compiler was given it
  unsigned line = 0;          ///< 1-based
  unsigned number = 0;        ///< ordinal among those of its name, function and file, by line and column
  Outcome outcome = Outcome::Record;
  std::string reason;
};

/// Profiles, the newest first: what one does not know the next may.
using ProfileDecisions = std::vector<std::vector<ProfileDecision>>;

/// What the decisions made of the regions of one source.
struct DecidedRegions {
  std::vector<std::string> leftOut; ///< "'name' (file:line): reason"
  std::vector<std::string> asked;   ///< regions that are to be summed up, in the same words
  std::size_t known = 0, fresh = 0; ///< regions that a profile has, and that none has and none asked for

  bool isEmpty() const { return known + fresh == 0; }
};

/// The name without the line that --auto writes behind it ("loop:12"), which changes with every line above.
inline llvm::StringRef withoutLine(llvm::StringRef name) {
  const auto [front, line] = name.rsplit(':');
  const bool isLine = !line.empty() && !front.empty() && front.back() != ':' && llvm::StringRef(line).find_if([](char c) {
    return !std::isdigit(static_cast<unsigned char>(c));
  }) == llvm::StringRef::npos;
  return isLine ? front : name;
}

} // namespace kperf

#endif
