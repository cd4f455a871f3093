// What the thin executor does not do goes through the stock gateway, with the same promises: here an
// interface that another subgraph extends.
import dns from 'node:dns';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { DomainError } from '../../platform/errors.ts';
import type { OperationContext } from '../../platform/operation-context.ts';
import type { Permission } from '../../platform/permissions.ts';
import { type LocalComponent } from '../../platform/subgraph.ts';
import { createSupergraph, type Supergraph } from '../../router/execution/supergraph.ts';
import { caller, component, createBooks, createPeople, log } from './library.ts';
import { ask, post, serveEndpoint } from './serve-endpoint.ts';

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@interfaceObject"])';
const FILMS = [
  { __typename: 'Film', id: 'f1', title: 'Metropolis' },
  { __typename: 'Film', id: 'f2', title: 'M' },
];
const filmOf = ({ id }: { id: string }) => FILMS.find((film) => film.id === id) ?? null;

const films = component({
  name: 'films',
  typeDefs: `${LINK}
    interface Media @key(fields: "id") { id: ID! title: String! }
    type Film implements Media @key(fields: "id") { id: ID! title: String! }
    type Query { media(limit: Int): [Media!]! }`,
  permissions: { 'Query.media': 'metadata:read' },
  resolvers: {
    Query: {
      media: (_: unknown, { limit }: { limit?: number }, { extensions }: OperationContext) => {
        extensions.schemaVersion = '3';
        return FILMS.slice(0, limit);
      },
    },
    Media: { __resolveReference: filmOf },
    Film: { __resolveReference: filmOf },
  },
});

const reviews = component({
  name: 'reviews',
  typeDefs: `${LINK}
    type Media @key(fields: "id") @interfaceObject { id: ID! stars: Int score: Int }
    type Query { best: Media }`,
  permissions: { 'Query.best': 'metadata:read' },
  resolvers: {
    Query: { best: () => ({ id: 'f1' }) },
    Media: {
      stars: ({ id }: { id: string }) => (id === 'f1' ? 5 : null),
      score: ({ id }: { id: string }) => {
        if (id === 'f2') throw new DomainError('conflict', 'no score', { id });
        throw new Error('the password is hunter2');
      },
      __resolveReference: (reference: { id: string }) => reference,
    },
  },
});

const permissions: Record<string, Permission> = {
  'Query.media': 'metadata:read',
  'Query.best': 'metadata:read',
};
const supergraph: Supergraph = await createSupergraph({
  components: [films, reviews],
  permissions,
  log,
  pollMs: 0,
});

test('an operation that needs rewrites is answered by the stock gateway', async () => {
  const operation = supergraph.prepare('{ media { id title stars } best { title } }');
  expect(operation.strategy).toBe('stock');
  expect(await operation.run({}, caller)).toEqual({
    data: {
      media: [
        { id: 'f1', title: 'Metropolis', stars: 5 },
        { id: 'f2', title: 'M', stars: null },
      ],
      best: { title: 'Metropolis' },
    },
    extensions: { schemaVersion: '3' },
  });
});

test('neither building it nor running it opens a connection anywhere (docs/decisions/0012)', async () => {
  const told = process.env['APOLLO_TELEMETRY_DISABLED'];
  delete process.env['APOLLO_TELEMETRY_DISABLED'];
  const connect = vi.spyOn(net.Socket.prototype, 'connect');
  const lookUp = vi.spyOn(dns, 'lookup');
  try {
    const fresh = await createSupergraph({ components: [films, reviews], permissions, log, pollMs: 0 });
    expect((await fresh.prepare('{ media { id title stars } }').run({}, caller)).errors).toBeUndefined();
    await sleep(500);
    fresh.close();
    expect([connect.mock.calls.length, lookUp.mock.calls.length]).toEqual([0, 0]);
  } finally {
    connect.mockRestore();
    lookUp.mockRestore();
    if (told !== undefined) process.env['APOLLO_TELEMETRY_DISABLED'] = told;
  }
});

test('errors behind the stock gateway keep code, details and path, and internal errors are masked', async () => {
  const { errors } = await supergraph.prepare('{ media { id score } }').run({}, caller);
  expect(errors).toEqual(
    expect.arrayContaining([
      { message: 'internal error', path: ['media', 0, 'score'], extensions: { code: 'INTERNAL_ERROR' } },
      {
        message: 'no score',
        path: ['media', 1, 'score'],
        extensions: { code: 'CONFLICT', details: { id: 'f2' } },
      },
    ]),
  );
});

test('its variables are checked before anything runs, and reach the subgraphs', async () => {
  const operation = supergraph.prepare('query($n: Int) { media(limit: $n) { stars } }');
  expect(operation.strategy).toBe('stock');
  expect((await operation.run({ n: 1 }, caller)).data).toEqual({ media: [{ stars: 5 }] });
  const refused = await operation.run({ n: 'many' }, caller);
  expect(refused.errors?.[0]?.extensions).toEqual({ code: 'INVALID_REQUEST' });
  expect(refused).not.toHaveProperty('data');
});

test('roles are checked in the subgraphs behind it too', async () => {
  const { errors } = await supergraph.prepare('{ media { id stars } }').run({}, { ...caller, roles: [] });
  expect(errors?.[0]?.extensions?.['code']).toBe('INSUFFICIENT_ROLE');
});

test('an unavailable component shows as unavailable', async () => {
  const { message, extensions } = new DomainError('component_unavailable', 'reviews cannot be reached', {
    component: 'reviews',
    upstream_status: null,
  });
  const gone: LocalComponent = {
    ...reviews,
    prepare: () => () => Promise.resolve({ data: null, errors: [{ message, extensions }] }),
  };
  const half = await createSupergraph({ components: [films, gone], permissions, log, pollMs: 0 });
  const { data, errors } = await half.prepare('{ media { title stars } }').run({}, caller);
  expect(data).toEqual({
    media: [
      { title: 'Metropolis', stars: null },
      { title: 'M', stars: null },
    ],
  });
  expect(errors?.[0]?.extensions).toEqual({
    code: 'COMPONENT_UNAVAILABLE',
    details: { component: 'reviews', upstream_status: null },
  });
});

test('a thin plan says the same of an unavailable component, and where it was missing', async () => {
  const { message, extensions } = new DomainError('component_unavailable', 'people cannot be reached', {
    component: 'people',
    upstream_status: 502,
  });
  const gone: LocalComponent = {
    ...createPeople(),
    prepare: () => () => Promise.resolve({ data: null, errors: [{ message, extensions }] }),
  };
  const endpoint = await serveEndpoint({ components: [createBooks(), gone] });
  const { status, body } = await ask(
    endpoint,
    post('{ books(first: 1) { title author { id name } readers { name } } }'),
  );
  expect(status).toBe(200);
  expect(body.data).toEqual({ books: [{ title: 'Engines', author: null, readers: null }] });
  expect(body.errors).toContainEqual({
    message,
    path: ['books'],
    extensions: {
      code: 'COMPONENT_UNAVAILABLE',
      details: { component: 'people', upstream_status: 502 },
      requestId: caller.requestId,
    },
  });
});
