// Makes a Component of a subgraph that runs in this process: schema, permissions, compiled operations, masked
// errors.
import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  type ValidationRule,
  validate,
  valueFromASTUntyped,
} from 'graphql';
import type { Logger } from 'pino';
import type {
  Component,
  ComponentError,
  ComponentResult,
  PreparedOperation,
  SchemaParts,
} from './component.ts';
import { documentRules } from './document-rules.ts';
import { badRequest, graphqlCode, masked } from './errors.ts';
import type { Caller } from './identity.ts';
import { type WithoutLiterals, withoutJsonLiterals } from './json-literals.ts';
import { type Dress, lazySchema } from './lazy-schema.ts';
import { assertStorableLiterals } from './literal-faults.ts';
import type { KeptTexts } from './kept-texts.ts';
import type { OperationContext } from './operation-context.ts';
import { parseDocument } from './parse-document.ts';
import { execution } from './run-operation.ts';
import { isRequestFault } from './request-fault.ts';
import { runSubscription } from './run-subscription.ts';
import { type Permissions, type SchemaModule, textsOf } from './subgraph-module.ts';
import { extendedSchema, guardedSchema } from './subgraph-schema.ts';
import { compileTexts, type TextField, type TextOutcome } from './text-fields.ts';
import { sliced } from './turns.ts';

export interface SubgraphDefinition<Context extends OperationContext> {
  readonly name: string;
  readonly modules: readonly SchemaModule<Context>[];
  /** Builds one operation's context. */
  readonly context: (caller: Caller) => Context;
  /** Whether what it stands on answers; may reject for no. */
  readonly isReady: () => Promise<boolean>;
  readonly log: Logger;
  /** Keeps what is made of the SDL for later starts. */
  readonly kept?: KeptTexts;
}

export interface LocalComponent extends Component {
  readonly schema: GraphQLSchema;
  /**
   * The same component with more types and root fields of queries, which are resolved in the same contexts:
   * once what never changes, then as often as they change the parts. Introspection of it is the router's.
   * @param sdl valid beside the component's own: it is not looked at again
   */
  extended(
    sdl: string,
    resolvers: Readonly<Record<string, unknown>>,
  ): (parts: SchemaParts, dress: Dress) => Pick<LocalComponent, 'prepare' | 'subscribe'>;
  readonly subscribe: NonNullable<Component['subscribe']>;
}

/**
 * An error as it may leave the subgraph: DomainErrors as they are, faults of the request by GraphQL's own
 * text, all else masked. Errors of compiled operations look the same, but may have no `extensions` whatever
 * their type says.
 */
function presentable(error: GraphQLError, log: Logger, requestId: string): ComponentError {
  const place = error.path === undefined ? {} : { path: error.path };
  const cause: unknown = error.originalError;
  if (isRequestFault(error))
    return { message: error.message, ...place, extensions: { code: graphqlCode('invalid_request') } };
  const known = masked(cause ?? error);
  if (known.code === 'internal_error')
    log.error({ err: known.cause ?? known, requestId, path: error.path }, 'unexpected error in a resolver');
  return { message: known.message, ...place, extensions: known.extensions };
}

const operationOf = (document: DocumentNode, name: string | undefined): OperationDefinitionNode => {
  const operations = document.definitions.filter((d) => d.kind === Kind.OPERATION_DEFINITION);
  const found = name === undefined ? operations[0] : operations.find((o) => o.name?.value === name);
  if (found === undefined || (name === undefined && operations.length > 1))
    throw badRequest('the document must contain exactly one operation, or operationName must select one');
  return found;
};

/**
 * Defaults of variables that may not be null, by name: the compiler refuses such a variable when it is left
 * out, default or not. Null where there are none.
 */
function defaultsOf(operation: OperationDefinitionNode): Readonly<Record<string, unknown>> | null {
  const defaults = (operation.variableDefinitions ?? []).flatMap(
    ({ type, variable, defaultValue }): [string, unknown][] =>
      type.kind === Kind.NON_NULL_TYPE && defaultValue !== undefined
        ? [[variable.name.value, valueFromASTUntyped(defaultValue)]]
        : [],
  );
  return defaults.length === 0 ? null : Object.fromEntries(defaults);
}

/** Types that are made when they are looked at are not all looked at here. */
const WITHOUT_INTROSPECTION = [...documentRules, NoSchemaIntrospectionCustomRule];
/** @throws DomainError `invalid_request` for JSON in the document that is none */
function withoutJson(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
): WithoutLiterals | null {
  try {
    return withoutJsonLiterals(schema, document, operationName);
  } catch (thrown) {
    throw thrown instanceof GraphQLError ? badRequest(thrown.message) : thrown;
  }
}

/** Words and signs of an operation: many times what a client's may have, which a plan may lengthen. */
const MAX_TOKENS = 100_000;

export function createLocalComponent<Context extends OperationContext>(
  definition: SubgraphDefinition<Context>,
): LocalComponent {
  const { name, modules } = definition;
  const { schema, sdl, permissions } = guardedSchema(modules, definition.kept);
  const running = { ...definition, permissions, texts: textsOf(modules) };
  const { subscribe, prepare } = operationsOver(schema, running);
  return {
    name,
    schema,
    sdl: () => Promise.resolve(sdl),
    prepare,
    extended(more, added) {
      const extended = extendedSchema(schema, more, added, permissions);
      return (parts, dress) =>
        operationsOver(lazySchema(extended, parts, dress), running, WITHOUT_INTROSPECTION);
    },
    subscribe,
    probe: () =>
      definition.isReady().then(
        (ready) => (ready ? 200 : 503),
        () => 503,
      ),
    close: () => Promise.resolve(),
  };
}

/** What all operations of the subgraph share. */
interface Running<Context extends OperationContext> extends Pick<
  SubgraphDefinition<Context>,
  'context' | 'log'
> {
  readonly permissions: Permissions;
  readonly texts: Readonly<Record<string, TextField<Context>>>;
}

/** How operations are made ready and run on a schema of the subgraph. */
function operationsOver<Context extends OperationContext>(
  schema: GraphQLSchema,
  definition: Running<Context>,
  rules: readonly ValidationRule[] = documentRules,
): Pick<LocalComponent, 'prepare' | 'subscribe'> {
  const { permissions, texts: textFields, log } = definition;

  const finish = (result: ExecutionResult, context: Context): ComponentResult => {
    const errors = result.errors?.map((e) => presentable(e, log, context.caller.requestId));
    return {
      // no data: the request was refused before anything ran
      ...(result.data === undefined ? {} : { data: result.data }),
      ...(errors === undefined || errors.length === 0 ? {} : { errors }),
      extensions: context.extensions,
    };
  };

  /** @throws DomainError `invalid_request`, `validation_failed` */
  const checked = (
    source: string,
    operationName: string | undefined,
  ): Pick<WithoutLiterals, 'document' | 'fill'> => {
    const document = parseDocument(source, MAX_TOKENS);
    const faults = validate(schema, document, rules, { maxErrors: 1, hideSuggestions: true });
    if (faults[0]) throw badRequest(faults[0].message);
    assertStorableLiterals(source, document);
    return withoutJson(schema, document, operationName) ?? { document, fill: (variables) => ({ variables }) };
  };

  const prepare = (source: string, operationName?: string): PreparedOperation => {
    const { document, fill } = checked(source, operationName);
    const operation = operationOf(document, operationName);
    const texts = compileTexts(schema, operation, textFields);
    if (texts) {
      const ended = (outcome: TextOutcome, context: Context): ComponentResult => {
        if (outcome.errors.length === 0 && outcome.texts !== undefined)
          return { texts: outcome.texts, extensions: context.extensions };
        const failed = finish({ errors: outcome.errors }, context);
        if (outcome.texts !== undefined) return { ...failed, texts: outcome.texts };
        return outcome.refused ? failed : { ...failed, data: null };
      };
      return (inputs, caller) => {
        const context = definition.context(caller);
        const { variables, errors } = fill(inputs);
        if (errors) return Promise.resolve(finish({ errors }, context));
        return texts(variables, context, permissions).then((outcome) => ended(outcome, context));
      };
    }
    const run = execution(schema, document, operationName ?? operation.name?.value);
    const defaults = defaultsOf(operation);
    return async (inputs, caller) => {
      const context = definition.context(caller);
      const { variables, errors } = fill(inputs);
      if (errors) return finish({ errors }, context);
      return finish(
        await run(context, defaults === null ? variables : { ...defaults, ...variables }),
        context,
      );
    };
  };

  const checkedInTurn = sliced(([source, operationName]: Parameters<typeof checked>) =>
    checked(source, operationName),
  );
  const subscribe: LocalComponent['subscribe'] = async (source, inputs, caller, operationName) => {
    const { document, fill } = await checkedInTurn([source, operationName]); // tens may be begun at one time
    const { variables, errors } = fill(inputs);
    if (errors) throw badRequest(errors[0]?.message ?? 'the variables do not match the operation');
    return await runSubscription({
      schema,
      document,
      operationName: operationName ?? null,
      variables,
      caller,
      newContext: (one) => definition.context(one),
      finish,
    });
  };

  return { prepare, subscribe };
}
