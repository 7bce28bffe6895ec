// Writes an SQLite database, which appears under its name only when it is complete.
#ifndef KPERF_TOOL_SQLITE_FILE_H
#define KPERF_TOOL_SQLITE_FILE_H

#include "decoder/io/Output.h"
#include "decoder/table/Table.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

struct sqlite3;
struct sqlite3_stmt;

namespace kperf::tool {

/// Rows of one table, inserted one by one. The first error stays, in the file.
class SqliteRows {
public:
  SqliteRows() = default;
  SqliteRows(sqlite3 *database, const std::string &insert, std::shared_ptr<std::string> problem);
  SqliteRows(SqliteRows &&other) noexcept;
  SqliteRows &operator=(SqliteRows &&other) noexcept;
  ~SqliteRows();
  void add(std::span<const decoder::Cell> cells);

private:
  sqlite3_stmt *statement = nullptr;
  std::shared_ptr<std::string> problem; ///< of the file: the first error
};

class SqliteFile {
public:
  static decoder::Expected<SqliteFile> create(const std::string &path);
  SqliteFile(SqliteFile &&other) noexcept;
  ~SqliteFile();

  /// A new table with those columns; a number, text or nothing in each.
  SqliteRows table(std::string_view name, std::span<const std::string> columns);
  /// Commits, closes and renames. An error when any step before failed, such as a full disk.
  decoder::Status finish();

private:
  SqliteFile(std::string path, decoder::OutputFile file) : path(std::move(path)), file(std::move(file)) {}
  void execute(const std::string &sql);
  decoder::Error error() const;

  std::string path;
  decoder::OutputFile file;                                               ///< closed and renamed behind the database
  std::shared_ptr<std::string> problem = std::make_shared<std::string>(); ///< the first error, "" without one
  sqlite3 *database = nullptr;
};

} // namespace kperf::tool

#endif
