// Finds functions, the annotations in them, and the statements that pragmas apply to.
#include "rewriters/unit/AnnotatedFunction.h"

#include "rewriters/unit/FunctionBodies.h"
#include "rewriters/unit/StatementShape.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
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

std::string ownName(const FunctionDecl *function) {
  const auto *conversion = dyn_cast<clang::CXXConversionDecl>(function);
  return conversion ? "operator " + conversion->getConversionType().getAsString(function->getASTContext().getPrintingPolicy())
                    : function->getNameAsString();
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
  if (isa<clang::CXXConversionDecl>(function))
    if (const std::string printed = function->getNameAsString(); StringRef(name).ends_with(printed))
      name.replace(name.size() - printed.size(), printed.size(), ownName(function));
  return name;
}

namespace {

class Finder {
public:
  Finder(const TranslationUnit &unit, SiteSelector &selector)
      : unit(unit), selector(selector), functions(unit.analyses.get<FunctionBodies>(unit)) {}

  AnnotatedFunctions run() {
    warnOfOutside();
    findMarkers();
    findPragmas();
    reportOrphans();
    selector.select(candidates);
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
  /// Once for each header, at its first annotation.
  void warnOfOutside() {
    DenseSet<clang::FileID> said;
    auto warn = [&](SourceLocation annotation) {
      if (unit.isForeign(annotation) && said.insert(unit.sources.getFileID(expansion(annotation))).second)
        unit.reporter.warning(annotation, "annotations in a system header are not instrumented: name the header under "
                                          "'headers:' in a file for --select, or give its folder with -I instead of -isystem");
    };
    for (const AnnotationExpansion &annotation : unit.preprocessing.annotations)
      if (!annotation.isImported)
        warn(annotation.token);
    for (const PragmaUse &use : unit.preprocessing.pragmas)
      warn(use.location);
  }

  void findMarkers() {
    for (const FunctionBody &body : functions.all()) {
      candidates.push_back({body, {}, {}});
      SmallVector<const Stmt *, 8> parents;
      walk(body.body, parents, candidates.back());
      nameStackedEnds(candidates.back().markers);
    }
    for (const clang::StaticAssertDecl *assertion : functions.staticAsserts())
      if (!inFunctions.contains(assertion))
        if (std::optional<Annotation> annotation = read(assertion))
          unit.reporter.error(annotation->token, (annotation->importedAs.empty() ? spellingOf(annotation->kind) : annotation->importedAs) +
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

  /// Ends that only say "the innermost" get the name of that range, as the source has them; one without a range keeps its own.
  static void nameStackedEnds(MutableArrayRef<MarkerSite> markers) {
    SmallVector<StringRef, 4> open;
    for (MarkerSite &site : markers)
      if (Annotation &annotation = site.annotation; !annotation.isStacked)
        continue;
      else if (annotation.kind == AnnotationKind::Begin)
        open.push_back(annotation.name);
      else if (!open.empty())
        annotation.name = open.pop_back_val().str();
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
    if (token.isInvalid()) {
      consumeError(annotation->takeError());
      if (seenTokens.insert(assertion->getLocation()).second)
        unit.reporter.warning(assertion->getLocation(), "this was an annotation before the preprocessor read it, and is not instrumented: "
                                                        "give the source, not the output of -E");
      return std::nullopt;
    }
    bool isFirst = seenTokens.insert(token).second;
    // Who wrote another tool's into a library, and who lets it be compiled, wants it.
    const bool isImported = *annotation && !(*annotation)->importedAs.empty();
    if (!isImported && unit.isForeign(token)) {
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
      if (unit.isForeign(use.location))
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
      if (!seenTokens.contains(expansion.token) && !unit.isForeign(expansion.token))
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

  const TranslationUnit &unit;
  SiteSelector &selector;
  const FunctionBodies &functions;
  std::vector<AnnotatedFunction> candidates;
  DenseSet<const clang::StaticAssertDecl *> inFunctions;
  DenseSet<SourceLocation> seenTokens;
};

} // namespace

AnnotatedFunctions findAnnotatedFunctions(const TranslationUnit &unit, SiteSelector &selector) { return Finder(unit, selector).run(); }

} // namespace kperf
