// The rules that documents are validated by: those of GraphQL, of which one would list all types of a schema
// that may have thousands, and two take open enums for the texts that they are.
import {
  type ASTVisitor,
  getEnterLeaveForKind,
  getNamedType,
  Kind,
  KnownTypeNamesRule,
  OverlappingFieldsCanBeMergedRule,
  specifiedRules,
  validate,
  type ValidationContext,
  type ValidationRule,
  VariablesInAllowedPositionRule,
} from 'graphql';
import { mayHaveOpenEnums, innerNameOf, withoutOpenEnums } from './lazy-schema.ts';
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
            .filter(({ type }) => innerNameOf(type) === 'String')
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

/** What ends looking for conflicts at the first. */
const FOUND = new Error('fields conflict');

/**
 * As the rule of GraphQL, and open enums are the same type: of entities of several types, each may have its own
 * `status`. Where there is a conflict, the rule decides once more, on the schema with texts in their place.
 */
const overlappingFieldsCanBeMerged: ValidationRule = (context) => {
  const schema = context.getSchema();
  if (!mayHaveOpenEnums(schema)) return OverlappingFieldsCanBeMergedRule(context);
  let isFound = false;
  const stopping = contextWith(context, {
    reportError() {
      isFound = true;
      throw FOUND; // a document may have thousands of conflicts
    },
  });
  const { enter } = getEnterLeaveForKind(OverlappingFieldsCanBeMergedRule(stopping), Kind.SELECTION_SET);
  return {
    SelectionSet(...place) {
      if (isFound) return;
      try {
        enter?.(...place);
      } catch (thrown) {
        if (thrown !== FOUND) throw thrown;
      }
    },
    Document: {
      leave(document) {
        if (!isFound) return;
        for (const error of validate(withoutOpenEnums(schema), document, [OverlappingFieldsCanBeMergedRule]))
          context.reportError(error);
      },
    },
  };
};

const REPLACED = new Map<ValidationRule, ValidationRule>([
  [KnownTypeNamesRule, knownTypeNames],
  [VariablesInAllowedPositionRule, variablesInAllowedPosition],
  [OverlappingFieldsCanBeMergedRule, overlappingFieldsCanBeMerged],
]);

export const documentRules = specifiedRules.map((rule) => REPLACED.get(rule) ?? rule);
