// Splits a command that the user wrote as one text into the words that are run: no shell reads it.
#ifndef KPERF_TOOL_COMMAND_WORDS_H
#define KPERF_TOOL_COMMAND_WORDS_H

#include "decoder/io/Error.h"

#include <string>
#include <string_view>
#include <vector>

namespace kperf::tool {

/// Splits at blanks. '…' and "…" hold a word together, and \ makes the next character an ordinary one (not between '…'). Nothing else
/// means anything: no variables, patterns, pipes. `option` is what the user wrote it for. Fails without a word, or when a quote is open.
decoder::Expected<std::vector<std::string>> commandWords(std::string_view text, const char *option);

/// The words with options where they have the placeholder: a word that is nothing else becomes as many as there are options, inside of
/// one they stand with blanks between them.
std::vector<std::string> withOptions(const std::vector<std::string> &words, std::string_view placeholder,
                                     const std::vector<std::string> &options);

} // namespace kperf::tool

#endif
