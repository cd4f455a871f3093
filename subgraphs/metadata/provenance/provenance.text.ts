// Serialises provenance events as JSON text, which preserves context and payload byte for byte.
import { type RowWriter, rowWriter } from '../../../platform/row-writer.ts';
import type { TextSelection } from '../../../platform/text-fields.ts';
import { isoTime } from '../reading/entity-record.ts';
import type { EventRow } from './event-row.ts';

const textOrNull = (value: string | null): string => (value === null ? 'null' : JSON.stringify(value));
const FIELDS: Readonly<Record<string, (row: EventRow) => string>> = {
  id: (row) => `"${row.id}"`,
  eventType: (row) => `"${row.event_type}"`,
  entityId: (row) => textOrNull(row.entity_id),
  entityType: (row) => textOrNull(row.entity_type),
  actor: (row) => JSON.stringify(row.actor),
  timestamp: (row) => `"${isoTime(row.timestamp)}"`,
  requestId: (row) => textOrNull(row.request_id),
  cause: (row) => textOrNull(row.cause),
  schemaVersion: (row) => JSON.stringify(row.schema_version),
  context: (row) => row.context ?? 'null',
  payload: (row) => row.payload,
  __typename: () => '"ProvenanceEvent"',
};

/** A serialiser of events for the selection, or null if it selects more than an event's own fields. */
export const eventWriter = (selection: readonly TextSelection[]): RowWriter<EventRow> | null =>
  rowWriter(selection, FIELDS);
