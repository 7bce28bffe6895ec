// Checks every row that is read, field by field: values that the format knows, zeros in unused bits, strings that are in the table.
#ifndef KPERF_DECODER_ROW_CHECKS_H
#define KPERF_DECODER_ROW_CHECKS_H

#include "decoder/trace/Schemas.h"
#include "decoder/trace/Trace.h"

#include <fmt/format.h>

namespace kperf::decoder {

/// The checks of one row, which stands at byte `at` of the file.
template <typename Row> class RowChecks {
public:
  RowChecks(const Trace &trace, const Row &row, std::uint64_t at) : trace(trace), row(row), at(at) {}

  Status run() {
    std::apply([&](const auto &...field) { (check(field), ...); }, Schema<Row>::fields);
    return std::move(status);
  }

private:
  template <typename Field> void check(const Field &) {}
  template <typename T> void check(const field::Number<Row, T> &field) {
    if (field.since == 0 || row.*field.member == 0 || (field.since != field::kNever && trace.header().versionMinor >= field.since))
      return;
    if constexpr (requires { Schema<Row>::one; })
      known(row.*field.member, false, fmt::format("a reserved member of {} is not zero", Schema<Row>::one));
  }
  template <typename Kind> void check(const field::Word<Row, Kind> &field) {
    known(row.*field.member, name(row.*field.member) != nullptr, field.unknown);
  }
  template <typename Flag> void check(const field::Flags<Row, Flag> &field) {
    const bool isKnown = (row.*field.member & ~knownFlags(field.words)) == 0;
    known(row.*field.member, isKnown, isKnown ? std::string() : fmt::format("unknown flags of {}", Schema<Row>::one));
  }
  template <typename T> void check(const field::Text<Row, T> &field) {
    const std::uint64_t offset = row.*field.member;
    if (status && offset != 0 && offset >= trace.strings().size())
      status = failure(trace.error(placeOf(row.*field.member), fmt::format("{} is a string outside the table", field.what),
                                   fmt::format("offset {}", offset), fmt::format("less than {}", trace.strings().size())));
  }

  template <typename T> void known(const T &member, bool isKnown, const std::string &message) {
    if (status && !isKnown)
      status = trace.checkKnown(false, placeOf(member), message, static_cast<std::uint64_t>(member));
  }
  template <typename T> std::uint64_t placeOf(const T &member) const {
    return at + static_cast<std::uint64_t>(reinterpret_cast<const char *>(&member) - reinterpret_cast<const char *>(&row));
  }

  const Trace &trace;
  const Row &row;
  std::uint64_t at;
  Status status;
};

} // namespace kperf::decoder

#endif
