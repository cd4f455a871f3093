// The hash of what a refresh does: it is another one where anything would be made in another way, or of another version
// (docs/reference/artifact.md#refresh).
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../platform/canonical-json.ts';
import type { Caller } from '../../../platform/identity.ts';
import { inGroups } from '../../../platform/in-groups.ts';
import { inFilters } from '../in-filters.ts';
import { planHash, type PlanNode, reusedBy } from '../planning/plan.ts';
import { type AskPlatform, question } from '../platform-port.ts';
import { STEPS_AT_ONCE } from './stale-closure.ts';

const VERSIONS = `query RefreshInputs($filter: String!) {
  entities(filter: $filter, limit: 1000, includeUnavailable: true, count: NONE) { items { id version } }
}`;

type Versions = ReadonlyMap<string, number>;

/** What of a step makes a difference. */
interface HashedStep {
  readonly entityId: string;
  readonly parameters: unknown;
  readonly plan: PlanNode | null;
  readonly error: { readonly code: string } | null;
}

/** The versions of the stored entities that the steps use. */
export async function versionsOf(
  ask: AskPlatform,
  caller: Caller,
  steps: readonly Pick<HashedStep, 'plan'>[],
): Promise<Versions> {
  const ids = [...new Set(steps.flatMap(({ plan }) => (plan === null ? [] : reusedBy(plan))))];
  const pages = await inGroups(inFilters(ids), STEPS_AT_ONCE, (group) =>
    question<{ readonly items: readonly { readonly id: string; readonly version: number }[] }>(
      ask,
      VERSIONS,
      'entities',
      { filter: `id in [${group}]` },
      caller,
    ),
  );
  return new Map(pages.flatMap(({ items }) => items.map(({ id, version }) => [id, version])));
}

/** `sha256:<hex>` of all steps. */
export function refreshHash(steps: readonly HashedStep[], versions: Versions): string {
  const told = steps.map(({ entityId, parameters, plan, error }) => {
    if (plan === null) return [entityId, parameters, error?.code ?? null];
    const used = reusedBy(plan).toSorted();
    return [entityId, parameters, planHash(plan), used.map((id) => [id, versions.get(id) ?? null])];
  });
  return `sha256:${createHash('sha256').update(canonicalJson(told)).digest('hex')}`;
}
