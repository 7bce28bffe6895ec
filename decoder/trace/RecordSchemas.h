// The fields of a record, by its kind, that follow its region in the text form.
#ifndef KPERF_DECODER_RECORD_SCHEMAS_H
#define KPERF_DECODER_RECORD_SCHEMAS_H

#include "decoder/trace/Fields.h"

#include <tuple>

namespace kperf::decoder {

/// Of every kind but Empty: `fields` in the order of the text, the `usual` record without its tag, and what is said where words
/// without a name are `missing`.
template <format::RecordKind> struct RecordSchema;

namespace detail {

inline constexpr format::Record kAllLanes{0, 0, 0xffffffff, 0}, kNothing{};
inline constexpr field::Number kLanes{"lanes", &format::Record::lanes, field::Digits::Hexadecimal};
inline constexpr field::Range kClocks{"", &format::Record::first, &format::Record::second};
inline constexpr const char *kMissingClock = "a clock is missing";

/// Begin and End.
struct ClockSchema {
  static constexpr format::Record usual = kAllLanes;
  static constexpr const char *missing = kMissingClock, *expected = "a number";
  static constexpr auto fields =
      std::tuple(field::Number{"", &format::Record::first}, field::Number{"second", &format::Record::second}, kLanes);
};

} // namespace detail

template <> struct RecordSchema<format::RecordKind::Span> {
  static constexpr format::Record usual = detail::kAllLanes;
  static constexpr const char *missing = detail::kMissingClock, *expected = "A..B";
  static constexpr auto fields = std::tuple(detail::kClocks, detail::kLanes);
};

template <> struct RecordSchema<format::RecordKind::Adjacent> {
  static constexpr format::Record usual = detail::kNothing;
  static constexpr const char *missing = detail::kMissingClock, *expected = "A..B";
  static constexpr auto fields =
      std::tuple(detail::kClocks, field::Like{"next", &format::Record::lanes, &format::Record::second, field::Shown::Always});
};

template <> struct RecordSchema<format::RecordKind::Begin> : detail::ClockSchema {};
template <> struct RecordSchema<format::RecordKind::End> : detail::ClockSchema {};

template <> struct RecordSchema<format::RecordKind::Mark> {
  static constexpr format::Record usual = detail::kAllLanes;
  static constexpr const char *missing = detail::kMissingClock, *expected = "a number";
  static constexpr auto fields =
      std::tuple(field::Number{"", &format::Record::first}, field::Number{"payload", &format::Record::second}, detail::kLanes);
};

template <> struct RecordSchema<format::RecordKind::Sum> {
  static constexpr format::Record usual = detail::kNothing;
  static constexpr auto fields = std::tuple(field::Number{"count", &format::Record::lanes, field::Digits::Decimal, field::Shown::Always},
                                            field::Wide{"cycles", &format::Record::first, &format::Record::second});
};

template <> struct RecordSchema<format::RecordKind::Extremes> {
  static constexpr format::Record usual = detail::kNothing;
  static constexpr const char *missing = detail::kMissingClock, *expected = "A..B";
  static constexpr auto fields = std::tuple(detail::kClocks, field::Number{"around", &format::Record::lanes});
};

template <> struct RecordSchema<format::RecordKind::Total> {
  static constexpr format::Record usual = detail::kNothing;
  static constexpr auto fields = std::tuple(field::Number{"count", &format::Record::lanes, field::Digits::Decimal, field::Shown::Always},
                                            field::Number{"cycles", &format::Record::first, field::Digits::Decimal, field::Shown::Always},
                                            field::Number{"around", &format::Record::second});
};

template <> struct RecordSchema<format::RecordKind::Lengths> {
  static constexpr format::Record usual = detail::kNothing;
  static constexpr const char *missing = "a record of lengths has three numbers",
                              *expected = "how many entries are of each of three powers of two";
  static constexpr auto fields = std::tuple(field::Number{"", &format::Record::first}, field::Number{"", &format::Record::second},
                                            field::Number{"", &format::Record::lanes});
};

/// Of what no other fits: its words as they are.
struct RawRecordSchema {
  static constexpr format::Record usual = detail::kNothing;
  static constexpr const char *missing = "a raw record has four numbers", *expected = "first, second, lanes, tag";
  static constexpr auto fields = std::tuple(field::Number{"", &format::Record::first, field::Digits::Hexadecimal},
                                            field::Number{"", &format::Record::second, field::Digits::Hexadecimal},
                                            field::Number{"", &format::Record::lanes, field::Digits::Hexadecimal},
                                            field::Number{"", &format::Record::tag, field::Digits::Hexadecimal});
};

/// Calls `visit(RecordSchema<kind>())`; false, and no call, for Empty and kinds that this version does not know.
template <typename Visit> bool withRecordSchema(format::RecordKind kind, Visit visit) {
  using enum format::RecordKind;
  switch (kind) {
  case Span:
    return visit(RecordSchema<Span>()), true;
  case Begin:
    return visit(RecordSchema<Begin>()), true;
  case End:
    return visit(RecordSchema<End>()), true;
  case Mark:
    return visit(RecordSchema<Mark>()), true;
  case Sum:
    return visit(RecordSchema<Sum>()), true;
  case Extremes:
    return visit(RecordSchema<Extremes>()), true;
  case Total:
    return visit(RecordSchema<Total>()), true;
  case Lengths:
    return visit(RecordSchema<Lengths>()), true;
  case Adjacent:
    return visit(RecordSchema<Adjacent>()), true;
  case Empty:
    return false;
  }
  return false;
}

} // namespace kperf::decoder

#endif
