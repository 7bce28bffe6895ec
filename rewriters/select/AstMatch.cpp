// Runs Clang's dynamic matchers on each node.
#include "rewriters/select/AstMatch.h"

#include "clang/AST/ExprCXX.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/ASTMatchers/Dynamic/Diagnostics.h"
#include "clang/ASTMatchers/Dynamic/Parser.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using clang::Stmt;
using clang::ast_matchers::MatchFinder;

namespace kperf {

namespace {

class Collector : public MatchFinder::MatchCallback {
public:
  explicit Collector(const Stmt *body) : body(body) {}

  void run(const MatchFinder::MatchResult &result) override {
    const Stmt *found = result.Nodes.getNodeAs<Stmt>("region");
    if (!found)
      found = result.Nodes.getNodeAs<Stmt>("kperf");
    if (!found && result.Nodes.getNodeAs<clang::FunctionDecl>("kperf"))
      found = body;
    if (!found)
      found = statement; // of a declaration
    if (found && !is_contained(matches, found))
      matches.push_back(found);
  }

  const Stmt *body, *statement = nullptr;
  std::vector<const Stmt *> matches;
};

void matchBelow(MatchFinder &finder, Collector &collector, clang::ASTContext &context, const Stmt *statement) {
  collector.statement = nullptr;
  finder.match(*statement, context);
  if (const auto *declaration = dyn_cast<clang::DeclStmt>(statement))
    for (const clang::Decl *declared : declaration->decls()) {
      collector.statement = statement;
      finder.match(*declared, context);
    }
  if (isa<clang::LambdaExpr>(statement)) // a function of its own
    return;
  for (const Stmt *child : statement->children())
    if (child)
      matchBelow(finder, collector, context, child);
}

} // namespace

std::vector<const Stmt *> matchesIn(StringRef expression, const clang::FunctionDecl *function, const Stmt *body) {
  clang::ast_matchers::dynamic::Diagnostics diagnostics;
  auto matcher = clang::ast_matchers::dynamic::Parser::parseMatcherExpression(expression, &diagnostics);
  std::optional<clang::ast_matchers::internal::DynTypedMatcher> bound = matcher ? matcher->tryBind("kperf") : std::nullopt;
  if (!bound)
    bound = matcher;
  Collector collector(body);
  MatchFinder finder;
  if (!bound || !finder.addDynamicMatcher(*bound, &collector))
    return {};
  clang::ASTContext &context = function->getASTContext(); // whose map of parents Clang's matchers fill
  finder.match(*function, context);
  matchBelow(finder, collector, context, body);
  return std::move(collector.matches);
}

} // namespace kperf
