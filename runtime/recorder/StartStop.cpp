// Reads the control file.
#include "runtime/recorder/StartStop.h"
#include "runtime/settings/Log.h"

#include <array>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

namespace kperf::runtime {
namespace {

/// The file's first word; empty where there is no file, or nothing in it yet.
std::string firstWord(const std::string &path) {
  const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0)
    return {};
  std::array<char, 64> text;
  const ssize_t bytes = read(file, text.data(), text.size());
  close(file);
  std::string_view word(text.data(), bytes > 0 ? static_cast<std::size_t>(bytes) : 0);
  const std::size_t begin = word.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos)
    return {};
  word.remove_prefix(begin);
  return std::string(word.substr(0, word.find_first_of(" \t\r\n")));
}

} // namespace

std::optional<bool> StartStop::change() {
  if (controlFile.empty() || Clock::now() < nextLook)
    return std::nullopt;
  nextLook = Clock::now() + kBetweenLooks;
  std::string word = firstWord(controlFile);
  if (word.empty() || word == lastWord)
    return std::nullopt;
  lastWord = std::move(word);
  if (lastWord == "on" || lastWord == "off")
    return lastWord == "on";
  log("KPERF_CONTROL: '%s' says '%.32s', expected on or off; nothing changes", controlFile.c_str(), lastWord.c_str());
  return std::nullopt;
}

void StartStop::addMissed(TraceFile &file, std::vector<format::LossRecord> &losses) {
  if (missed > 0)
    losses.push_back({format::LossKind::LaunchesUnrecorded, 0, std::exchange(missed, 0), file.intern("made while recording was stopped")});
}

} // namespace kperf::runtime
