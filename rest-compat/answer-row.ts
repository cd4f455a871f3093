// The only code that converts a REST request to a GraphQL operation, and its result to a response.
import type { Budget } from '../platform/budget/budget.ts';
import { runWithin } from '../platform/budget/budgeted.ts';
import { DEFAULT_OPERATION_LIMITS, type OperationLimits } from '../platform/budget/limits.ts';
import { writeJson } from '../platform/budget/write-json.ts';
import type {
  ComponentError,
  ComponentExtensions,
  ComponentResult,
  PreparedOperation,
} from '../platform/component.ts';
import { DomainError, type ErrorCode, errorCodeOf, masked } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';
import type { Caller } from '../platform/identity.ts';
import { assertMember, type Permission } from '../platform/permissions.ts';
import { hasBody, readBody, readJson } from '../platform/read-body.ts';
import { setWarningsHeader } from '../platform/warnings.ts';
import type { Envelope } from './envelopes.ts';
import { hasTag } from './entity-tags.ts';
import { readParameters } from './parameters.ts';
import type { RestRoute } from './route.ts';
import { orParameterMeant, warningsOf } from './unheeded.ts';

export interface AnsweringOptions {
  readonly envelope: Envelope;
  /** The operation of a document, prepared once and cached by the router. */
  readonly prepare: (document: string) => {
    readonly run: PreparedOperation;
    readonly permission: Permission;
  };
  /**
   * The error for an invalid parameter: 422 in metadata, 400 elsewhere
   * (docs/reference/api-conventions.md#refused-parameters).
   */
  readonly refuse: (message: string) => DomainError;
  /** The limits of a row's operation. */
  readonly limits?: OperationLimits;
}

/**
 * The end of the text of an available entity: a change of availability, which keeps the version, must not be
 * hidden by If-None-Match.
 */
const AVAILABLE = '"is_available":true}';

/** Whether the client already has the entity: GET with an If-None-Match that contains its tag. */
function isKnown({ req }: RequestContext, text: string, version: number | undefined): boolean {
  const sent =
    version === undefined || (req.method !== 'GET' && req.method !== 'HEAD')
      ? undefined
      : req.headers['if-none-match'];
  return sent !== undefined && text.endsWith(AVAILABLE) && hasTag(sent, `"${version}"`);
}

interface Outcome {
  readonly status: number;
  readonly body: string | Buffer;
  readonly entityVersion?: number | undefined;
  readonly allow?: string;
}

/** A row, and whether it writes, determined at start. */
export interface RegisteredRow {
  readonly row: RestRoute;
  readonly writes: boolean;
}

/** The caller of a public row: the answer does not depend on the actual caller. */
const anybody = ({ requestId, traceparent }: Caller): Caller => ({
  actor: 'anonymous',
  roles: ['viewer'],
  projects: [],
  requestId,
  ...(traceparent === undefined ? {} : { traceparent }),
});

/**
 * The author: the actor in the body, if the caller is not otherwise identified
 * (docs/reference/metadata.md#bulk-availability).
 */
function acting({ actor }: RestRoute, body: unknown, caller: Caller): Caller {
  const named = actor?.(body) ?? null;
  return named === null || named === '' || caller.isSelfNamed !== true ? caller : { ...caller, actor: named };
}

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
export function domainErrorOf(error: ComponentError): DomainError {
  const code = errorCodeOf(error.extensions?.['code']);
  if (code === undefined || code === 'internal_error')
    return new DomainError('internal_error', 'internal error');
  const details = error.extensions?.['details'];
  return new DomainError(
    code,
    error.message,
    typeof details === 'object' && details !== null ? { ...details } : {},
  );
}

function payloadText(
  row: RestRoute,
  result: ComponentResult,
  params: Readonly<Record<string, string>>,
  budget: Budget,
): { text: string | Promise<Buffer>; status: number } {
  const ready = row.shape === undefined && row.status === undefined ? result.texts?.[row.pick] : undefined;
  const usual = row.successStatus ?? 200;
  if (ready !== undefined && ready !== 'null') return { text: ready, status: usual };
  const text = result.texts?.[row.pick];
  const value: unknown = text === undefined ? result.data?.[row.pick] : JSON.parse(text);
  if (value === null || value === undefined) {
    if (row.absent) throw new DomainError('not_found', row.absent(params));
    return { text: 'null', status: usual };
  }
  // The document determines the type; the row was written for it.
  const shaped = row.shape ? row.shape(value as never) : value;
  return { text: writeJson(shaped, budget), status: row.status?.(value as never) ?? usual };
}

/** Placeholder of a payload while its envelope is created. */
const PAYLOAD = '\u0000';

/** The envelope around a large payload, which consists of bytes already. */
function enveloped(payload: Buffer, success: (payload: string) => string): Buffer {
  const [before = '', after = ''] = success(PAYLOAD).split(PAYLOAD);
  return Buffer.concat([Buffer.from(before), payload, Buffer.from(after)]);
}

/** Writes are completed once begun: the first word of a row's document tells. */
export const writes = ({ operation }: RestRoute): boolean => /^\s*mutation\b/.test(operation);

/** Empty: null, or an empty list. */
const documentOf = (
  { operation, expandedOperation: wider }: RestRoute,
  values: Readonly<Record<string, unknown>>,
): string => {
  const given = wider && values[wider.parameter];
  return wider === undefined ||
    given === null ||
    given === undefined ||
    (Array.isArray(given) && given.length === 0)
    ? operation
    : wider.operation;
};

function send({ res }: RequestContext, outcome: Outcome): void {
  const { body } = outcome;
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

/**
 * A write's project, of its data or its arguments, is checked before any component is called, as for GraphQL
 * (docs/reference/gateway.md#projects).
 * @throws DomainError `project_scope_denied`
 */
function checkBodyProject(body: unknown, { caller }: RequestContext): void {
  if (caller.projects === '*' || typeof body !== 'object' || body === null) return;
  // Any object may have these keys; their values stay unknown.
  const { data, criteria } = body as { data?: unknown; criteria?: unknown };
  for (const held of [data, criteria]) {
    const project =
      typeof held === 'object' && held !== null && Object.hasOwn(held, 'project')
        ? (held as { project: unknown }).project
        : undefined;
    if (typeof project === 'string') assertMember(caller, project);
  }
}

export interface FailingOptions {
  readonly envelope: Envelope;
  /** Extensions for answers without an operation: the schema revision of an unknown path's 404. */
  readonly extensions: () => Promise<ComponentExtensions>;
  /** Receives every exception that is not a DomainError. */
  readonly onFault: (error: unknown, ctx: RequestContext) => void;
}

interface FailureExtra {
  readonly allow?: string;
  readonly extensions?: ComponentExtensions;
  readonly envelope?: Envelope;
}

/** Answers with an error. @throws DomainError that the edge answers */
export type Fail = (ctx: RequestContext, thrown: unknown, extra?: FailureExtra) => Promise<void>;

/** Answers errors in the envelope, except those that the edge answers. */
export const failing =
  ({ envelope, extensions: extensionsNow, onFault }: FailingOptions): Fail =>
  async (ctx, thrown, extra = {}) => {
    const error = masked(thrown);
    if (EDGE_ANSWERS.has(error.code)) throw error;
    if (error.code === 'internal_error') onFault(thrown, ctx);
    const extensions =
      extra.extensions?.schemaVersion === undefined ? await extensionsNow() : extra.extensions;
    send(ctx, {
      status: error.status,
      body: (extra.envelope ?? envelope).failure(error, ctx.requestId, extensions),
      ...(extra.allow === undefined ? {} : { allow: extra.allow }),
    });
  };

/** Answers a row's request. @throws DomainError as `fail` */
export function answering(
  options: AnsweringOptions,
  fail: Fail,
): (
  registered: RegisteredRow,
  params: Readonly<Record<string, string>>,
  ctx: RequestContext,
) => Promise<void> {
  const { envelope, limits = DEFAULT_OPERATION_LIMITS } = options;
  return async ({ row, writes: isWrite }, params, ctx) => {
    let extensions: ComponentExtensions = {};
    const shapes = row.dialect?.envelope ?? envelope;
    let budget: Budget | undefined;
    try {
      const { values, rest } = readParameters(row.query, ctx.search, options.refuse);
      // an unused body is read to enforce its limit (docs/reference/api-conventions.md#body-limits)
      if (row.body === undefined && hasBody(ctx.req)) await readBody(ctx);
      const body =
        row.body === undefined ? undefined : await readJson(ctx, { required: row.body === 'required' });
      checkBodyProject(body, ctx);
      const header = (name: string): string | undefined => {
        const value = ctx.req.headers[name];
        return Array.isArray(value) ? value.join(', ') : value;
      };
      const variables = row.variables({ params, query: values, rest, body, header });
      const caller = row.access === 'public' ? anybody(ctx.caller) : acting(row, body, ctx.caller);
      const { run } = options.prepare(documentOf(row, values));
      const ran = await runWithin(limits, caller, !isWrite, (budgeted) => run(variables, budgeted));
      const { result } = ran;
      budget = ran.budget;
      extensions = result.extensions ?? {};
      if (ctx.search !== '')
        extensions = { ...extensions, warnings: warningsOf(row, rest, extensions.warnings) };
      if (!shapes.hasWarnings && extensions.warnings !== undefined)
        setWarningsHeader(ctx.res, extensions.warnings);
      const error = result.errors?.[0];
      if (error) throw orParameterMeant(row, rest, domainErrorOf(error));
      const { text, status } = payloadText(row, result, params, budget);
      const success = (payload: string): string => shapes.success(payload, ctx.requestId, extensions);
      if (typeof text === 'string' && isKnown(ctx, text, extensions.entityVersion))
        ctx.res.writeHead(304, { etag: `"${extensions.entityVersion}"` }).end();
      else
        send(ctx, {
          status,
          body: typeof text === 'string' ? success(text) : enveloped(await budget.within(text), success),
          entityVersion: extensions.entityVersion,
        });
    } catch (thrown) {
      await fail(ctx, thrown, { extensions, envelope: shapes });
    } finally {
      budget?.closeWith(ctx.res);
    }
  };
}
