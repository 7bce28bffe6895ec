// The words for the numbers of the format, in messages, tables and the text form of a trace.
#ifndef KPERF_DECODER_FORMAT_NAMES_H
#define KPERF_DECODER_FORMAT_NAMES_H

#include <kperf/format_summary.h>

#include <optional>
#include <string>
#include <string_view>

namespace kperf::decoder {

/// The kebab-case word for a value, or null when the format knows no such value.
const char *name(format::Target target);
const char *name(format::SectionKind kind);
const char *name(format::RegionKind kind);
const char *name(format::SyncOperation operation);
const char *name(format::SyncObject object);
const char *name(format::KeepPolicy policy);
const char *name(format::RecordKind kind);
const char *name(format::LossKind kind);
const char *name(format::HostRangeKind kind);
const char *name(format::SiteKind kind);
const char *name(format::MachineState state);
const char *name(format::SiteCounter counter);
const char *name(format::SummaryCounter counter);
const char *name(format::SummaryRowCounter counter);

/// The word, or the number in hexadecimal.
template <typename Kind> std::string named(Kind kind);

/// The value that a word, or a number as named() writes it, stands for.
template <typename Kind> std::optional<Kind> valueOf(std::string_view word);

/// All words of a kind, separated by commas, for messages.
template <typename Kind> std::string words();

} // namespace kperf::decoder

#endif
