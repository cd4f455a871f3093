// A component that takes operations in frames, and a router's side of it, for tests.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, onTestFinished } from 'vitest';
import type { Component } from '../../platform/component.ts';
import { DEFAULT_OPERATION_LIMITS } from '../../platform/budget/limits.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Identity } from '../../platform/identity.ts';
import type { OperationContext } from '../../platform/operation-context.ts';
import { AcceptFrames } from '../../platform/operation-frames/accept-frames.ts';
import type { CallerReader } from '../../platform/read-caller.ts';
import { createSubgraphHandler } from '../../platform/serve-subgraph.ts';
import { claimsOf } from '../../platform/signed-identity/claims.ts';
import { type SignIdentity, signNobody } from '../../platform/signed-identity/identity-signer.ts';
import { createIdentityVerifier } from '../../platform/signed-identity/identity-verifier.ts';
import { operationsOf } from '../../platform/subgraph-operations.ts';
import type { LocalComponent } from '../../platform/subgraph.ts';
import { Circuit } from '../../router/circuit/circuit.ts';
import { createRemoteComponent } from '../../router/remote/remote-component.ts';
import { upgradingAlone } from '../../rest-compat/upgrade-alone.ts';
import { caller, component, log } from './library.ts';
import { listen, type Served } from './over-http.ts';

/** What happened in the component. */
export interface Seen {
  /** Requests of their own, by method, and connections with frames. */
  readonly requests: string[];
  /** Operations that their caller has left. */
  readonly left: string[];
  readonly writes: string[];
  readonly traces: (string | undefined)[];
}

const SDL = `
type Query { who: String, told: String, say(text: String): String, wait(ms: Int!, name: String): String, big(bytes: Int!): String, fail: String, text: Text }
type Text { value: String }
type Mutation { write(name: String!, ms: Int): String }
`;

export function createEcho(seen: Seen): LocalComponent {
  const wait = async (ms: number, name: string, { caller: by }: OperationContext): Promise<string> => {
    by.signal?.addEventListener('abort', () => seen.left.push(name));
    await sleep(ms);
    return name;
  };
  return component({
    name: 'echo',
    typeDefs: SDL,
    resolvers: {
      Query: {
        told: (_: unknown, __: unknown, { caller: by }: OperationContext) =>
          JSON.stringify([by.cause, by.traceparent]),
        who: (_: unknown, __: unknown, { caller: by }: OperationContext) => {
          seen.traces.push(by.traceparent);
          return JSON.stringify([by.actor, by.roles, by.projects, by.requestId]);
        },
        say: (_: unknown, { text }: { text?: string }) => text,
        wait: (_: unknown, { ms, name = 'one' }: { ms: number; name?: string }, context: OperationContext) =>
          wait(ms, name, context),
        big: (_: unknown, { bytes }: { bytes: number }) => 'ü'.repeat(bytes / 2),
        fail: () => {
          throw new DomainError('not_found', 'nothing here');
        },
        text: () => ({ value: 'ü' }),
      },
      Mutation: {
        write: async (_: unknown, { name, ms = 0 }: { name: string; ms?: number }) => {
          seen.writes.push(name);
          await sleep(ms);
          return name;
        },
      },
    },
    permissions: {
      'Query.who': 'metadata:read',
      'Query.told': 'metadata:read',
      'Query.say': 'metadata:read',
      'Query.wait': 'metadata:read',
      'Query.big': 'metadata:read',
      'Query.fail': 'metadata:read',
      'Query.text': 'metadata:read',
      'Mutation.write': 'metadata:write',
    },
    texts: {
      'Query.text':
        () =>
        (_args, { caller: by, extensions }) => {
          extensions.schemaVersion = '7';
          return Promise.resolve(JSON.stringify({ value: `ü ${by.actor}` }));
        },
    },
  });
}

export interface Framed {
  readonly remote: Component;
  readonly served: Served;
  readonly frames: AcceptFrames;
  readonly seen: Seen;
  readonly sockets: Set<Duplex>;
}

export const noted = (): Seen => ({ requests: [], left: [], writes: [], traces: [] });

/** Serves a component with frames. */
export async function serveFramed(
  local: LocalComponent,
  reader: CallerReader = { believes: () => true },
  seen: Seen = noted(),
): Promise<Omit<Framed, 'remote'>> {
  const find = operationsOf(local);
  const frames = new AcceptFrames({ reader, find, limits: DEFAULT_OPERATION_LIMITS, log });
  const handler = createSubgraphHandler(local, { ...reader, bodyLimit: 20_000_000, log }, find);
  const ordinary = (req: IncomingMessage, res: ServerResponse): void => {
    seen.requests.push(req.method ?? '');
    void handler(req, res);
  };
  const served = await listen(ordinary);
  const sockets = new Set<Duplex>();
  const upgrade = upgradingAlone({
    frames,
    ordinary,
    checkHost: undefined,
    refuse: async (res, thrown) => {
      const { status, message } = thrown as DomainError;
      res.writeHead(status).end(message);
    },
  });
  served.server.on('upgrade', (req, socket, head) => {
    seen.requests.push('frames');
    sockets.add(socket);
    upgrade(req, socket, head, (_, first) => first);
  });
  return { served, frames, seen, sockets };
}

export function remoteOf(
  url: string,
  { timeoutMs = 2000, sign = signNobody, name = 'echo' } = {},
): Component {
  return createRemoteComponent({
    circuit: new Circuit(name),
    name,
    url,
    healthPath: '/health',
    timeoutMs,
    sign,
  });
}

/** Asks until the router's side has made its connections. */
export async function connect(
  remote: Component,
  { frames }: Pick<Framed, 'frames'>,
  connections = 1,
): Promise<void> {
  const ask = remote.prepare('{ __typename }');
  await expect
    .poll(
      async () => {
        await ask({}, caller);
        return frames.open;
      },
      { timeout: 10_000 },
    )
    .toBeGreaterThanOrEqual(connections);
  // the router has been told, too
  await sleep(50);
}

/** The component with a router's side that has connected to it. */
export async function framed(
  options: { reader?: CallerReader; timeoutMs?: number; sign?: SignIdentity } = {},
): Promise<Framed> {
  const seen = noted();
  const all = await serveFramed(createEcho(seen), options.reader, seen);
  const remote = remoteOf(all.served.url, options);
  onTestFinished(async () => {
    await remote.close();
    all.frames.close();
    await all.served.close();
  });
  await connect(remote, all);
  seen.requests.length = 0;
  return { ...all, remote };
}

/** Keys of a deployment: who signs for a component, and how the component verifies. */
export async function signing(audience: string): Promise<{ sign: SignIdentity; reader: CallerReader }> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256', kid: 'k' }] });
  const tokens = new Map<string, Promise<string>>();
  const make = (identity: Identity): Promise<string> => {
    const at = Math.floor(Date.now() / 1000);
    return new SignJWT({ ...claimsOf(identity), aud: audience, iat: at, exp: at + 60 })
      .setProtectedHeader({ alg: 'ES256', kid: 'k', typ: 'cairn-identity+jwt' })
      .sign(privateKey);
  };
  return {
    sign: (identity) => {
      const key = JSON.stringify(claimsOf(identity));
      const token = tokens.get(key) ?? make(identity);
      tokens.set(key, token);
      return token;
    },
    reader: { verify: createIdentityVerifier({ keys, audience }), believes: () => false },
  };
}
