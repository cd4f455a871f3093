// The audit record and the measurement of one request, or of one operation on a connection that stays open
// (docs/reference/gateway.md#audit-record).
import { readCredential } from '../../acting/credential.ts';
import { timestampOf } from '../audit/audit-record.ts';
import { operationDone } from '../metrics/operation-metrics.ts';
import type { Edge } from './edge-options.ts';

const GRAPHQL_PATH = '/graphql';

export interface DoneOperation {
  readonly requestId: string;
  readonly actor: string;
  /** The caller's, see {@link Identity.credential}. */
  readonly credential: string | undefined;
  /** The run or production on whose behalf a service makes it. */
  readonly cause?: string | undefined;
  /** `WS` and the like for operations without a request of their own. */
  readonly method: string;
  readonly path: string;
  /** For the metrics: from a bounded set. */
  readonly template: string;
  readonly ip: string;
  /** The operation's name, if it has one. */
  readonly name: string | undefined;
  /** The status that a request would have had. */
  readonly status: number;
  /** Start time by `performance.now()`. */
  readonly startedAt: number;
}

/** Names change hands; what the issuer says of whom its token is for does not. */
function noteSubject(requestId: string, actor: string, credential: string, audit: Edge['audit']): void {
  const name = readCredential(credential);
  if (name?.kind !== 'issuer') return;
  const { issuer, subject } = name;
  audit?.note(requestId, actor, { action: 'token.accept', subject: actor, details: { issuer, subject } });
}

export function recordOperation(
  { requestId, actor, credential, cause, method, path, template, ip, name, status, startedAt }: DoneOperation,
  { audit, metrics }: Pick<Edge, 'audit' | 'metrics'>,
): void {
  const latency = performance.now() - startedAt;
  metrics?.requestDone(method, template, status, latency / 1000);
  if (template === GRAPHQL_PATH && (method !== 'GET' || name !== undefined))
    operationDone(name, latency / 1000, status);
  if (credential?.startsWith('issuer ') === true) noteSubject(requestId, actor, credential, audit);
  audit?.record({
    timestamp: timestampOf(Date.now() - latency),
    request_id: requestId,
    actor,
    method,
    path,
    status,
    latency_ms: Math.round(latency * 1000) / 1000,
    ip,
    ...(name === undefined ? {} : { operation: name }),
    ...(cause === undefined ? {} : { cause }),
  });
}
