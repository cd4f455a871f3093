// Productions of a refresh use what it was planned with, or fail: between its plan and their beginning anything may change
// (docs/reference/artifact.md#refresh).
import type { Caller } from '../../../platform/identity.ts';
import type { StoredEntity } from '../planning/entities.ts';
import { departsFrom, entityVersions, type Pin, versionsDiffer } from '../planning/pinned-plan.ts';
import type { Resolution } from '../planning/resolution.service.ts';
import type { AskPlatform } from '../platform-port.ts';
import { PlanDeparted } from './production-failed.ts';

function refuse(difference: string | null): void {
  if (difference !== null) throw new PlanDeparted(`${difference}: plan the refresh again`);
}

/**
 * Before anything is made for it. What has been made already by somebody else is no departure.
 * @throws PlanDeparted
 */
export async function keepsTo(
  ask: AskPlatform,
  pin: Pin,
  { plan, entity }: Resolution,
  caller: Caller,
): Promise<void> {
  if (entity !== null) return;
  refuse(versionsDiffer(pin, await entityVersions(ask, caller, Object.keys(pin.versions))));
  refuse(departsFrom(pin, plan));
}

/** What the workflow is given, as it was read for it. @throws PlanDeparted */
export function usesOnly(pin: Pin, required: readonly StoredEntity[]): void {
  const used = required.filter(({ id }) => Object.hasOwn(pin.versions, id));
  const versions = Object.fromEntries(used.map(({ id }) => [id, pin.versions[id] ?? 0]));
  const now = new Map(used.map(({ id, version }) => [id, version]));
  refuse(versionsDiffer({ ...pin, versions }, now));
}
