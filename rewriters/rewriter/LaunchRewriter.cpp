// Host target: kernel<<<grid, block>>>(arguments) becomes ::kperf::host::launch(kernel, grid, block).named("kernel")(arguments).
#include "rewriters/analysis/Lockstep.h"
#include "rewriters/plan/RegionTable.h"
#include "rewriters/rewriter/Rewriter.h"
#include "rewriters/source/LaunchRepair.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"

using namespace llvm;
using clang::SourceLocation;

namespace kperf {

namespace {

/// The three places of a launch that are edited, all in one file.
struct LaunchPlaces {
  Place callee, open, close;
  bool needsLambda = false;
  std::string kernel = {};     ///< its qualified name, with template arguments where they are known; "" where it is not known
  std::string instance = {};   ///< how the source writes the kernel, where its template arguments are those of a template around
  std::string calleeText = {}; ///< not empty: default arguments follow the `given` ones
  unsigned given = 0;
};

/// How the kernel of a launch is called.
class LaunchedKernel {
public:
  explicit LaunchedKernel(const clang::CUDAKernelCallExpr *launch) {
    const clang::Expr *callee = launch->getCallee()->IgnoreParenImpCasts();
    if (const auto *overloads = dyn_cast<clang::OverloadExpr>(callee)) {
      candidates.assign(overloads->decls_begin(), overloads->decls_end());
      templateArguments = overloads->getNumTemplateArgs();
      isOverloaded = candidates.size() > 1;
    } else if (const auto *reference = dyn_cast<clang::DeclRefExpr>(callee)) {
      candidates.push_back(reference->getDecl());
      templateArguments = reference->getNumTemplateArgs();
      isOverloaded = reference->hadMultipleCandidates();
    }
    for (const clang::NamedDecl *&each : candidates)
      each = each->getUnderlyingDecl();
    for (const clang::Expr *argument : launch->arguments()) {
      given += !isa<clang::CXXDefaultArgExpr>(argument);
      hasPack |= isa<clang::PackExpansionExpr>(argument);
    }
  }

  unsigned argumentsGiven() const { return given; }

  /// Its qualified name, which overloads share, with the template arguments where these are known and have names of their own: then it is
  /// the instance's. "" of what a variable holds.
  std::string name() const {
    const clang::FunctionDecl *function = candidates.empty() ? nullptr : candidates.front()->getAsFunction();
    if (!function)
      return "";
    std::string name = function->getQualifiedNameAsString();
    const clang::TemplateArgumentList *arguments =
        candidates.size() == 1 && !isOverloaded ? function->getTemplateSpecializationArgs() : nullptr;
    if (!arguments || !all_of(arguments->asArray(), hasName))
      return name;
    clang::PrintingPolicy policy = function->getASTContext().getPrintingPolicy();
    policy.FullyQualifiedName = true;
    policy.PrintAsCanonical = true;
    raw_string_ostream out(name);
    clang::printTemplateArgumentList(out, arguments->asArray(), policy);
    return name;
  }

  /// Whether the instance is another one in each instance of what is around, and the source names all of its arguments.
  bool isOfTemplateAround() const {
    const clang::FunctionDecl *function = candidates.size() == 1 ? candidates.front()->getAsFunction() : nullptr;
    return function && function->getDescribedFunctionTemplate() && templateArguments > 0 && !isAmbiguous();
  }

  /// Whether its name is not that of one function: one of several is meant, or a template of which arguments are left to deduction.
  bool isAmbiguous() const {
    return isOverloaded || any_of(candidates, [&](const clang::NamedDecl *each) {
             const clang::FunctionDecl *function = each->getAsFunction();
             const clang::FunctionTemplateDecl *pattern = function ? patternOf(function) : nullptr;
             return pattern && lacksArguments(pattern);
           });
  }

  /// Whether default arguments follow those that are given. How many a pack gives is not known.
  bool takesDefaults() const {
    return any_of(candidates, [&](const clang::NamedDecl *each) { return !defaultsOf(each->getAsFunction()).empty(); });
  }

  bool givesPack() const { return hasPack; }

  /// Whether evaluating one of the default arguments does something, or may give another value each time.
  bool computesDefaults() const {
    return candidates.size() == 1 && any_of(defaultsOf(candidates.front()->getAsFunction()), [&](const clang::ParmVarDecl *parameter) {
             const clang::Expr *value = parameter->hasUninstantiatedDefaultArg() ? parameter->getUninstantiatedDefaultArg()
                                        : parameter->hasUnparsedDefaultArg()     ? nullptr
                                                                                 : parameter->getDefaultArg();
             return value && !value->isValueDependent() && value->HasSideEffects(parameter->getASTContext()) &&
                    !value->isConstantInitializer(parameter->getASTContext(), /*ForRef=*/false);
           });
  }

private:
  /// Whether it is written as no other one is: types that stand in functions, or are a file's own, may share their names.
  static bool hasName(const clang::TemplateArgument &argument) {
    if (argument.getKind() == clang::TemplateArgument::Pack)
      return all_of(argument.pack_elements(), hasName);
    if (argument.isDependent())
      return false;
    if (argument.getKind() == clang::TemplateArgument::Type)
      return argument.getAsType()->getLinkage() >= clang::Linkage::Module;
    return argument.getKind() == clang::TemplateArgument::Integral;
  }

  SmallVector<const clang::ParmVarDecl *, 4> defaultsOf(const clang::FunctionDecl *function) const {
    SmallVector<const clang::ParmVarDecl *, 4> defaults;
    if (function)
      for (unsigned i = hasPack ? 0 : given; i < function->getNumParams(); ++i)
        if (function->getParamDecl(i)->hasDefaultArg())
          defaults.push_back(function->getParamDecl(i));
    return defaults;
  }

  static const clang::FunctionTemplateDecl *patternOf(const clang::FunctionDecl *function) {
    const clang::FunctionTemplateDecl *described = function->getDescribedFunctionTemplate();
    return described ? described : function->getPrimaryTemplate();
  }

  bool lacksArguments(const clang::FunctionTemplateDecl *pattern) const {
    const ArrayRef<const clang::NamedDecl *> parameters = pattern->getTemplateParameters()->asArray();
    return !all_of(parameters.drop_front(std::min<std::size_t>(templateArguments, parameters.size())), hasDefault) ||
           pattern->getTemplateParameters()->hasParameterPack();
  }

  static bool hasDefault(const clang::NamedDecl *parameter) {
    if (const auto *type = dyn_cast<clang::TemplateTypeParmDecl>(parameter))
      return type->hasDefaultArgument();
    if (const auto *value = dyn_cast<clang::NonTypeTemplateParmDecl>(parameter))
      return value->hasDefaultArgument();
    return cast<clang::TemplateTemplateParmDecl>(parameter)->hasDefaultArgument();
  }

  SmallVector<const clang::NamedDecl *, 2> candidates;
  unsigned templateArguments = 0, given = 0;
  bool isOverloaded = false, hasPack = false;
};

class LaunchFinder : public clang::DynamicRecursiveASTVisitor {
public:
  LaunchFinder(const TranslationUnit &unit, PlanAdditions &additions) : unit(unit), additions(additions) {}

  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr *launch) override {
    if (!launch->getConfig() || isWrittenByHeader(launch))
      return true;
    std::optional<LaunchPlaces> places = placesOf(launch);
    if (!places) {
      unit.reporter.error(launch->getBeginLoc(), "this launch is put together by several macros: the host target needs "
                                                 "the kernel and its <<<…>>> in one place: write out what they bring");
      return true;
    }
    launches.push_back(*places);
    if (places->needsLambda)
      keepNullPointers(launch);
    return true;
  }

  bool VisitFunctionDecl(clang::FunctionDecl *function) override {
    for (const SourceLocation place : readsInLockstep(function))
      unit.reporter.warning(place,
                            "this reads what other lanes of the warp wrote, without __syncwarp() between: lanes don't run in step on "
                            "the host target, and the result will be another one");
    return true;
  }

  /// A launch whose kernel doesn't take its arguments: Clang has dropped its configuration, and the C++ compiler is to say what is wrong.
  bool VisitRecoveryExpr(clang::RecoveryExpr *call) override {
    const ArrayRef<clang::Expr *> parts = call->subExpressions();
    if (parts.empty() || !parts.front()->getEndLoc().isFileID())
      return true;
    const std::optional<clang::Token> open = tokenBehind(parts.front()->getEndLoc());
    const std::optional<SourceLocation> close = open && open->is(clang::tok::lesslessless) ? configurationEnd(*open) : std::nullopt;
    if (!close)
      return true;
    const std::optional<Place> places[] = {unit.editablePlace(parts.front()->getBeginLoc()), unit.editablePlace(open->getLocation()),
                                           unit.editablePlace(*close)};
    if (places[0] && places[1] && places[2])
      launches.push_back({*places[0], *places[1], *places[2], /*needsLambda=*/true}); // in which what is wrong is said of the kernel
    return true;
  }

  /// A launch in a macro's definition stands for several: the form with the lambda serves all of them.
  void addEdits() {
    for (LaunchPlaces &launch : launches)
      for (const LaunchPlaces &other : launches)
        launch.needsLambda |= other.open == launch.open && other.needsLambda;
    for (const LaunchPlaces &launch : launches) {
      const bool isShort = !launch.calleeText.empty(), isCalled = launch.needsLambda || isShort;
      replace(launch.callee, 0,
              (isShort ? "::kperf::host::launchFirst<" + std::to_string(launch.given) + ">(" : "::kperf::host::launch(") +
                  (isCalled ? "[](auto &&...kperf_a) { " : ""));
      replaceChevrons(launch.open,
                      (isCalled ? "(static_cast<decltype(kperf_a)>(kperf_a)...); }, " : ", ") + (isShort ? launch.calleeText + ", " : ""));
      replaceChevrons(launch.close, launch.kernel.empty() ? ")" : ").named(" + nameOf(launch) + ")");
    }
  }

private:
  static std::string nameOf(const LaunchPlaces &launch) {
    const std::string name = stringLiteral(launch.kernel);
    return launch.instance.empty() ? name : "::kperf::host::launchName<" + launch.instance + ">(" + name + ")";
  }

  /// hipLaunchKernelGGL is a macro of kperf's own header, which has another form of it for the C++ compiler.
  bool isWrittenByHeader(const clang::CUDAKernelCallExpr *launch) const {
    return unit.sources.isInSystemHeader(unit.sources.getSpellingLoc(launch->getConfig()->getBeginLoc()));
  }

  /// What is a null pointer by its value, NULL or 0, is a number to the lambda that takes it.
  void keepNullPointers(const clang::CUDAKernelCallExpr *launch) {
    for (const clang::Expr *argument : launch->arguments()) {
      const auto *cast = dyn_cast<clang::ImplicitCastExpr>(argument);
      if (!cast || cast->getCastKind() != clang::CK_NullToPointer || cast->getSubExpr()->getType()->isNullPtrType())
        continue;
      if (const std::optional<Place> place = writtenPlace(argument->getBeginLoc()))
        replace(*place, 0, "(decltype(nullptr))");
    }
  }

  std::optional<LaunchPlaces> placesOf(clang::CUDAKernelCallExpr *launch) const {
    SourceLocation callee = launch->getCallee()->getBeginLoc(), open = launch->getConfig()->getBeginLoc(),
                   close = launch->getConfig()->getRParenLoc();
    std::optional<Place> places[] = {writtenPlace(callee), unit.editablePlace(open), unit.editablePlace(close)};
    const bool isInMacro = !places[1]; // whose definition launches others, too
    if (isInMacro) {
      clang::FileID level = unit.sources.getFileID(open);
      places[0] = placeAt(callee, level);
      places[1] = placeAt(open, level);
      places[2] = placeAt(close, level);
    }
    if (!places[0] || !places[1] || !places[2] || places[0]->file != places[1]->file || places[1]->file != places[2]->file ||
        places[0]->offset >= places[1]->offset)
      return std::nullopt;
    const LaunchedKernel kernel(launch);
    if (kernel.computesDefaults())
      unit.reporter.error(launch->getBeginLoc(),
                          "a default argument of this launch is computed: the host target would do so in each thread; "
                          "pass the argument");
    LaunchPlaces out{*places[0], *places[1], *places[2], kernel.isAmbiguous(), isInMacro ? "" : kernel.name()};
    const StringRef written = StringRef(unit.fileOf(out.callee.file).text).slice(out.callee.offset, out.open.offset).rtrim();
    const bool isOneLine = !isInMacro && !written.contains('\n') && !written.contains("//");
    if (kernel.isOfTemplateAround() && isOneLine)
      out.instance = written;
    if (kernel.takesDefaults() && !out.needsLambda) {
      out.needsLambda = !isOneLine || kernel.givesPack();
      if (!out.needsLambda) {
        out.calleeText = written;
        out.given = kernel.argumentsGiven();
      }
    }
    return out;
  }

  /// Also of a macro that begins with it: KERNEL<<<…>>> with -DKERNEL=name.
  std::optional<Place> writtenPlace(SourceLocation callee) const {
    std::optional<Place> place = unit.editablePlace(callee);
    while (!place && callee.isMacroID()) {
      if (unit.sources.isMacroArgExpansion(callee))
        callee = unit.sources.getImmediateSpellingLoc(callee);
      else if (!unit.sources.isAtStartOfImmediateMacroExpansion(callee, &callee))
        return std::nullopt;
      place = unit.editablePlace(callee);
    }
    return place;
  }

  std::optional<clang::Token> tokenBehind(SourceLocation location) const {
    return clang::Lexer::findNextToken(location, unit.sources, unit.context.getLangOpts());
  }

  /// Where the `>>>` of a `<<<` is, if its configuration ends.
  std::optional<SourceLocation> configurationEnd(clang::Token token) const {
    for (unsigned depth = 0; const std::optional<clang::Token> next = tokenBehind(token.getLocation()); token = *next) {
      if (next->isOneOf(clang::tok::l_paren, clang::tok::l_square, clang::tok::l_brace))
        ++depth;
      else if (next->isOneOf(clang::tok::semi, clang::tok::eof) ||
               (next->isOneOf(clang::tok::r_paren, clang::tok::r_square, clang::tok::r_brace) && depth-- == 0))
        return std::nullopt;
      else if (depth == 0 && next->is(clang::tok::greatergreatergreater))
        return next->getLocation();
    }
    return std::nullopt;
  }

  /// Where the location, or the macro parameter that brought it, stands in the definition that `level` expands.
  std::optional<Place> placeAt(SourceLocation location, clang::FileID level) const {
    while (location.isMacroID() && unit.sources.getFileID(location) != level)
      location = unit.sources.getImmediateExpansionRange(location).getBegin();
    if (location.isFileID())
      return std::nullopt;
    return unit.spelledPlace(location);
  }

  /// As long as they are in the file: Clang may have been shown them together where they stand apart.
  void replaceChevrons(Place place, std::string text) {
    replace(place, chevronsLength(unit.fileOf(place.file).text, place.offset), std::move(text));
  }

  void replace(Place place, unsigned remove, std::string text) {
    additions.addEdit({unit.pathOf(place.file), place.offset, EditOrder::Open, std::move(text), std::nullopt, {}, remove});
  }

  const TranslationUnit &unit;
  PlanAdditions &additions;
  std::vector<LaunchPlaces> launches;
};

} // namespace

RewriterResult planLaunches(const RewriteContext &context) {
  PlanAdditions additions(context.plan);
  const TranslationUnit &unit = context.unit;
  LaunchFinder finder(unit, additions);
  for (clang::Decl *declaration : unit.declarations())
    if (!unit.sources.isInSystemHeader(unit.sources.getExpansionLoc(declaration->getBeginLoc())))
      finder.TraverseDecl(declaration);
  finder.addEdits();
  return additions;
}

} // namespace kperf
