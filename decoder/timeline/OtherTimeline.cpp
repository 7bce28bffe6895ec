// Splits the events of the text without building a tree of all of them: a profile of a training step has millions.
#include "decoder/timeline/OtherTimeline.h"
#include "decoder/io/Json.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace kperf::decoder {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

/// Where the list of events begins, behind its bracket; npos without one.
std::size_t eventsOf(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == text.npos || text[first] == '[')
    return first == text.npos ? first : first + 1;
  const std::size_t key = text.find("\"traceEvents\"");
  const std::size_t bracket = key == text.npos ? key : text.find_first_not_of(" \t\r\n:", key + 13);
  return bracket == text.npos || text[bracket] != '[' ? text.npos : bracket + 1;
}

/// The end of the object that begins there; npos where the text ends first.
std::size_t endOfObject(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  for (bool isString = false; at < text.size(); ++at) {
    const char letter = text[at];
    if (isString && letter == '\\')
      ++at;
    else if (letter == '"')
      isString = !isString;
    else if (!isString && (letter == '{' || letter == '['))
      ++depth;
    else if (!isString && (letter == '}' || letter == ']') && --depth == 0)
      return at + 1;
  }
  return text.npos;
}

std::array<std::uint32_t, 3> threeOf(const Json &arguments, const char *key) {
  std::array<std::uint32_t, 3> out{};
  const auto found = arguments.find(key);
  if (found == arguments.end() || !found->is_array() || found->size() != out.size())
    return out;
  for (std::size_t i = 0; i < out.size(); ++i)
    if ((*found)[i].is_number_unsigned())
      out[i] = (*found)[i].get<std::uint32_t>();
  return out;
}

std::optional<std::int64_t> nsOf(const Json &event, const char *key) {
  const auto found = event.find(key);
  if (found == event.end() || !found->is_number())
    return std::nullopt;
  const double ns = found->get<double>() * 1000;
  return std::abs(ns) < 9e18 ? std::optional(std::llround(ns)) : std::nullopt;
}

/// The event, where it is a kernel that ran.
std::optional<KernelRun> kernelIn(std::string_view text) {
  if (text.find("\"kernel\"") == text.npos && text.find("\"Kernel\"") == text.npos)
    return std::nullopt;
  const Json event = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!event.is_object())
    return std::nullopt;
  const auto isText = [&](const char *key, std::string_view text) { return event.contains(key) && event[key] == text; };
  const auto begin = nsOf(event, "ts"), length = nsOf(event, "dur");
  if (!isText("ph", "X") || !(isText("cat", "kernel") || isText("cat", "Kernel")) || !begin || !length || *length < 0 ||
      !event.contains("name") || !event["name"].is_string())
    return std::nullopt;
  KernelRun run{event["name"].get<std::string>(), 0, {}, {}, *begin, *begin + *length};
  if (const auto arguments = event.find("args"); arguments != event.end() && arguments->is_object()) {
    run.grid = threeOf(*arguments, "grid");
    run.block = threeOf(*arguments, "block");
    if (const auto device = arguments->find("device"); device != arguments->end() && device->is_number_unsigned())
      run.device = device->get<std::uint32_t>();
  }
  return run;
}

} // namespace

Expected<OtherTimeline> OtherTimeline::read(std::string given, const std::string &name) {
  const auto refuse = [&](std::string message, std::string remedy) {
    return failure({.message = std::move(message), .remedy = std::move(remedy), .file = name});
  };
  if (given.starts_with("\x1f\x8b"))
    return refuse("it is compressed", "unpack it with gunzip first");
  OtherTimeline out;
  out.text = std::move(given);
  const std::string_view text = out.text;
  std::size_t at = eventsOf(text);
  if (at == text.npos)
    return refuse("it is no timeline in the Trace Event Format: there is no list of events", "give what export_chrome_trace() wrote");
  out.eventsEnd = at;
  while ((at = text.find_first_not_of(" \t\r\n,", at)) != text.npos && text[at] == '{') {
    const std::size_t end = endOfObject(text, at);
    if (end == text.npos)
      return refuse(fmt::format("the event at byte {} does not end: the file is cut off", at), "write it anew");
    if (auto run = kernelIn(text.substr(at, end - at)))
      out.runs.push_back(std::move(*run));
    out.isNotEmpty = true;
    out.eventsEnd = at = end;
  }
  if (at != text.npos && text[at] != ']')
    return refuse(fmt::format("at byte {} an event was expected", at), "write it anew");
  return out;
}

std::optional<std::int64_t> OtherTimeline::unixBaseNs() const {
  constexpr std::string_view kKey = "\"baseTimeNanoseconds\"";
  for (const std::string_view part : {tail(), head().substr(0, eventsOf(text))}) {
    std::size_t at = part.find(kKey);
    if (at == part.npos || (at = part.find_first_not_of(" \t\r\n:", at + kKey.size())) == part.npos)
      continue;
    std::int64_t base = 0;
    if (std::from_chars(part.data() + at, part.data() + part.size(), base).ec == std::errc())
      return base;
  }
  return std::nullopt;
}

} // namespace kperf::decoder
