// Executes query plans: Sequence, Parallel, Condition, Flatten and Fetch, bound to components once and run
// often.
import type { FetchNode, PlanNode, QueryPlan } from '@apollo/query-planner';
import type { GraphQLSchema } from 'graphql';
import type {
  ComponentError,
  ComponentExtensions,
  ComponentResult,
  PreparedOperation,
} from '../../platform/component.ts';
import { never } from '../../platform/budget/budget.ts';
import type { Caller } from '../../platform/identity.ts';
import { Turn } from '../../platform/turns.ts';
import { type Data, isData, mergeInto } from './merge.ts';
import { compileRepresentations } from './representations.ts';
import { addExtensions, plainData } from './results.ts';
import { UnsupportedPlan } from './unsupported-plan.ts';

/** One run of a plan: its input and the data gathered so far. */
export interface PlanRun {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  readonly data: Data;
  readonly errors: ComponentError[];
  readonly extensions: ComponentExtensions;
}

/** A step of the plan, applied to its target objects. Never throws: failures are added to `errors`. */
type Step = (run: PlanRun, targets: readonly Data[]) => Promise<void>;
export type PlanExecutor = (run: PlanRun) => Promise<void>;

/** Prepares a fetch's operation with the named component. */
export type BindFetch = (
  component: string,
  source: string,
  operationName: string | undefined,
) => PreparedOperation;

type Path = readonly (string | number)[];

/** @throws UnsupportedPlan if the plan contains what only the stock gateway can execute */
export function compilePlan(plan: QueryPlan, schema: GraphQLSchema, bind: BindFetch): PlanExecutor {
  if (plan.node === undefined) return () => Promise.resolve();
  if (plan.node.kind === 'Subscription') throw new UnsupportedPlan('a subscription');
  const step = compileNode(plan.node, [], schema, bind);
  return (run) => step(run, [run.data]);
}

function compileNode(node: PlanNode, path: Path, schema: GraphQLSchema, bind: BindFetch): Step {
  switch (node.kind) {
    case 'Sequence': {
      const steps = node.nodes.map((n) => compileNode(n, path, schema, bind));
      return async (run, targets) => {
        for (const step of steps) await step(run, targets);
      };
    }
    case 'Parallel': {
      const steps = node.nodes.map((n) => compileNode(n, path, schema, bind));
      return async (run, targets) => {
        await Promise.all(steps.map((step) => step(run, targets)));
      };
    }
    case 'Condition': {
      const met = node.ifClause && compileNode(node.ifClause, path, schema, bind);
      const unmet = node.elseClause && compileNode(node.elseClause, path, schema, bind);
      return (run, targets) =>
        (run.variables[node.condition] === true ? met : unmet)?.(run, targets) ?? Promise.resolve();
    }
    case 'Flatten': {
      if (node.path.some((part) => String(part).includes('|')))
        throw new UnsupportedPlan('a path with a type condition');
      const step = compileNode(node.node, [...path, ...node.path], schema, bind);
      return (run, targets) => {
        const found = descend(targets, node.path);
        return found.length === 0 ? Promise.resolve() : step(run, found);
      };
    }
    case 'Fetch':
      return compileFetch(node, path, schema, bind);
    case 'Defer':
      throw new UnsupportedPlan('@defer');
    default:
      return node satisfies never;
  }
}

const fieldOf = (value: unknown, name: string | number): unknown => (isData(value) ? value[name] : null);

/** The objects at a path below the targets, without nulls; `@` stands for every item of a list. */
function descend(targets: readonly Data[], path: Path): readonly Data[] {
  let found: readonly unknown[] = targets;
  for (const part of path) {
    const next: unknown[] = [];
    for (const value of found) {
      const inside = part === '@' ? value : fieldOf(value, part);
      if (part !== '@') {
        if (inside !== null && inside !== undefined) next.push(inside);
      } else if (Array.isArray(inside))
        for (const item of inside) if (item !== null && item !== undefined) next.push(item);
    }
    found = next;
  }
  return found.filter(isData);
}

/** Response paths of the objects that {@link descend} finds, in the same order; only used for errors. */
function placesOf(data: unknown, path: Path, place: (string | number)[] = []): (string | number)[][] {
  const [part, ...rest] = path;
  if (data === null || data === undefined) return [];
  if (part === undefined) return isData(data) ? [place] : [];
  if (part !== '@') return isData(data) ? placesOf(data[part], rest, [...place, part]) : [];
  return Array.isArray(data) ? data.flatMap((item: unknown, i) => placesOf(item, rest, [...place, i])) : [];
}

/** The part of a path that leads to one place. */
function beforeList(path: Path): Path {
  const list = path.indexOf('@');
  return list < 0 ? path : path.slice(0, list);
}

function variablesOf(node: FetchNode, run: PlanRun): Data {
  const variables: Data = {};
  for (const name of node.variableUsages ?? [])
    if (run.variables[name] !== undefined) variables[name] = run.variables[name];
  return variables;
}

/** The client's view of a fetch's error: its path in the client's response. */
function report(
  run: PlanRun,
  result: ComponentResult,
  place: (path: Path | undefined) => Path | undefined,
): void {
  for (const { path, ...error } of result.errors ?? []) {
    const placed = place(path);
    run.errors.push(placed === undefined ? error : { ...error, path: placed });
  }
  addExtensions(run.extensions, result.extensions);
}

/** Of all that prepare fetches: the fetches of one step are needed at once. */
const turn = new Turn();

function compileFetch(node: FetchNode, path: Path, schema: GraphQLSchema, bind: BindFetch): Step {
  if (node.inputRewrites?.length || node.outputRewrites?.length || node.contextRewrites?.length)
    throw new UnsupportedPlan('rewrites');
  if (!node.requires && path.length > 0) throw new UnsupportedPlan('a fetch of root fields below the root');
  // prepared on first use: a plan may have hundreds of fetches, most of which have nothing to fetch
  let bound: PreparedOperation | undefined;
  const bindInTurn = async (): Promise<PreparedOperation> => {
    if (turn.isOver) await turn.next();
    return (bound ??= bind(node.serviceName, node.operation, node.operationName));
  };
  const fetch: PreparedOperation = (variables, caller) =>
    bound === undefined
      ? bindInTurn().then((prepared) => prepared(variables, caller))
      : bound(variables, caller);
  return node.requires
    ? fetchEntities(node, fetch, path, compileRepresentations(node.requires, schema))
    : fetchRoot(node, fetch);
}

const fetchRoot =
  (node: FetchNode, fetch: PreparedOperation): Step =>
  async (run) => {
    const result = await fetch(variablesOf(node, run), run.caller);
    if (result.errors !== undefined || result.extensions !== undefined) report(run, result, (path) => path);
    const data = await plainData(result, run.caller.budget);
    if (isData(data)) mergeInto(run.data, data);
  };

/** Maximum representations per request, so that not everything waits for a large list. */
const ENTITIES_AT_ONCE = 1000;

const fetchEntities =
  (node: FetchNode, fetch: PreparedOperation, path: Path, represent: (entity: Data) => Data | null): Step =>
  async (run, targets) => {
    const { budget } = run.caller;
    if (budget?.affords(targets.length) === false) return never();
    let places: (string | number)[][] | undefined;
    for (let from = 0; from < targets.length; from += ENTITIES_AT_ONCE) {
      if (from > 0) await budget?.turn();
      const representations: Data[] = [];
      const asked: number[] = [];
      const end = Math.min(targets.length, from + ENTITIES_AT_ONCE);
      for (let i = from; i < end; i++) {
        const representation = represent(targets[i] ?? {});
        if (representation === null) continue;
        representations.push(representation);
        asked.push(i);
      }
      if (representations.length === 0) continue;
      const result = await fetch({ ...variablesOf(node, run), representations }, run.caller);
      const entities = (await plainData(result, budget))?.['_entities'];
      for (const [i, target] of asked.entries()) {
        const brought: unknown = Array.isArray(entities) ? entities[i] : null;
        const into = targets[target];
        if (isData(brought) && into) mergeInto(into, brought);
      }
      report(run, result, (inner) => {
        const index = inner?.[1];
        if (typeof index !== 'number') return path.length === 0 ? undefined : beforeList(path);
        places ??= placesOf(run.data, path);
        return [...(places[asked[index] ?? -1] ?? []), ...(inner?.slice(2) ?? [])];
      });
    }
  };
