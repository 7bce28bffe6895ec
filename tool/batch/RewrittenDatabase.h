// The compile_commands.json that compiles what a batch wrote.
#ifndef KPERF_TOOL_BATCH_REWRITTENDATABASE_H
#define KPERF_TOOL_BATCH_REWRITTENDATABASE_H

#include "tool/batch/CompilationDatabase.h"
#include "tool/batch/EntryCommand.h"
#include "tool/cc/Installation.h"

#include "rewriters/command/ForcedIncludes.h"

#include <optional>
#include <string>
#include <vector>

namespace kperf::batch {

/// What a command reads instead of the user's files.
struct EntryCopies {
  std::string source;
  HeaderCopies forcedIncludes;
};

/// How the commands change: sources are replaced, kperf's headers are found, programs get the runtime, and everything
/// that a command writes goes to `objects`, mirrored there as it lay relative to the database.
class RewrittenDatabase {
public:
  /// `linkerOptions`: see cc::runtimeLinkerOptions.
  RewrittenDatabase(const CompilationDatabase &database, const cc::Installation &installation, std::string objects,
                    std::vector<std::string> linkerOptions, bool isHost)
      : database(database), installation(installation), objects(std::move(objects)), linkerOptions(std::move(linkerOptions)),
        isHost(isHost) {}

  /// Adds the entry's twin; no `copies` where the source stays as it is.
  void add(const DatabaseEntry &entry, const EntryCommand &command, const std::optional<EntryCopies> &copies);

  /// The JSON text.
  std::string text() const;
  /// The folders that the commands write to.
  const std::vector<std::string> &folders() const { return outputFolders; }
  /// One line each, for people.
  const std::vector<std::string> &warnings() const { return textOfWarnings; }

private:
  std::string redirected(llvm::StringRef path, llvm::StringRef directory);
  void redirectOutputs(std::vector<std::string> &words, const DatabaseEntry &entry);
  void replaceForcedIncludesOf(const DatabaseEntry &entry, std::vector<std::string> &words, Dialect dialect, const EntryCopies &copies);
  std::vector<std::string> wordsFor(const DatabaseEntry &entry, const EntryCommand &command, const std::optional<EntryCopies> &copies,
                                    std::string &output);
  std::vector<std::string> hostWordsFor(const DatabaseEntry &entry, const CompileCommand &command, const Input &input,
                                        const std::optional<EntryCopies> &copies, std::string &output);

  const CompilationDatabase &database;
  const cc::Installation &installation;
  std::string objects;
  std::vector<std::string> linkerOptions;
  bool isHost;
  std::vector<DatabaseEntry> entries;
  std::vector<std::string> outputFolders, textOfWarnings;
};

} // namespace kperf::batch

#endif
