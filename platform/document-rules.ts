// The rules that documents are validated by: those of GraphQL, of which one would list all types of a schema
// that may have thousands, and two take open enums for the texts that they are.
import {
  type ASTVisitor,
  getEnterLeaveForKind,
  getNamedType,
  type GraphQLError,
  Kind,
  KnownTypeNamesRule,
  OverlappingFieldsCanBeMergedRule,
  specifiedRules,
  type TypeNode,
  validate,
  type ValidationContext,
  type ValidationRule,
  VariablesInAllowedPositionRule,
  visitInParallel,
} from 'graphql';
import { withoutOpenEnums } from './lazy-schema.ts';
import { textInPlace, OpenEnum } from './open-enum.ts';

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

const namedIn = (node: TypeNode): string =>
  node.kind === Kind.NAMED_TYPE ? node.name.value : namedIn(node.type);

/** The context with some of its members replaced. */
const contextWith = (context: ValidationContext, members: Partial<ValidationContext>): ValidationContext =>
  Object.assign(Object.create(context) as ValidationContext, members);

/** As the rule of GraphQL, and a variable that is a `String` may be given for an open enum. */
const variablesInAllowedPosition: ValidationRule = (context) =>
  VariablesInAllowedPositionRule(
    contextWith(context, {
      getRecursiveVariableUsages(operation) {
        const usages = context.getRecursiveVariableUsages(operation);
        if (!usages.some(({ type }) => getNamedType(type) instanceof OpenEnum)) return usages;
        const texts = new Set(
          (operation.variableDefinitions ?? [])
            .filter(({ type }) => namedIn(type) === 'String')
            .map(({ variable }) => variable.name.value),
        );
        return usages.map((usage) =>
          usage.type && texts.has(usage.node.name.value)
            ? { ...usage, type: textInPlace(usage.type) }
            : usage,
        );
      },
    }),
  );

/**
 * As the rule of GraphQL, and open enums are the same type: of entities of several types, each may have its own
 * `status`.
 */
const overlappingFieldsCanBeMerged: ValidationRule = (context) => {
  const found: GraphQLError[] = [];
  const rule = OverlappingFieldsCanBeMergedRule(
    contextWith(context, { reportError: (error) => void found.push(error) }),
  );
  const own: ASTVisitor = {
    Document: {
      leave(document) {
        if (found.length === 0) return;
        const schema = withoutOpenEnums(context.getSchema());
        const left =
          schema === context.getSchema()
            ? found
            : validate(schema, document, [OverlappingFieldsCanBeMergedRule]);
        for (const error of left) context.reportError(error);
      },
    },
  };
  return visitInParallel([rule, own]);
};

const REPLACED = new Map<ValidationRule, ValidationRule>([
  [KnownTypeNamesRule, knownTypeNames],
  [VariablesInAllowedPositionRule, variablesInAllowedPosition],
  [OverlappingFieldsCanBeMergedRule, overlappingFieldsCanBeMerged],
]);

export const documentRules = specifiedRules.map((rule) => REPLACED.get(rule) ?? rule);
