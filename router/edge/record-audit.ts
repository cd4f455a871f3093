// Stage 6: one audit record and one measurement per request, whatever became of it (spec 1 «Events» 2, contract 1.5).
import type { Edge } from './edge-options.ts';
import type { Passage } from './passage.ts';
import { recordOperation } from './record-operation.ts';

/** A client that went away before it was answered; the number is nginx's, no answer carries it. */
const CLIENT_GONE = 499;

export function recordAudit(
  { req, res, requestId, caller, path, template, ip, operationName, startedAt }: Passage,
  edge: Edge,
): void {
  const status = res.headersSent ? res.statusCode : CLIENT_GONE;
  recordOperation(
    {
      requestId,
      actor: caller.actor,
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
