// Expands the option files of a command line: nvcc's --options-file and the @file of GCC and Clang.
#ifndef KPERF_REWRITERS_OPTIONFILE_H
#define KPERF_REWRITERS_OPTIONFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <string>
#include <vector>

namespace kperf {

/// Which spellings name an option file.
struct OptionFileSpellings {
  bool nvcc = false; ///< --options-file F[,F…], -optf F, and both with =
  bool at = false;   ///< @F
};

/// The arguments with every option file replaced by its contents, recursively. Files are those of `files`, relative to
/// `directory` when that is not empty. `@F` stays as it is when there is no file F, as in GCC. Fails on an
/// --options-file that cannot be read, on files nested deeper than 16 (one that includes itself), on more than 2000
/// files, as GCC does, and on an unterminated quotation.
llvm::Expected<std::vector<std::string>> expandOptionFiles(llvm::ArrayRef<std::string> arguments, OptionFileSpellings spellings,
                                                           llvm::StringRef directory, llvm::vfs::FileSystem &files);

/// The words of an nvcc option file, each spelled as it would be as one element of nvcc's argument vector. Measured on
/// nvcc 13.0: double quotes group and vanish, a backslash takes the next character, single quotes are ordinary.
llvm::Expected<std::vector<std::string>> splitNvccOptions(llvm::StringRef text);

/// The elements of a value that nvcc splits at commas. Measured on nvcc 13.0: double quotes keep a comma and stay, a
/// backslash vanishes and keeps the next character.
llvm::Expected<std::vector<std::string>> splitNvccList(llvm::StringRef value);

} // namespace kperf

#endif
