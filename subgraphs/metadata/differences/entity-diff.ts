// How two states of entities differ (docs/reference/metadata.md#differences).
import { isSameJson } from '../../../platform/canonical-json.ts';
import { type JsonPatch, jsonPatchOf } from '../../../platform/json-patch.ts';
import type { EntityRecord } from '../reading/entity-record.ts';

type Data = Readonly<Record<string, unknown>>;

/** One field; as the graph has it. */
interface FieldDifference {
  readonly field: string;
  readonly kind: 'ADDED' | 'REMOVED' | 'CHANGED';
  readonly before: unknown;
  readonly after: unknown;
}

/** Two states, either of which may not have been there, and the fields that differ. */
export interface ComparedStates {
  readonly before: EntityRecord | null;
  readonly after: EntityRecord | null;
  readonly differences: readonly FieldDifference[];
}

const dataOf = (state: EntityRecord | null): Data => state?.data ?? {};

/** The fields that differ, by name; the order of an object's members makes no difference. */
export function differencesOf(
  before: EntityRecord | null,
  after: EntityRecord | null,
): readonly FieldDifference[] {
  const [was, is] = [dataOf(before), dataOf(after)];
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])].sort();
  return fields.flatMap((field): FieldDifference[] => {
    if (!Object.hasOwn(was, field)) return [{ field, kind: 'ADDED', before: null, after: is[field] }];
    if (!Object.hasOwn(is, field)) return [{ field, kind: 'REMOVED', before: was[field], after: null }];
    if (isSameJson(was[field], is[field])) return [];
    return [{ field, kind: 'CHANGED', before: was[field], after: is[field] }];
  });
}

/** What makes the data of the first state that of the second. */
export const dataPatch = (differences: ComparedStates['differences']): JsonPatch =>
  jsonPatchOf(differences.map(({ field, ...how }) => ({ path: [field], ...how })));
