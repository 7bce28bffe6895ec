// What types and expressions that depend on a template's arguments are in its instances.
#ifndef KPERF_REWRITERS_TEMPLATEINSTANCE_H
#define KPERF_REWRITERS_TEMPLATEINSTANCE_H

#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"

#include <vector>

namespace kperf {

/// The field of that name; null where the type has none, which what is static is not.
const clang::FieldDecl *fieldOf(clang::QualType type, clang::DeclarationName member);

/// One instance of a template. All results are null where they are not known.
class TemplateInstance {
public:
  /// `depth`: of the template's parameters. `arguments` may be null: nothing is known then.
  TemplateInstance(const clang::TemplateArgumentList *arguments, unsigned depth) : arguments(arguments), depth(depth) {}

  /// What a type is: an argument, or what an argument declares, as `typename Traits::Tile`.
  clang::QualType typeOf(clang::QualType type) const;
  /// The type behind `indirections` pointers or arrays from a value of that type.
  clang::QualType behind(clang::QualType type, unsigned indirections) const;
  /// The same from an expression: a variable, a member, an element of what these point to, or a pointer that was moved.
  clang::QualType behind(const clang::Expr *expression, unsigned indirections) const;

private:
  const clang::TemplateArgumentList *arguments;
  unsigned depth;
};

/// The known instances of each template that a function is or stands in, from inside out.
std::vector<std::vector<TemplateInstance>> instancesAround(const clang::FunctionDecl *function);

} // namespace kperf

#endif
