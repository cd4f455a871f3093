// Evaluates a condition, and collects the values of the paths that it names.
import { type BoundEntity, pollBindings, webhookBindings } from '../../../platform/cel/bindings.ts';
import type { CelBindings } from '../../../platform/cel/bindings.ts';
import { compileCel } from '../../../platform/cel/compile.ts';
import { type CelNode, partsOf } from '../../../platform/cel/syntax.ts';
import type { Verdict } from './observation.ts';
import { ownMember } from '../../../platform/json-object.ts';

export interface Judgement {
  /** `fired` if it is true. */
  readonly verdict: Extract<Verdict, 'fired' | 'condition_false' | 'condition_error'>;
  readonly reason?: string;
  readonly seen: Readonly<Record<string, unknown>>;
}

export type Judge<T> = (subject: T) => Judgement;

type Path = readonly string[];

/** `a.b.c` for a chain of fields that begins with a name; null for anything else. */
function pathOf(node: CelNode): Path | null {
  if (node.kind === 'name') return [node.name];
  if (node.kind !== 'select' && node.kind !== 'has') return null;
  const before = pathOf(node.operand);
  return before && [...before, node.field];
}

/** The longest paths that the expression names. */
function pathsOf(node: CelNode): Path[] {
  const path = pathOf(node);
  return path ? [path] : partsOf(node).flatMap(pathsOf);
}

/** Longer values, as JSON, are omitted. */
const MAX_LENGTH = 1000;

function valueAt(root: (name: string) => unknown, path: Path): unknown {
  const [first = '', ...rest] = path;
  let value = root(first);
  for (const key of rest) value = ownMember(value, key);
  return value;
}

function judge<T>(
  condition: string | undefined,
  bindings: (subject: T) => CelBindings,
  root: (subject: T) => (name: string) => unknown,
): Judge<T> {
  if (condition === undefined) return () => ({ verdict: 'fired', seen: {} });
  const program = compileCel(condition, { variables: 'any', resultType: 'bool' });
  const paths = [...new Map(pathsOf(program.node).map((path) => [path.join('.'), path]))];
  return (subject) => {
    const look = root(subject);
    const seen = Object.fromEntries(
      paths.flatMap(([name, path]) => {
        const value = valueAt(look, path);
        const text = JSON.stringify(value);
        return text === undefined
          ? []
          : [[name, text.length > MAX_LENGTH ? `(${text.length} characters)` : value]];
      }),
    );
    const outcome = program.evaluate(bindings(subject));
    if (!outcome.ok) return { verdict: 'condition_error', reason: outcome.error, seen };
    return { verdict: outcome.value ? 'fired' : 'condition_false', seen };
  };
}

/** `when` of a webhook, over the payload. @throws CelError */
export const judgeDelivery = (when: string | undefined): Judge<unknown> =>
  judge(
    when,
    webhookBindings,
    (payload) => (name) => (name === 'event' ? payload : ownMember(payload, name)),
  );

/**
 * Whether a poll's filter depends on availability: only then unavailable entities are polled as well.
 * @throws CelError
 */
export function tellsAvailability(filter: string | undefined): boolean {
  const program = filter === undefined ? null : compileCel(filter, { variables: 'any', resultType: 'bool' });
  return program !== null && (program.mentions('is_available') || program.mentions('entity'));
}

/** `poll.filter`, over an entity. @throws CelError */
export const judgeEntity = (filter: string | undefined): Judge<BoundEntity> =>
  judge(filter, pollBindings, (entity) => {
    const { data, ...attributes } = entity;
    return (name) => {
      if (name === 'entity') return { ...data, ...attributes, data };
      if (name === 'data') return data;
      return ownMember(Object.hasOwn(attributes, name) ? attributes : data, name);
    };
  });
