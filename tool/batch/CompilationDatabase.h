// Reads compile_commands.json as CMake, Bear and Bazel's extractors write it.
#ifndef KPERF_TOOL_BATCH_COMPILATIONDATABASE_H
#define KPERF_TOOL_BATCH_COMPILATIONDATABASE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace kperf::batch {

/// One compilation: how a build system ran a compiler on one file.
struct DatabaseEntry {
  std::string directory;              ///< absolute; what the other paths are relative to
  std::string file;                   ///< as written
  std::vector<std::string> arguments; ///< compiler first; a command string is split as a shell would
  std::string output;                 ///< as written; often empty
};

struct CompilationDatabase {
  std::string path; ///< of the JSON file, absolute
  std::vector<DatabaseEntry> entries;

  /// The folder that holds the database.
  std::string folder() const;
};

/// A path relative to the folder, made absolute and free of dots.
std::string absolutePath(llvm::StringRef folder, llvm::StringRef path);

/// Reads a database from the file, or from compile_commands.json in the folder, that `path` names. Fails on a file that
/// is not there, text that is not JSON, and an entry without directory, file, or arguments, naming the entry.
llvm::Expected<CompilationDatabase> readDatabase(llvm::StringRef path);

/// The same from text; `path` is for messages and for relative directories.
llvm::Expected<CompilationDatabase> parseDatabase(llvm::StringRef text, llvm::StringRef path);

} // namespace kperf::batch

#endif
