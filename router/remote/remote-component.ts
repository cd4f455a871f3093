// A component in another process: the same interface as one in this process, over persistent HTTP
// connections.
import { Pool } from 'undici';
import { type Budget, never } from '../../platform/budget/budget.ts';
import type { Component, ComponentResult, PreparedOperation } from '../../platform/component.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Caller } from '../../platform/identity.ts';
import type { SignIdentity } from '../../platform/signed-identity/identity-signer.ts';
import type { Circuit } from '../circuit/circuit.ts';
import { endedOverLimit } from './end-by-limit.ts';
import { type RemoteAnswer, readAnswer, unavailableAs } from './read-answer.ts';
import { EXTENSION, RemoteExtension } from './remote-extension.ts';
import { FrameConnections } from './frame-connections.ts';
import { createRemoteContent } from './remote-content.ts';
import { preparing } from './remote-requests.ts';
import { createRemoteStreams } from './remote-subscription.ts';

export interface RemoteOptions {
  readonly name: string;
  /** The component's base URL; its GraphQL endpoint is `graphql` below it. */
  readonly url: string;
  /** Path of its health check, below the base URL: `/health`. */
  readonly healthPath: string;
  /** Timeout of an answer in milliseconds. */
  readonly timeoutMs: number;
  /** Signs the identity of each request. */
  readonly sign: SignIdentity;
  readonly circuit: Circuit;
  /** Whether it keeps files. */
  readonly hasFiles?: boolean;
}

const CONNECTIONS = 64;

/** The router's own identity; it may only read the SDL. */
const ROUTER: Caller = {
  actor: 'service:router',
  roles: [],
  projects: [],
  requestId: '00000000-0000-4000-8000-000000000000',
};

/** The same, if stored data determines the answer. */
const READER: Caller = { ...ROUTER, roles: ['viewer'] };

/** @throws DomainError `component_unavailable` */
async function askSdl(ask: PreparedOperation, name: string): Promise<string> {
  const { data, errors } = await ask({}, ROUTER);
  // Federation's own field, checked below.
  const sdl = (data?.['_service'] as { sdl?: unknown } | null | undefined)?.sdl;
  if (typeof sdl === 'string') return sdl;
  throw new DomainError(
    'component_unavailable',
    errors?.[0]?.message ?? `the component ${name} does not provide its SDL`,
    {
      component: name,
      upstream_status: null,
    },
  );
}

/** The status of its health check; null without a response, which the probe reports. */
async function probe(pool: Pool, path: string, signal: AbortSignal): Promise<number | null> {
  try {
    const { statusCode, body } = await pool.request({ path, method: 'GET', signal });
    await body.dump();
    return statusCode;
  } catch {
    return null;
  }
}

export function createRemoteComponent({
  name,
  url,
  healthPath,
  timeoutMs,
  sign,
  circuit,
  hasFiles = false,
}: RemoteOptions): Component {
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
  const unavailable = unavailableAs(name);
  const read = async (answer: RemoteAnswer, budget?: Budget): Promise<ComponentResult> => {
    const result = await readAnswer(answer, unavailable, budget);
    const catchingUp = extension.heard(result.extensions?.schemaVersion);
    if (catchingUp !== undefined) await catchingUp;
    if (budget !== undefined && endedOverLimit(result, budget)) return never();
    return result;
  };
  const frames = new FrameConnections({ name, pool, path, timeoutMs, sign, router: ROUTER });
  const requests = { name, pool, path, sign, unavailable, circuit, frames };
  const prepare = preparing({ ...requests, read });
  const streams = createRemoteStreams({
    name,
    origin: base.origin,
    path,
    timeoutMs,
    sign,
    read,
    unavailable,
  });
  const files = hasFiles ? createRemoteContent({ name, base, timeoutMs, sign }) : undefined;
  const sdlQuery = prepare('{ _service { sdl } }');
  const extension = new RemoteExtension(
    preparing({ ...requests, read: (answer, budget) => readAnswer(answer, unavailable, budget) }),
    READER,
  );

  return {
    name,
    url,
    async sdl() {
      const sdl = await askSdl(sdlQuery, name);
      if (sdl.includes(EXTENSION)) await extension.follow();
      return sdl;
    },
    extension: () => extension.current,
    followExtension: () => extension.followAnew(),
    prepare,
    subscribe: (source, variables, caller, operationName) =>
      streams.subscribe(source, variables, caller, operationName),
    ...(files ? { content: files.open, receive: files.receive } : {}),
    probe: (signal) => probe(pool, health, signal),
    async close() {
      await streams.close();
      await files?.close();
      await frames.close();
      await pool.close();
    },
  };
}
