// Decides whether an operation can be answered with JSON text from the store, and compiles it
// (docs/architecture.md#the-way-of-a-request).
import {
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { never } from './budget/budget.ts';
import type { OperationContext } from './operation-context.ts';
import { assertAnswersAsOf } from './past/as-of-fields.ts';
import { assertAllowed, type Permission } from './permissions.ts';
import { compileArguments, compileVariables } from './plain-variables.ts';

/** A selection without fragments and directives. A text field writes its fields in this order. */
export interface TextSelection {
  readonly key: string;
  readonly name: string;
  readonly hasArguments: boolean;
  readonly selection: readonly TextSelection[];
}

/**
 * Inspects the selection below a root field. Returns null where it cannot write exactly this selection, else
 * a function from the field's coerced arguments to finished JSON text (`null` included). That function throws
 * what the resolver would throw.
 */
export type TextField<Context> = (
  selection: readonly TextSelection[],
) => null | ((args: Record<string, unknown>, context: Context) => Promise<string>);

/**
 * Returns null for `@skip`, `@include` and fragments, with which the selection would depend on variables or
 * types.
 */
function plain(set: SelectionSetNode | undefined): readonly TextSelection[] | null {
  const fields: TextSelection[] = [];
  const seen = new Set<string>();
  for (const node of set?.selections ?? []) {
    if (node.kind !== Kind.FIELD || (node.directives?.length ?? 0) > 0) return null;
    const key = node.alias?.value ?? node.name.value;
    if (seen.has(key)) return null;
    seen.add(key);
    const selection = plain(node.selectionSet);
    if (selection === null) return null;
    fields.push({ key, name: node.name.value, hasArguments: (node.arguments?.length ?? 0) > 0, selection });
  }
  return fields;
}

interface Prepared<Context> {
  readonly key: string;
  readonly coordinate: string;
  readonly isNonNull: boolean;
  readonly argumentsOf: (variables: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  readonly write: (args: Record<string, unknown>, context: Context) => Promise<string>;
}

function prepareFields<Context>(
  root: GraphQLObjectType,
  operation: OperationDefinitionNode,
  texts: Readonly<Record<string, TextField<Context>>>,
): Prepared<Context>[] | null {
  const selection = plain(operation.selectionSet);
  if (selection === null) return null;
  const prepared: Prepared<Context>[] = [];
  for (const [i, part] of selection.entries()) {
    const node = operation.selectionSet.selections[i];
    const field = root.getFields()[part.name];
    const coordinate = `${root.name}.${part.name}`;
    const write = field && texts[coordinate]?.(part.selection);
    if (!write || node?.kind !== Kind.FIELD) return null;
    prepared.push({
      key: part.key,
      coordinate,
      isNonNull: isNonNullType(field.type),
      argumentsOf: compileArguments(field, node),
      write,
    });
  }
  return prepared;
}

/** Texts by response key, or null data where an error has reached a non-null field. */
export interface TextOutcome {
  readonly texts?: Record<string, string>;
  readonly errors: readonly GraphQLError[];
  /** The variables are invalid; nothing was executed. */
  readonly refused?: boolean;
}

export type TextOperation<Context> = (
  variables: Readonly<Record<string, unknown>>,
  context: Context,
  permissions: Readonly<Record<string, Permission>>,
) => Promise<TextOutcome>;

const NONE: readonly GraphQLError[] = [];

/**
 * Compiles the operation to a text operation; null where the resolvers have to execute it. Only queries
 * qualify.
 */
export function compileTexts<Context extends OperationContext>(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  texts: Readonly<Record<string, TextField<Context>>>,
): TextOperation<Context> | null {
  const root = operation.operation === 'query' ? schema.getQueryType() : null;
  const fields = root && prepareFields(root, operation, texts);
  if (!fields || fields.length === 0) return null;
  const coerce = compileVariables(schema, operation.variableDefinitions ?? []);

  const failed = ({ key, isNonNull }: Prepared<Context>, thrown: unknown): TextOutcome =>
    isNonNull
      ? { errors: [located(thrown, key)] }
      : { texts: { [key]: 'null' }, errors: [located(thrown, key)] };

  const outcomeOf = (
    field: Prepared<Context>,
    variables: Readonly<Record<string, unknown>>,
    context: Context,
    permissions: Readonly<Record<string, Permission>>,
  ): Promise<TextOutcome> => {
    try {
      const permission = permissions[field.coordinate];
      if (permission === undefined)
        throw new Error(`${field.coordinate} has no entry in its subgraph's permissions`);
      assertAllowed(context.caller, permission);
      assertAnswersAsOf(context.caller, field.coordinate);
      const { budget } = context.caller;
      return field.write(field.argumentsOf(variables), context).then(
        (text) =>
          budget?.write(text.length) === false ? never() : { texts: { [field.key]: text }, errors: NONE },
        (thrown: unknown) => failed(field, thrown),
      );
    } catch (thrown) {
      return Promise.resolve(failed(field, thrown));
    }
  };

  // The most common case, with as few turns of the event loop as possible.
  const only = fields.length === 1 ? fields[0] : undefined;
  return (inputs, context, permissions) => {
    const { coerced, errors } = coerce(inputs);
    if (errors) return Promise.resolve({ errors, refused: true });
    return only
      ? outcomeOf(only, coerced, context, permissions)
      : Promise.all(fields.map((field) => outcomeOf(field, coerced, context, permissions))).then(together);
  };
}

/** Merges the outcomes of the fields in the order of the selection. */
function together(outcomes: readonly TextOutcome[]): TextOutcome {
  const errors = outcomes.flatMap((outcome) => outcome.errors);
  if (outcomes.some(({ texts }) => texts === undefined)) return { errors };
  return {
    // Object.assign of several is any; each is such a record
    texts: Object.assign({}, ...outcomes.map(({ texts }) => texts)) as Record<string, string>,
    errors: errors.length === 0 ? NONE : errors,
  };
}

function located(thrown: unknown, key: string): GraphQLError {
  if (thrown instanceof GraphQLError) return thrown;
  const cause = thrown instanceof Error ? thrown : new Error(String(thrown));
  return new GraphQLError(cause.message, { path: [key], originalError: cause });
}
