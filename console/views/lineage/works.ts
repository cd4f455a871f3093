// Productions and runs of a lineage: what they were made from and what they made, read as causal chains.
import { ask } from '../../api/client.ts';
import { isData } from '../../api/json.ts';
import { operation } from '../../api/operation.ts';
import type { LineageChainQuery, LineageChainQueryVariables } from '../../generated/api.ts';
import type { Known, Neighbour } from './known.ts';

export const CHAIN = operation<LineageChainQuery, LineageChainQueryVariables>(/* GraphQL */ `
  query LineageChain($subject: ID!, $direction: CausalDirection!, $depth: Int!, $at: DateTime) {
    why(subject: $subject, direction: $direction, depth: $depth, first: 500, asOf: $at) {
      nextCursor
      nodes {
        key
        kind
        name
        details
      }
      links {
        cause
        effect
      }
    }
  }
`);
type Chain = NonNullable<LineageChainQuery['why']>;
type ChainNode = Chain['nodes'][number];
type Direction = LineageChainQueryVariables['direction'];

const KINDS = ['production', 'run'] as const;
type Kind = (typeof KINDS)[number];

/** The key of a production or run in the picture: no id of an entity has a slash, no name of a type a bracket. */
const knownWork = (kind: Kind, id: string, name: string): Known => ({
  id: `${kind}/${id}`,
  type: `(${kind})`,
  name,
  place: { to: kind, params: { id } },
});

export const isWork = (id: string): boolean => id.includes('/');
export const subjectOf = (id: string): string => (isWork(id) ? id.replace('/', ':') : `entity:${id}`);
export const producedBy = (id: string, rule: string | null): Neighbour => ({
  ...knownWork('production', id, rule ?? 'production'),
  by: 'made',
});

const afterKind = (key: string): string => key.slice(key.indexOf(':') + 1);

/** What a node of a chain is in the picture; undefined for what is none of its boxes. */
function boxOf({ key, kind, name, details }: ChainNode): Known | undefined {
  if (kind === 'PRODUCTION') return knownWork('production', afterKind(key), name);
  if (kind === 'RUN') return knownWork('run', afterKind(key), name);
  if (!isData(details) || (kind !== 'EVENT' && kind !== 'VERSION' && kind !== 'ENTITY')) return undefined;
  const { entity_id: id, entity_type: type } = details;
  return typeof id === 'string' ? { id, type: typeof type === 'string' ? type : '' } : undefined;
}

/** What is between two boxes, and is not drawn itself. */
const BETWEEN: ReadonlySet<string> = new Set(['POLL', 'INTERNAL_EVENT', 'DELIVERY', 'STALE_RESULT']);

/** What stands at an arrow, which goes from a cause to its effect. */
function labelOf(cause: string, effect: string): string {
  if (cause.startsWith('production/') && !isWork(effect)) return 'made';
  if (cause.startsWith('run/') && !isWork(effect)) return 'wrote';
  if (effect.startsWith('production/') && !isWork(cause)) return 'input';
  return effect.startsWith('production/') ? 'asked for' : 'fired';
}

interface Found {
  readonly found: readonly Neighbour[];
  /** Whether there is more than one page of the chain. */
  readonly isCut: boolean;
}

/** The boxes next to one; with `isShort`, those behind productions and runs, by whose names they are connected. */
function nextTo(
  id: string,
  { nodes, links, nextCursor }: Chain,
  direction: Direction,
  isShort: boolean,
): Found {
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const onwards = new Map<string, string[]>();
  for (const { cause, effect } of links) {
    const [from, to] = direction === 'FORWARD' ? [cause, effect] : [effect, cause];
    onwards.set(from, [...(onwards.get(from) ?? []), to]);
  }
  const found: Neighbour[] = [];
  const seen = new Set<string>();
  const queue: { readonly key: string; readonly through?: string }[] = [{ key: subjectOf(id) }];
  for (let place = queue.shift(); place !== undefined; place = queue.shift()) {
    for (const key of onwards.get(place.key) ?? []) {
      const node = byKey.get(key);
      if (node === undefined || seen.has(key)) continue;
      seen.add(key);
      const box = boxOf(node);
      const { through } = place;
      const goOn = (by = through): number => queue.push(by === undefined ? { key } : { key, through: by });
      if (box === undefined) {
        if (BETWEEN.has(node.kind)) goOn();
      } else if (box.id === id) goOn();
      else if (isShort && isWork(box.id)) goOn(box.name);
      else if (!isShort || through !== undefined) {
        const [cause, effect] = direction === 'FORWARD' ? [id, box.id] : [box.id, id];
        found.push({ ...box, by: through ?? labelOf(cause, effect) });
      }
    }
  }
  return { found, isCut: nextCursor !== null };
}

/** Levels of a chain: an entity has versions and events before its productions and runs. */
function depthOf(id: string, isShort: boolean): number {
  if (isShort) return 5;
  return isWork(id) ? 2 : 3;
}

export const chainVariables = (
  id: string,
  direction: Direction,
  at: string | undefined,
  isShort: boolean,
): LineageChainQueryVariables => ({
  subject: subjectOf(id),
  direction,
  depth: depthOf(id, isShort),
  at: at ?? null,
});

export interface Works {
  readonly up: readonly Neighbour[];
  readonly down: readonly Neighbour[];
  readonly isCut: boolean;
  /** Whether the subject is there. */
  readonly isThere: boolean;
  /** The name of the subject. */
  readonly name: string;
}

interface WorksAsked {
  readonly at: string | undefined;
  readonly isShort: boolean;
  readonly signal: AbortSignal;
}

/** @throws ApiError */
export async function worksOf(id: string, { at, isShort, signal }: WorksAsked): Promise<Works> {
  const [before, after] = await Promise.all(
    (['BACKWARD', 'FORWARD'] as const).map(async (direction) => {
      const { why } = await ask(CHAIN, chainVariables(id, direction, at, isShort), signal);
      const name = why?.nodes.find(({ key }) => key === subjectOf(id))?.name ?? '';
      return why === null
        ? { found: [], isCut: false, isThere: false, name }
        : { ...nextTo(id, why, direction, isShort), isThere: true, name };
    }),
  );
  if (before === undefined || after === undefined) throw new Error('two directions were asked for');
  return {
    up: before.found,
    down: after.found,
    isCut: before.isCut || after.isCut,
    isThere: before.isThere,
    name: before.name,
  };
}

/** A production or run as the middle of its neighbours. */
export function selfOf(id: string, name: string): Known {
  const [kind = '', ...rest] = id.split('/');
  return knownWork(KINDS.find((one) => one === kind) ?? 'run', rest.join('/'), name);
}
