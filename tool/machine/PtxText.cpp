// Parses PTX's ld, st, .loc and .file (PTX ISA, the sections of these names).
#include "tool/machine/PtxText.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include <algorithm>
#include <map>
#include <optional>

using llvm::StringRef;

namespace kperf::machine {
namespace {

class PtxReader {
public:
  explicit PtxReader(llvm::ArrayRef<StringRef> lines) : lines(lines) {}

  std::vector<PtxAccess> run() {
    for (const StringRef line : lines)
      readFile(line.trim());
    for (std::size_t index = 0; index < lines.size(); ++index)
      readLine(lines[index].trim(), static_cast<unsigned>(index + 1));
    return std::move(accesses);
  }

private:
  /// .file 1 "kernel.cu", …: they stand at the end.
  void readFile(StringRef line) {
    unsigned number = 0;
    if (!line.consume_front(".file") || line.ltrim().consumeInteger(10, number))
      return;
    line = line.ltrim().drop_while(llvm::isDigit).ltrim();
    const StringRef path = line.split('"').second.split('"').first;
    llvm::SmallString<256> real;
    files[number] = llvm::sys::fs::real_path(path, real) ? path.str() : real.str().str();
  }

  void readLine(StringRef line, unsigned number) {
    if (line.consume_front(".loc"))
      return readPlace(line.ltrim());
    const bool isLabel = line.starts_with("$") || line.ends_with(":");
    if (isLabel || line.starts_with("{") || line.starts_with("}"))
      ++block;
    if (line.starts_with("@")) {
      const auto [predicate, rest] = line.split(' ');
      ++block; // what a predicate decides on does not always happen
      line = rest.ltrim();
      readInstruction(line, number);
      ++block;
      return;
    }
    if (line.starts_with("bra") || line.starts_with("ret") || line.starts_with("call") || line.starts_with("bar"))
      ++block;
    readInstruction(line, number);
  }

  struct Place {
    unsigned file = 0, line = 0, column = 0;

    friend auto operator<=>(const Place &, const Place &) = default;
  };

  static std::optional<Place> placeAt(StringRef text) {
    Place place;
    for (unsigned *number : {&place.file, &place.line, &place.column})
      if (text = text.ltrim(); text.consumeInteger(10, *number))
        return std::nullopt;
    return place;
  }

  /// 1 34 31, function_name $L__info_string0, inlined_at 1 38 3: the innermost place comes first; that at which it is inlined has a line of
  /// its own in front, which says where that is inlined.
  void readPlace(StringRef text) {
    const std::optional<Place> read = placeAt(text);
    if (!read)
      return;
    if (read->line != 0 || read->file != now.file)
      near = read->line;
    now = *read;
    callers.erase(now);
    if (const std::optional<Place> caller = placeAt(text.split("inlined_at").second); caller && *caller != now)
      callers[now] = *caller;
  }

  std::vector<MachinePlace> callersOfNow() const {
    std::vector<MachinePlace> out;
    for (auto caller = callers.find(now); caller != callers.end() && out.size() < kMaxCallers; caller = callers.find(caller->second))
      if (const auto known = files.find(caller->second.file); known != files.end())
        out.push_back({known->second, caller->second.line});
    return out;
  }
  static constexpr std::size_t kMaxCallers = 64; ///< a text that is no compiler's may go round in circles

  /// ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd6+16];
  void readInstruction(StringRef text, unsigned number) {
    const std::size_t end = text.find_first_of(" \t");
    const StringRef operands = text.drop_front(std::min(end, text.size()));
    llvm::SmallVector<StringRef, 8> parts;
    text.take_front(end).split(parts, '.');
    if ((parts[0] != "ld" && parts[0] != "st") || parts.size() < 2)
      return;
    PtxAccess access;
    unsigned count = 1, size = 0;
    StringRef space = "generic";
    for (const StringRef part : llvm::ArrayRef(parts).drop_front()) {
      if (part == "param" || part == "const" || part == "local" || part.starts_with("param::"))
        return;
      if (part == "global" || part.starts_with("shared"))
        space = part;
      if (part == "v2" || part == "v4" || part == "v8")
        count = static_cast<unsigned>(part[1] - '0');
      if (unsigned bits = 0; part.size() > 1 && StringRef("ufsb").contains(part[0]) && !part.drop_front().getAsInteger(10, bits))
        size = bits / 8;
    }
    access.bytes = count * size;
    const StringRef address = operands.split('[').second.split(']').first.trim();
    if (access.bytes == 0 || address.empty())
      return;
    StringRef base = address;
    if (const std::size_t sign = address.find_first_of("+-"); sign != StringRef::npos) {
      base = address.take_front(sign).rtrim();
      StringRef(address.drop_front(sign + (address[sign] == '+'))).trim().getAsInteger(10, access.offset);
    }
    access.base = (space + " " + base).str();
    access.ptxLine = number;
    access.block = block;
    access.isStore = parts[0] == "st";
    access.line = now.line;
    access.near = near;
    if (const auto known = files.find(now.file); known != files.end())
      access.file = known->second;
    access.callers = callersOfNow();
    accesses.push_back(std::move(access));
  }

  llvm::ArrayRef<StringRef> lines;
  std::map<unsigned, std::string> files;
  Place now; ///< of what follows
  std::map<Place, Place> callers;
  unsigned block = 0, near = 0;
  std::vector<PtxAccess> accesses;
};

} // namespace

std::vector<PtxAccess> readPtx(llvm::ArrayRef<StringRef> lines) { return PtxReader(lines).run(); }

} // namespace kperf::machine
