// Compiles CEL text into a checked program that evaluates the same way everywhere
// (docs/reference/cel.md#where-expressions-are-evaluated).
import { isCelError } from '@bufbuild/cel';
import type { CelInput, CelValue } from '@bufbuild/cel';
import { LRUCache } from 'lru-cache';
import type { CelBindings } from './bindings.ts';
import { CelError } from './cel-error.ts';
import { jsonResult } from './json-results.ts';
import { kindOf } from './kinds.ts';
import type { CelVariables } from './kinds.ts';
import { StepBudget, withStepBudget } from './limits.ts';
import { parseCel } from './parse.ts';
import { planCel } from './plan.ts';
import type { CelPlan } from './plan.ts';
import { countNodes, freeNames } from './syntax.ts';
import type { CelNode } from './syntax.ts';
import { withoutPrototype } from '../without-prototype.ts';

/**
 * The result of one evaluation. An error (a missing field, a type mismatch, too many steps) is a result and
 * is not thrown.
 */
export type CelOutcome<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly error: string;
      /** The step budget was exceeded: the expression is the cause, not the data. */ readonly exhausted: boolean;
    };

export interface CelProgram<T = boolean> {
  readonly text: string;
  readonly node: CelNode;
  /** Whether the expression contains this variable. */
  mentions(name: string): boolean;
  /** @param budget steps shared with other evaluations; default: a new budget */
  evaluate(bindings: CelBindings, budget?: StepBudget): CelOutcome<T>;
}

export interface CelOptions<Result extends 'bool' | 'any' = 'bool' | 'any'> {
  /** The allowed variables, or `'any'` where they are only known from the data. */
  readonly variables: CelVariables | 'any';
  /**
   * `bool` (the default): compilation fails where the result cannot be a bool. `any`: results are JSON
   * values.
   */
  readonly resultType?: Result;
}

const TRUE: CelOutcome<boolean> = { ok: true, value: true };
const FALSE: CelOutcome<boolean> = { ok: true, value: false };
const NOT_BOOL: CelOutcome<never> = { ok: false, error: 'the result is not a bool', exhausted: false };

function boolOutcome(value: CelValue): CelOutcome<boolean> {
  if (typeof value !== 'boolean') return NOT_BOOL;
  return value ? TRUE : FALSE;
}

function jsonOutcome(value: CelValue): CelOutcome<unknown> {
  try {
    return { ok: true, value: jsonResult(value) };
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error), exhausted: false };
  }
}

class Program<T> implements CelProgram<T> {
  readonly text: string;
  readonly node: CelNode;
  private readonly names: ReadonlySet<string>;
  private readonly cost: number;
  private readonly plan: CelPlan;
  private readonly outcome: (value: CelValue) => CelOutcome<T>;

  constructor(text: string, node: CelNode, outcome: (value: CelValue) => CelOutcome<T>) {
    this.text = text;
    this.node = node;
    this.names = freeNames(node);
    this.cost = countNodes(node);
    this.plan = planCel(node);
    this.outcome = outcome;
  }

  mentions(name: string): boolean {
    return this.names.has(name);
  }

  evaluate(bindings: CelBindings, budget: StepBudget = new StepBudget()): CelOutcome<T> {
    budget.remaining -= this.cost;
    const outcome = withStepBudget(budget, () => this.tried(bindings));
    return budget.exhausted || budget.remaining < 0
      ? { ok: false, error: 'the expression takes too many steps', exhausted: true }
      : outcome;
  }

  private tried(bindings: CelBindings): CelOutcome<T> {
    try {
      return this.run(bindings);
    } catch (error) {
      if (error instanceof RangeError)
        return { ok: false, error: 'the data is nested too deeply', exhausted: false };
      throw error;
    }
  }

  private run(bindings: CelBindings): CelOutcome<T> {
    // The context has no prototype and only names that the expression uses, so that a key such as "data.x"
    // cannot replace data.x.
    const context = withoutPrototype<CelInput>(); // an empty object matches the type
    for (const name of this.names) {
      const value = bindings.lookup(name);
      if (value !== undefined) context[name] = value;
    }
    const result = this.plan(context);
    if (!isCelError(result)) return this.outcome(result);
    // the library does not say which name has no value
    const missing = [...this.names].find((name) => context[name] === undefined);
    const error =
      result.message === 'unresolved attribute' && missing !== undefined
        ? `name not found: ${missing}`
        : result.message;
    return { ok: false, error, exhausted: false };
  }
}

/** Creates a program from a checked tree, or a part of one, whose result is a bool. */
export const programOf = (text: string, node: CelNode): CelProgram => new Program(text, node, boolOutcome);

type Cache = LRUCache<string, CelProgram<unknown>>;
const caches = new WeakMap<CelVariables, Cache>();
const anyNames: CelVariables = {};

function cacheOf(variables: CelVariables): Cache {
  const known = caches.get(variables);
  if (known !== undefined) return known;
  const cache: Cache = new LRUCache({ max: 500 });
  caches.set(variables, cache);
  return cache;
}

/**
 * Compiles an expression. Programs are cached by text and `variables` (which should be a constant).
 * @throws CelError (`validation_failed`, with line and column) for a syntax error, an unknown name or
 * function, an exceeded limit, and a result that cannot be a bool where one is required
 */
export function compileCel(
  text: string,
  options: CelOptions<'any'> & { readonly resultType: 'any' },
): CelProgram<unknown>;
export function compileCel(text: string, options: CelOptions<'bool'>): CelProgram;
export function compileCel(
  text: string,
  { variables, resultType = 'bool' }: CelOptions,
): CelProgram<unknown> {
  const cache = cacheOf(variables === 'any' ? anyNames : variables);
  const key = `${resultType} ${text}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const node = parseCel(text, variables === 'any' ? null : new Set(Object.keys(variables)));
  if (resultType === 'bool') {
    const kind = kindOf(node, variables === 'any' ? {} : variables);
    if (kind !== 'any' && kind !== 'bool') throw new CelError('the result must be a bool', text, node.offset);
  }
  const program: CelProgram<unknown> =
    resultType === 'bool' ? new Program(text, node, boolOutcome) : new Program(text, node, jsonOutcome);
  cache.set(key, program);
  return program;
}
