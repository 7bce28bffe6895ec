// Finds __cudaRegisterEntry(handle, (function), name, (-1)); in a stub.
#include "tool/plain/StubEntries.h"
#include "tool/plain/PtxMerge.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

#include <tuple>

namespace kperf::plain {
namespace {

constexpr llvm::StringLiteral kRegister = "::kperf::vendor::registerPlain(";

/// The length of what stands in front of the next comma or closing parenthesis that is in no parentheses itself.
std::size_t argumentLength(llvm::StringRef text) {
  unsigned depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (depth == 0 && (text[at] == ',' || text[at] == ')'))
      return at;
    depth += text[at] == '(';
    depth -= text[at] == ')';
  }
  return text.size();
}

} // namespace

std::string withPlainEntries(llvm::StringRef stub, llvm::ArrayRef<std::string> kernels) {
  llvm::StringSet<> wanted;
  for (const std::string &each : kernels)
    wanted.insert(each);
  constexpr llvm::StringLiteral kCall = "__cudaRegisterEntry(";
  std::string out;
  for (std::size_t at; (at = stub.find(kCall)) != llvm::StringRef::npos;) {
    llvm::StringRef rest = stub.drop_front(at + kCall.size());
    llvm::StringRef arguments[3];
    for (llvm::StringRef &argument : arguments) {
      const std::size_t length = argumentLength(rest);
      argument = rest.take_front(length).trim();
      rest = rest.drop_front(std::min(length + 1, rest.size()));
    }
    const std::size_t end = rest.find(';');
    if (end == llvm::StringRef::npos)
      break;
    rest = rest.drop_front(end + 1);
    out += stub.drop_back(rest.size());
    if (wanted.contains(arguments[2]))
      out += ("\n" + kRegister + arguments[0] + ", reinterpret_cast<const void *>(" + arguments[1] + "), \"" + arguments[2] + kPlainSuffix +
              "\", false);\n")
                 .str();
    stub = rest;
  }
  return out + stub.str();
}

std::string withOnlyPlainEntries(llvm::StringRef stub, llvm::ArrayRef<std::string> kernels) {
  std::string out;
  for (auto [line, rest] = stub.split('\n'); !line.empty() || !rest.empty(); std::tie(line, rest) = rest.split('\n')) {
    const auto isOf = [&](llvm::StringRef kernel) { return line.ends_with((", \"" + kernel + kPlainSuffix + "\", false);").str()); };
    constexpr llvm::StringLiteral kEnd = "false);";
    const bool isOnly = line.starts_with(kRegister) && llvm::any_of(kernels, isOf);
    out += isOnly ? (line.drop_back(kEnd.size()) + "true);\n").str() : (line + "\n").str();
  }
  return out;
}

} // namespace kperf::plain
