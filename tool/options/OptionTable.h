// The options of kperf-cc and kperf-rewrite as a table; Options.def has its rows.
#ifndef KPERF_TOOL_OPTION_TABLE_H
#define KPERF_TOOL_OPTION_TABLE_H

#include <string_view>

namespace kperf::options {

enum class Program : unsigned char { Cc = 1, Rewrite = 2, Both = 3 };
enum class Value : unsigned char { None, Needed, Optional };

struct OptionRow {
  Program programs;
  const char *name; ///< without its dashes
  Value value;
  const char *placeholder; ///< of the value
  const char *help;        ///< one line
  const char *more;        ///< what else there is to say; may be ""

  constexpr bool isOf(Program program) const { return (static_cast<unsigned>(programs) & static_cast<unsigned>(program)) != 0; }
};

inline constexpr OptionRow kOptions[] = {
#define KPERF_OPTION(programs, name, value, placeholder, help, more) {Program::programs, name, Value::value, placeholder, help, more},
#include "tool/options/Options.def"
};

/// The row of an option that the program has; null when there is none.
constexpr const OptionRow *findOption(Program program, std::string_view name) {
  for (const OptionRow &row : kOptions)
    if (row.isOf(program) && row.name == name)
      return &row;
  return nullptr;
}

/// The same for a name in the source, which does not compile where the table lacks it.
consteval const OptionRow &option(Program program, std::string_view name) { return *findOption(program, name); }

} // namespace kperf::options

#endif
