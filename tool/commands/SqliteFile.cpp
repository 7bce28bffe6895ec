// Writes an SQLite database.
#include "tool/commands/SqliteFile.h"

#include "decoder/io/Output.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <utility>

namespace kperf::tool {
namespace {

std::string inQuotes(std::string_view name) {
  std::string out = "\"";
  for (const char c : name)
    out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

} // namespace

SqliteRows::SqliteRows(sqlite3 *database, const std::string &insert, std::shared_ptr<std::string> problem) : problem(std::move(problem)) {
  if (sqlite3_prepare_v2(database, insert.c_str(), -1, &statement, nullptr) != SQLITE_OK && this->problem->empty())
    *this->problem = sqlite3_errmsg(database);
}
SqliteRows::SqliteRows(SqliteRows &&other) noexcept
    : statement(std::exchange(other.statement, nullptr)), problem(std::move(other.problem)) {}
SqliteRows &SqliteRows::operator=(SqliteRows &&other) noexcept {
  std::swap(statement, other.statement);
  std::swap(problem, other.problem);
  return *this;
}
SqliteRows::~SqliteRows() { sqlite3_finalize(statement); }

void SqliteRows::add(std::span<const decoder::Cell> cells) {
  if (!statement)
    return;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const int at = static_cast<int>(i) + 1;
    if (const auto *text = std::get_if<std::string>(&cells[i]))
      sqlite3_bind_text64(statement, at, text->data(), text->size(), SQLITE_STATIC, SQLITE_UTF8);
    else if (const auto *whole = std::get_if<std::uint64_t>(&cells[i]))
      sqlite3_bind_int64(statement, at, static_cast<sqlite3_int64>(*whole));
    else if (const auto *real = std::get_if<double>(&cells[i]))
      sqlite3_bind_double(statement, at, *real);
    else
      sqlite3_bind_null(statement, at);
  }
  if (sqlite3_step(statement) != SQLITE_DONE && problem->empty())
    *problem = sqlite3_errmsg(sqlite3_db_handle(statement));
  sqlite3_reset(statement);
}

decoder::Expected<SqliteFile> SqliteFile::create(const std::string &path) {
  struct stat status{};
  if (path == "-" || (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)))
    return decoder::failure({.message = "a database can only be a regular file, and this is none", .file = path});
  auto file = decoder::OutputFile::open(path);
  if (!file)
    return decoder::failure(file.error());
  SqliteFile out(path, std::move(*file));
  if (sqlite3_open(out.file.temporaryPath().c_str(), &out.database) != SQLITE_OK)
    return decoder::failure(out.error());
  // Nobody sees the file before it is whole, so there is nothing to roll back to.
  out.execute("PRAGMA journal_mode=OFF");
  out.execute("PRAGMA synchronous=OFF");
  out.execute("BEGIN");
  return out;
}

SqliteFile::SqliteFile(SqliteFile &&other) noexcept
    : path(std::move(other.path)), file(std::move(other.file)), problem(std::move(other.problem)),
      database(std::exchange(other.database, nullptr)) {}

SqliteFile::~SqliteFile() { sqlite3_close_v2(database); }

decoder::Error SqliteFile::error() const {
  return {.message = fmt::format("cannot be written: {}", problem->empty() ? std::string(sqlite3_errmsg(database)) : *problem),
          .file = path};
}

void SqliteFile::execute(const std::string &sql) {
  char *message = nullptr;
  if (sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message) != SQLITE_OK && problem->empty())
    *problem = message ? message : "unknown error";
  sqlite3_free(message);
}

SqliteRows SqliteFile::table(std::string_view name, std::span<const std::string> columns) {
  std::string names, places;
  for (const std::string &column : columns) {
    names += (names.empty() ? "" : ", ") + inQuotes(column);
    places += places.empty() ? "?" : ",?";
  }
  execute(fmt::format("CREATE TABLE {} ({})", inQuotes(name), names));
  return {database, fmt::format("INSERT INTO {} VALUES ({})", inQuotes(name), places), problem};
}

decoder::Status SqliteFile::finish() {
  execute("COMMIT");
  if (!problem->empty())
    return decoder::failure(error());
  sqlite3_close_v2(std::exchange(database, nullptr));
  return file.finish();
}

} // namespace kperf::tool
