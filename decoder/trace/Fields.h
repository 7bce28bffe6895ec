// The kinds of fields that the rows of a trace consist of: values that say where a member is and what its text form is.
#ifndef KPERF_DECODER_FIELDS_H
#define KPERF_DECODER_FIELDS_H

#include <kperf/format.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

/// Each has the `name` that stands before = in text; a field whose name is "" is a word at its place behind the line's first. What
/// equals the usual row is left out of the text, unless it is Shown::Always. TextLine.h, FieldPrinter.h and FieldReader.h have the
/// forms; RowChecks.h has what a reader holds against them.
namespace kperf::decoder::field {

enum class Digits : std::uint8_t { Decimal, Hexadecimal };
enum class Shown : std::uint8_t { Unusual, Always };

/// `since`: the minor version before which it has to be 0; kNever: no version gives it a meaning.
inline constexpr std::uint16_t kNever = 0xffff;

/// An integer, or a double.
template <typename Row, typename T> struct Number {
  const char *name;
  T Row::*member;
  Digits digits = Digits::Decimal;
  Shown shown = Shown::Unusual;
  std::uint16_t since = 0;
};

/// The ordinal of a device, which changes where traces become one.
template <typename Row> struct Ordinal {
  const char *name;
  std::uint32_t Row::*member;
};

/// The offset of a string; `what` it is, for messages.
template <typename Row, typename T> struct Text {
  const char *name;
  T Row::*member;
  const char *what;
};

/// The id of a region.
template <typename Row> struct RegionId {
  const char *name;
  std::uint32_t Row::*member;
};

/// A value that FormatNames.h has a word for; `unknown` is the message for one without.
template <typename Row, typename Kind> struct Word {
  const char *name;
  Kind Row::*member;
  const char *unknown;
};

template <typename Flag> using FlagWord = std::pair<Flag, const char *>;

/// Bits that have words: all that the format knows.
template <typename Row, typename Flag> struct Flags {
  const char *name;
  Flag Row::*member;
  std::span<const FlagWord<Flag>> words;
  Shown shown = Shown::Unusual;
};

/// "8x4x1"
template <typename Row, typename X, typename Y> struct Extent {
  const char *name;
  X Row::*x;
  Y Row::*y, Row::*z;
};

/// The same in an array; always shown.
template <typename Row> struct ExtentArray {
  const char *name;
  std::uint32_t (Row::*member)[3];
};

/// "100..900"
template <typename Row, typename T> struct Range {
  const char *name;
  T Row::*first, Row::*second;
  Shown shown = Shown::Always;
};

/// Two numbers in one word, "7.3". `isWhole`: the second one has to be there.
template <typename Row, typename A, typename B> struct Pair {
  A Row::*first;
  B Row::*second;
  bool isWhole = true;
};

/// One number in two members.
template <typename Row> struct Wide {
  const char *name;
  std::uint32_t Row::*low, Row::*high;
};

/// A number that is another one's unless the text says.
template <typename Row, typename T> struct Like {
  const char *name;
  T Row::*member, Row::*other;
  Shown shown = Shown::Unusual;
};

/// Some bits of a member.
template <typename Row, typename T> struct Bits {
  const char *name;
  T Row::*member;
  unsigned shift;
  std::uint64_t mask;
  Digits digits = Digits::Decimal;
  Shown shown = Shown::Unusual;
};

/// Numbers with a name each.
template <typename Row, std::size_t N> struct Counters {
  std::uint64_t (Row::*member)[N];
  std::string (*nameOf)(unsigned);
};

/// Hexadecimal digits, where a byte is not 0.
template <typename Row, std::size_t N> struct Bytes {
  const char *name;
  unsigned char (Row::*member)[N];
};

/// What a region synchronises with, or which region follows it: one member.
struct SyncOrNext {};

} // namespace kperf::decoder::field

#endif
