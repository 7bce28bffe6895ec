// Finds functions, the markers in them and the statements behind pragmas.
#include "rewriters/unit/AnnotatedFunction.h"

#include "rewriters/unit/StatementShape.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace llvm;
using clang::FunctionDecl;
using clang::SourceLocation;
using clang::Stmt;

namespace kperf {

static const FunctionDecl *outerFunction(const FunctionDecl *function) {
  for (const clang::DeclContext *scope = function->getParent(); scope; scope = scope->getParent())
    if (const auto *outer = dyn_cast<FunctionDecl>(scope))
      return outer;
  return nullptr;
}

static bool isLambda(const FunctionDecl *function) {
  const auto *method = dyn_cast<clang::CXXMethodDecl>(function);
  return method && method->getParent()->isLambda();
}

const FunctionDecl *enclosingKernel(const FunctionDecl *function) {
  for (; function; function = outerFunction(function))
    if (function->hasAttr<clang::CUDAGlobalAttr>())
      return function;
  return nullptr;
}

bool isDeviceFunction(const FunctionDecl *function) {
  for (; function; function = outerFunction(function)) {
    if (function->hasAttr<clang::CUDAGlobalAttr>())
      return true;
    // Clang makes constexpr functions device code too; all others, where the command says so (kperf/clang/nvrtc.h).
    const auto *device = function->getAttr<clang::CUDADeviceAttr>();
    const auto *host = function->getAttr<clang::CUDAHostAttr>();
    if (device && (!device->isImplicit() || (host && host->isImplicit() && !function->isConstexpr())))
      return true;
    if (!isLambda(function))
      return false;
  }
  return false;
}

/// In a member's qualified name, the arguments of a partial specialisation as its author wrote them; Clang prints
/// "Tile<type-parameter-0-0, 4>".
static void nameArgumentsAsWritten(std::string &name, const FunctionDecl *function, const clang::PrintingPolicy &policy) {
  for (const clang::DeclContext *outer = function->getParent(); outer; outer = outer->getParent()) {
    const auto *pattern = dyn_cast<clang::ClassTemplatePartialSpecializationDecl>(outer);
    if (!pattern || !pattern->getTemplateArgsAsWritten())
      continue;
    const auto *parameters = pattern->getSpecializedTemplate()->getTemplateParameters();
    std::string printed = pattern->getNameAsString(), written = pattern->getNameAsString();
    raw_string_ostream printedStream(printed), writtenStream(written);
    printTemplateArgumentList(printedStream, pattern->getTemplateArgs().asArray(), policy, parameters);
    printTemplateArgumentList(writtenStream, pattern->getTemplateArgsAsWritten()->arguments(), policy, parameters);
    if (const std::size_t at = name.find(printed); at != std::string::npos)
      name.replace(at, printed.size(), written);
  }
}

std::string functionName(const FunctionDecl *function) {
  if (isLambda(function)) {
    const FunctionDecl *outer = outerFunction(function);
    return (outer ? functionName(outer) + "::" : std::string()) + "(lambda)";
  }
  std::string name;
  raw_string_ostream stream(name);
  clang::PrintingPolicy policy = function->getASTContext().getPrintingPolicy();
  function->getNameForDiagnostic(stream, policy, /*Qualified=*/true);
  nameArgumentsAsWritten(name, function, policy);
  return name;
}

namespace {

/// Collects every function body that the user wrote, each once: patterns, not their instantiations.
class FunctionCollector : public clang::DynamicRecursiveASTVisitor {
public:
  struct Body {
    const FunctionDecl *function;
    const Stmt *body;
  };
  std::vector<Body> bodies;
  std::vector<const clang::StaticAssertDecl *> assertions;

  bool VisitFunctionDecl(FunctionDecl *function) override {
    if (function->doesThisDeclarationHaveABody() && function->getBody() && !function->isTemplateInstantiation() &&
        seen.insert(function).second)
      bodies.push_back({function, function->getBody()});
    return true;
  }

  bool VisitLambdaExpr(clang::LambdaExpr *lambda) override {
    const FunctionDecl *function = lambda->getCallOperator();
    if (lambda->getBody() && seen.insert(function).second)
      bodies.push_back({function, lambda->getBody()});
    return true;
  }

  bool VisitStaticAssertDecl(clang::StaticAssertDecl *assertion) override {
    assertions.push_back(assertion);
    return true;
  }

private:
  DenseSet<const FunctionDecl *> seen;
};

class Finder {
public:
  Finder(TranslationUnit &unit, SiteSelector *selector) : unit(unit), selector(selector) {}

  AnnotatedFunctions run() {
    DenseSet<clang::FileID> annotatedFiles;
    for (const AnnotationExpansion &annotation : unit.preprocessing.annotations)
      if (!isOutside(annotation.token))
        annotatedFiles.insert(unit.sources.getFileID(expansion(annotation.token)));
    for (const PragmaUse &use : unit.preprocessing.pragmas)
      if (!isOutside(use.location))
        annotatedFiles.insert(unit.sources.getFileID(expansion(use.location)));
    warnOfOutside();
    for (clang::Decl *declaration : unit.declarations()) {
      SourceLocation begin = expansion(declaration->getBeginLoc());
      clang::FileID file = unit.sources.getFileID(begin);
      if (!unit.sources.isInSystemHeader(begin) || annotatedFiles.contains(file) || isWanted(file))
        collector.TraverseDecl(declaration);
    }
    findMarkers();
    findPragmas();
    reportOrphans();
    if (selector)
      selector->select(candidates);
    AnnotatedFunctions result;
    for (AnnotatedFunction &candidate : candidates) {
      if (candidate.function->hasAttr<clang::CUDAGlobalAttr>())
        result.kernels.push_back(candidate.function);
      if (!candidate.markers.empty() || !candidate.statements.empty())
        result.functions.push_back(std::move(candidate));
    }
    return result;
  }

private:
  /// Declarations of one file come one after another.
  bool isWanted(clang::FileID file) {
    if (!selector || file == askedFile)
      return selector && askedFileIsWanted;
    clang::OptionalFileEntryRef entry = unit.sources.getFileEntryRefForID(file);
    askedFile = file;
    askedFileIsWanted = entry && selector->wantsFile(entry->getName());
    return askedFileIsWanted;
  }

  /// Whether an annotation belongs to somebody else's code: to a system header that the selection does not name.
  bool isOutside(SourceLocation annotation) {
    const SourceLocation place = expansion(annotation);
    return unit.sources.isInSystemHeader(place) && !isWanted(unit.sources.getFileID(place));
  }

  /// Once for each header, at its first annotation.
  void warnOfOutside() {
    DenseSet<clang::FileID> said;
    auto warn = [&](SourceLocation annotation) {
      if (isOutside(annotation) && said.insert(unit.sources.getFileID(expansion(annotation))).second)
        unit.reporter.warning(annotation, "annotations in a system header are not instrumented: name the header under "
                                          "'headers:' in a file for --select, or give its folder with -I instead of -isystem");
    };
    for (const AnnotationExpansion &annotation : unit.preprocessing.annotations)
      warn(annotation.token);
    for (const PragmaUse &use : unit.preprocessing.pragmas)
      warn(use.location);
  }

  void findMarkers() {
    for (const FunctionCollector::Body &body : collector.bodies) {
      candidates.push_back({body.function, body.body, {}, {}});
      SmallVector<const Stmt *, 8> parents;
      walk(body.body, parents, candidates.back());
    }
    for (const clang::StaticAssertDecl *assertion : collector.assertions)
      if (!inFunctions.contains(assertion))
        if (std::optional<Annotation> annotation = read(assertion))
          unit.reporter.error(annotation->token, spellingOf(annotation->kind) +
                                                     " stands outside of a function: move it into a __global__ or "
                                                     "__device__ function");
  }

  void walk(const Stmt *statement, SmallVector<const Stmt *, 8> &parents, AnnotatedFunction &function) {
    if (const auto *declaration = dyn_cast<clang::DeclStmt>(statement))
      for (const clang::Decl *declared : declaration->decls())
        if (const auto *assertion = dyn_cast<clang::StaticAssertDecl>(declared)) {
          inFunctions.insert(assertion);
          if (std::optional<Annotation> annotation = read(assertion))
            function.markers.push_back({*annotation, declaration, parents});
        }
    parents.push_back(statement);
    if (const auto *lambda = dyn_cast<clang::LambdaExpr>(statement)) {
      for (const Stmt *child : lambda->capture_inits())
        if (child)
          walk(child, parents, function);
    } else {
      for (const Stmt *child : statement->children())
        if (child)
          walk(child, parents, function);
    }
    parents.pop_back();
  }

  /// The annotation behind a marker; wrong words are reported, once.
  std::optional<Annotation> read(const clang::StaticAssertDecl *assertion) {
    const auto *text = dyn_cast_or_null<clang::StringLiteral>(assertion->getMessage());
    if (!text || text->getCharByteWidth() != 1)
      return std::nullopt;
    std::optional<Expected<Annotation>> annotation = readMarker(text->getString());
    if (!annotation)
      return std::nullopt;
    SourceLocation token = unit.annotationToken(assertion->getLocation());
    bool isFirst = seenTokens.insert(token).second;
    if (isOutside(token)) {
      consumeError(annotation->takeError());
      return std::nullopt;
    }
    if (*annotation) {
      (*annotation)->token = token;
      return **annotation;
    }
    std::string message = toString(annotation->takeError());
    if (isFirst)
      unit.reporter.error(token, message);
    return std::nullopt;
  }

  void findPragmas() {
    for (const PragmaUse &use : unit.preprocessing.pragmas) {
      if (isOutside(use.location))
        continue;
      AnnotatedFunction *holder = nullptr;
      for (AnnotatedFunction &candidate : candidates)
        if (contains(candidate.body, use.location) &&
            (!holder || unit.sources.isBeforeInTranslationUnit(beginOf(holder->body), beginOf(candidate.body))))
          holder = &candidate;
      if (!holder) {
        unit.reporter.error(use.location, "#pragma kperf region stands outside of a function: move it into a "
                                          "__global__ or __device__ function");
        continue;
      }
      StatementSite site;
      site.name = use.name;
      site.pragma = &use;
      if (const Stmt *next = nextStatement(holder->body, use.location))
        site.run = {next};
      holder->statements.push_back(std::move(site));
    }
  }

  /// Descends to the innermost statement that holds the pragma and takes the next one below it.
  const Stmt *nextStatement(const Stmt *parent, SourceLocation pragma) {
    const Stmt *next = nullptr;
    for (const Stmt *child : subStatements(parent)) {
      if (!isBefore(beginOf(child), pragma)) {
        next = child;
        break;
      }
      if (contains(child, pragma))
        return nextStatement(child, pragma);
    }
    if (next && isa<clang::AttributedStmt>(parent)) // between a loop's own pragmas
      next = parent;
    while (next && isa<clang::SwitchCase, clang::LabelStmt>(next))
      next = subStatements(next).front();
    return next;
  }

  void reportOrphans() {
    for (const AnnotationExpansion &expansion : unit.preprocessing.annotations)
      if (!seenTokens.contains(expansion.token) && !isOutside(expansion.token))
        unit.reporter.error(expansion.token, "this annotation stands where no statement can: put it between statements "
                                             "of a __global__ or __device__ function");
  }

  SourceLocation expansion(SourceLocation location) const { return unit.sources.getExpansionLoc(location); }
  SourceLocation beginOf(const Stmt *statement) const { return expansion(statement->getBeginLoc()); }
  bool isBefore(SourceLocation left, SourceLocation right) const { return unit.sources.isBeforeInTranslationUnit(left, expansion(right)); }
  bool contains(const Stmt *statement, SourceLocation location) const {
    return isBefore(beginOf(statement), location) &&
           isBefore(expansion(location), unit.sources.getExpansionRange(statement->getEndLoc()).getEnd());
  }

  TranslationUnit &unit;
  SiteSelector *selector;
  clang::FileID askedFile;
  bool askedFileIsWanted = false;
  FunctionCollector collector;
  std::vector<AnnotatedFunction> candidates;
  DenseSet<const clang::StaticAssertDecl *> inFunctions;
  DenseSet<SourceLocation> seenTokens;
};

} // namespace

AnnotatedFunctions findAnnotatedFunctions(TranslationUnit &unit, SiteSelector *selector) { return Finder(unit, selector).run(); }

} // namespace kperf
