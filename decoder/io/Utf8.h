// Makes arbitrary bytes from a trace safe to print on a terminal.
#ifndef KPERF_DECODER_UTF8_H
#define KPERF_DECODER_UTF8_H

#include <cstddef>
#include <string>
#include <string_view>

namespace kperf::decoder {

/// Bytes of the well-formed sequence at the start of `text`, which is not empty; 0 when there is none.
std::size_t utf8Length(std::string_view text);

/// Of the well-formed sequence of `length` bytes at the start of `text`.
char32_t codePoint(std::string_view text, std::size_t length);

/// Whether `text`, which is not empty, starts with a control character: of C0, DEL, of C1 (in UTF-8), which some terminals obey, or one
/// that is invisible or changes the direction of what follows (Unicode's category Cf, and the separators of lines and paragraphs).
bool startsWithControl(std::string_view text);

/// `text` with '?' for control characters but those in `kept`, and for bytes that are not UTF-8.
std::string printable(std::string_view text, std::string_view kept = {});

/// Characters of printable text; each is taken to be one column wide.
std::size_t columnsOf(std::string_view text);

/// Whether it is a file in a folder, a file and a line, or both: "folder/file.cu", "file.cu:12", "folder/header:12".
bool isPlace(std::string_view text);

/// Printable text cut to at most `columns` characters, an ellipsis in its middle. Of a place the end is kept, from one of its folders on
/// where the file's name fits: "…/file.cu:12".
std::string shortened(std::string_view text, std::size_t columns);

} // namespace kperf::decoder

#endif
