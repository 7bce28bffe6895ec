// Prints a row's fields as text that FieldReader.h reads back.
#ifndef KPERF_DECODER_FIELD_PRINTER_H
#define KPERF_DECODER_FIELD_PRINTER_H

#include "decoder/io/Output.h"
#include "decoder/text/RegionNames.h"
#include "decoder/trace/Schemas.h"
#include "decoder/trace/StringTable.h"
#include "decoder/trace/Trace.h"

#include <fmt/format.h>
#include <iterator>

namespace kperf::decoder {

/// Writes lines about one trace.
class FieldPrinter {
public:
  /// `ownStrings`: the file's table where it is not the canonical one, else empty.
  FieldPrinter(const Trace &trace, const StringTable &ownStrings, Output &out) : trace(trace), ownStrings(ownStrings), out(out) {}

  template <typename... T> void print(fmt::format_string<T...> text, T &&...values) {
    fmt::format_to(std::back_inserter(line), text, std::forward<T>(values)...);
  }
  /// The fields of a row that differ from the usual one, and those that always stand there.
  template <typename Schema, typename Row> void fields(const Row &row, const Row &usual) {
    std::apply([&](const auto &...field) { (put(field, row, usual), ...); }, Schema::fields);
  }
  /// Only what differs, whatever else always stands there.
  template <typename Schema, typename Row> void changes(const Row &row, const Row &usual) {
    isOnlyChanges = true;
    fields<Schema>(row, usual);
    isOnlyChanges = false;
  }
  void endLine() {
    line += '\n';
    out.write(line);
    line.clear();
  }

  /// The regions of the lines so far.
  RegionNames regions;

private:
  /// The quoted string, or @offset when its text does not lead back to the offset.
  std::string string(std::uint64_t offset) const {
    const std::string_view text = trace.string(offset);
    if (offset != 0 && !ownStrings.table().empty() && ownStrings.find(text) != offset)
      return fmt::format("@{}", offset);
    return quotedText(text);
  }
  void key(std::string_view name) {
    line += ' ';
    if (!name.empty())
      line.append(name) += '=';
  }
  template <typename T> void value(T number, field::Digits digits) {
    if constexpr (std::is_integral_v<T>)
      if (digits == field::Digits::Hexadecimal)
        return print("{:#x}", number);
    print("{}", number);
  }
  bool stands(const char *name, field::Shown shown, bool isUnusual) const {
    return isUnusual || (!isOnlyChanges && (shown == field::Shown::Always || *name == '\0'));
  }

  template <typename Row, typename T> void put(const field::Number<Row, T> &field, const Row &row, const Row &usual) {
    if (!stands(field.name, field.shown, row.*field.member != usual.*field.member))
      return;
    key(field.name);
    value(row.*field.member, field.digits);
  }
  template <typename Row> void put(const field::Ordinal<Row> &field, const Row &row, const Row &usual) {
    if (row.*field.member != usual.*field.member)
      print(" {}={}", field.name, row.*field.member);
  }
  template <typename Row, typename T> void put(const field::Text<Row, T> &field, const Row &row, const Row &usual) {
    if (!stands(field.name, field::Shown::Unusual, row.*field.member != usual.*field.member))
      return;
    key(field.name);
    line += string(row.*field.member);
  }
  template <typename Row> void put(const field::RegionId<Row> &field, const Row &row, const Row &usual) {
    if (!stands(field.name, field::Shown::Unusual, row.*field.member != usual.*field.member))
      return;
    key(field.name);
    line += regions.reference(row.*field.member);
  }
  template <typename Row, typename Kind> void put(const field::Word<Row, Kind> &field, const Row &row, const Row &usual) {
    if (!stands(field.name, field::Shown::Unusual, row.*field.member != usual.*field.member))
      return;
    key(field.name);
    line += named(row.*field.member);
  }
  template <typename Row, typename Flag> void put(const field::Flags<Row, Flag> &field, const Row &row, const Row &usual) {
    const Flag flags = row.*field.member;
    if (!stands(field.name, field.shown, flags != usual.*field.member))
      return;
    key(field.name);
    if ((flags & ~knownFlags(field.words)) != 0)
      return print("{:#x}", flags);
    const char *separator = "";
    for (const auto &[flag, word] : field.words)
      if (flags & flag)
        print("{}{}", std::exchange(separator, ","), word);
    print("{}", flags == 0 ? "none" : "");
  }
  template <typename Row, typename X, typename Y> void put(const field::Extent<Row, X, Y> &field, const Row &row, const Row &usual) {
    if (row.*field.x != usual.*field.x || row.*field.y != usual.*field.y || row.*field.z != usual.*field.z)
      print(" {}={}x{}x{}", field.name, row.*field.x, row.*field.y, row.*field.z);
  }
  template <typename Row> void put(const field::ExtentArray<Row> &field, const Row &row, const Row &) {
    const auto &extent = row.*field.member;
    print(" {}={}x{}x{}", field.name, extent[0], extent[1], extent[2]);
  }
  template <typename Row, typename T> void put(const field::Range<Row, T> &field, const Row &row, const Row &usual) {
    if (!stands(field.name, field.shown, row.*field.first != usual.*field.first || row.*field.second != usual.*field.second))
      return;
    key(field.name);
    print("{}..{}", row.*field.first, row.*field.second);
  }
  template <typename Row, typename A, typename B> void put(const field::Pair<Row, A, B> &field, const Row &row, const Row &) {
    if (!isOnlyChanges)
      print(" {}.{}", row.*field.first, row.*field.second);
  }
  template <typename Row> void put(const field::Wide<Row> &field, const Row &row, const Row &) {
    print(" {}={}", field.name, std::uint64_t{row.*field.high} << 32 | row.*field.low);
  }
  template <typename Row, typename T> void put(const field::Like<Row, T> &field, const Row &row, const Row &) {
    if (stands(field.name, field.shown, row.*field.member != row.*field.other))
      print(" {}={}", field.name, row.*field.member);
  }
  template <typename Row, typename T> void put(const field::Bits<Row, T> &field, const Row &row, const Row &usual) {
    const auto bitsOf = [&](const Row &from) { return static_cast<std::uint64_t>(from.*field.member) >> field.shift & field.mask; };
    if (!stands(field.name, field.shown, bitsOf(row) != bitsOf(usual)))
      return;
    key(field.name);
    value(bitsOf(row), field.digits);
  }
  template <typename Row, std::size_t N> void put(const field::Counters<Row, N> &field, const Row &row, const Row &) {
    const auto &counts = row.*field.member;
    for (unsigned index = 0; index < N; ++index)
      if (counts[index] != 0)
        print(" {}={}", field.nameOf(index), counts[index]);
  }
  template <typename Row, std::size_t N> void put(const field::Bytes<Row, N> &field, const Row &row, const Row &) {
    const auto &bytes = row.*field.member;
    if (std::ranges::all_of(bytes, [](unsigned char byte) { return byte == 0; }))
      return;
    key(field.name);
    for (const unsigned char byte : bytes)
      print("{:02x}", byte);
  }
  void put(field::SyncOrNext, const format::RegionRecord &row, const format::RegionRecord &) {
    if (nextOf(row) != 0)
      print(" next={:#x}", row.next);
    else if (row.sync != 0)
      print(" operation={} object={}", named(operationOf(row)), named(objectOf(row)));
  }

  const Trace &trace;
  const StringTable &ownStrings;
  Output &out;
  std::string line;
  bool isOnlyChanges = false;
};

} // namespace kperf::decoder

#endif
