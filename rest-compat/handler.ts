// The only code that turns a REST request into a GraphQL operation and its answer back.
import findMyWay from 'find-my-way';
import type { Budget } from '../platform/budget/budget.ts';
import { runWithin } from '../platform/budget/budgeted.ts';
import { DEFAULT_OPERATION_LIMITS, type OperationLimits } from '../platform/budget/limits.ts';
import { writeJson } from '../platform/budget/write-json.ts';
import { closest } from '../platform/config/closest.ts';
import type {
  ComponentError,
  ComponentExtensions,
  ComponentResult,
  PreparedOperation,
} from '../platform/component.ts';
import { DomainError, type ErrorCode, errorCodeOf, masked } from '../platform/errors.ts';
import {
  type Exchange,
  type Face,
  type Handler,
  isMethod,
  type Match,
  METHODS,
} from '../platform/exchange.ts';
import type { Caller } from '../platform/identity.ts';
import { assertMember, type Permission } from '../platform/permissions.ts';
import { hasBody, readBody, readJson } from '../platform/read-body.ts';
import type { Envelope } from './envelopes.ts';
import { hasTag } from './entity-tags.ts';
import { readParameters } from './parameters.ts';
import type { Row } from './route.ts';

export interface FaceOptions {
  readonly component: string;
  /** Where the face stands under the gateway: `/api/v1/metadata`; for templates in audit and metrics. */
  readonly prefix: string;
  readonly rows: readonly Row[];
  readonly envelope: Envelope;
  /** The operation behind a document, prepared once and kept by the router. */
  readonly prepare: (document: string) => {
    readonly run: PreparedOperation;
    readonly permission: Permission;
  };
  /** What a refused parameter is: 422 in metadata, 400 elsewhere (contract 0). */
  readonly refuse: (message: string) => DomainError;
  readonly bulkBodyLimit: number;
  /** What an operation behind a row may take. */
  readonly limits?: OperationLimits;
  /** Extensions for answers that no operation stands behind: the schema revision of an unknown path's 404. */
  readonly extensions: () => Promise<ComponentExtensions>;
  /** Gets whatever was thrown that is no DomainError. */
  readonly onFault: (error: unknown, exchange: Exchange) => void;
}

/** What ends the text of an entity that stands as it is: no change of its availability, which keeps its version, is overlooked by If-None-Match. */
const AVAILABLE = '"is_available":true}';

/** Whether the client has the entity that it asks for: GET with an If-None-Match that has its tag. */
function isKnown({ req }: Exchange, text: string, version: number | undefined): boolean {
  const sent =
    version === undefined || (req.method !== 'GET' && req.method !== 'HEAD')
      ? undefined
      : req.headers['if-none-match'];
  return sent !== undefined && text.endsWith(AVAILABLE) && hasTag(sent, `"${version}"`);
}

/** Names that are said to mean nothing, at most. */
const MOST_NAMED = 10;

/** Parameters that the row does not know: nothing heeds them, which is worth saying. `project` is the edge's. */
function unheeded({ query, takesAny }: Row, rest: Readonly<Record<string, unknown>>): string[] {
  if (takesAny === true) return [];
  return Object.keys(rest)
    .filter((name) => name !== 'project')
    .slice(0, MOST_NAMED)
    .map((name) => {
      const meant = name.length > 100 ? undefined : closest(name, Object.keys(query));
      return `the query parameter ${name.slice(0, 100)} means nothing here${meant === undefined ? '' : `; did you mean ${meant}?`}`;
    });
}

interface Outcome {
  readonly status: number;
  readonly body: string | Buffer;
  readonly entityVersion?: number | undefined;
  readonly allow?: string;
}

/** A row, how audit and metrics name it (one text for all its requests, which look counters up by it), and whether it writes: told once, at the start. */
interface Registered {
  readonly row: Row;
  readonly template: string;
  readonly writes: boolean;
}

/** An external id of 1000 characters, each as four escaped bytes. */
const MAX_PARAM_LENGTH = 12_000;

/** For whom a public row is answered: whoever it is, it is as if anybody had asked. */
const anybody = ({ requestId, traceparent }: Caller): Caller => ({
  actor: 'anonymous',
  roles: ['viewer'],
  projects: [],
  requestId,
  ...(traceparent === undefined ? {} : { traceparent }),
});

/** Who acts: whom the body names, where the caller is nobody but who they say (spec 2 «bulk-availability»). */
function acting({ actor }: Row, body: unknown, caller: Caller): Caller {
  const named = actor?.(body) ?? null;
  return named === null || named === '' || caller.isSelfNamed !== true ? caller : { ...caller, actor: named };
}

/** Errors that are the edge's to answer, in the gateway's shape, wherever they are noticed (spec 1 «Errors»). */
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

/** An error of an operation, as the error that REST callers see. */
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
  row: Row,
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
  const shaped = row.shape ? row.shape(value as never) : value; // the document says what the value is; the row was written against it
  return { text: writeJson(shaped, budget), status: row.status?.(value as never) ?? usual };
}

/** What stands for a payload while its envelope is made. */
const PAYLOAD = '\u0000';

/** The envelope around a large payload, which is bytes already. */
function enveloped(payload: Buffer, success: (payload: string) => string): Buffer {
  const [before = '', after = ''] = success(PAYLOAD).split(PAYLOAD);
  return Buffer.concat([Buffer.from(before), payload, Buffer.from(after)]);
}

/** What is finished once it is begun: a row's operation says what it is by its first word. */
const writes = ({ operation }: Row): boolean => /^\s*mutation\b/.test(operation);

/** Not given: null, or an empty list. */
const documentOf = ({ operation, wider }: Row, values: Readonly<Record<string, unknown>>): string => {
  const given = wider && values[wider.parameter];
  return wider === undefined ||
    given === null ||
    given === undefined ||
    (Array.isArray(given) && given.length === 0)
    ? operation
    : wider.operation;
};

function send({ res }: Exchange, outcome: Outcome): void {
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
  else res.end(body, length === body.length ? 'latin1' : 'utf8'); // ASCII is the same in both, and is written without being looked at again
}

/** A write names the project of its data, or of what it asks for, before anything is contacted, as its GraphQL twin does (contract 1.3). @throws DomainError `project_scope_denied` */
function checkBodyProject(body: unknown, { caller }: Exchange): void {
  if (caller.projects === '*' || typeof body !== 'object' || body === null) return;
  const { data, criteria } = body as { data?: unknown; criteria?: unknown }; // any object may have these keys; their values stay unknown
  for (const held of [data, criteria]) {
    const project =
      typeof held === 'object' && held !== null && Object.hasOwn(held, 'project')
        ? (held as { project: unknown }).project
        : undefined;
    if (typeof project === 'string') assertMember(caller, project);
  }
}

export function createFace(options: FaceOptions): Face {
  const { rows, envelope, prefix, limits = DEFAULT_OPERATION_LIMITS } = options;
  const table = findMyWay<findMyWay.HTTPVersion.V1>({
    caseSensitive: true,
    maxParamLength: MAX_PARAM_LENGTH,
  });
  for (const row of rows)
    table.on(row.method, row.path.replaceAll(/\{(\w+)\}/g, ':$1'), () => undefined, {
      row,
      template: prefix + row.path,
      writes: writes(row),
    } satisfies Registered);

  const fail = async (
    exchange: Exchange,
    thrown: unknown,
    extra: { allow?: string; extensions?: ComponentExtensions; envelope?: Envelope } = {},
  ): Promise<void> => {
    const error = masked(thrown);
    if (EDGE_ANSWERS.has(error.code)) throw error;
    if (error.code === 'internal_error') options.onFault(thrown, exchange);
    const extensions =
      extra.extensions?.schemaVersion === undefined ? await options.extensions() : extra.extensions;
    send(exchange, {
      status: error.status,
      body: (extra.envelope ?? envelope).failure(error, exchange.requestId, extensions),
      ...(extra.allow === undefined ? {} : { allow: extra.allow }),
    });
  };

  const answer = async (
    { row, writes: isWrite }: Registered,
    params: Readonly<Record<string, string>>,
    exchange: Exchange,
  ): Promise<void> => {
    let extensions: ComponentExtensions = {};
    const shapes = row.dialect?.envelope ?? envelope;
    let budget: Budget | undefined;
    try {
      const { values, rest } = readParameters(row.query, exchange.search, options.refuse);
      if (row.body === undefined && hasBody(exchange.req)) await readBody(exchange); // nobody wants it, but it has to be within its limit (contract 0)
      const body =
        row.body === undefined ? undefined : await readJson(exchange, { required: row.body === 'required' });
      checkBodyProject(body, exchange);
      const header = (name: string): string | undefined => {
        const value = exchange.req.headers[name];
        return Array.isArray(value) ? value.join(', ') : value;
      };
      const variables = row.variables({ params, query: values, rest, body, header });
      const caller = row.access === 'public' ? anybody(exchange.caller) : acting(row, body, exchange.caller);
      const { run } = options.prepare(documentOf(row, values));
      const ran = await runWithin(limits, caller, !isWrite, (budgeted) => run(variables, budgeted));
      const { result } = ran;
      budget = ran.budget;
      extensions = result.extensions ?? {};
      const unknown = unheeded(row, rest);
      if (unknown.length > 0)
        extensions = { ...extensions, warnings: [...(extensions.warnings ?? []), ...unknown] };
      const error = result.errors?.[0];
      if (error) throw domainErrorOf(error);
      const { text, status } = payloadText(row, result, params, budget);
      const success = (payload: string): string => shapes.success(payload, exchange.requestId, extensions);
      if (typeof text === 'string' && isKnown(exchange, text, extensions.entityVersion))
        exchange.res.writeHead(304, { etag: `"${extensions.entityVersion}"` }).end();
      else
        send(exchange, {
          status,
          body: typeof text === 'string' ? success(text) : enveloped(await budget.within(text), success),
          entityVersion: extensions.entityVersion,
        });
    } catch (thrown) {
      await fail(exchange, thrown, { extensions, envelope: shapes });
    } finally {
      budget?.closeWith(exchange.res);
    }
  };

  const dialects = [...new Set(rows.flatMap((row) => row.dialect ?? []))];
  const shapesOf = (path: string): Envelope =>
    dialects.find(({ under }) => path.startsWith(under))?.envelope ?? envelope;

  const refusal = (handle: Handler): Match => ({
    template: `${prefix}/{path}`,
    access: 'authenticated',
    handle,
  });

  return {
    component: options.component,
    match(method, path) {
      const sought = method === 'HEAD' ? 'GET' : method;
      const found = isMethod(sought) ? table.find(sought, path) : null;
      if (found) {
        const registered = found.store as Registered; // put there by `on` above
        const { row, template } = registered;
        const params = found.params as Record<string, string>;
        return {
          template,
          access: row.access ?? options.prepare(row.operation).permission,
          handle: (exchange) => answer(registered, params, exchange),
          ...(row.bulk === true ? { bodyLimit: options.bulkBodyLimit } : {}),
        };
      }
      const allowed = METHODS.filter((m) => table.find(m, path) !== null);
      if (allowed.length === 0)
        return refusal((exchange) =>
          fail(exchange, new DomainError('not_found', `no such path: ${path}`), { envelope: shapesOf(path) }),
        );
      const allow = [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : [])].join(', ');
      return refusal((exchange) =>
        fail(
          exchange,
          new DomainError('method_not_allowed', `${method} is not allowed here; allowed: ${allow}`),
          { allow, envelope: shapesOf(path) },
        ),
      );
    },
  };
}
