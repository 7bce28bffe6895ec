// Recognises functions that wrap one wait or signal in inline assembly, or call such a wrapper: a call of one counts as the wait or signal.
#ifndef KPERF_REWRITERS_SYNCWRAPPER_H
#define KPERF_REWRITERS_SYNCWRAPPER_H

#include "rewriters/construct/SyncConstruct.h"
#include "rewriters/unit/AnnotatedFunction.h"

#include "llvm/ADT/StringMap.h"

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace kperf {

/// The operand of an asm statement that is the construct's object: an expression, a number as it is written, or null where there
/// is none.
using AssemblyOperand = std::variant<const clang::Expr *, std::string>;
AssemblyOperand assemblyOperand(const clang::GCCAsmStmt *assembly, const SyncConstruct &construct);
/// Of an Expect the number of arrivals: the instruction's last operand.
AssemblyOperand arrivalsOfAssembly(const clang::GCCAsmStmt *assembly, const SyncConstruct &construct);

struct SyncWrapper {
  enum class Source {
    Nothing,   ///< can't be told from outside
    Constant,  ///< `constant`
    Parameter, ///< the argument at `index`
    Template,  ///< the template argument at `index`
    Object,    ///< the object whose member the function is
    Computed,  ///< `number`: of a barrier of the block, computed in the function's own body
  };

  SyncConstruct construct;
  Source source = Source::Nothing; ///< where callers find what the construct's object is
  unsigned index = 0;
  std::string constant;
  const clang::FunctionDecl *function = nullptr; ///< of Computed
  const clang::Stmt *at = nullptr;               ///< of Computed: the construct in the body
  const clang::Expr *number = nullptr;           ///< of Computed, without the offset
  std::uint64_t offset = 0;                      ///< added to the argument or number: ids that a library reserves
  bool isReference = false;                      ///< the parameter is bound to the object itself
  bool isPoll = false;                           ///< one try, and its result
  bool isAmbiguous = false;                      ///< of a name that functions share which do different things
};

/// Among the functions of a unit. An analysis of it.
class SyncWrappers {
public:
  explicit SyncWrappers(const TranslationUnit &unit);

  /// What a call is: by the function that Clang resolved it to, if its body is known; else by its name, of which several overloads may say
  /// no more than what is done, not with what. Null when it is none.
  const SyncWrapper *find(const clang::CallExpr *call) const;
  /// Whether calls of the function are what counts, so that its body does not.
  bool isOne(const clang::FunctionDecl *function) const;

private:
  void add(const clang::FunctionDecl *function, SyncWrapper wrapper);
  void resolve(const FunctionBody &function);
  bool addNested(const FunctionBody &function);
  void dropUnnamed();
  const SyncWrapper *find(llvm::StringRef name, bool isMember) const;

  llvm::StringMap<SyncWrapper> functions, members;
  std::map<const clang::FunctionDecl *, SyncWrapper> known; ///< by canonical declaration
};

} // namespace kperf

#endif
