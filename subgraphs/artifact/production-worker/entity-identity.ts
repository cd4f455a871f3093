// The identity of a produced entity, and whether a stored entity has it
// (docs/reference/artifact.md#entity-identity).
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../platform/canonical-json.ts';
import type { RuleOutput } from '../rules/rule-definition.ts';
import type { IdentityKey } from './identities.store.ts';

export interface EntityIdentity extends IdentityKey {
  /** The identity fields with their values; null for one without a value. */
  readonly values: Readonly<Record<string, unknown>>;
}

type Json = Readonly<Record<string, unknown>>;
const ownValue = (data: Json, name: string): unknown =>
  Object.hasOwn(data, name) ? (data[name] ?? null) : null;

/** The project of data, '' for none. */
const projectOf = (data: Json, hasProject: boolean): string => {
  const project = hasProject ? ownValue(data, 'project') : null;
  return typeof project === 'string' ? project : '';
};

/** Null if the rule has no identity fields, or none of them has a value: then there is no identity. */
export function identityOf(
  { entity_type: entityType, match }: RuleOutput,
  data: Json,
  hasProject: boolean,
): EntityIdentity | null {
  const values = Object.fromEntries(
    Object.keys(match ?? {})
      .sort()
      .map((name) => [name, ownValue(data, name)]),
  );
  if (Object.values(values).every((value) => value === null)) return null;
  return {
    entityType,
    project: projectOf(data, hasProject),
    digest: createHash('sha256').update(canonicalJson(values)).digest('hex'),
    values,
  };
}

/** Whether a stored entity has the identity: this very type and project, and these values. */
export const isMeant = (
  { entityType, project, values }: EntityIdentity,
  entity: { readonly entityType: string; readonly data: Json },
  hasProject: boolean,
): boolean =>
  entity.entityType === entityType &&
  projectOf(entity.data, hasProject) === project &&
  Object.entries(values).every(
    ([name, value]) => canonicalJson(ownValue(entity.data, name)) === canonicalJson(value),
  );
