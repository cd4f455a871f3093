// What a refresh was planned with: its productions use exactly that, or fail (docs/reference/artifact.md#refresh).
import { canonicalJson } from '../../../platform/canonical-json.ts';
import type { Caller } from '../../../platform/identity.ts';
import { foundByIds } from '../in-filters.ts';
import { type AskPlatform, question } from '../platform-port.ts';
import { type PlanNode, reusedBy } from './plan.ts';

export interface Pin {
  /** Of the stored entities that are used. */
  readonly versions: Readonly<Record<string, number>>;
  /** What is made, and how: each in canonical form. */
  readonly builds: readonly string[];
}

const VERSIONS = `query PlannedInputs($filter: String!, $limit: Int!) {
  entities(filter: $filter, limit: $limit, includeUnavailable: true, count: NONE) { items { id version } }
}`;

export type Versions = ReadonlyMap<string, number>;

/** The versions of the entities that the caller sees. */
export async function entityVersions(
  ask: AskPlatform,
  caller: Caller,
  ids: readonly string[],
): Promise<Versions> {
  const found = await foundByIds<{ readonly id: string; readonly version: number }>(ids, (wanted) =>
    question(ask, VERSIONS, 'entities', wanted, caller),
  );
  return new Map(found.map(({ id, version }) => [id, version]));
}

const whatOf = ({ entity_type: type, criteria }: PlanNode): string => canonicalJson([type, criteria]);
const howOf = (node: PlanNode): string =>
  canonicalJson([whatOf(node), node.rule, node.workflow_hash, node.bindings]);
const whatIn = (how: string): string => (JSON.parse(how) as [string])[0]; // as `howOf` writes it
const nodesOf = (plan: PlanNode): readonly PlanNode[] => [plan, ...plan.requires.flatMap(nodesOf)];

export function pinOf(plan: PlanNode, versions: Versions): Pin {
  const used = reusedBy(plan).flatMap((id): [string, number][] => {
    const version = versions.get(id);
    return version === undefined ? [] : [[id, version]];
  });
  const builds = nodesOf(plan).filter(({ decision }) => decision !== 'reuse');
  return { versions: Object.fromEntries(used), builds: [...new Set(builds.map(howOf))] };
}

/**
 * What of a pin is of one requirement, so that whoever has planned that alone, or with something else, has planned the same.
 * What the requirement uses may have been made meanwhile: it stays planned to be made.
 */
export function pinWithin({ versions, builds }: Pin, node: PlanNode): Pin {
  const used = new Set(reusedBy(node));
  const named = new Set(nodesOf(node).map(whatOf));
  return {
    versions: Object.fromEntries(Object.entries(versions).filter(([id]) => used.has(id))),
    builds: builds.filter((how) => named.has(whatIn(how))),
  };
}

/**
 * Whether what keeps to one keeps to the other as well: it uses no other version, and makes nothing else.
 * @param held what it keeps to
 */
export const keepsToBoth = (held: Pin, other: Pin): boolean =>
  Object.entries(held.versions).every(([id, version]) => other.versions[id] === version) &&
  held.builds.every((how) => other.builds.includes(how));

const changed = (id: string, from: number, to: number | undefined): string =>
  `${id} has changed since the refresh was planned: version ${from} -> ${to ?? 'none'}`;

/** How the entities differ from those that were planned with; null if they do not. */
export function versionsDiffer({ versions }: Pin, now: Versions): string | null {
  const [other] = Object.entries(versions).filter(([id, version]) => now.get(id) !== version);
  return other === undefined ? null : changed(other[0], other[1], now.get(other[0]));
}

/**
 * What the plan of now does that was not planned; null if there is nothing. What was to be made may have been made meanwhile.
 */
export function departsFrom({ versions, builds }: Pin, plan: PlanNode): string | null {
  const planned = new Set(builds);
  const made = new Set(builds.map(whatIn));
  for (const node of nodesOf(plan)) {
    const { decision, entity_id: id, entity_type: type, rule } = node;
    if (decision !== 'reuse' && !planned.has(howOf(node)))
      return `${type} would be made by ${rule ?? 'another rule'} in another way than when the refresh was planned`;
    if (decision === 'reuse' && !Object.hasOwn(versions, id ?? '') && !made.has(whatOf(node)))
      return `${type} ${id ?? ''} would be used, which it was not when the refresh was planned`;
  }
  return null;
}
