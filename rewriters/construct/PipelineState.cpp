// Follows a pipeline's variable to the shared state that make_pipeline was given.
#include "rewriters/construct/PipelineState.h"
#include "rewriters/construct/SyncConstruct.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/TypeLoc.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using clang::Expr;
using clang::Stmt;

namespace kperf {

namespace {

const clang::FunctionDecl *functionOf(const clang::VarDecl *variable) {
  return variable->isLocalVarDecl() ? dyn_cast<clang::FunctionDecl>(variable->getDeclContext()) : nullptr;
}

/// Whether no other variable of the function hides that one.
bool isOnlyOne(const clang::VarDecl *variable, const clang::FunctionDecl *function) {
  return count_if(function->decls(), [&](const clang::Decl *each) {
           const auto *named = dyn_cast<clang::NamedDecl>(each);
           return named && named->getDeclName() == variable->getDeclName();
         }) == 1;
}

/// Whether the expression means the same in the whole template.
bool isOfParameters(const Stmt *expression) {
  if (const auto *reference = dyn_cast<clang::DeclRefExpr>(expression))
    return isa<clang::NonTypeTemplateParmDecl>(reference->getDecl());
  return all_of(expression->children(), [](const Stmt *child) { return child && isOfParameters(child); });
}

/// What make_pipeline gets a state by; null where there is none.
const Expr *stateGiven(const clang::VarDecl *pipeline) {
  const Expr *made = pipeline->getInit();
  const auto *call = made ? dyn_cast<clang::CallExpr>(made->IgnoreImplicit()) : nullptr;
  const bool isGiven = call && writtenName(call) == "make_pipeline" && call->getNumArgs() >= 2;
  return isGiven ? call->getArg(1) : nullptr;
}

bool selects(const Stmt *part) {
  return isa<clang::ArraySubscriptExpr, clang::BinaryOperator, clang::ConditionalOperator, clang::CallExpr>(part) ||
         any_of(part->children(), [](const Stmt *child) { return child && selects(child); });
}

/// Fills in the stages; false where the type is not the state's.
bool findStages(PipelineState &state) {
  constexpr llvm::StringLiteral kName = "pipeline_shared_state";
  const clang::QualType type = state.variable->getType();
  if (const auto *record = dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl())) {
    const clang::TemplateArgumentList &given = record->getTemplateArgs();
    if (record->getName() != kName || given.size() != 2)
      return false;
    if (given[1].getKind() == clang::TemplateArgument::Integral)
      state.stages = static_cast<unsigned>(given[1].getAsIntegral().getZExtValue());
    return true;
  }
  const auto *named = type->getAs<clang::TemplateSpecializationType>();
  const clang::TemplateDecl *declared = named ? named->getTemplateName().getAsTemplateDecl() : nullptr;
  if (!declared || declared->getName() != kName)
    return false;
  const clang::TypeSourceInfo *source = state.variable->getTypeSourceInfo();
  const auto written =
      source ? source->getTypeLoc().getAsAdjusted<clang::TemplateSpecializationTypeLoc>() : clang::TemplateSpecializationTypeLoc();
  if (written && written.getNumArgs() == 2) { // else behind another name
    const clang::TemplateArgumentLoc stages = written.getArgLoc(1);
    if (stages.getArgument().getKind() == clang::TemplateArgument::Expression && isOfParameters(stages.getSourceExpression()))
      state.written = stages.getSourceRange();
  }
  return true;
}

bool names(const Stmt *node, const clang::VarDecl *variable, const clang::FunctionDecl *function) {
  const auto *expression = dyn_cast_or_null<Expr>(node);
  return expression && variableNamed(expression, function) == variable;
}

unsigned mentions(const Stmt *part, const clang::VarDecl *variable, const clang::FunctionDecl *function) {
  if (names(part, variable, function))
    return 1;
  unsigned count = 0;
  for (const Stmt *child : part->children())
    count += child ? mentions(child, variable, function) : 0;
  return count;
}

bool isUsedHereOnly(const Stmt *part, const clang::VarDecl *pipeline, const clang::FunctionDecl *function) {
  const auto isIt = [&](const Stmt *node) { return names(node, pipeline, function); };
  const auto isHarmless = [&](const Stmt *node) { return !node || isUsedHereOnly(node, pipeline, function); };
  if (isIt(part))
    return false;
  const auto *call = dyn_cast<clang::CallExpr>(part);
  if (call && isMemberCall(call) && isIt(calledObject(call)))
    return all_of(call->arguments(), isHarmless);
  if (call && writtenName(call) == "memcpy_async")
    return all_of(call->arguments(), [&](const Expr *argument) { return isIt(argument) || isHarmless(argument); });
  return all_of(part->children(), isHarmless);
}

} // namespace

std::optional<PipelineState> pipelineState(const clang::VarDecl *pipeline) {
  const clang::FunctionDecl *function = functionOf(pipeline);
  const Expr *given = function && function->getBody() ? stateGiven(pipeline) : nullptr;
  if (!given)
    return std::nullopt;
  const auto *address = dyn_cast<clang::UnaryOperator>(given->IgnoreParenImpCasts());
  if (!address || address->getOpcode() != clang::UO_AddrOf)
    return std::nullopt;
  PipelineState state{variableNamed(address->getSubExpr(), function), 0, {}};
  if (!state.variable || !state.variable->hasAttr<clang::CUDASharedAttr>() || functionOf(state.variable) != function ||
      !isOnlyOne(state.variable, function) || mentions(function->getBody(), state.variable, function) != 1 || !findStages(state))
    return std::nullopt;
  return state;
}

bool isOneOfSeveral(const clang::VarDecl *pipeline) {
  const Expr *given = stateGiven(pipeline);
  return given && selects(given);
}

bool isUsedHereOnly(const clang::VarDecl *pipeline) {
  const clang::FunctionDecl *function = functionOf(pipeline);
  return function && function->getBody() && isUsedHereOnly(function->getBody(), pipeline, function);
}

} // namespace kperf
