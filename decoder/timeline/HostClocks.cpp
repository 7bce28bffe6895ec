// One line for each exchange: its two boots, and three times.
#include "decoder/timeline/HostClocks.h"

#include "decoder/io/TextFile.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <vector>

namespace kperf::decoder {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxBytes = std::uint64_t{64} << 20;
constexpr std::string_view kExpected = "clocks leader=BOOT host=BOOT ns=FROM..TO leader-ns=TIME";

std::string hexOf(const Boot &boot) {
  std::string out;
  for (const unsigned char byte : boot)
    out += fmt::format("{:02x}", byte);
  return out;
}

/// Takes `word` off the front of a line, and what follows up to the next space.
bool take(std::string_view &line, std::string_view word, std::string_view &value) {
  if (!line.starts_with(word))
    return false;
  line.remove_prefix(word.size());
  value = line.substr(0, line.find(' '));
  line.remove_prefix(std::min(line.size(), value.size() + 1));
  return true;
}

template <typename Number> bool parse(std::string_view text, Number &value, int base = 10) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size();
}

bool parse(std::string_view text, Boot &boot) {
  bool isGood = text.size() == 2 * boot.size();
  for (std::size_t i = 0; isGood && i < boot.size(); ++i)
    isGood = parse(text.substr(2 * i, 2), boot[i], 16);
  return isGood && boot != Boot{};
}

std::optional<ClockExchange> parseLine(std::string_view line) {
  ClockExchange out{};
  std::string_view leader, host, range, time;
  if (!take(line, "clocks leader=", leader) || !take(line, "host=", host) || !take(line, "ns=", range) || !take(line, "leader-ns=", time) ||
      !line.empty())
    return std::nullopt;
  const std::size_t dots = range.find("..");
  if (dots == std::string_view::npos || !parse(leader, out.leader) || !parse(host, out.host) || !parse(range.substr(0, dots), out.fromNs) ||
      !parse(range.substr(dots + 2), out.toNs) || !parse(time, out.leaderNs) || out.toNs < out.fromNs)
    return std::nullopt;
  return out;
}

} // namespace

std::string ClockExchange::text() const {
  return fmt::format("clocks leader={} host={} ns={}..{} leader-ns={}\n", hexOf(leader), hexOf(host), fromNs, toNs, leaderNs);
}

Expected<HostClocks> HostClocks::read(const std::string &path) {
  std::vector<std::string> files;
  std::error_code error;
  if (fs::is_directory(path, error)) {
    for (fs::directory_iterator each(path, error), end; !error && each != end; each.increment(error))
      if (each->path().extension() == ".clocks")
        files.push_back(each->path().string());
    std::ranges::sort(files);
    if (files.empty())
      return failure({.message = "the folder has no file of clocks",
                      .expected = "*.clocks, as 'kperf timeline --compare-clocks' writes them",
                      .remedy = "run 'kperf timeline --compare-clocks=" + path + "' on each host before and behind the program",
                      .file = path});
  } else {
    files.push_back(path);
  }
  HostClocks out;
  for (const std::string &file : files) {
    const auto text = readTextFile(file, kMaxBytes);
    if (!text)
      return failure(text.error());
    if (auto status = out.add(*text, file); !status)
      return failure(status.error());
  }
  out.finish();
  return out;
}

Status HostClocks::add(std::string_view text, const std::string &name) {
  for (std::uint32_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const auto exchange = parseLine(text.substr(0, end));
    if (!exchange)
      return failure(
          {.message = "not an exchange of clocks", .expected = std::string(kExpected), .line = number, .column = 1, .file = name});
    // The leader's clock stood at that time at some moment of those: so far may the two be apart.
    const std::uint64_t width = exchange->toNs - exchange->fromNs, from = exchange->leaderNs - width / 2;
    lines[exchange->leader][exchange->host].add(exchange->fromNs + width / 2, from, from + width);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return {};
}

void HostClocks::finish() {
  for (auto &[leader, hosts] : lines)
    for (auto &[host, line] : hosts)
      line.finish();
}

std::optional<Boot> HostClocks::leaderOf(const std::set<Boot> &boots) const {
  const auto canLead = [&](const Boot &leader) {
    return std::ranges::all_of(boots, [&](const Boot &host) { return host == leader || line(leader, host) != nullptr; });
  };
  if (const auto own = std::ranges::find_if(boots, canLead); own != boots.end())
    return *own;
  const auto other = std::ranges::find_if(lines, [&](const auto &each) { return canLead(each.first); });
  return other == lines.end() ? std::nullopt : std::optional(other->first);
}

const ClockLine *HostClocks::line(const Boot &leader, const Boot &host) const {
  const auto hosts = lines.find(leader);
  if (hosts == lines.end())
    return nullptr;
  const auto found = hosts->second.find(host);
  return found == hosts->second.end() ? nullptr : &found->second;
}

} // namespace kperf::decoder
