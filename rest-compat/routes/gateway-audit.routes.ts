// The gateway's endpoint of audit records (docs/reference/gateway.md#reading-audit-records).
import { instant, optionalInteger, PAGE, pageNumber, text } from '../parameters.ts';
import { route, type RestRoute } from '../route.ts';

const RECORD = `timestamp request_id: requestId actor method path status latency_ms: latencyMs ip operation changes cause`;

export const auditRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/audit',
    summary: 'Lists audit records, newest first.',
    operation: `query listAuditRecords($filter: AuditFilter!, $limit: Int!, $cursor: String) {
      auditRecords(filter: $filter, limit: $limit, cursor: $cursor) { records { ${RECORD} } next_cursor: nextCursor }
    }`,
    pick: 'auditRecords',
    query: {
      actor: text('Only requests of this actor.'),
      request_id: text('Only the request with this id.'),
      method: text('Only requests with this method; `CLI` for commands of the operator.'),
      path_prefix: text('Only requests whose path begins with this text.'),
      min_status: optionalInteger({ min: 0 }, 'Only requests with this status or a higher one.'),
      max_status: optionalInteger({ min: 0 }, 'Only requests with this status or a lower one.'),
      action: text(
        'Only requests that made such a change: `api_key.create`, or `api_key` for all of that kind.',
      ),
      since: instant('Only requests from this instant on.'),
      until: instant('Only requests before this instant.'),
      limit: pageNumber({ minimum: 1, maximum: 500, default: 50 }, PAGE.limit.description),
      cursor: PAGE.cursor,
    },
    variables: ({ query: { limit, cursor, request_id, path_prefix, min_status, max_status, ...same } }) => ({
      limit,
      cursor,
      filter: {
        ...same,
        requestId: request_id,
        pathPrefix: path_prefix,
        minStatus: min_status,
        maxStatus: max_status,
      },
    }),
  }),
];
