// What a command takes from the command line. CLI11 stays behind it: a file that reads CLI11's headers takes seconds to
// compile, whatever else is in it.
#ifndef KPERF_TOOL_ARGUMENTS_H
#define KPERF_TOOL_ARGUMENTS_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace kperf::tool {

/// One option or positional argument; refers to what the command line owns, as its Arguments do.
class Argument {
public:
  explicit Argument(CLI::Option *option) : option(option) {}

  /// What --help shows in place of the value's type.
  Argument typeName(const std::string &name) const;
  /// Another value is a usage error that lists these.
  Argument oneOf(std::vector<std::string> values) const;
  /// A number outside of [least, most] is a usage error.
  Argument within(std::uint64_t least, std::uint64_t most) const;
  /// To leave it out is a usage error.
  Argument required() const;
  /// Each mention takes one value; without this a list takes all that follow.
  Argument oneValueAtATime() const;
  /// More than one value in all is a usage error.
  Argument atMostOne() const;
  /// Whether the command line that was parsed has it.
  bool isGiven() const;

private:
  CLI::Option *option;
};

/// The part of the command line that belongs to one command.
class Arguments {
public:
  explicit Arguments(CLI::App &app) : app(&app) {}

  /// `name` as CLI11 has it: "TRACE" is positional, "-o,--output" an option. The value is stored when the line is
  /// parsed and must live until then; what it is before that is the default.
  Argument add(const std::string &name, std::string &value, const std::string &description) const;
  Argument flag(const std::string &name, bool &value, const std::string &description) const;
  Argument add(const std::string &name, std::vector<std::string> &value, const std::string &description) const;
  Argument add(const std::string &name, std::uint64_t &value, const std::string &description) const;
  Argument add(const std::string &name, std::optional<std::uint64_t> &value, const std::string &description) const;
  Argument add(const std::string &name, unsigned &value, const std::string &description) const;
  /// What --help says below the options.
  void footer(const std::string &text) const;
  /// From the first word that is no option on, the line is left as it is, for rest().
  void leaveRest() const;
  std::vector<std::string> rest() const;

private:
  template <typename Value> Argument addOption(const std::string &name, Value &value, const std::string &description) const;

  CLI::App *app;
};

} // namespace kperf::tool

#endif
