// Reads and writes records as JSON, and compares them with the disk.
#include "tool/batch/BatchRecord.h"

#include "rewriters/source/JsonDepth.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

namespace kperf::batch {
namespace {

namespace json = llvm::json;

/// Bytes that are not UTF-8 come back different: such a record is never current, and its source is rewritten again.
json::Value textOf(llvm::StringRef text) { return json::fixUTF8(text); }

template <typename List, typename Function> json::Array arrayOf(const List &list, Function function) {
  json::Array array;
  for (const auto &element : list)
    array.push_back(function(element));
  return array;
}

/// The strings of each inner array, which all have `width` of them; nothing when they do not.
std::optional<std::vector<std::vector<std::string>>> rowsOf(const json::Object &object, llvm::StringRef name, std::size_t width) {
  const json::Array *array = object.getArray(name);
  if (!array)
    return std::nullopt;
  std::vector<std::vector<std::string>> rows;
  for (const json::Value &value : *array) {
    const json::Array *row = value.getAsArray();
    if (!row || row->size() != width)
      return std::nullopt;
    rows.emplace_back();
    for (const json::Value &cell : *row) {
      std::optional<llvm::StringRef> text = cell.getAsString();
      if (!text)
        return std::nullopt;
      rows.back().push_back(text->str());
    }
  }
  return rows;
}

} // namespace

std::string BatchRecord::toJson() const {
  json::Object object{{"key", key}, {"failed", failed}, {"changed", changed}, {"regions", static_cast<int64_t>(regions)}};
  object["inputs"] = arrayOf(inputs, [](const FileRead &f) { return json::Array{textOf(f.path), f.hash}; });
  object["files"] = arrayOf(files, [](const TreeFile &f) { return json::Array{textOf(f.path), f.hash}; });
  object["forced"] = arrayOf(forced, [](const auto &f) { return json::Array{textOf(f.first), textOf(f.second)}; });
  object["stubs"] = arrayOf(stubs, [](const cc::Stub &s) { return json::Array{textOf(s.path), textOf(s.target), textOf(s.folder)}; });
  object["directories"] = arrayOf(directories, [](const std::string &d) { return json::Array{textOf(d)}; });
  object["diagnostics"] = arrayOf(diagnostics, [](const RecordedDiagnostic &d) {
    return json::Array{std::to_string(static_cast<int>(d.severity)), textOf(d.text), textOf(d.rendered)};
  });
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(std::move(object)) << '\n';
  return text;
}

std::optional<BatchRecord> BatchRecord::fromJson(llvm::StringRef text) {
  auto value = parseJson(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  const json::Object *object = value->getAsObject();
  if (!object)
    return std::nullopt;
  auto key = object->getString("key");
  auto failed = object->getBoolean("failed"), changed = object->getBoolean("changed");
  auto regions = object->getInteger("regions");
  auto inputs = rowsOf(*object, "inputs", 2), files = rowsOf(*object, "files", 2), forced = rowsOf(*object, "forced", 2),
       stubs = rowsOf(*object, "stubs", 3), directories = rowsOf(*object, "directories", 1),
       diagnostics = rowsOf(*object, "diagnostics", 3);
  if (!key || !failed || !changed || !regions || !inputs || !files || !forced || !stubs || !directories || !diagnostics)
    return std::nullopt;
  BatchRecord record;
  record.key = key->str();
  record.failed = *failed;
  record.changed = *changed;
  record.regions = static_cast<unsigned>(*regions);
  for (const auto &row : *inputs)
    record.inputs.push_back({row[0], row[1]});
  for (const auto &row : *files)
    record.files.push_back({row[0], row[1]});
  for (const auto &row : *forced)
    record.forced.emplace(row[0], row[1]);
  for (const auto &row : *stubs)
    record.stubs.push_back({row[0], row[1], row[2]});
  for (const auto &row : *directories)
    record.directories.push_back(row[0]);
  for (const auto &row : *diagnostics)
    record.diagnostics.push_back({row[0] == "2" ? Severity::Error : row[0] == "1" ? Severity::Warning : Severity::Note, row[1], row[2]});
  return record;
}

bool BatchRecord::isCurrent(llvm::StringRef wantedKey, llvm::StringRef root, ContentHashes &hashes) const {
  if (failed || key != wantedKey)
    return false;
  return llvm::all_of(inputs, [&](const FileRead &f) { return hashes.of(f.path) == f.hash; }) &&
         llvm::all_of(files, [&](const TreeFile &f) { return hashes.of((root + f.path).str()) == f.hash; });
}

HeaderCopies BatchRecord::forcedIncludes(llvm::StringRef root) const {
  HeaderCopies copies;
  for (const auto &[name, path] : forced)
    copies.emplace(name, (root + path).str());
  return copies;
}

} // namespace kperf::batch
