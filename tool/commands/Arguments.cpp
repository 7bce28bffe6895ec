// Implements commands' arguments with CLI11.
#include "tool/commands/Arguments.h"

#include <CLI/CLI.hpp>

namespace kperf::tool {

// Without a description of its own, for the argument's names the values.
Argument Argument::oneOf(std::vector<std::string> values) const {
  option->check(CLI::IsMember(std::move(values)).description(""));
  return *this;
}

Argument Argument::within(std::uint64_t least, std::uint64_t most) const {
  option->check(CLI::Range(least, most).description(""));
  return *this;
}

Argument Argument::typeName(const std::string &name) const {
  option->type_name(name);
  return *this;
}

Argument Argument::required() const {
  option->required();
  return *this;
}

Argument Argument::oneValueAtATime() const {
  option->allow_extra_args(false);
  return *this;
}

Argument Argument::atMostOne() const {
  option->expected(0, 1);
  return *this;
}

bool Argument::isGiven() const { return option->count() > 0; }

/// A positional argument's name says what it is: no type stands behind it.
template <typename Value> Argument Arguments::addOption(const std::string &name, Value &value, const std::string &description) const {
  CLI::Option *const option = app->add_option(name, value, description);
  if (!name.starts_with('-'))
    option->type_name("");
  return Argument(option);
}

Argument Arguments::add(const std::string &name, std::string &value, const std::string &description) const {
  return addOption(name, value, description);
}

Argument Arguments::flag(const std::string &name, bool &value, const std::string &description) const {
  return Argument(app->add_flag(name, value, description));
}

Argument Arguments::add(const std::string &name, std::vector<std::string> &value, const std::string &description) const {
  return addOption(name, value, description);
}

Argument Arguments::add(const std::string &name, std::uint64_t &value, const std::string &description) const {
  return addOption(name, value, description);
}

Argument Arguments::add(const std::string &name, std::optional<std::uint64_t> &value, const std::string &description) const {
  return addOption(name, value, description);
}

Argument Arguments::add(const std::string &name, unsigned &value, const std::string &description) const {
  return addOption(name, value, description);
}

void Arguments::footer(const std::string &text) const { app->footer(text); }

void Arguments::leaveRest() const { app->prefix_command(); }

std::vector<std::string> Arguments::rest() const { return app->remaining(); }

} // namespace kperf::tool
