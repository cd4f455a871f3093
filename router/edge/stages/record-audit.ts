// Stage 6: one audit record and one measurement per request, whatever its result
// (docs/reference/gateway.md#audit, docs/reference/gateway.md#metrics).
import type { Edge } from './edge-options.ts';
import type { EdgeRequestContext } from './edge-request-context.ts';
import { recordOperation } from './record-operation.ts';

/**
 * The status of a client that disconnected before it was answered; the number is nginx's, and is never sent.
 */
const CLIENT_GONE = 499;

export function recordAudit(
  { req, res, requestId, caller, path, template, ip, operationName, startedAt }: EdgeRequestContext,
  edge: Edge,
): void {
  const status = res.headersSent ? res.statusCode : CLIENT_GONE;
  recordOperation(
    {
      requestId,
      actor: caller.actor,
      credential: caller.credential,
      cause: caller.cause,
      method: req.method ?? '',
      path,
      template,
      ip,
      name: operationName,
      status,
      startedAt,
    },
    edge,
  );
}
