// Queries the platform for results that have become stale, in the order in which they became so: whoever asks makes that
// it is looked at (docs/reference/workflow.md#stale-results).
import { asConfigured } from '../../../platform/acting.ts';
import { nodeKey, staleResultKey, versionKey } from '../../../platform/causal-links.ts';
import { grouped } from '../../../platform/grouped.ts';
import { PLATFORM_PROJECT } from '../../../platform/identity.ts';
import { BOUND_ENTITY, type BoundEntity } from '../../../platform/cel/bindings.ts';
import type { Execute, ExecuteAs } from '../deps.ts';
import { tellsAvailability } from '../observation-log/judge.ts';
import type { PollFinding, Look, MadeBy, StaleTrigger } from './poll-trigger.ts';

const REASONS = 'reasons { entityId toVersion fromRule toRule }';
const STALE = `query BecameStale($entityType: String, $rule: ID, $since: DateTime, $cursor: String, $limit: Int!) {
  stale(entityType: $entityType, rule: $rule, since: $since, cursor: $cursor, limit: $limit) {
    items { since productionId rule entity { ${BOUND_ENTITY} producedBy { entityType parameters } } staleness { ${REASONS} } } nextCursor
  }
}`;
const PAGE = 100;

interface ToldStaleness {
  readonly reasons: readonly {
    readonly entityId: string | null;
    readonly toVersion: number | null;
    readonly fromRule: string | null;
    readonly toRule: string | null;
  }[];
}

interface StaleItem {
  readonly since: string;
  readonly productionId: string;
  readonly rule: string | null;
  readonly entity: (BoundEntity & { readonly producedBy: MadeBy | null }) | null;
  readonly staleness: ToldStaleness;
}
export interface StalePage {
  readonly items: readonly StaleItem[];
  readonly nextCursor: string | null;
}

/** Changes that a firing keeps as its causes. */
const MAX_CAUSES = 50;

/** What became stale, and what has changed: by the keys of their nodes in causal chains. */
const causesOf = ({ id, version }: BoundEntity, { reasons }: ToldStaleness): readonly string[] => {
  const changes = reasons.flatMap(({ entityId, toVersion, fromRule, toRule }) => {
    if (entityId !== null)
      return toVersion === null ? [] : [versionKey({ id: entityId, version: toVersion })];
    const rule = toRule ?? fromRule;
    return rule === null ? [] : [nodeKey('rule', rule)];
  });
  return [...new Set([versionKey({ id, version }), ...changes])].slice(0, MAX_CAUSES);
};

/** What a trigger with this event observes of a stale result. */
export const staleSubject = (
  { event }: Pick<StaleTrigger, 'event'>,
  { id, version }: BoundEntity,
  { since, productionId, rule }: StaleItem,
) => ({ event, entity: { id, version, since, production_id: productionId, rule } });

/** @returns those that the trigger looks at, as the platform shows them, oldest first */
export async function staleAfter(
  { entityType, rule }: StaleTrigger,
  execute: Execute,
  page: { readonly since: string; readonly cursor: string | null; readonly limit?: number },
  signal?: AbortSignal,
): Promise<StalePage> {
  const wanted = { entityType: entityType ?? null, rule: rule ?? null };
  const answer = await execute(STALE, { ...wanted, limit: PAGE, ...page }, signal);
  return answer['stale'] as StalePage; // The document selects it.
}

/** Results that are asked about at once. */
const AT_ONCE = 20;
const asSeen = (ids: readonly string[]): string =>
  `query StaleAsSeen(${ids.map((_, i) => `$id${i}: ID!`).join(', ')}) {
  ${ids.map((_, i) => `of${i}: staleness(entityId: $id${i}) { isStale ${REASONS} }`).join('\n  ')}
}`;
interface SeenStaleness extends ToldStaleness {
  readonly isStale: boolean;
}

/** Of the entities those that are stale as the members of their own projects see them. */
async function staleWithin(
  entities: readonly BoundEntity[],
  executeAs: ExecuteAs,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ToldStaleness>> {
  const found = new Map<string, ToldStaleness>();
  const inProjects = entities.flatMap(({ id, project }) =>
    typeof project === 'string' ? [{ id, project }] : [],
  );
  const idsOf = grouped(
    inProjects,
    ({ project }) => project,
    ({ id }) => id,
  );
  for (const [project, all] of idsOf)
    for (let at = 0; at < all.length; at += AT_ONCE) {
      const ids = all.slice(at, at + AT_ONCE);
      const variables = Object.fromEntries(ids.map((id, i) => [`id${i}`, id]));
      const answer = await executeAs(asConfigured([project]))(asSeen(ids), variables, signal);
      for (const [i, id] of ids.entries()) {
        const seen = answer[`of${i}`] as SeenStaleness | null; // The document selects it.
        if (seen?.isStale === true) found.set(id, seen);
      }
    }
  return found;
}

interface ShownTo extends Pick<PollFinding, 'actsIn'> {
  readonly project: string;
  /** As they see it: what is hidden from them is no cause that they are told. */
  readonly staleness: ToldStaleness;
}

/**
 * Who may know that it is stale: the members of the trigger's project, as which it was looked at. Without one, it was looked
 * at with all rights: the members of the entity's project, if it is stale as they see it, else who is in all projects.
 */
function shownTo(
  { project: own }: StaleTrigger,
  { id, project }: BoundEntity,
  { staleness }: StaleItem,
  within: ReadonlyMap<string, ToldStaleness>,
): ShownTo {
  if (own !== undefined) return { project: own, actsIn: project ?? null, staleness };
  const seen = within.get(id);
  return seen !== undefined && typeof project === 'string'
    ? { project, actsIn: project, staleness: seen }
    : { project: PLATFORM_PROJECT, actsIn: null, staleness };
}

export const staleResults: Look<StaleTrigger> = async function* (trigger, execute, after, signal, executeAs) {
  const isForAll = tellsAvailability(trigger.filter);
  for (let cursor: string | null = null; ;) {
    const page: StalePage = await staleAfter(trigger, execute, { since: after, cursor }, signal);
    const looked = page.items.flatMap((item) => {
      const { entity } = item;
      return entity !== null && (entity.is_available || isForAll) ? [{ item, entity }] : [];
    });
    const entities = trigger.project === undefined ? looked.map(({ entity }) => entity) : [];
    const within = await staleWithin(entities, executeAs, signal);
    for (const { item, entity } of looked) {
      const { since } = item;
      const { producedBy: madeBy, ...bound } = entity;
      const subject = staleSubject(trigger, entity, item);
      const causedBy = staleResultKey(trigger.name, since);
      const { project, actsIn, staleness } = shownTo(trigger, entity, item, within);
      yield {
        entity: bound,
        madeBy,
        at: since,
        once: since,
        firingKey: `${entity.id}@${since}`,
        cause: subject,
        causedBy,
        foundBy: { causedBy, cursor: after, causes: causesOf(entity, staleness) },
        observed: { kind: 'event', subject, project },
        actsIn,
      } satisfies PollFinding;
    }
    cursor = page.nextCursor;
    if (cursor === null) return;
  }
};
