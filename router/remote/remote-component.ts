// A component in another process: the same interface as one in this process, over HTTP on connections that stay open.
import { getOperationAST, parse } from 'graphql';
import { Pool } from 'undici';
import type {
  Component,
  ComponentError,
  ComponentResult,
  PreparedOperation,
} from '../../platform/component.ts';
import type { Budget } from '../../platform/budget/budget.ts';
import { limitsHeader, OBJECTS_HEADER } from '../../platform/budget/limits-header.ts';
import { DomainError, errorCodeOf } from '../../platform/errors.ts';
import { type Caller, identityHeaders } from '../../platform/identity.ts';
import type { SignIdentity } from '../../platform/signed-identity/identity-signer.ts';
import { EXTENSION, RemoteExtension } from './remote-extension.ts';
import { createRemoteStreams } from './remote-subscription.ts';

export interface RemoteOptions {
  readonly name: string;
  /** The component's base address; its GraphQL is answered below it, at `graphql`. */
  readonly url: string;
  /** Path of its health check, below the base address: `/health`. */
  readonly healthPath: string;
  /** How long an answer may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Signs whom each request is asked for. */
  readonly sign: SignIdentity;
}

const CONNECTIONS = 64;

/** Who the router is when it asks for itself; it may do nothing but read the SDL. */
const ROUTER: Caller = {
  actor: 'service:router',
  roles: [],
  projects: [],
  requestId: '00000000-0000-4000-8000-000000000000',
};

/** The same, where what is stored shapes the answer. */
const READER: Caller = { ...ROUTER, roles: ['viewer'] };
/** Upstream statuses that mean that the component is not there (contract 1.1 (7)). */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** The body, as far as the caller's budget goes. */
async function bodyOf(
  body: AsyncIterable<Uint8Array> & { text(): Promise<string> },
  budget: Budget | undefined,
): Promise<string> {
  if (budget === undefined) return body.text();
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) {
    if (!budget.read(chunk.length)) throw budget.ended ?? new Error('an operation that has ended says why');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

const failed = (error: DomainError): ComponentResult => ({
  data: null,
  errors: [{ message: error.message, extensions: error.extensions }],
});

/** Connections that the other side closed while idle say so only when used again. */
const isStale = (fault: unknown): boolean =>
  ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(String((fault as { code?: unknown } | null)?.code));

/** The component's errors as they may go on: codes of the closed list, everything else masked. */
function presentable({ message, path, extensions }: ComponentError): ComponentError {
  const place = path === undefined ? {} : { path };
  const code = errorCodeOf(extensions?.['code']);
  if (code === undefined)
    return { message: 'internal error', ...place, extensions: { code: 'INTERNAL_ERROR' } };
  const details = extensions?.['details'];
  return {
    message,
    ...place,
    extensions: { code: extensions?.['code'], ...(details === undefined ? {} : { details }) },
  };
}

const isResult = (value: unknown): value is ComponentResult =>
  typeof value === 'object' &&
  value !== null &&
  ('data' in value || ('errors' in value && Array.isArray(value.errors)));

/** Aborted when the operation ends, or its client goes; null where neither can be. */
function endOf({ budget, signal }: Caller): AbortSignal | null {
  if (budget === undefined) return signal ?? null;
  budget.followCaller();
  return budget.signal;
}

export function createRemoteComponent({ name, url, healthPath, timeoutMs, sign }: RemoteOptions): Component {
  const base = new URL(url.endsWith('/') ? url : `${url}/`);
  const pool = new Pool(base.origin, {
    connections: CONNECTIONS,
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: timeoutMs },
  });
  const path = `${base.pathname}graphql`;
  const health = `${base.pathname}${healthPath.replace(/^\//, '')}`;

  const unavailable = (status: number | null, cause?: unknown): DomainError =>
    new DomainError(
      'component_unavailable',
      `${name} cannot be reached`,
      { component: name, upstream_status: status },
      { cause },
    );

  const post = async (body: string, caller: Caller): Promise<Answer> => {
    const response = await pool.request({
      path,
      method: 'POST',
      body,
      signal: endOf(caller),
      headers: {
        ...identityHeaders(caller, await sign(caller, name)),
        ...limitsHeader(caller.budget?.remaining),
        'content-type': 'application/json',
        accept: 'application/json',
      },
    });
    const text = await bodyOf(response.body, caller.budget);
    const shown = Number(response.headers[OBJECTS_HEADER]);
    if (Number.isSafeInteger(shown)) caller.budget?.show(shown, 1);
    return { status: response.statusCode, text };
  };

  const read = ({ status, text }: Answer): ComponentResult => {
    if (AWAY.has(status)) return failed(unavailable(status));
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (cause) {
      return failed(unavailable(status, cause));
    }
    if (!isResult(value)) return failed(unavailable(status));
    extension.heard(value.extensions?.schemaVersion);
    return value.errors === undefined ? value : { ...value, errors: value.errors.map(presentable) };
  };

  const prepare = (source: string, operationName?: string): PreparedOperation => {
    const head = `{"query":${JSON.stringify(source)}${operationName === undefined ? '' : `,"operationName":${JSON.stringify(operationName)}`},"variables":`;
    const repeatable = getOperationAST(parse(source), operationName)?.operation === 'query';
    return async (variables, caller) => {
      const body = `${head}${JSON.stringify(variables)}}`;
      try {
        return read(
          await post(body, caller).catch((fault: unknown) => {
            if (repeatable && isStale(fault) && caller.signal?.aborted !== true) return post(body, caller);
            throw fault;
          }),
        );
      } catch (fault) {
        return failed(unavailable(null, fault));
      }
    };
  };

  const streams = createRemoteStreams({
    name,
    origin: base.origin,
    path,
    timeoutMs,
    sign,
    read,
    unavailable,
  });
  const askSdl = prepare('{ _service { sdl } }');
  const extension = new RemoteExtension(prepare, READER);

  return {
    name,
    url,
    async sdl() {
      const { data, errors } = await askSdl({}, ROUTER);
      const sdl = (data?.['_service'] as { sdl?: unknown } | null | undefined)?.sdl; // federation's own field, checked below
      if (typeof sdl === 'string') {
        if (sdl.includes(EXTENSION)) await extension.follow();
        return sdl;
      }
      throw new DomainError(
        'component_unavailable',
        errors?.[0]?.message ?? `${name} does not tell its SDL`,
        { component: name, upstream_status: null },
      );
    },
    extension: () => extension.current,
    prepare,
    subscribe: (source, variables, caller, operationName) =>
      streams.subscribe(source, variables, caller, operationName),
    async probe(signal) {
      try {
        const { statusCode, body } = await pool.request({ path: health, method: 'GET', signal });
        await body.dump();
        return statusCode;
      } catch {
        return null; // nothing answered: that is the probe's finding
      }
    },
    async close() {
      await streams.close();
      await pool.close();
    },
  };
}
