// Keeps what threads say of themselves in rows, while there is room.
#include "runtime/nvtx/HostRanges.h"

#include <kperf/abi/HostClock.h>

#include <algorithm>
#include <chrono>
#include <ranges>
#include <span>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace kperf::runtime {
namespace {

constexpr std::uint32_t kMaxRows = 1u << 20;                 ///< 40 MiB of host memory between two flushes
constexpr std::size_t kMaxOpen = 1u << 16;                   ///< started, or pushed by one thread
constexpr std::size_t kMaxTextBytes = std::size_t{16} << 20; ///< of all names
constexpr std::size_t kMaxTextLength = 1024;                 ///< of one; what is longer is cut

/// Names that the thread used lately, by their hash: the list of all has a lock.
struct RecentTexts {
  struct Entry {
    const std::string *text = nullptr;
    HostRanges::Text id = 0;
  };
  Entry entries[64];
};

thread_local RecentTexts recentTexts;

/// No more than there is room for, and no part of a character of UTF-8.
std::string_view cut(std::string_view text) {
  if (text.size() <= kMaxTextLength)
    return text;
  std::size_t length = kMaxTextLength;
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80)
    --length;
  return text.substr(0, length);
}

/// How long the writer of the trace waits for a thread that keeps its lock.
constexpr auto kPatience = std::chrono::milliseconds(100);

} // namespace

/// Says when the thread is over. The pointer has no destructor: what the thread does later finds that it is null.
class HostRanges::ThreadEnd {
public:
  static inline thread_local Thread *mine = nullptr;
  ~ThreadEnd() {
    if (Thread *const ended = std::exchange(mine, nullptr)) {
      const std::lock_guard lock(ended->mutex);
      ended->isOver = true;
    }
  }
};

HostRanges &HostRanges::instance() {
  static HostRanges *const ranges = [] {
    auto *made = new HostRanges;
    made->process = static_cast<std::uint32_t>(getpid());
    return made;
  }();
  return *ranges;
}

HostRanges::Text HostRanges::keep(std::string_view given) {
  const std::string_view text = cut(given);
  if (text.empty() || !isOn.load(std::memory_order_relaxed)) // a forked child may find the lock taken for ever
    return 0;
  RecentTexts::Entry &recent = recentTexts.entries[std::hash<std::string_view>()(text) % std::size(recentTexts.entries)];
  if (recent.text && *recent.text == text)
    return recent.id;
  const std::lock_guard lock(mutex);
  auto found = textIds.find(text);
  if (found == textIds.end()) {
    if (textBytes + text.size() > kMaxTextBytes)
      return kNoRoom;
    textBytes += text.size();
    found = textIds.emplace(texts.emplace_back(text), static_cast<Text>(texts.size() - 1)).first;
  }
  recent = {&texts[found->second], found->second};
  return found->second;
}

HostRanges::Thread *HostRanges::thread() {
  if (!isOn.load(std::memory_order_relaxed))
    return nullptr;
  if (!ThreadEnd::mine) {
    static thread_local ThreadEnd end;
    static_cast<void>(end);
    const std::lock_guard lock(mutex);
    Thread &made = threads.emplace_back();
    made.id = static_cast<std::uint32_t>(syscall(SYS_gettid));
    ThreadEnd::mine = &made;
  }
  return ThreadEnd::mine;
}

format::HostRangeRecord HostRanges::rowOf(const What &what, format::HostRangeKind kind, std::uint32_t thread) const {
  return {detail::hostNs(), 0, kind, what.name, what.domain, process, thread, what.color};
}

/// Whether there is room for one more; counts it as lost otherwise.
bool HostRanges::takesRow() {
  if (rows.load(std::memory_order_relaxed) < kMaxRows) {
    rows.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  unlisted.fetch_add(1, std::memory_order_relaxed);
  return false;
}

/// Under the owner's lock.
void HostRanges::add(Thread &owner, const format::HostRangeRecord &row) {
  if (row.name == kNoRoom || row.domain == kNoRoom)
    unlisted.fetch_add(1, std::memory_order_relaxed);
  else if (takesRow())
    owner.ended.push_back(row);
}

int HostRanges::push(const What &what) {
  Thread *const owner = thread();
  if (!owner)
    return 0;
  const std::lock_guard lock(owner->mutex);
  const auto level = static_cast<int>(std::ranges::count(owner->open, what.domain, &format::HostRangeRecord::domain));
  if (owner->open.size() < kMaxOpen)
    owner->open.push_back(rowOf(what, format::HostRangeKind::Pushed, owner->id));
  else
    add(*owner, {.name = kNoRoom});
  return level;
}

int HostRanges::pop(Text domain) {
  Thread *const owner = thread();
  if (!owner)
    return 0;
  const std::uint64_t now = detail::hostNs();
  const std::lock_guard lock(owner->mutex);
  const auto last = std::ranges::find(owner->open | std::views::reverse, domain, &format::HostRangeRecord::domain);
  if (last == owner->open.rend())
    return -1;
  format::HostRangeRecord row = *last;
  row.endNs = std::max(now, row.beginNs);
  owner->open.erase(std::next(last).base());
  add(*owner, row);
  return static_cast<int>(std::ranges::count(owner->open, domain, &format::HostRangeRecord::domain));
}

std::uint64_t HostRanges::start(const What &what) {
  Thread *const owner = thread();
  if (!owner)
    return 0;
  const format::HostRangeRecord row = rowOf(what, format::HostRangeKind::Started, owner->id);
  const std::lock_guard lock(mutex);
  if (started.size() >= kMaxOpen) {
    unlisted.fetch_add(1, std::memory_order_relaxed);
    return 0;
  }
  started.emplace(++lastStarted, row);
  return lastStarted;
}

void HostRanges::end(std::uint64_t id) {
  const std::uint64_t now = detail::hostNs();
  Thread *const ender = thread();
  if (!ender)
    return;
  format::HostRangeRecord row{};
  {
    const std::lock_guard lock(mutex);
    const auto found = started.find(id);
    if (found == started.end())
      return;
    row = found->second;
    started.erase(found);
  }
  row.endNs = std::max(now, row.beginNs);
  const std::lock_guard lock(ender->mutex);
  add(*ender, row);
}

void HostRanges::mark(const What &what) {
  Thread *const owner = thread();
  if (!owner)
    return;
  format::HostRangeRecord row = rowOf(what, format::HostRangeKind::Mark, owner->id);
  row.endNs = row.beginNs;
  const std::lock_guard lock(owner->mutex);
  add(*owner, row);
}

void HostRanges::take(Thread &from, std::vector<format::HostRangeRecord> &out) {
  out.insert(out.end(), from.ended.begin(), from.ended.end());
  rows.fetch_sub(static_cast<std::uint32_t>(from.ended.size()), std::memory_order_relaxed);
  from.ended.clear();
  if (!from.isOver && isOn.load(std::memory_order_relaxed))
    return;
  out.insert(out.end(), from.open.begin(), from.open.end());
  from.open.clear();
}

bool HostRanges::write(TraceFile &file, std::vector<format::LossRecord> &losses) {
  std::vector<format::HostRangeRecord> all;
  const std::unique_lock lock(mutex, kPatience);
  if (!lock)
    return true;
  for (auto each = threads.begin(); each != threads.end();) {
    bool isGone = false;
    if (const std::unique_lock own(each->mutex, kPatience); own) {
      take(*each, all);
      isGone = each->isOver;
    }
    each = isGone ? threads.erase(each) : std::next(each);
  }
  if (!isOn.load(std::memory_order_relaxed))
    for (const auto &[id, row] : std::exchange(started, {}))
      all.push_back(row);
  std::erase_if(all, [&](const format::HostRangeRecord &row) { return row.name == kNoRoom || row.domain == kNoRoom; });
  std::vector<std::uint32_t> offsets(texts.size(), 0);
  const auto offsetOf = [&](Text text) {
    return text == 0 || offsets[text] != 0 ? offsets[text] : offsets[text] = file.intern(texts[text]);
  };
  for (format::HostRangeRecord &row : all) {
    row.name = offsetOf(row.name);
    row.domain = offsetOf(row.domain);
  }
  if (const std::uint64_t lost = unlisted.exchange(0, std::memory_order_relaxed); lost > 0)
    losses.push_back({format::LossKind::RangesUnlisted, 0, lost, 0});
  return file.write(format::SectionKind::HostRanges, std::span<const format::HostRangeRecord>(all));
}

} // namespace kperf::runtime
