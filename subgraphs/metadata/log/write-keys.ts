// Keys of what writes read and change: writes without a key in common do not see each other.
import type { UniqueKey } from '../schema-model/unique-key.ts';
import type { ExternalIdKey, Needs, RelationshipKey } from './write.ts';

/** The keys of everything that a write reads. */
export const keysOf = ({
  entities = [],
  heads = [],
  relationships = [],
  externalIds = [],
  uniques = [],
  superseded = [],
}: Needs): string[] => [
  ...[...entities, ...heads].map((id) => `entity ${id}`),
  ...relationships.map((key) => `relationship ${relationshipName(key)}`),
  ...externalIds.map((key) => `external id ${externalName(key)}`),
  ...uniques.map((key) => `unique ${uniqueName(key)}`),
  ...(superseded.length > 0 ? ['supersession'] : []), // a chain may lead to any entity
];

export const relationshipName = (k: RelationshipKey): string =>
  JSON.stringify([k.sourceId, k.targetId, k.type]);
export const externalName = (k: ExternalIdKey): string => JSON.stringify([k.idType, k.value]);
export const uniqueName = (k: UniqueKey): string =>
  `${k.scope}\u0000${k.field}\u0000${k.hash.toString('base64')}`;
