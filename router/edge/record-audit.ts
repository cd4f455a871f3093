// Stage 6: one audit record and one measurement per request, whatever became of it (spec 1 «Events» 2, contract 1.5).
import { timestampOf } from './audit/audit-record.ts';
import type { Edge } from './edge-options.ts';
import type { Passage } from './passage.ts';

/** A client that went away before it was answered; the number is nginx's, no answer carries it. */
const CLIENT_GONE = 499;

export function recordAudit(passage: Passage, { audit, metrics }: Edge): void {
  const { req, res } = passage;
  const latency = performance.now() - passage.startedAt;
  const status = res.headersSent ? res.statusCode : CLIENT_GONE;
  const method = req.method ?? '';
  metrics?.requestDone(method, passage.template, status, latency / 1000);
  audit?.record({
    timestamp: timestampOf(Date.now() - latency),
    request_id: passage.requestId,
    actor: passage.caller.actor,
    method,
    path: passage.path,
    status,
    latency_ms: Math.round(latency * 1000) / 1000,
    ip: passage.ip,
    ...(passage.operationName === undefined ? {} : { operation: passage.operationName }),
  });
}
