// The stored payload of EntityUpdated: both states, or for large states, the changes.
import { jsonSize } from '../../../platform/json-size.ts';
import { type EntityData, ownValue } from '../schema-model/entity-type.ts';
import { withoutPrototype } from '../../../platform/without-prototype.ts';

/**
 * States with more characters than this are stored as changes; with copies, each event would be twice the
 * entity (docs/decisions/0044-changes-instead-of-copies.md).
 */
const LARGE_STATE = 64 * 1024;

export type Payload = Readonly<Record<string, unknown>>;
interface Update {
  readonly previous: EntityData;
  readonly next: EntityData;
  readonly changedFields: readonly string[];
}

const picked = (data: EntityData, fields: readonly string[]): EntityData => {
  const values = withoutPrototype<unknown>();
  for (const field of fields) values[field] = ownValue(data, field);
  return values;
};

/** The changed fields with their new values. */
export const changesOf = ({ next, changedFields }: Pick<Update, 'next' | 'changedFields'>): EntityData =>
  picked(next, changedFields);

/** @param more further members of the payload */
export function updatePayload({ previous, next, changedFields }: Update, more: Payload = {}): Payload {
  if (jsonSize(next, LARGE_STATE) < LARGE_STATE && jsonSize(previous, LARGE_STATE) < LARGE_STATE)
    return { previous_state: previous, new_state: next, changed_fields: changedFields, ...more };
  return { changes: changesOf({ next, changedFields }), changed_fields: changedFields, ...more };
}

/** The entity before and after the event. */
export interface StatesAround<State> {
  readonly previous: State;
  readonly next: State;
}

const BEGINNING = '{"changes":';
export const keepsChanges = (eventType: string, payload: string): boolean =>
  eventType === 'EntityUpdated' && payload.startsWith(BEGINNING);
export const keepsChangesAlone = (eventType: string, payload: Payload): boolean =>
  eventType === 'EntityUpdated' && Object.hasOwn(payload, 'changes');

/** The payload of docs/reference/metadata.md#event-types, from an event that stores changes. */
export function wholePayload(payload: Payload, { previous, next }: StatesAround<unknown>): Payload {
  const { changes: _, ...told } = payload;
  return { previous_state: previous, new_state: next, ...told };
}

/** The same from JSON texts. */
export function wholePayloadText(payload: string, { previous, next }: StatesAround<string>): string {
  const { changes: _, ...told } = JSON.parse(payload) as Payload; // `updatePayload` wrote it.
  return `{"previous_state":${previous},"new_state":${next},${JSON.stringify(told).slice(1)}`;
}
