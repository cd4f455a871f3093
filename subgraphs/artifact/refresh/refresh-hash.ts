// The hash of what a refresh does: it is another one where anything would be made in another way, or of another version
// (docs/reference/artifact.md#refresh).
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../platform/canonical-json.ts';
import type { Caller } from '../../../platform/identity.ts';
import { entityVersions, type Versions } from '../planning/pinned-plan.ts';
import { planHash, type PlanNode, reusedBy } from '../planning/plan.ts';
import type { AskPlatform } from '../platform-port.ts';

/** What of a step makes a difference. */
interface HashedStep {
  readonly entityId: string;
  readonly parameters: unknown;
  readonly plan: PlanNode | null;
  readonly error: { readonly code: string } | null;
}

/** The versions of the stored entities that the steps use. */
export const versionsOf = (
  ask: AskPlatform,
  caller: Caller,
  steps: readonly Pick<HashedStep, 'plan'>[],
): Promise<Versions> =>
  entityVersions(ask, caller, [
    ...new Set(steps.flatMap(({ plan }) => (plan === null ? [] : reusedBy(plan)))),
  ]);

/** `sha256:<hex>` of all steps. */
export function refreshHash(steps: readonly HashedStep[], versions: Versions): string {
  const told = steps.map(({ entityId, parameters, plan, error }) => {
    if (plan === null) return [entityId, parameters, error?.code ?? null];
    const used = reusedBy(plan).toSorted();
    return [entityId, parameters, planHash(plan), used.map((id) => [id, versions.get(id) ?? null])];
  });
  return `sha256:${createHash('sha256').update(canonicalJson(told)).digest('hex')}`;
}
