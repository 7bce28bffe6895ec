// Lists a row's members that refer to strings, in the order in which a canonical file interns them, and those that refer to devices.
#ifndef KPERF_DECODER_STRING_MEMBERS_H
#define KPERF_DECODER_STRING_MEMBERS_H

#include "decoder/trace/Schemas.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

namespace kperf::decoder {

/// A Text of a row, and its place among the fields.
template <typename Row, typename T> struct StringMember {
  field::Text<Row, T> text;
  std::size_t index;
};

namespace detail {

template <std::size_t Index, typename Field> constexpr auto onlyStrings(const Field &) { return std::tuple(); }
template <std::size_t Index, typename Row, typename T> constexpr auto onlyStrings(const field::Text<Row, T> &text) {
  return std::tuple(StringMember<Row, T>{text, Index});
}

template <typename Row, typename... Each> struct FirstOf {
  using Type = StringMember<Row, std::uint32_t>;
};
template <typename Row, typename First, typename... Rest> struct FirstOf<Row, First, Rest...> {
  using Type = First;
};

template <typename Row> consteval auto stringMembers() {
  const auto pick = []<std::size_t... Index>(std::index_sequence<Index...>) {
    return std::tuple_cat(onlyStrings<Index>(std::get<Index>(Schema<Row>::fields))...);
  };
  auto members =
      std::apply([](auto... each) { return std::array<typename FirstOf<Row, decltype(each)...>::Type, sizeof...(each)>{each...}; },
                 pick(std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(Schema<Row>::fields)>>>()));
  const Row row{};
  std::ranges::sort(members, [&](const auto &a, const auto &b) { return &(row.*a.text.member) < &(row.*b.text.member); });
  return members;
}

} // namespace detail

/// Those of a row, in the order of its members: a canonical file interns them so.
template <typename Row> inline constexpr auto kStringMembers = detail::stringMembers<Row>();

/// Calls `visit(member, what)` for each string offset of a row, in that order.
template <typename Row, typename Visit> void forStringMembers(Row &row, Visit visit) {
  for (const auto &[text, index] : kStringMembers<std::remove_const_t<Row>>)
    visit(row.*text.member, text.what);
}

/// Calls `visit(member)` for each ordinal of a device in a row.
template <typename Row, typename Visit> void forOrdinals(Row &row, Visit visit) {
  const auto take = [&]<typename Field>(const Field &each) {
    if constexpr (std::is_same_v<Field, field::Ordinal<Row>>)
      visit(row.*each.member);
  };
  std::apply([&](const auto &...each) { (take(each), ...); }, Schema<Row>::fields);
}

} // namespace kperf::decoder

#endif
