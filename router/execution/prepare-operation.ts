// Makes an operation of a document: parsed, validated, planned and bound to components once, run often.
import type { QueryPlan } from '@apollo/query-planner';
import {
  type DocumentNode,
  getVariableValues,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
  validate,
} from 'graphql';
import type { Logger } from 'pino';
import type { Component, ComponentResult, Subscribe } from '../../platform/component.ts';
import { documentRules } from '../../platform/document-rules.ts';
import { graphqlCode, masked } from '../../platform/errors.ts';
import type { Caller } from '../../platform/identity.ts';
import type { Permission } from '../../platform/permissions.ts';
import { bindSubscription } from './bind-subscription.ts';
import type { Composition } from './compose.ts';
import { directComponent, soleComponent } from './direct.ts';
import { InvalidDocument } from './invalid-document.ts';
import { compileIntrospection, type Introspect } from './introspection.ts';
import { type Data, mergeInto } from './merge.ts';
import { compileNamedProjects } from './named-projects.ts';
import { compilePlan, type PlanRun } from './plan-executor.ts';
import { type Pieces, planned } from './pieces.ts';
import { type RootField, rootFields } from './root-fields.ts';
import { permissionsNeeded } from './root-permissions.ts';
import { compileResultShaper } from './result-shaper.ts';
import { compileCost, type StaticCost } from './static-cost.ts';
import { createStockGateway, type StockGateway } from './stock-gateway.ts';
import { hiddenAt, notFoundAt } from './completion-errors.ts';
import { UnsupportedPlan } from './unsupported-plan.ts';

/** An operation in the API schema, ready to run. */
export interface RouterOperation {
  readonly kind: OperationTypeNode;
  /** The operation's name in its document, if it has one. */
  readonly name: string | undefined;
  /** What its document is valid in. */
  readonly schema: GraphQLSchema;
  /** The permissions of its root fields, each once. The caller has to check them. */
  readonly permissions: readonly Permission[];
  /**
   * How it is executed: as the client's document by one component, by the plan executor, or by the stock
   * gateway.
   */
  readonly strategy: 'direct' | 'plan' | 'stock';
  /** Whether it selects `__schema` or `__type`. */
  readonly introspects: boolean;
  /** Its cost with these variables, from the sizes of its lists. The caller has to check it. */
  readonly cost: StaticCost;
  /** Projects that the arguments of its root fields name (docs/reference/gateway.md#projects). */
  namedProjects(variables: Readonly<Record<string, unknown>>): readonly string[];
  /**
   * Runs it. Never rejects: failures are in `errors`. A result without `data` and `texts` means that the
   * request was refused before anything ran (invalid variables).
   */
  run(variables: Readonly<Record<string, unknown>>, caller: Caller): Promise<ComponentResult>;
  /**
   * Only for a subscription: begins it. `run` refuses subscriptions, as do transports without support for
   * them.
   * @throws DomainError if it cannot begin
   */
  readonly subscribe?: Subscribe;
}

/** The inputs of preparation; one per composition. */
export interface PlanningContext {
  readonly composition: Composition;
  readonly components: ReadonlyMap<string, Component>;
  readonly permissions: Readonly<Record<string, Permission>>;
  readonly stock: StockGateway;
  readonly log: Logger;
  /** Answers introspection outside the main thread. */
  readonly introspect?: Introspect;
}

export const createPlanningContext = (
  composition: Composition,
  components: ReadonlyMap<string, Component>,
  permissions: Readonly<Record<string, Permission>>,
  log: Logger,
): PlanningContext => ({
  composition,
  components,
  permissions,
  log,
  stock: createStockGateway(composition, components, log),
});

function notNamed(name: string | undefined, areSeveral: boolean): string {
  if (name !== undefined) return `the document has no operation named "${name}"`;
  return areSeveral
    ? 'the document has several operations: operationName must select one'
    : 'the document has no operation';
}

/** @throws InvalidDocument if the document has no operation, or several and no name is given */
export function operationNamed(document: DocumentNode, name: string | undefined): OperationDefinitionNode {
  const operations = document.definitions.filter((d) => d.kind === Kind.OPERATION_DEFINITION);
  const found = name === undefined ? operations[0] : operations.find((o) => o.name?.value === name);
  if (found && (name !== undefined || operations.length === 1)) return found;
  throw new InvalidDocument([new GraphQLError(notNamed(name, found !== undefined))]);
}

/** Beyond this number of errors there are no suggestions, because each is compared with all names. */
const MAX_SUGGESTED = 5;

/** @throws InvalidDocument */
export function assertValid(document: DocumentNode, schema: GraphQLSchema, hideSuggestions: boolean): void {
  const faults = validate(schema, document, documentRules, { hideSuggestions: true });
  if (faults.length === 0) return;
  if (hideSuggestions || faults.length > MAX_SUGGESTED) throw new InvalidDocument(faults);
  throw new InvalidDocument(validate(schema, document, documentRules));
}

/** @throws InvalidDocument for a kind of operation that the schema does not have */
function assertAnswerable({ operation }: OperationDefinitionNode, schema: GraphQLSchema): void {
  if (!schema.getRootType(operation))
    throw new InvalidDocument([new GraphQLError(`the schema has no ${operation}`)]);
}

/** What running a subscription answers: it is to be begun instead. */
export const ANOTHER_TRANSPORT: ComponentResult = {
  errors: [
    {
      message:
        'subscriptions are served as server-sent events (Accept: text/event-stream) or over a WebSocket',
      extensions: { code: graphqlCode('invalid_request') },
    },
  ],
};

/**
 * Throws for an operation that must not run, before it is planned, which may take longer than everything
 * else.
 */
export type CostCheck = (cost: StaticCost) => void;

/**
 * @throws InvalidDocument; DomainError `insufficient_role` if no role may use a root field; the errors of the
 * check
 */
export function* prepareOperation(
  ground: PlanningContext,
  source: string,
  operationName: string | undefined,
  document: DocumentNode,
  check?: CostCheck,
): Pieces<RouterOperation> {
  yield;
  const operation = operationNamed(document, operationName);
  assertAnswerable(operation, ground.composition.schema);
  const fields = rootFields(document, operation);
  const cost = compileCost(ground.composition.schema, ground.composition.listSizes, document, operation);
  check?.(cost);
  return {
    kind: operation.operation,
    name: operation.name?.value,
    schema: ground.composition.schema,
    permissions: permissionsNeeded(fields, ground.permissions),
    cost,
    namedProjects: compileNamedProjects(fields),
    ...(operation.operation === 'subscription'
      ? {
          strategy: 'direct',
          introspects: false,
          run: () => Promise.resolve(ANOTHER_TRANSPORT),
          subscribe: bindSubscription({ ...ground, source, operationName, document, operation, fields }),
        }
      : yield* bindRun(ground, source, operationName, document, operation, fields)),
  };
}

type Bound = Pick<RouterOperation, 'strategy' | 'run' | 'introspects'>;
type Run = RouterOperation['run'];

function* bindRun(
  ground: PlanningContext,
  source: string,
  operationName: string | undefined,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  fields: readonly RootField[],
): Pieces<Bound> {
  const { composition, components, log } = ground;
  const introspect = compileIntrospection(composition.schema, document, operation, ground.introspect);
  const directTo = (name: string | null): Bound | undefined => {
    const direct = components.get(name ?? '');
    return direct && { strategy: 'direct', introspects: false, run: direct.prepare(source, operationName) };
  };
  const sole = introspect === null ? soleComponent(fields, document, operation, composition) : null;
  yield;
  const alone = directTo(sole);
  if (alone) return alone;
  const plan = yield* planned(composition, document, operationName);
  yield;
  const direct = introspect === null ? directComponent(plan, document, operation, composition) : null;
  yield;
  const bound = directTo(direct);
  if (bound) return bound;
  try {
    return bindPlan(ground, plan, document, operation);
  } catch (thrown) {
    if (!(thrown instanceof UnsupportedPlan)) throw thrown;
    return {
      strategy: 'stock',
      introspects: introspect !== null,
      run: coercing(composition.schema, operation, ground.stock.bind(source, document, operation), log),
    };
  }
}

/**
 * An operation with its plan, and its introspection.
 * @throws UnsupportedPlan if the plan needs the stock gateway
 */
export function bindPlan(
  ground: PlanningContext,
  plan: QueryPlan,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Bound {
  const introspect = compileIntrospection(ground.composition.schema, document, operation, ground.introspect);
  const run = planRun(ground, plan, document, operation, introspect);
  return {
    strategy: 'plan',
    introspects: introspect !== null,
    run: coercing(ground.composition.schema, operation, run, ground.log),
  };
}

/**
 * Refuses invalid variables, passes the others on in coerced form, and converts internal exceptions to
 * errors.
 */
const coercing =
  (
    schema: GraphQLSchema,
    { variableDefinitions = [] }: OperationDefinitionNode,
    run: Run,
    log: Logger,
  ): Run =>
  async (inputs, caller) => {
    const { coerced, errors: refused } = getVariableValues(schema, variableDefinitions, inputs);
    if (refused)
      return {
        errors: refused.map(({ message }) => ({
          message,
          extensions: { code: graphqlCode('invalid_request') },
        })),
      };
    try {
      return await run(coerced, caller);
    } catch (thrown) {
      log.error({ err: thrown, requestId: caller.requestId }, 'unexpected error while running an operation');
      const { message, extensions } = masked(thrown);
      return { data: null, errors: [{ message, extensions }] };
    }
  };

/** @throws UnsupportedPlan if the plan needs the stock gateway */
function planRun(
  { composition, components }: PlanningContext,
  plan: QueryPlan,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  introspect: ReturnType<typeof compileIntrospection>,
): Run {
  const execute = compilePlan(plan, composition.schema, (name, text, fetchName) => {
    const component = components.get(name);
    if (!component) throw new Error(`no component ${name}`);
    return component.prepare(text, fetchName);
  });
  const shape = compileResultShaper(composition.schema, document, operation, composition.narrowedEnums);
  return async (variables, caller) => {
    const run: PlanRun = { variables, caller, data: {}, errors: [], extensions: {} };
    await execute(run);
    if (introspect) caller.budget?.beLarge(); // its size is not known before it is serialised
    const told = await introspect?.(variables, caller);
    if (told && 'data' in told) mergeInto(run.data, told.data);
    const { data, broken, hidden } = shape(run.data, variables);
    if (broken && run.errors.length === 0) run.errors.push(notFoundAt(broken));
    for (const place of hidden ?? []) run.errors.push(hiddenAt(place));
    return {
      ...(data !== null && told && 'texts' in told ? { texts: textsOf(data, told.texts) } : { data }),
      ...(run.errors.length === 0 ? {} : { errors: run.errors }),
      extensions: run.extensions,
    };
  };
}

/** All data as texts, because a part already is text. */
const textsOf = (data: Data, texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(data).map(([key, value]) => [key, texts[key] ?? JSON.stringify(value)]));
