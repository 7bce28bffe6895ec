// Finds what a pipeline shared by several threads was made with: its shared state, which identifies it, and its stages.
#ifndef KPERF_REWRITERS_PIPELINESTATE_H
#define KPERF_REWRITERS_PIPELINESTATE_H

#include "clang/AST/Decl.h"

#include <optional>

namespace kperf {

struct PipelineState {
  const clang::VarDecl *variable; ///< in shared memory; its name means the same wherever the pipeline is in scope
  unsigned stages = 0;            ///< 0: not known here; then `written` says
  clang::SourceRange written;     ///< of a template's own number of stages: an expression of its parameters; else invalid
};

/// Of a local variable that is initialised by make_pipeline(group, &state, …), where `state` is a local __shared__
/// variable of type cuda::pipeline_shared_state that nothing else mentions, so that it is of one pipeline. Nothing for
/// any other.
std::optional<PipelineState> pipelineState(const clang::VarDecl *pipeline);

/// Whether make_pipeline is given one of several states, chosen where it is called, so that the variable may be several
/// pipelines at a time.
bool isOneOfSeveral(const clang::VarDecl *pipeline);

/// Whether nothing but calls of its members and copies into it mention the variable in its function, so that all that
/// is done with it stands there.
bool isUsedHereOnly(const clang::VarDecl *pipeline);

} // namespace kperf

#endif
