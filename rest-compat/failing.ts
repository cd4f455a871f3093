// Errors as REST callers get them, and how any answer in JSON is sent.
import type { ComponentError, ComponentExtensions } from '../platform/component.ts';
import { DomainError, type ErrorCode, errorCodeOf, masked } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';
import type { Fail } from './answering.ts';
import type { Envelope } from './envelopes.ts';

/**
 * Errors that the edge answers in the gateway's shape, wherever they occur
 * (docs/reference/api-conventions.md#envelopes).
 */
const EDGE_ANSWERS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'missing_token',
  'invalid_token',
  'expired_token',
  'revoked_token',
  'insufficient_role',
  'project_scope_denied',
  'component_unavailable',
  'upstream_timeout',
  'rate_limit_exceeded',
  'request_timeout',
]);

/** Converts an operation's error to that of REST callers. */
export function domainErrorOf({ message, extensions }: ComponentError): DomainError {
  const code = errorCodeOf(extensions?.['code']);
  if (code === undefined || code === 'internal_error')
    return new DomainError('internal_error', 'internal error');
  const details = extensions?.['details'];
  return new DomainError(
    code,
    message,
    typeof details === 'object' && details !== null ? { ...details } : {},
  );
}

interface Outcome {
  readonly status: number;
  readonly body: string | Buffer;
  readonly entityVersion?: number | undefined;
  readonly allow?: string;
}

export function send({ res }: RequestContext, outcome: Outcome): void {
  const { body } = outcome;
  if (outcome.status === 204) return void res.writeHead(204).end();
  const length = Buffer.byteLength(body);
  const headers: Record<string, string | number> = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': length,
  };
  if (outcome.entityVersion !== undefined) headers['etag'] = `"${outcome.entityVersion}"`;
  if (outcome.allow !== undefined) headers['allow'] = outcome.allow;
  res.writeHead(outcome.status, headers);
  if (typeof body !== 'string') res.end(body);
  // ASCII is identical in both encodings and needs no conversion
  else res.end(body, length === body.length ? 'latin1' : 'utf8');
}

export interface FailingOptions {
  readonly envelope: Envelope;
  /** Extensions for answers without an operation: the schema revision of an unknown path's 404. */
  readonly extensions: () => Promise<ComponentExtensions>;
  /** Receives every exception that is not a DomainError. */
  readonly onFault: (error: unknown, ctx: RequestContext) => void;
}

/** Answers errors in the envelope, except those that the edge answers. */
export const failing =
  ({ envelope, extensions: extensionsNow, onFault }: FailingOptions): Fail =>
  async (ctx, thrown, extra = {}) => {
    const error = masked(thrown);
    if (EDGE_ANSWERS.has(error.code)) throw error;
    if (ctx.res.headersSent) throw thrown; // the answer has begun: it can only be broken off
    if (error.code === 'internal_error') onFault(thrown, ctx);
    const extensions =
      extra.extensions?.schemaVersion === undefined ? await extensionsNow() : extra.extensions;
    send(ctx, {
      status: error.status,
      body: (extra.envelope ?? envelope).failure(error, ctx.requestId, extensions),
      ...(extra.allow === undefined ? {} : { allow: extra.allow }),
    });
  };
