// Splits PTX into statements, and copies some of them under other names.
#include "tool/plain/PtxMerge.h"
#include "tool/plain/PtxStatements.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <optional>
#include <set>

namespace kperf::plain {
namespace {

using llvm::StringRef;

using Kind = Statement::Kind;

/// A statement's text without lines that say where code comes from, whose file numbers are another module's, and with other names.
std::string renamed(StringRef text, const llvm::StringMap<std::string> &names) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const StringRef token = text.take_front(tokenLength(text));
    if (token == ".loc" || token == ".file") {
      text = text.drop_front(lineOf(text).size());
      continue;
    }
    const auto other = beginsWord(token.front()) ? names.find(token) : names.end();
    out += other == names.end() ? token : StringRef(other->second);
    text = text.drop_front(token.size());
  }
  return out;
}

class Merge {
public:
  Merge(StringRef instrumented, const std::vector<Statement> &ours, const std::vector<Statement> &theirs)
      : instrumented(instrumented), theirs(theirs) {
    for (const Statement &each : ours)
      if (each.kind == Kind::Variable || each.kind == Kind::Function)
        if (const auto [entry, isNew] = known.try_emplace(each.name, &each); !isNew && each.hasBody)
          entry->second = &each; // in place of its declaration
    for (const Statement &each : theirs)
      if (each.kind == Kind::Variable || each.kind == Kind::Function)
        named[each.name].push_back(&each);
  }

  llvm::Expected<MergedPtx> run() {
    MergedPtx out;
    for (const Statement &each : theirs)
      if (each.isEntry && each.hasBody && isChanged(each)) {
        out.kernels.push_back(each.name.str());
        names[each.name] = (each.name + kPlainSuffix).str();
        take(each);
      }
    if (auto error = reach())
      return error;
    out.text = instrumented.str();
    if (out.kernels.empty())
      return out;
    out.text += "\n// The same kernels without probes.\n";
    for (const Statement &each : theirs)
      if (taken.contains(&each))
        out.text += renamed(each.text, names) + "\n";
    return out;
  }

private:
  /// Whether the kernel has probes: what calls functions is taken to.
  bool isChanged(const Statement &entry) const {
    const auto ours = known.find(entry.name);
    if (ours == known.end() || !ours->second->isEntry || !ours->second->hasBody)
      return false;
    const llvm::StringMap<std::string> none;
    return entry.text.contains("call") || renamed(entry.text, none) != renamed(ours->second->text, none);
  }

  void take(const Statement &statement) {
    if (taken.insert(&statement).second)
      open.push_back(&statement);
  }

  /// Takes what is needed by what is taken.
  llvm::Error reach() {
    while (!open.empty()) {
      const Statement &each = *open.back();
      open.pop_back();
      llvm::Error error = llvm::Error::success();
      forWords(each.text, [&](StringRef word) {
        const auto entry = named.find(word);
        if (error || entry == named.end() || word == each.name || names.contains(word) || !seen.insert(word).second)
          return;
        error = need(word, entry->second);
      });
      if (error)
        return error;
    }
    return llvm::Error::success();
  }

  llvm::Error need(StringRef name, const std::vector<const Statement *> &statements) {
    const auto ours = known.find(name);
    bool isDefined = false;
    for (const Statement *each : statements)
      isDefined |= each->hasBody;
    if (isDefined) {
      names[name] = (name + kPlainSuffix).str();
    } else if (ours != known.end() && statements.front()->kind == Kind::Variable) {
      const llvm::StringMap<std::string> none;
      if (renamed(ours->second->text, none) == renamed(statements.front()->text, none))
        return llvm::Error::success(); // one state
      // cicc's names for literals, and for __PRETTY_FUNCTION__, which assert has too
      if (!name.starts_with("$") && !name.starts_with("__unnamed_"))
        return llvm::createStringError("variable '%s' is another one with probes", name.str().c_str());
      names[name] = (name + kPlainSuffix).str(); // a text
    } else if (ours != known.end()) {
      return llvm::Error::success(); // declared already
    }
    for (const Statement *each : statements)
      take(*each);
    return llvm::Error::success();
  }

  StringRef instrumented;
  const std::vector<Statement> &theirs;
  llvm::StringMap<const Statement *> known; ///< in the module with probes
  llvm::StringMap<std::vector<const Statement *>> named;
  llvm::StringMap<std::string> names; ///< new ones
  llvm::StringSet<> seen;
  std::set<const Statement *> taken;
  std::vector<const Statement *> open;
};

} // namespace

llvm::Expected<MergedPtx> withPlainKernels(StringRef instrumented, StringRef plain) {
  auto ours = statementsOf(instrumented);
  if (!ours)
    return ours.takeError();
  auto theirs = statementsOf(plain);
  if (!theirs)
    return theirs.takeError();
  return Merge(instrumented, *ours, *theirs).run();
}

std::vector<std::string> kernelsReaching(StringRef merged, llvm::ArrayRef<std::string> kernels, llvm::ArrayRef<std::string> functions) {
  auto statements = statementsOf(merged);
  if (!statements)
    return llvm::consumeError(statements.takeError()), kernels.vec();
  llvm::StringMap<StringRef> bodies;
  for (const Statement &each : *statements)
    if (each.kind == Kind::Function && each.hasBody)
      bodies[each.name] = each.text;
  std::vector<std::string> out;
  for (const std::string &kernel : kernels) {
    llvm::StringSet<> reached{kernel};
    std::vector<StringRef> open{bodies.lookup(kernel)};
    while (!open.empty()) {
      const StringRef body = open.back();
      open.pop_back();
      forWords(body, [&](StringRef word) {
        if (const auto callee = bodies.find(word); callee != bodies.end() && reached.insert(word).second)
          open.push_back(callee->second);
      });
    }
    if (llvm::any_of(functions, [&](StringRef each) { return reached.contains(each); }))
      out.push_back(kernel);
  }
  return out;
}

std::vector<std::string> functionsWith(StringRef ptx, StringRef word) {
  std::vector<std::string> out;
  auto statements = statementsOf(ptx);
  if (!statements)
    return llvm::consumeError(statements.takeError()), out;
  for (const Statement &each : *statements)
    if (each.kind == Kind::Function && each.hasBody && each.text.contains(word))
      out.push_back(each.name.str());
  return out;
}

std::vector<std::string> kernelsWithCopies(StringRef merged) {
  auto statements = statementsOf(merged);
  if (!statements)
    return llvm::consumeError(statements.takeError()), std::vector<std::string>();
  std::vector<std::string> out;
  for (const Statement &each : *statements)
    if (StringRef name = each.name; each.isEntry && each.hasBody && name.consume_back(kPlainSuffix))
      out.push_back(name.str());
  return out;
}

std::string withoutProbes(StringRef merged, llvm::ArrayRef<std::string> kernels) {
  auto statements = statementsOf(merged);
  if (!statements)
    return llvm::consumeError(statements.takeError()), merged.str();
  llvm::StringMap<StringRef> copies; // by the kernel's name
  for (const Statement &each : *statements)
    if (StringRef name = each.name; each.isEntry && each.hasBody && name.consume_back(kPlainSuffix) && llvm::is_contained(kernels, name))
      copies[name] = each.text;
  std::string out;
  StringRef left = merged;
  for (const Statement &each : *statements) {
    const auto copy = each.isEntry && each.hasBody ? copies.find(each.name) : copies.end();
    if (copy == copies.end())
      continue;
    out += left.take_front(each.text.begin() - left.begin());
    out += renamed(copy->second, {{(each.name + kPlainSuffix).str(), each.name.str()}});
    left = left.drop_front(each.text.end() - left.begin());
  }
  return out + left.str();
}

std::string withKernelsAlone(StringRef ptx, const std::set<std::string> &kernels) {
  auto statements = statementsOf(ptx);
  if (!statements)
    return llvm::consumeError(statements.takeError()), ptx.str();
  std::string out;
  for (const Statement &each : *statements)
    if (!each.isEntry || !each.hasBody || kernels.contains(each.name.str()))
      out += each.text.str() + "\n";
  return out;
}

std::string withoutLines(StringRef ptx) {
  std::string out;
  out.reserve(ptx.size());
  bool isInSection = false;
  while (!ptx.empty()) {
    const StringRef line = ptx.take_front(lineOf(ptx).size() + 1), text = line.trim();
    ptx = ptx.drop_front(line.size());
    isInSection |= text.starts_with(".section");
    const bool isLabel = text.starts_with("$L__tmp") || text.starts_with("$L__func_begin") || text.starts_with("$L__func_end");
    if (!isInSection && !isLabel && !isDirective(text, ".loc") && !isDirective(text, ".file"))
      out += line;
    isInSection &= !text.ends_with("}");
  }
  return out;
}

/// The threads of a block of as many in each dimension as a directive says ("256, 1, 1").
static unsigned threadsIn(StringRef sizes) {
  unsigned threads = 1, size = 0;
  for (sizes = sizes.ltrim(); !sizes.consumeInteger(10, size); sizes = sizes.ltrim()) {
    threads *= size;
    sizes = sizes.ltrim();
    if (!sizes.consume_front(","))
      break;
  }
  return threads;
}

std::map<std::string, unsigned> blockLimits(StringRef ptx) {
  auto statements = statementsOf(ptx);
  if (!statements)
    return llvm::consumeError(statements.takeError()), std::map<std::string, unsigned>();
  std::map<std::string, unsigned> out;
  for (const Statement &each : *statements) {
    const StringRef head = each.isEntry && each.hasBody ? each.text.take_front(bodyOf(each.text).begin() - each.text.begin()) : StringRef();
    for (const StringRef directive : {".maxntid", ".reqntid"})
      if (const std::size_t at = head.find(directive); at != StringRef::npos)
        out[each.name.str()] = threadsIn(head.drop_front(at + directive.size()));
  }
  return out;
}

std::string withRegisterLimits(StringRef ptx, const std::map<std::string, unsigned> &limits) {
  auto statements = statementsOf(ptx);
  if (!statements)
    return llvm::consumeError(statements.takeError()), ptx.str();
  std::string out;
  StringRef left = ptx;
  for (const Statement &each : *statements) {
    const auto limit = each.isEntry && each.hasBody ? limits.find(each.name.str()) : limits.end();
    if (limit == limits.end())
      continue;
    const char *const body = bodyOf(each.text).begin();
    out += left.take_front(body - left.begin());
    out += ".maxnreg " + std::to_string(limit->second) + "\n";
    left = left.drop_front(body - left.begin());
  }
  return out + left.str();
}

} // namespace kperf::plain
