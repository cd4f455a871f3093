// Provenance in GraphQL: unpack, one call, map.
import type { TextField } from '../../../platform/text-fields.ts';
import { isoTime } from '../entities/entity-record.ts';
import type { MetadataContext } from '../metadata-context.ts';
import type { HistoryBounds } from './provenance.service.ts';
import type { EventRow } from './provenance.store.ts';
import { eventWriter } from './provenance.text.ts';

interface HistoryArgs { eventTypes?: string[] | null; limit?: number | null; offset?: number | null }
const bounds = (args: HistoryArgs): HistoryBounds => ({ eventTypes: args.eventTypes ?? null, limit: args.limit ?? 100, offset: args.offset ?? 0 });

const event = (row: EventRow) => ({
  id: row.id, eventType: row.event_type, entityId: row.entity_id, entityType: row.entity_type, actor: row.actor, timestamp: isoTime(row.timestamp),
  schemaVersion: row.schema_version, context: row.context === null ? null : JSON.parse(row.context) as unknown, payload: JSON.parse(row.payload) as unknown,
});

export const provenanceResolvers = {
  Query: {
    entityHistory: async (_: unknown, { entityId, ...args }: HistoryArgs & { entityId: string }, { provenance, caller }: MetadataContext) =>
      (await provenance.history(entityId, bounds(args), caller))?.map(event) ?? null,
  },
  Entity: {
    history: async ({ id }: { id: string }, args: HistoryArgs, { histories }: MetadataContext) => (await histories(id, bounds(args))).map(event),
  },
};

const historyText: TextField<MetadataContext> = (selection) => {
  const write = eventWriter(selection);
  return write && (async ({ entityId, ...args }, { provenance, caller }) => {
    const rows = await provenance.history(String(entityId), bounds(args as HistoryArgs), caller); // coerced against the SDL before
    return rows === null ? 'null' : `[${rows.map(write).join(',')}]`;
  });
};

export const provenanceTexts = { 'Query.entityHistory': historyText };
