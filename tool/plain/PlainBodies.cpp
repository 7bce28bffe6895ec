// Copies what is between a kernel's braces, with its labels under other names.
#include "tool/plain/PlainBodies.h"
#include "tool/plain/PtxMerge.h"
#include "tool/plain/PtxStatements.h"

#include <kperf/format.h>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Regex.h"

#include <algorithm>
#include <optional>

namespace kperf::plain {
namespace {

using llvm::StringRef;

constexpr StringRef kMark = "// kperf: go on without probes"; ///< goOnWithoutProbes(), kperf/cuda/Instructions.h
constexpr StringRef kFlag = "0; // kperf: others-plain";      ///< othersPlainFlag(), the same
constexpr StringRef kLine = "\t.loc\t";
constexpr StringRef kFileName = "(kernels without probes)"; ///< of bodies without probes; tool/placement/Listing.cpp says the same

/// A body that is longer, about 4000 instructions, is not there twice.
constexpr std::size_t kMostBytes = 160 * 1024;

/// What stands between a function's braces.
StringRef insideOf(StringRef function) { return bodyOf(function).drop_front().drop_back(); }

/// What cicc declares of a function's memory of its own: "\t.local .align 8 .b8 __local_depot0[24];"
struct StackMemory {
  StringRef name;
  unsigned alignment = 0, bytes = 0;
};

StackMemory stackOf(StringRef body) {
  static const llvm::Regex declaration("\\.local[ \t]+\\.align[ \t]+([0-9]+)[ \t]+\\.b8[ \t]+(__local_depot[0-9]+)\\[([0-9]+)\\]");
  llvm::SmallVector<StringRef, 4> found;
  StackMemory out;
  if (!declaration.match(body, &found) || found[1].getAsInteger(10, out.alignment) || found[3].getAsInteger(10, out.bytes))
    return {};
  out.name = found[2];
  return out;
}

/// The body without probes as a block of its own, in which registers may have the names that they have around it, and nothing else may.
/// Nothing, where its shared memory is none that `around` declares. Of a thread's own memory there is one for both, where that is enough.
std::optional<std::string> asBlock(StringRef body, StringRef around) {
  const StackMemory stack = stackOf(body), aroundStack = stackOf(around);
  const bool isShared = !stack.name.empty() && stack.alignment <= aroundStack.alignment && stack.bytes <= aroundStack.bytes;
  std::string out;
  out.reserve(body.size() + body.size() / 4);
  while (!body.empty()) {
    const StringRef token = body.take_front(tokenLength(body));
    if ((token == ".shared" || token == ".local") && (out.empty() || out.back() == '\t' || out.back() == '\n')) {
      const StringRef declaration = body.take_front(body.find(';') + 1);
      const bool isOfBoth = token == ".shared" ? around.contains(declaration) : isShared && declaration.contains(stack.name);
      if (token == ".shared" && !isOfBoth)
        return std::nullopt;
      if (isOfBoth) {
        body = body.drop_front(declaration.size());
        continue;
      }
    }
    out += token == stack.name && isShared ? aroundStack.name : token;
    if (token.starts_with("$L__") || (token == stack.name && !isShared))
      out += "_plain";
    body = body.drop_front(token.size());
  }
  return out;
}

bool countsItsRegisters(StringRef body) {
  return llvm::any_of(llvm::ArrayRef<StringRef>{"wgmma.", "setmaxnreg.", "tcgen05."}, [&](StringRef each) { return body.contains(each); });
}

/// The number of one more file, whose lines machine code can come from: the next one, for nvdisasm 12.4 fails where there are gaps.
unsigned nextFile(llvm::ArrayRef<Statement> statements) {
  unsigned last = 0;
  for (const Statement &each : statements) {
    StringRef text = each.text;
    unsigned number = 0;
    if (text.consume_front(".file") && !text.ltrim().consumeInteger(10, number))
      last = std::max(last, number);
  }
  return last + 1;
}

/// Those of the kernels that something else names, before which they have to stand.
std::set<StringRef> namedByOthers(llvm::ArrayRef<Statement> statements, const llvm::StringMap<StringRef> &kernels) {
  std::set<StringRef> out;
  for (const Statement &each : statements)
    forWords(each.text, [&](StringRef word) {
      if (const auto kernel = kernels.find(word); kernel != kernels.end() && (word != each.name || !each.hasBody))
        out.insert(kernel->first());
    });
  return out;
}

std::string replaced(StringRef text, StringRef what, StringRef by) {
  std::string out;
  for (;;) {
    const auto [before, behind] = text.split(what);
    out += before;
    if (before.size() == text.size())
      return out;
    out += by;
    text = behind;
  }
}

/// The kernel with both bodies, the one without probes of lines of that file.
std::optional<std::string> withBody(StringRef kernel, StringRef copy, unsigned file) {
  const StringRef plain = insideOf(copy);
  if (!kernel.contains(kMark) || plain.size() > kMostBytes || countsItsRegisters(kernel) || countsItsRegisters(plain))
    return std::nullopt;
  const auto block = asBlock(plain, insideOf(kernel));
  if (!block)
    return std::nullopt;
  std::string out = replaced(kernel.drop_back(), kMark, ("bra \t" + kPlainBody + ";").str());
  out = replaced(out, kFlag, std::to_string(format::kWarpOthersPlain) + ";");
  out += ("\n" + kPlainBody + ":\n{\n").str();
  if (kernel.contains(kLine))
    out += "\t.loc\t" + std::to_string(file) + " 1 1\n";
  return out + *block + "}\n}";
}

} // namespace

std::string withPlainBodies(StringRef merged, const std::set<std::string> &except) {
  auto statements = statementsOf(merged);
  if (!statements)
    return llvm::consumeError(statements.takeError()), merged.str();
  llvm::StringMap<StringRef> copies; // by the kernel's name
  for (const Statement &each : *statements)
    if (StringRef name = each.name; each.isEntry && each.hasBody && name.consume_back(kPlainSuffix) && !except.contains(name.str()))
      copies[name] = each.text;
  const std::set<StringRef> named = namedByOthers(*statements, copies);
  const unsigned file = nextFile(*statements);
  std::string out, behind; // behind all that copies call
  StringRef left = merged;
  bool hasLines = false;
  for (const Statement &each : *statements) {
    const auto copy = each.isEntry && each.hasBody && !named.contains(each.name) ? copies.find(each.name) : copies.end();
    const auto both = copy == copies.end() ? std::nullopt : withBody(each.text, copy->second, file);
    if (!both)
      continue;
    out += left.take_front(each.text.begin() - left.begin());
    behind += *both + "\n";
    left = left.drop_front(each.text.end() - left.begin());
    hasLines |= each.text.contains(kLine);
  }
  out += left;
  if (!behind.empty())
    out += "\n// Kernels with both bodies.\n" + behind;
  return hasLines ? out + "\t.file\t" + std::to_string(file) + " \"" + kFileName.str() + "\"\n" : out;
}

} // namespace kperf::plain
