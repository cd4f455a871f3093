// The rules that documents are validated by: those of GraphQL, of which one would list all types of a schema
// that may have thousands.
import {
  type ASTVisitor,
  getEnterLeaveForKind,
  Kind,
  KnownTypeNamesRule,
  specifiedRules,
  type ValidationContext,
} from 'graphql';

/** As `KnownTypeNamesRule`, which looks at the name of every type before it is asked for one that is unknown. */
function knownTypeNames(context: ValidationContext): ASTVisitor {
  let report: ReturnType<typeof getEnterLeaveForKind>['enter'];
  const schema = context.getSchema();
  return {
    NamedType(node, ...place) {
      if (schema.getType(node.name.value) !== undefined) return;
      report ??= getEnterLeaveForKind(KnownTypeNamesRule(context), Kind.NAMED_TYPE).enter;
      report?.(node, ...place);
    },
  };
}

export const documentRules = specifiedRules.map((rule) =>
  rule === KnownTypeNamesRule ? knownTypeNames : rule,
);
