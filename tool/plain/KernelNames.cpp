// Finds the texts that several kernels' probes have in common, and writes others.
#include "tool/plain/KernelNames.h"
#include "tool/plain/PtxStatements.h"

#include "runtime/file/DemangledName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <map>
#include <vector>

namespace kperf::plain {
namespace {

using llvm::StringRef;
using Kind = Statement::Kind;

/// Of ".global .align 1 .b8 name[3] = {104, 105};", where what is 0 at the end may be left out; "" for anything else.
std::string valueOf(StringRef variable) {
  std::string value;
  llvm::SmallVector<StringRef, 128> numbers;
  if (variable.starts_with(".global .align 1 .b8 "))
    variable.split(" = {").second.take_until([](char c) { return c == '}'; }).split(numbers, ',');
  for (const StringRef number : numbers) {
    unsigned char byte = 0;
    if (number.trim().getAsInteger(10, byte))
      return {};
    if (byte != 0)
      value += static_cast<char>(byte);
  }
  return value;
}

std::string textOf(StringRef variable, StringRef value) {
  std::string bytes;
  for (const unsigned char byte : value)
    bytes += std::to_string(byte) + ", ";
  return (".global .align 1 .b8 " + variable + "[" + llvm::Twine(value.size() + 1) + "] = {" + bytes + "0};").str();
}

std::vector<Statement> statementsIn(StringRef ptx) {
  auto statements = statementsOf(ptx);
  if (statements)
    return std::move(*statements);
  llvm::consumeError(statements.takeError()); // of what is no PTX of nvcc's nothing is changed
  return {};
}

/// By text, the variables that hold it, where several do and the program has none such.
std::map<std::string, std::vector<StringRef>> sharedTexts(llvm::ArrayRef<Statement> statements, StringRef plain) {
  std::map<std::string, std::vector<StringRef>> variables;
  for (const Statement &each : statements)
    if (std::string value = each.kind == Kind::Variable ? valueOf(each.text) : std::string(); !value.empty())
      variables[std::move(value)].push_back(each.name);
  std::erase_if(variables, [](const auto &row) { return row.second.size() < 2; });
  if (!variables.empty())
    for (const Statement &each : statementsIn(plain))
      variables.erase(each.kind == Kind::Variable ? valueOf(each.text) : std::string());
  return variables;
}

/// The kernel that alone names the variable; "" where there is none.
using Users = llvm::StringMap<StringRef>;

Users onlyKernels(llvm::ArrayRef<Statement> statements) {
  Users users;
  for (const Statement &each : statements)
    if (each.kind == Kind::Function && each.hasBody)
      forWords(each.text, [&](StringRef word) {
        const auto [user, isFirst] = users.try_emplace(word, each.isEntry ? each.name : StringRef());
        if (!isFirst && user->second != each.name)
          user->second = {};
      });
  return users;
}

} // namespace

std::string withDistinctNames(StringRef ptx, StringRef plain) {
  const std::vector<Statement> statements = statementsIn(ptx);
  llvm::StringSet<> shared;
  for (const auto &[value, variables] : sharedTexts(statements, plain))
    shared.insert_range(variables);
  if (shared.empty())
    return ptx.str();
  const Users kernels = onlyKernels(statements);
  std::string out;
  StringRef left = ptx;
  for (const Statement &each : statements) {
    const StringRef kernel = each.kind == Kind::Variable && shared.contains(each.name) ? kernels.lookup(each.name) : StringRef();
    if (kernel.empty())
      continue;
    out += left.take_front(each.text.begin() - left.begin());
    out += textOf(each.name, runtime::demangled(kernel.str().c_str()));
    left = left.drop_front(each.text.end() - left.begin());
  }
  return out + left.str();
}

} // namespace kperf::plain
