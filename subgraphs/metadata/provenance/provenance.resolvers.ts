// Provenance in GraphQL: unpack, one call, map.
import type { TextField } from '../../../platform/text-fields.ts';
import type { Moment } from '../as-of/timeline.ts';
import { writeRows } from '../entities/entities.text.ts';
import { type EntitySource, isoTime } from '../entities/entity-record.ts';
import type { MetadataContext } from '../metadata-context.ts';
import type { HistoryBounds } from './provenance.service.ts';
import type { EventRow } from './provenance.store.ts';
import { eventWriter } from './provenance.text.ts';

interface HistoryArgs { eventTypes?: string[] | null; limit?: number | null; offset?: number | null }
interface RootArgs extends HistoryArgs { entityId: string; asOf?: string | null }
/** A history by itself is whole, if it can be; below an entity, which may be one of many, it is a page. */
const bounds = (args: HistoryArgs, usual: 100 | 1000, at: Moment): HistoryBounds => ({ eventTypes: args.eventTypes ?? null, limit: args.limit ?? usual, offset: args.offset ?? 0, at });
const rowsOf = async ({ entityId, asOf, ...args }: RootArgs, { provenance, timeline, caller }: MetadataContext): Promise<EventRow[] | null> =>
  provenance.history(entityId, bounds(args, 1000, await timeline.moment(asOf)), caller);

const event = (row: EventRow) => ({
  id: row.id, eventType: row.event_type, entityId: row.entity_id, entityType: row.entity_type, actor: row.actor, timestamp: isoTime(row.timestamp),
  schemaVersion: row.schema_version,
  get context() { return row.context === null ? null : JSON.parse(row.context) as unknown; }, // when it is its turn: payloads may be large
  get payload() { return JSON.parse(row.payload) as unknown; },
});

export const provenanceResolvers = {
  Query: {
    entityHistory: async (_: unknown, args: RootArgs, context: MetadataContext) => (await rowsOf(args, context))?.map(event) ?? null,
  },
  Entity: {
    history: async ({ id, at = null }: EntitySource, args: HistoryArgs, { histories }: MetadataContext) => (await histories(id, bounds(args, 100, at))).map(event),
  },
};

const historyText: TextField<MetadataContext> = (selection) => {
  const write = eventWriter(selection);
  return write && (async (args, context) => {
    const rows = await rowsOf(args as unknown as RootArgs, context); // coerced against the SDL before
    return rows === null ? 'null' : `[${writeRows(rows, write, context.caller.budget)}]`;
  });
};

export const provenanceTexts = { 'Query.entityHistory': historyText };
