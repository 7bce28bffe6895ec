// Asks the tables of an export for its events, one after the other.
#include "tool/commands/NsysExport.h"

#include "decoder/io/Json.h"
#include "decoder/io/TextFile.h"

#include <cstdint>
#include <fmt/format.h>
#include <memory>
#include <set>
#include <sqlite3.h>
#include <utility>

namespace kperf::tool {
namespace {

using decoder::Json;

/// Its tables have one name each since 2019; what a release lacks is left out.
constexpr const char *kKernels = "CUPTI_ACTIVITY_KIND_KERNEL", *kCalls = "CUPTI_ACTIVITY_KIND_RUNTIME",
                     *kCopies = "CUPTI_ACTIVITY_KIND_MEMCPY", *kRanges = "NVTX_EVENTS";
/// In NVTX_EVENTS.eventType: pushed and popped, and started and ended.
constexpr const char *kRangeTypes = "(59, 60)";

struct Closer {
  void operator()(sqlite3 *database) const { sqlite3_close(database); }
  void operator()(sqlite3_stmt *statement) const { sqlite3_finalize(statement); }
};

class Query {
public:
  Query(sqlite3 *database, const std::string &sql) {
    sqlite3_stmt *made = nullptr;
    isBroken = sqlite3_prepare_v2(database, sql.c_str(), -1, &made, nullptr) != SQLITE_OK;
    statement.reset(made);
  }
  bool next() {
    const int result = isBroken ? SQLITE_ERROR : sqlite3_step(statement.get());
    isBroken |= result != SQLITE_ROW && result != SQLITE_DONE;
    return result == SQLITE_ROW;
  }
  bool failed() const { return isBroken; }
  std::int64_t number(int column) const { return sqlite3_column_int64(statement.get(), column); }
  std::string text(int column) const {
    const auto *bytes = reinterpret_cast<const char *>(sqlite3_column_text(statement.get(), column));
    return bytes ? bytes : "";
  }

private:
  std::unique_ptr<sqlite3_stmt, Closer> statement;
  bool isBroken = false;
};

class Export {
public:
  Export(sqlite3 *database) : database(database) {}

  /// False where a table is not as it is known.
  bool write();
  std::string text() const { return "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[" + events + "\n]}\n"; }

private:
  bool has(const std::string &table) {
    Query query(database, "SELECT 1 FROM sqlite_master WHERE name = '" + table + "'");
    return query.next();
  }
  void add(const Json &event) { events += (events.empty() ? "\n" : ",\n") + decoder::jsonText(event); }
  void addNames(const Json &process, const std::string &name, const Json &thread, const std::string &threadName);
  void addEvent(const char *category, std::string name, Json process, Json thread, const Query &times, Json arguments);
  bool writeKernels();
  bool writeCopies();
  bool writeOfHost(const char *category, const std::string &sql);

  sqlite3 *database;
  std::string events;
  std::set<std::string> named;
};

void Export::addNames(const Json &process, const std::string &name, const Json &thread, const std::string &threadName) {
  if (named.insert(process.dump()).second)
    add({{"ph", "M"}, {"name", "process_name"}, {"pid", process}, {"args", {{"name", name}}}});
  if (named.insert(process.dump() + "/" + thread.dump()).second)
    add({{"ph", "M"}, {"name", "thread_name"}, {"pid", process}, {"tid", thread}, {"args", {{"name", threadName}}}});
}

/// Begin and end are the first two columns.
void Export::addEvent(const char *category, std::string name, Json process, Json thread, const Query &times, Json arguments) {
  const auto microseconds = [](std::int64_t ns) { return static_cast<double>(ns) / 1000; };
  Json event = {{"ph", "X"}, {"cat", category}, {"name", std::move(name)}, {"pid", std::move(process)}, {"tid", std::move(thread)}};
  event["ts"] = microseconds(times.number(0));
  event["dur"] = microseconds(times.number(1) - times.number(0));
  if (!arguments.is_null())
    event["args"] = std::move(arguments);
  add(event);
}

bool Export::writeKernels() {
  Query query(database, fmt::format("SELECT start, end, value, deviceId, streamId, gridX, gridY, gridZ, blockX, blockY, blockZ FROM {} "
                                    "LEFT JOIN StringIds ON id = demangledName ORDER BY start",
                                    kKernels));
  while (query.next()) {
    const std::int64_t device = query.number(3), stream = query.number(4);
    addNames(device, fmt::format("GPU {} (nsys)", device), stream, fmt::format("stream {}", stream));
    const auto three = [&](int first) { return Json{query.number(first), query.number(first + 1), query.number(first + 2)}; };
    addEvent("kernel", query.text(2), device, stream, query,
             {{"device", device}, {"stream", stream}, {"grid", three(5)}, {"block", three(8)}});
  }
  return !query.failed();
}

bool Export::writeCopies() {
  Query query(database, fmt::format("SELECT start, end, deviceId, streamId, bytes FROM {} ORDER BY start", kCopies));
  while (query.next()) {
    addNames(query.number(2), fmt::format("GPU {} (nsys)", query.number(2)), query.number(3), fmt::format("stream {}", query.number(3)));
    addEvent("copy", "memcpy", query.number(2), query.number(3), query, {{"bytes", query.number(4)}});
  }
  return !query.failed();
}

/// Columns: begin, end, name, and a thread's global number: 24 bits of it, then 24 of its process.
bool Export::writeOfHost(const char *category, const std::string &sql) {
  Query query(database, sql);
  while (query.next()) {
    constexpr std::int64_t kMask = (1 << 24) - 1;
    const std::int64_t process = query.number(3) >> 24 & kMask, thread = query.number(3) & kMask;
    addNames(process, fmt::format("process {} (nsys)", process), thread, fmt::format("thread {}", thread));
    addEvent(category, query.text(2), process, thread, query, nullptr);
  }
  return !query.failed();
}

bool Export::write() {
  if (!writeKernels())
    return false;
  const std::string call =
      fmt::format("SELECT start, end, value, globalTid FROM {} LEFT JOIN StringIds ON id = nameId ORDER BY start", kCalls);
  const std::string range = fmt::format("SELECT start, end, coalesce(text, value), globalTid FROM {} LEFT JOIN StringIds ON id = textId "
                                        "WHERE eventType IN {} AND end IS NOT NULL ORDER BY start",
                                        kRanges, kRangeTypes);
  return (!has(kCopies) || writeCopies()) && (!has(kCalls) || writeOfHost("call", call)) && (!has(kRanges) || writeOfHost("nvtx", range));
}

} // namespace

bool isSqliteDatabase(const std::string &path) {
  constexpr std::string_view kMagic = "SQLite format 3";
  return decoder::startOfFile(path, kMagic.size()) == kMagic;
}

decoder::Expected<decoder::OtherTimeline> readNsysExport(const std::string &path) {
  sqlite3 *opened = nullptr;
  const int result = sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
  const std::unique_ptr<sqlite3, Closer> database(opened);
  Export events(database.get());
  if (result != SQLITE_OK || !events.write())
    return decoder::failure({.message = fmt::format("it is no export of nsys with kernels: {}", sqlite3_errmsg(database.get())),
                             .remedy = "record with nsys what CUDA does, and export that as SQLite",
                             .file = path});
  return decoder::OtherTimeline::read(events.text(), path);
}

} // namespace kperf::tool
