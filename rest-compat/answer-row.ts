// The only code that converts a REST request to a GraphQL operation, and its result to a response.
import type { Budget } from '../platform/budget/budget.ts';
import { callerWith } from '../platform/caller-with.ts';
import { runWithin } from '../platform/budget/budgeted.ts';
import { DEFAULT_OPERATION_LIMITS, type OperationLimits } from '../platform/budget/limits.ts';
import { parseJsonInTurns } from '../platform/budget/parse-json.ts';
import { joinedPieces, writeJson } from '../platform/budget/write-json.ts';
import type {
  ComponentExtensions,
  ComponentResult,
  OpenContent,
  ReceiveContent,
} from '../platform/component.ts';
import { DomainError } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';
import type { SendEvents } from '../platform/send-event-stream.ts';
import type { Caller } from '../platform/identity.ts';
import { assertMember } from '../platform/permissions.ts';
import { hadLargeBody, hasBody, readBody, readJson } from '../platform/read-body.ts';
import { sendCrate } from './answer-crate.ts';
import { answerUpload } from './answer-upload.ts';
import { columnsOf, sendPage } from './answer-table.ts';
import { type Fail, headersOf, type Prepare } from './answering.ts';
import type { Envelope } from './envelopes.ts';
import { isKnown } from './entity-tags.ts';
import { domainErrorOf, send } from './failing.ts';
import { type Parameters, readParameters } from './parameters.ts';
import { appliedHeader, preferencesOf } from './preferences.ts';
import type { RestRoute, RestRouteInput } from './route.ts';
import { sendFile } from './send-file.ts';
import { tellBeside } from './tell-beside.ts';
import { type TableFormat } from '../platform/table-formats/table.ts';
import { preferredFormat } from '../platform/table-formats/formats.ts';
import { orParameterMeant, unheededMembers, unheededPreconditions, warningsOf } from './unheeded.ts';
import { ownMember } from '../platform/json-object.ts';

export interface AnsweringOptions {
  readonly envelope: Envelope;
  readonly prepare: Prepare;
  /**
   * The error for an invalid parameter: 422 in metadata, 400 elsewhere
   * (docs/reference/api-conventions.md#refused-parameters).
   */
  readonly refuse: (message: string) => DomainError;
  /** Opens stored files; undefined where no component in reach keeps them. */
  readonly content?: OpenContent | undefined;
  /** Receives uploads; undefined where no component in reach keeps files. */
  readonly receive?: ReceiveContent | undefined;
  /** Sends logs as they grow; undefined where they are not followed. */
  readonly sendEvents?: SendEvents | undefined;
  /** What answers of components say that do not know it: the schema revision, in an envelope of metadata's. */
  readonly extensions?: () => Promise<ComponentExtensions>;
  /** The limits of a row's operation. */
  readonly limits?: OperationLimits;
}

/** A row, and whether it writes, determined at start. */
export interface RegisteredRow {
  readonly row: RestRoute;
  readonly writes: boolean;
}

/** The caller of a public row: the answer does not depend on the actual caller. */
const anybody = (caller: Caller): Caller =>
  callerWith(caller, {
    actor: 'anonymous',
    roles: ['viewer'],
    projects: [],
    credential: undefined,
    client: undefined,
    cause: undefined,
    isSelfNamed: undefined,
  });

/**
 * The author: the actor in the body, if the caller is not otherwise identified
 * (docs/reference/metadata.md#bulk-availability).
 */
function acting({ actor }: RestRoute, body: unknown, caller: Caller): Caller {
  const named = actor?.(body) ?? null;
  return named === null || named === '' || caller.isSelfNamed !== true
    ? caller
    : callerWith(caller, { actor: named });
}

/** The payload's value; null where there is none. @throws DomainError `not_found` if that means absence */
export async function payloadOf(
  row: RestRoute,
  result: ComponentResult,
  params: Readonly<Record<string, string>>,
  budget: Budget,
): Promise<unknown> {
  const text = result.texts?.[row.pick];
  const value: unknown = text === undefined ? result.data?.[row.pick] : await parseJsonInTurns(text, budget);
  if (value !== null && value !== undefined) return value;
  if (row.absent) throw new DomainError('not_found', row.absent(params));
  return null;
}

interface Payload {
  /** Its text; as pieces where it was written here. */
  readonly text: string | readonly Buffer[];
  readonly status: number;
}

/** As the component has written it, where that is what the row answers. */
function readyPayload(row: RestRoute, { texts }: ComponentResult): Payload | undefined {
  const text = row.shape === undefined && row.status === undefined ? texts?.[row.pick] : undefined;
  return text === undefined || text === 'null' ? undefined : { text, status: row.successStatus ?? 200 };
}

async function writtenPayload(
  row: RestRoute,
  result: ComponentResult,
  params: Readonly<Record<string, string>>,
  budget: Budget,
): Promise<Payload> {
  const usual = row.successStatus ?? 200;
  const value = await payloadOf(row, result, params, budget);
  if (value === null) return { text: 'null', status: usual };
  // The document determines the type; the row was written for it.
  const shaped = row.shape ? row.shape(value as never) : value;
  return { text: await writeJson(shaped, budget), status: row.status?.(value as never) ?? usual };
}

/**
 * The format of a row that can be a table; null for JSON.
 * @throws DomainError `not_acceptable` where the client accepts neither
 */
function formatOf(row: RestRoute, { req, res }: RequestContext): TableFormat | null {
  if (row.table === undefined) return null;
  res.appendHeader('vary', 'Accept');
  const format = preferredFormat(req);
  if (format === 'nothing')
    throw new DomainError('not_acceptable', 'Accept allows neither JSON nor any of the formats of tables');
  return format === 'json' ? null : format;
}

/** Placeholder of a payload while its envelope is created. */
const PAYLOAD = '\u0000';

/** The envelope around a large payload, which consists of bytes already. */
function enveloped(
  payload: readonly Buffer[],
  success: (payload: string) => string,
  budget: Budget,
): Promise<Buffer> {
  const [before = '', after = ''] = success(PAYLOAD).split(PAYLOAD);
  return joinedPieces(before, payload, after, budget);
}

/** Writes are completed once begun: the first word of a row's document tells. */
export const writes = ({ operation }: RestRoute): boolean => /^\s*mutation\b/.test(operation);

/** The larger document where its parameter is given, and not as an empty list. */
function documentOf(
  { operation, expandedOperation }: RestRoute,
  values: Readonly<Record<string, unknown>>,
): string {
  const given = expandedOperation && values[expandedOperation.parameter];
  const isEmpty = given === null || given === undefined || (Array.isArray(given) && given.length === 0);
  return expandedOperation === undefined || isEmpty ? operation : expandedOperation.operation;
}

/**
 * A write's project, of its data or its arguments, is checked before any component is called, as for GraphQL
 * (docs/reference/gateway.md#projects), and so is what else the body decides about rights.
 * @throws DomainError `project_scope_denied`, `insufficient_role`
 */
function checkRights({ authorise }: RestRoute, body: unknown, { caller }: RequestContext): void {
  authorise?.(body, caller);
  if (caller.projects === '*' || typeof body !== 'object' || body === null) return;
  // Any object may have these keys; their values stay unknown.
  const { data, criteria } = body as { data?: unknown; criteria?: unknown };
  for (const held of [data, criteria]) {
    const project = ownMember(held, 'project');
    if (typeof project === 'string') assertMember(caller, project);
  }
}

/** Rows whose answer, or body, is the content of files. @throws DomainError */
function answerContent(
  options: AnsweringOptions,
  row: RestRoute,
  payload: unknown,
  input: RestRouteInput<string, Parameters>,
  ctx: RequestContext,
): Promise<void> {
  if (row.upload) return answerUpload(options, { ...row, upload: row.upload }, payload, input, ctx);
  if (row.crate) return sendCrate(ctx, payload, row.crate(input.params), options);
  if (row.file) return sendFile(ctx, row.file(payload as never), options.content); // as for `shape`
  throw new Error(`${row.path} has no content`);
}

const setHeaders = ({ res }: RequestContext, headers: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(headers)) res.setHeader(name, text);
};

/** With warnings about parameters, members of the body and preconditions that mean nothing to the row. */
function withWarnings(
  { row, writes: isWrite }: RegisteredRow,
  { rest, body, header }: RestRouteInput<string, Parameters>,
  extensions: ComponentExtensions,
  search: string,
): ComponentExtensions {
  const unheeded = [...unheededMembers(row, body), ...(isWrite ? unheededPreconditions(row, header) : [])];
  if (search === '' && unheeded.length === 0) return extensions;
  return { ...extensions, warnings: [...warningsOf(row, rest, extensions.warnings), ...unheeded] };
}

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
      row.begin?.(ctx);
      const format = formatOf(row, ctx);
      const { values, rest } = readParameters(row.query, ctx.search, options.refuse);
      // an unused body is read to enforce its limit (docs/reference/api-conventions.md#body-limits)
      if (row.body === undefined && row.upload === undefined && hasBody(ctx.req)) await readBody(ctx);
      const body =
        row.body === undefined ? undefined : await readJson(ctx, { required: row.body === 'required' });
      checkRights(row, body, ctx);
      const header = headersOf(ctx);
      const wishes = preferencesOf(header('prefer'), row.preferences);
      const preferred = (name: string): string | null => wishes.get(name) ?? null;
      const input = { params, query: values, rest, body, header, preferred };
      const variables = row.variables(input);
      const caller = row.access === 'public' ? anybody(ctx.caller) : acting(row, body, ctx.caller);
      const { run } = options.prepare(documentOf(row, values));
      const ran = await runWithin(limits, caller, !isWrite, (budgeted) => {
        if (hadLargeBody(ctx.req)) budgeted.budget?.beLarge();
        return run(variables, budgeted);
      });
      const { result } = ran;
      budget = ran.budget;
      extensions = withWarnings({ row, writes: isWrite }, input, result.extensions ?? {}, ctx.search);
      const error = result.errors?.[0];
      const isContent = (row.upload ?? row.crate ?? row.file) !== undefined;
      if (row.of !== undefined && !isContent)
        extensions = { ...(await options.extensions?.()), ...extensions };
      const hasRoom = shapes.hasWarnings && (!isContent || error !== undefined);
      tellBeside(ctx, extensions, hasRoom);
      if (error) throw orParameterMeant(row, rest, domainErrorOf(error));
      const whole = (): Promise<unknown> => ran.budget.within(payloadOf(row, result, params, ran.budget));
      if (row.headers) setHeaders(ctx, row.headers((await whole()) as never)); // as for `shape`
      if (isContent) {
        const payload = await whole();
        budget.close();
        return await answerContent(options, row, payload, input, ctx);
      }
      const applied = appliedHeader(wishes);
      if (applied !== null) ctx.res.setHeader('preference-applied', applied);
      if (row.table !== undefined && format !== null) {
        const { columns } = await columnsOf(
          row.table,
          { params, query: values },
          options.prepare,
          ctx.caller,
        );
        const page = row.table.rows(await whole());
        return await budget.within(sendPage(ctx, format, columns ?? [], page, { extensions, budget }));
      }
      const { text, status } =
        readyPayload(row, result) ?? (await budget.within(writtenPayload(row, result, params, budget)));
      const success = (payload: string): string => shapes.success(payload, ctx.requestId, extensions);
      if (typeof text === 'string' && isKnown(ctx, text, extensions.entityVersion))
        ctx.res.writeHead(304, { etag: `"${extensions.entityVersion}"` }).end();
      else
        send(ctx, {
          status,
          body:
            typeof text === 'string' ? success(text) : await budget.within(enveloped(text, success, budget)),
          entityVersion: extensions.entityVersion,
        });
    } catch (thrown) {
      await fail(ctx, thrown, { extensions, envelope: shapes });
    } finally {
      budget?.closeWith(ctx.res);
    }
  };
}
