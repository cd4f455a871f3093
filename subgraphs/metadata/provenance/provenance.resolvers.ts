// Resolvers of provenance.
import type { OperationContext } from '../../../platform/operation-context.ts';
import { writeRows } from '../../../platform/row-writer.ts';
import type { TextField } from '../../../platform/text-fields.ts';
import type { Moment, TimeSlice } from '../reading/timeline.ts';
import { type Cut, tellCut, warnCut } from '../cut-list.ts';
import { isoTime } from '../reading/entity-record.ts';
import type {
  EntityHistoryArgs,
  EntityHistoryPageArgs,
  QueryEntityHistoryArgs,
  Resolvers,
} from '../generated/resolvers.ts';
import type { ProvenanceSlice } from './provenance.service.ts';
import type { EventRow } from './event-row.ts';
import { eventWriter } from './provenance.text.ts';
import type { HistoryBounds } from './history-range.ts';

export type ProvenanceContext = OperationContext & ProvenanceSlice & TimeSlice;

/** A history on its own is complete if possible; below an entity, which may be one of many, it is a page. */
const [MAX_LIMIT, DEFAULT_LIMIT] = [1000, 100];
const bounds = (
  { eventTypes, limit, offset, cursor }: EntityHistoryArgs & Pick<QueryEntityHistoryArgs, 'cursor'>,
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
  { entityId, asOf, ...args }: QueryEntityHistoryArgs,
  usual: number,
  { provenance, timeline, caller }: ProvenanceContext,
): Promise<Cut<EventRow> | null> =>
  provenance.history(entityId, bounds(args, usual, await timeline.moment(asOf)), caller);
const rowsOf = async (
  args: QueryEntityHistoryArgs,
  context: ProvenanceContext,
): Promise<readonly EventRow[] | null> => {
  const found = await ofEntity(args, MAX_LIMIT, context);
  if (found)
    tellCut(context.extensions, found, {
      name: 'entityHistory',
      page: 'entityHistoryPage',
      isUsual: (args.limit ?? MAX_LIMIT) === MAX_LIMIT,
    });
  return found?.items ?? null;
};

/** The value of a text, which is parsed when it is asked for, and once: it may be large, and stand under many names. */
function parsedOnce(text: string): () => unknown {
  let parsed: { readonly value: unknown } | undefined;
  return () => (parsed ??= { value: JSON.parse(text) as unknown }).value;
}

const event = (row: EventRow) => {
  const [context, payload] = [parsedOnce(row.context ?? 'null'), parsedOnce(row.payload)];
  return {
    id: row.id,
    eventType: row.event_type,
    entityId: row.entity_id,
    entityType: row.entity_type,
    actor: row.actor,
    timestamp: isoTime(row.timestamp),
    schemaVersion: row.schema_version,
    requestId: row.request_id,
    cause: row.cause,
    get context() {
      return context();
    },
    get payload() {
      return payload();
    },
  };
};

const pageOf = ({ items, nextCursor }: Cut<EventRow>, { limit }: Pick<EntityHistoryPageArgs, 'limit'>) => ({
  items: items.map(event),
  limit: limit ?? DEFAULT_LIMIT,
  nextCursor,
});

export const provenanceResolvers = {
  Query: {
    requestEvents: async (_, { limit, ...asked }, { provenance, caller }) =>
      pageOf(
        await provenance.ofRequest(
          {
            ...asked,
            until: asked.until ?? null,
            cursor: asked.cursor ?? null,
            limit: limit ?? DEFAULT_LIMIT,
          },
          caller,
        ),
        { limit },
      ),
    entityHistoryPage: async (_, args, context) => {
      const found = await ofEntity(args, DEFAULT_LIMIT, context);
      return found && pageOf(found, args);
    },
    entityHistory: async (_, args, context) => (await rowsOf(args, context))?.map(event) ?? null,
  },
  Entity: {
    history: async ({ id, at = null }, args, { histories, extensions }) => {
      const found = await histories(id, bounds(args, DEFAULT_LIMIT, at));
      const isUsual = (args.limit ?? DEFAULT_LIMIT) === DEFAULT_LIMIT;
      warnCut(extensions, found, { name: 'history', page: 'historyPage', isUsual });
      return found.items.map(event);
    },
    historyPage: async ({ id, at = null }, args, { histories }) =>
      pageOf(await histories(id, bounds(args, DEFAULT_LIMIT, at)), args),
  },
} satisfies Resolvers<ProvenanceContext>;

const historyText: TextField<ProvenanceContext> = (selection) => {
  const write = eventWriter(selection);
  return (
    write &&
    (async (args, context) => {
      // The values were coerced by the SDL.
      const rows = await rowsOf(args as unknown as QueryEntityHistoryArgs, context);
      return rows === null ? 'null' : `[${writeRows(rows, write, context.caller.budget)}]`;
    })
  );
};

export const provenanceTexts = { 'Query.entityHistory': historyText };
