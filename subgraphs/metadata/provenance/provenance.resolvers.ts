// Provenance in GraphQL: unpack, one call, map.
import type { TextField } from '../../../platform/text-fields.ts';
import type { Moment } from '../as-of/timeline.ts';
import { writeRows } from '../entities/entities.text.ts';
import { type EntitySource, isoTime } from '../entities/entity-record.ts';
import { type Cut, tellCut, warnOnce } from '../cut-list.ts';
import type { MetadataContext } from '../metadata-context.ts';
import type { HistoryBounds } from './provenance.service.ts';
import type { EventRow } from './provenance.store.ts';
import { eventWriter } from './provenance.text.ts';

interface HistoryArgs {
  eventTypes?: string[] | null;
  limit?: number | null;
  offset?: number | null;
  cursor?: string | null;
}
interface RootArgs extends HistoryArgs {
  entityId: string;
  asOf?: string | null;
}
/** A history by itself is whole, if it can be; below an entity, which may be one of many, it is a page. */
const [MOST, USUAL] = [1000, 100];
const bounds = (
  { eventTypes, limit, offset, cursor }: HistoryArgs,
  usual: number,
  at: Moment,
): HistoryBounds => ({
  eventTypes: eventTypes ?? null,
  limit: limit ?? usual,
  offset: offset ?? 0,
  cursor: cursor ?? null,
  at,
});
const ofEntity = async (
  { entityId, asOf, ...args }: RootArgs,
  usual: number,
  { provenance, timeline, caller }: MetadataContext,
): Promise<Cut<EventRow> | null> =>
  provenance.history(entityId, bounds(args, usual, await timeline.moment(asOf)), caller);
const rowsOf = async (args: RootArgs, context: MetadataContext): Promise<readonly EventRow[] | null> => {
  const found = await ofEntity(args, MOST, context);
  if (found)
    tellCut(context.extensions, found, {
      name: 'entityHistory',
      page: 'entityHistoryPage',
      isUsual: (args.limit ?? MOST) === MOST,
    });
  return found?.items ?? null;
};

const event = (row: EventRow) => ({
  id: row.id,
  eventType: row.event_type,
  entityId: row.entity_id,
  entityType: row.entity_type,
  actor: row.actor,
  timestamp: isoTime(row.timestamp),
  schemaVersion: row.schema_version,
  get context() {
    return row.context === null ? null : (JSON.parse(row.context) as unknown);
  }, // when it is its turn: payloads may be large
  get payload() {
    return JSON.parse(row.payload) as unknown;
  },
});

const pageOf = ({ items, nextCursor }: Cut<EventRow>, { limit }: HistoryArgs) => ({
  items: items.map(event),
  limit: limit ?? USUAL,
  nextCursor,
});

export const provenanceResolvers = {
  Query: {
    entityHistoryPage: async (_: unknown, args: RootArgs, context: MetadataContext) => {
      const found = await ofEntity(args, USUAL, context);
      return found && pageOf(found, args);
    },
    entityHistory: async (_: unknown, args: RootArgs, context: MetadataContext) =>
      (await rowsOf(args, context))?.map(event) ?? null,
  },
  Entity: {
    history: async (
      { id, at = null }: EntitySource,
      args: HistoryArgs,
      { histories, extensions }: MetadataContext,
    ) => {
      const { items, nextCursor } = await histories(id, bounds(args, USUAL, at));
      if (nextCursor !== null && (args.limit ?? USUAL) === USUAL)
        warnOnce(extensions, `history is cut at ${USUAL}: historyPage goes on by cursor`);
      return items.map(event);
    },
    historyPage: async ({ id, at = null }: EntitySource, args: HistoryArgs, { histories }: MetadataContext) =>
      pageOf(await histories(id, bounds(args, USUAL, at)), args),
  },
};

const historyText: TextField<MetadataContext> = (selection) => {
  const write = eventWriter(selection);
  return (
    write &&
    (async (args, context) => {
      const rows = await rowsOf(args as unknown as RootArgs, context); // coerced against the SDL before
      return rows === null ? 'null' : `[${writeRows(rows, write, context.caller.budget)}]`;
    })
  );
};

export const provenanceTexts = { 'Query.entityHistory': historyText };
