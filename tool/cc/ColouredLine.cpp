// Removes escape sequences from a line and restores them.
#include "tool/cc/ColouredLine.h"

#include <algorithm>

namespace kperf::cc {

ColouredLine ColouredLine::read(llvm::StringRef line) {
  ColouredLine out;
  while (!line.empty()) {
    if (line.starts_with("\x1b[")) {
      const std::size_t end = line.find_if([](char c) { return c >= 0x40 && c != '['; });
      const std::size_t bytes = std::min(end, line.size() - 1) + 1;
      out.escapes.push_back({out.text.size(), line.take_front(bytes).str()});
      line = line.drop_front(bytes);
      continue;
    }
    const std::size_t bytes = std::min(line.find("\x1b[", 1), line.size());
    out.text += line.take_front(bytes);
    line = line.drop_front(bytes);
  }
  return out;
}

std::string ColouredLine::str() const {
  std::string out;
  std::size_t shown = 0;
  for (const Escape &escape : escapes) {
    const std::size_t at = std::clamp(escape.at, shown, text.size());
    out.append(text, shown, at - shown);
    out += escape.sequence;
    shown = at;
  }
  return out.append(text, shown);
}

ColouredLine ColouredLine::takeFront(std::size_t bytes) const {
  ColouredLine out{text.substr(0, bytes), {}};
  std::copy_if(escapes.begin(), escapes.end(), std::back_inserter(out.escapes), [&](const Escape &each) { return each.at < bytes; });
  return out;
}

ColouredLine ColouredLine::dropFront(std::size_t bytes) const {
  ColouredLine out{text.substr(std::min(bytes, text.size())), {}};
  for (const Escape &each : escapes)
    if (each.at >= bytes)
      out.escapes.push_back({each.at - bytes, each.sequence});
  return out;
}

ColouredLine ColouredLine::withText(std::string other, const Place &place) const {
  ColouredLine out{std::move(other), {}};
  for (std::size_t i = 0; i < escapes.size(); ++i) {
    const bool isWithLast = i > 0 && escapes[i - 1].at == escapes[i].at;
    const std::size_t at = isWithLast ? out.escapes.back().at : place(escapes[i].at, escapes[i].ends() && escapes[i].at > 0);
    out.escapes.push_back({at, escapes[i].sequence});
  }
  return out;
}

} // namespace kperf::cc
