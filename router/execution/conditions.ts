// Evaluates @skip and @include, and finds the variables that a document's shape depends on.
import { type DirectiveNode, type DocumentNode, Kind, type SelectionNode, visit } from 'graphql';

type Values = Readonly<Record<string, unknown>>;

const conditionOf = (directive: DirectiveNode, values: Values): boolean => {
  const value = directive.arguments?.find((a) => a.name.value === 'if')?.value;
  return value?.kind === Kind.VARIABLE
    ? values[value.name.value] === true
    : value?.kind === Kind.BOOLEAN && value.value;
};

/** Whether a selection is included for these values of the variables. */
export const isIncluded = (selection: SelectionNode, values: Values): boolean =>
  selection.directives?.every(({ name, ...rest }) => {
    if (name.value === 'skip') return !conditionOf({ name, ...rest }, values);
    return name.value !== 'include' || conditionOf({ name, ...rest }, values);
  }) ?? true;

/** Names of the variables in @skip and @include, each once, in order of appearance. */
export function conditionVariables(document: DocumentNode): readonly string[] {
  const names = new Set<string>();
  visit(document, {
    Directive(directive) {
      if (directive.name.value !== 'skip' && directive.name.value !== 'include') return;
      for (const { value } of directive.arguments ?? [])
        if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}
