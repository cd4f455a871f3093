// The gateway's endpoints of sync events and scans (docs/reference/gateway.md#sync-endpoints).
import { badRequest } from '../../platform/errors.ts';
import { PAGE, pageNumber, text } from '../parameters.ts';
import { route, type RestRoute } from '../route.ts';
import { optionalBodyText, optionalObject } from './gateway-request.ts';

const EVENT = `id event_type: eventType source source_id: sourceId actor details resolved
  resolved_at: resolvedAt created_at: createdAt`;
const EVENT_WITH_NOTE = `${EVENT} note resolved_by: resolvedBy`;
const SCAN = 'scan_id: scanId status started_at: startedAt finished_at: finishedAt checked mismatches error';

const STATUSES = ['unresolved', 'resolved', 'all'];

/** @throws DomainError `invalid_request` */
function statusOf(status: string | null): string {
  if (status !== null && !STATUSES.includes(status))
    throw badRequest(`status must be one of ${STATUSES.join(', ')}`);
  return status ?? 'all';
}

export const syncRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/sync/events',
    summary: 'Lists sync events.',
    operation: `query listSyncEvents($status: SyncEventStatus!, $limit: Int!, $offset: Int!, $cursor: String) {
      syncEvents(status: $status, limit: $limit, offset: $offset, cursor: $cursor) {
        events { ${EVENT} }
        total
        next_cursor: nextCursor
      }
    }`,
    pick: 'syncEvents',
    query: {
      status: {
        ...text('Only events with this status.'),
        schema: { type: 'string', enum: STATUSES, default: 'all' },
      },
      limit: pageNumber({ minimum: 1, maximum: 500, default: 50 }, PAGE.limit.description),
      offset: pageNumber({ minimum: 0, default: 0 }, PAGE.offset.description),
      cursor: PAGE.cursor,
    },
    variables: ({ query: { status, ...page } }) => ({ status: statusOf(status), ...page }),
  }),
  route({
    method: 'GET',
    path: '/sync/events/{event_id}',
    summary: 'Returns one sync event.',
    operation: `query getSyncEvent($id: ID!) { syncEvent(id: $id) { ${EVENT_WITH_NOTE} } }`,
    pick: 'syncEvent',
    variables: ({ params }) => ({ id: params.event_id }),
    absent: ({ event_id: id }) => `sync event not found: ${id}`,
  }),
  route({
    method: 'POST',
    path: '/sync/events/{event_id}/resolve',
    summary: 'Marks a sync event as resolved.',
    operation: `mutation resolveSyncEvent($id: ID!, $note: String) { resolveSyncEvent(id: $id, note: $note) { ${EVENT_WITH_NOTE} } }`,
    pick: 'resolveSyncEvent',
    body: 'optional',
    bodySchema: {
      type: 'object',
      examples: [{ note: 'the sheet was loaded again' }],
      properties: { note: { type: 'string' } },
    },
    variables: ({ params, body }) => ({
      id: params.event_id,
      note: optionalBodyText(optionalObject(body), 'note'),
    }),
  }),
  route({
    method: 'POST',
    path: '/sync/scan',
    summary: 'Starts a consistency scan.',
    operation: `mutation startScan { startScan { ${SCAN} } }`,
    pick: 'startScan',
    variables: () => ({}),
    successStatus: 202,
  }),
  route({
    method: 'GET',
    path: '/sync/scan/latest',
    summary: 'Returns the latest consistency scan.',
    operation: `query latestScan { latestScan { ${SCAN} } }`,
    pick: 'latestScan',
    variables: () => ({}),
    absent: () => 'there has been no scan',
  }),
];
