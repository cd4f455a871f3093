// Answers a row that is a log as more than pages of JSON: as text, whole, and as events, while it grows
// (docs/reference/workflow.md#run-logs).
import accepts from 'accepts';
import type { IncomingMessage } from 'node:http';
import { DEFAULT_OPERATION_LIMITS } from '../platform/budget/limits.ts';
import { runWithin } from '../platform/budget/budgeted.ts';
import type { ComponentResult } from '../platform/component.ts';
import { type DomainError, invalid } from '../platform/errors.ts';
import type { Caller } from '../platform/identity.ts';
import { hasBody, readBody } from '../platform/read-body.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { drained, EVENT_STREAM_HEADERS, type SentText } from '../platform/send-event-stream.ts';
import { setWarningsHeader } from '../platform/warnings.ts';
import { type AnsweringOptions, payloadOf } from './answer-row.ts';
import { type Fail, headersOf } from './answering.ts';
import { domainErrorOf } from './failing.ts';
import { readParameters } from './parameters.ts';
import type { LogLine, LogRow, RestRoute } from './route.ts';
import { warningsOf } from './unheeded.ts';

/** Lines of a page where all of them are read. */
const PAGE = 1000;
const TYPES = { json: 'application/json', text: 'text/plain', events: 'text/event-stream' } as const;

/** What the client would rather have; JSON also where it accepts none of these. */
export function logForm(req: IncomingMessage): keyof typeof TYPES {
  if (req.headers.accept === undefined) return 'json';
  const type = accepts(req).types(Object.values(TYPES));
  return (['text', 'events'] as const).find((form) => TYPES[form] === type) ?? 'json';
}

/** `2026-01-31T09:30:00.123Z warn  record 17 is refused: …` */
const textOf = ({ at, level, message }: LogLine): string =>
  `${at.replace(/(\.\d{3})\d*Z$/, '$1Z')} ${level.padEnd(5)} ${message}\n`;

type Options = Pick<AnsweringOptions, 'prepare' | 'refuse' | 'limits' | 'sendEvents' | 'envelope'>;
type LoggedRow = RestRoute & { readonly log: LogRow };
type Asked = Pick<Parameters<RestRoute['variables']>[0], 'params' | 'query'>;

/** A page after a line. @throws DomainError */
async function pageAfter(
  { prepare, limits = DEFAULT_OPERATION_LIMITS }: Options,
  row: LoggedRow,
  { params, query }: Asked,
  after: unknown,
  caller: Caller,
): Promise<readonly LogLine[]> {
  const variables = row.variables({
    params,
    query: { ...query, after, limit: PAGE },
    rest: {},
    body: undefined,
    header: () => undefined,
    preferred: () => null,
  });
  const { result, budget } = await runWithin(limits, caller, true, (budgeted) =>
    prepare(row.operation).run(variables, budgeted),
  );
  try {
    const error = result.errors?.[0];
    if (error) throw domainErrorOf(error);
    return row.log.linesOf((await payloadOf(row, result, params, budget)) as never); // as the row's document selects it
  } finally {
    budget.close();
  }
}

async function sendText(
  options: Options,
  row: LoggedRow,
  asked: Asked,
  { req, res, caller }: RequestContext,
): Promise<void> {
  // what fails early is told
  let lines = await pageAfter(options, row, asked, asked.query['after'], caller);
  res.writeHead(200, { 'content-type': `${TYPES.text}; charset=utf-8`, 'cache-control': 'no-store' });
  if (req.method === 'HEAD') return void res.end();
  for (;;) {
    if (!res.write(lines.map(textOf).join(''))) await drained(res);
    if (lines.length < PAGE || res.destroyed) break;
    lines = await pageAfter(options, row, asked, lines.at(-1)?.number, caller);
  }
  res.end();
}

/** The number of the line that an `EventSource` has received last goes before that of the address. */
function afterOf({ query }: Asked, ctx: RequestContext, refuse: Options['refuse']): unknown {
  const last = headersOf(ctx)('last-event-id');
  if (last === undefined || last === '') return query['after'];
  if (!/^\d{1,9}$/.test(last)) throw refuse('Last-Event-ID must be the number of a line');
  return Number(last);
}

async function* eventsOf(
  results: AsyncIterable<ComponentResult>,
  { pick }: LogRow,
  failure: (error: DomainError) => string,
): AsyncGenerator<SentText, void, undefined> {
  for await (const { data, errors } of results) {
    const error = errors?.[0];
    if (error) {
      yield { text: failure(domainErrorOf(error)) };
      continue;
    }
    const line = data?.[pick] as LogLine; // as the document selects it
    yield { id: String(line.number), text: JSON.stringify(line) };
  }
}

async function sendLines(
  options: Options,
  row: LoggedRow,
  asked: Asked,
  failure: (error: DomainError) => string,
  ctx: RequestContext,
): Promise<void> {
  const { prepare, refuse, sendEvents } = options;
  const { log } = row;
  const { subscribe } = prepare(log.operation);
  if (sendEvents === undefined || subscribe === undefined) throw new Error('nothing follows this log');
  if (asked.query['as_of'] !== null) throw invalid('the past cannot be followed', { field: 'as_of' });
  const variables = { ...log.variables(asked.params), after: afterOf(asked, ctx, refuse) };
  if (ctx.req.method === 'HEAD') {
    await pageAfter(options, row, asked, variables.after, ctx.caller); // what fails is told
    ctx.res.writeHead(200, EVENT_STREAM_HEADERS).end();
    return;
  }
  await sendEvents(ctx, {
    begin: async (caller) => eventsOf(await subscribe(variables, caller), log, failure),
    refusal: failure,
  });
}

/** Answers a log in one of the forms that are not JSON. @throws DomainError as `fail` */
export function answeringLogs(
  options: Options,
  fail: Fail,
): (
  row: LoggedRow,
  form: 'text' | 'events',
  params: Readonly<Record<string, string>>,
  ctx: RequestContext,
) => Promise<void> {
  return async (row, form, params, ctx) => {
    try {
      const { values, rest } = readParameters(row.query, ctx.search, options.refuse);
      if (hasBody(ctx.req)) await readBody(ctx); // to enforce its limit
      setWarningsHeader(ctx.res, warningsOf(row, rest, []));
      const asked = { params, query: values };
      if (form === 'text') return await sendText(options, row, asked, ctx);
      const failure = (error: DomainError): string => options.envelope.failure(error, ctx.requestId, {});
      return await sendLines(options, row, asked, failure, ctx);
    } catch (thrown) {
      return await fail(ctx, thrown);
    }
  };
}
