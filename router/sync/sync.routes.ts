// The sync endpoints of spec 1, all for admins.
import { integer, text } from '../edge/query-parameters.ts';
import { readObject, textField } from '../edge/read-object.ts';
import type { Route } from '../edge/routes.ts';
import { sendJson } from '../edge/send-json.ts';
import type { Sync } from './sync.service.ts';
import type { ConsistencyScan, SyncEvent } from './sync.store.ts';

const SYNC = '/api/v1/gateway/sync';
const ACCESS = 'sync:manage';

const eventShown = (event: SyncEvent): Record<string, unknown> => ({
  id: event.id,
  event_type: event.eventType,
  source: event.source,
  source_id: event.sourceId,
  actor: event.actor,
  details: event.details,
  resolved: event.resolvedAt !== null,
  resolved_at: event.resolvedAt,
  created_at: event.createdAt,
});
const eventWithNote = (event: SyncEvent): Record<string, unknown> => ({
  ...eventShown(event),
  note: event.note,
  resolved_by: event.resolvedBy,
});
const scanShown = (scan: ConsistencyScan): Record<string, unknown> => ({
  scan_id: scan.id,
  status: scan.status,
  started_at: scan.startedAt,
  finished_at: scan.finishedAt,
  checked: scan.checked,
  mismatches: scan.mismatches,
  error: scan.error,
});

export const syncRoutes = (sync: Sync): readonly Route[] => [
  {
    method: 'GET',
    path: `${SYNC}/events`,
    access: ACCESS,
    async handle(exchange) {
      const query = new URLSearchParams(exchange.search);
      const { items, nextCursor, total } = await sync.events({
        status: text(query, 'status') ?? 'all',
        limit: integer(query, 'limit', 50),
        offset: integer(query, 'offset', 0),
        cursor: text(query, 'cursor'),
      });
      sendJson(exchange, 200, { events: items.map(eventShown), total, next_cursor: nextCursor });
    },
  },
  {
    method: 'GET',
    path: `${SYNC}/events/{event_id}`,
    access: ACCESS,
    handle: async (exchange, { event_id: id = '' }) =>
      sendJson(exchange, 200, eventWithNote(await sync.event(id))),
  },
  {
    method: 'POST',
    path: `${SYNC}/events/{event_id}/resolve`,
    access: ACCESS,
    async handle(exchange, { event_id: id = '' }) {
      const note = textField(await readObject(exchange, { required: false }), 'note');
      sendJson(exchange, 200, eventWithNote(await sync.resolve(id, note, exchange.caller)));
    },
  },
  {
    method: 'GET',
    path: `${SYNC}/scan/latest`,
    access: ACCESS,
    handle: async (exchange) => sendJson(exchange, 200, scanShown(await sync.latestScan())),
  },
  {
    method: 'POST',
    path: `${SYNC}/scan`,
    access: ACCESS,
    handle: async (exchange) => sendJson(exchange, 202, scanShown(await sync.startScan())),
  },
];
