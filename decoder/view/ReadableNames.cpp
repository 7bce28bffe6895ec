// Replaces kernels' names, text by text.
#include "decoder/view/ReadableNames.h"
#include "decoder/io/Json.h"
#include "decoder/span/ShortName.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace kperf::decoder {
namespace {

bool isWord(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_'; }

/// Whether what stands in front of a name, or behind it, makes a longer name of it.
bool goesOnBefore(std::string_view text) { return !text.empty() && (isWord(text.back()) || text.ends_with("::")); }
bool goesOnBehind(std::string_view text) {
  return !text.empty() && (isWord(text[0]) || text[0] == '<' || text[0] == '(' || text.starts_with("::"));
}

bool namesKernel(const Column &column) { return column.name == "kernel" || column.name == "kernel-a"; }

void replaceAll(std::string &text, const std::string &from, const std::string &to) {
  for (std::size_t at = text.find(from); at != std::string::npos;) {
    const std::string_view all = text;
    const bool isWhole = !goesOnBefore(all.substr(0, at)) && !goesOnBehind(all.substr(at + from.size()));
    if (isWhole)
      text.replace(at, from.size(), to);
    at = text.find(from, at + (isWhole ? to.size() : 1));
  }
}

} // namespace

ReadableNames::ReadableNames(std::span<const Table> tables) {
  std::vector<std::string> whole;
  for (const Table &table : tables)
    whole.insert(whole.end(), table.namedKernels.begin(), table.namedKernels.end());
  for (const Table &table : tables)
    for (std::size_t column = 0; column < table.columns.size(); ++column)
      for (const std::vector<Cell> &row : table.rows)
        if (const auto *name = std::get_if<std::string>(&row[column]); name && namesKernel(table.columns[column]))
          whole.push_back(*name);
  std::ranges::sort(whole);
  whole.erase(std::ranges::unique(whole).begin(), whole.end());
  const std::vector<std::string> shorts = shortKernelNames(whole);
  for (std::size_t i = 0; i < whole.size(); ++i)
    if (shorts[i] != whole[i])
      names.emplace_back(whole[i], shorts[i]);
  std::ranges::stable_sort(names, std::greater<>(), [](const auto &each) { return each.first.size(); });
}

std::string ReadableNames::text(std::string whole) const {
  for (const auto &[name, readable] : names)
    replaceAll(whole, name, readable);
  return whole;
}

std::vector<Table> ReadableNames::tables(std::span<const Table> whole) const {
  std::vector<Table> out(whole.begin(), whole.end());
  if (names.empty())
    return out;
  for (Table &table : out) {
    table.title = text(table.title);
    for (std::string &note : table.notes)
      note = text(note);
    for (Excerpt &excerpt : table.excerpts) {
      excerpt.head = text(excerpt.head);
      for (std::string &remark : excerpt.remarks)
        remark = text(remark);
    }
    for (std::vector<Cell> &row : table.rows)
      for (std::size_t column = 0; column < row.size(); ++column)
        if (auto *name = std::get_if<std::string>(&row[column]); name && namesKernel(table.columns[column]))
          *name = text(*name);
  }
  return out;
}

std::string ReadableNames::json() const {
  Json out = Json::object();
  for (const auto &[name, readable] : names)
    out[name] = readable;
  return jsonText(out, 1);
}

} // namespace kperf::decoder
