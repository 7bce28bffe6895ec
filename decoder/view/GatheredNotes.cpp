// Makes one note of those that say the same of several kernels.
#include "decoder/view/GatheredNotes.h"
#include "decoder/span/ShortName.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <utility>

namespace kperf::decoder {
namespace {

constexpr std::size_t kMaxNames = 48; ///< columns of a line of 80 that names take

bool isPartOfName(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_'; }

/// Where the name stands as a word of its own.
std::size_t placeOf(const std::string &name, const std::string &note) {
  for (std::size_t at = name.empty() ? std::string::npos : note.find(name); at != std::string::npos; at = note.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !isPartOfName(note[at - 1])) && (end == note.size() || !isPartOfName(note[end])))
      return at;
  }
  return std::string::npos;
}

/// Where the parenthesis closes that opens at a place: a region may be called "operator():12".
std::size_t closing(const std::string &text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (depth == 0)
      return at;
  }
  return std::string::npos;
}

/// "advect, residual, …"; "advect: for:3; residual: for:9" of those with details.
std::string listOf(const std::vector<std::string> &kernels, const std::vector<std::string> &details) {
  const std::vector<std::string> shown = shortKernelNames(kernels);
  std::string out;
  std::size_t width = 0;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const std::string detail = details[i].empty() ? "" : ": " + details[i];
    width += shown[i].size() + detail.size() + 2;
    const std::string_view comma = details[i].empty() ? ", " : "; ";
    if (i > 0 && width > kMaxNames)
      return fmt::format("{}{}…", out, comma);
    out += fmt::format("{}{}{}", i > 0 ? comma : "", kernels[i], detail);
  }
  return out;
}

} // namespace

void GatheredNotes::add(const std::string &kernel, const std::string &note) {
  const std::size_t at = placeOf(kernel, note);
  if (at == std::string::npos) {
    notes.push_back({note, "", {}, {}});
    return;
  }
  std::string before = note.substr(0, at), after = note.substr(at + kernel.size()), detail;
  if (const std::size_t end = after.starts_with(" (") ? closing(after, 1) : std::string::npos; end != std::string::npos) {
    detail = after.substr(2, end - 2);
    after.erase(0, end + 1);
  }
  for (Note &each : notes) {
    if (each.kernels.empty() || each.before != before || each.after != after || each.details.front().empty() != detail.empty())
      continue;
    const auto known = std::ranges::find(each.kernels, kernel);
    if (known == each.kernels.end()) {
      each.kernels.push_back(kernel);
      each.details.push_back(std::move(detail));
      return;
    }
    if (each.details[static_cast<std::size_t>(known - each.kernels.begin())] == detail) // said of another device
      return;
  }
  notes.push_back({std::move(before), std::move(after), {kernel}, {std::move(detail)}});
}

std::vector<GatheredNotes::Gathered> GatheredNotes::take() const {
  std::vector<Gathered> out;
  for (const auto &[before, after, kernels, details] : notes)
    if (kernels.empty())
      out.push_back({before, 1});
    else if (kernels.size() == 1)
      out.push_back({before + kernels[0] + (details[0].empty() ? "" : " (" + details[0] + ")") + after, 1});
    else
      out.push_back({fmt::format("{}each of {} kernels ({}){}", before, kernels.size(), listOf(kernels, details), after), kernels.size()});
  return out;
}

} // namespace kperf::decoder
