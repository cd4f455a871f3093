// The limits of operations also apply to the stock gateway: objects, bytes and time end it, with subgraphs in
// the process and behind HTTP (docs/reference/api-conventions.md#budget).
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_OPERATION_LIMITS, type OperationLimits } from '../../platform/budget/limits.ts';
import { component } from './library.ts';
import { overHttp } from './over-http.ts';
import { type Answer, ask, post, serveEndpoint } from './serve-endpoint.ts';

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@interfaceObject"])';

/** The requests to the second subgraph, in the order of its answers. */
let asked: string[] = [];

const media = component({
  name: 'media',
  typeDefs: `${LINK}
    interface Media @key(fields: "id") { id: ID! title: String! }
    type Film implements Media @key(fields: "id") { id: ID! title: String! }
    type Query { media(count: Int!): [Media!]! slow: Media }`,
  permissions: { 'Query.media': 'metadata:read', 'Query.slow': 'metadata:read' },
  resolvers: {
    Query: {
      media: (_: unknown, { count }: { count: number }) =>
        Array.from({ length: count }, (_film, i) => ({
          __typename: 'Film',
          id: `f${i}`,
          title: `film ${i}`,
        })),
      slow: async () => {
        await sleep(1500);
        return { __typename: 'Film', id: 'slow', title: 'slow' };
      },
    },
    Media: { __resolveReference: ({ id }: { id: string }) => ({ __typename: 'Film', id, title: id }) },
    Film: { __resolveReference: ({ id }: { id: string }) => ({ id, title: id }) },
  },
});

const reviews = component({
  name: 'reviews',
  typeDefs: `${LINK}
    type Media @key(fields: "id") @interfaceObject { id: ID! text(length: Int!): String! reviews(count: Int!): [Review!]! }
    type Review { text: String! }`,
  permissions: {},
  resolvers: {
    Media: {
      text: ({ id }: { id: string }, { length }: { length: number }) => {
        asked.push(id);
        return 'x'.repeat(length);
      },
      reviews: (_: unknown, { count }: { count: number }) =>
        Array.from({ length: count }, () => ({ text: 'good' })),
      __resolveReference: (reference: object) => reference,
    },
  },
});

async function answerOf(query: string, isRemote: boolean, limits: Partial<OperationLimits>): Promise<Answer> {
  asked = [];
  const local = [media, reviews];
  const served = isRemote ? await Promise.all(local.map(overHttp)) : [];
  onTestFinished(async () => {
    for (const one of served) await one.close();
  });
  const endpoint = await serveEndpoint({
    components: isRemote ? served.map((one) => one.component) : local,
    permissions: { 'Query.media': 'metadata:read', 'Query.slow': 'metadata:read' },
    operationLimits: { ...DEFAULT_OPERATION_LIMITS, ...limits },
  });
  // the gateway itself takes its time to come: no operation under test waits for it
  await ask(endpoint, post('{ media(count: 1) { id text(length: 1) } }'));
  asked = [];
  return ask(endpoint, post(query));
}

const refusalBy = (limit: string, allowed: number): unknown => [
  expect.objectContaining({
    extensions: expect.objectContaining({
      code: 'INVALID_REQUEST',
      details: expect.objectContaining({ limit, allowed }),
    }),
  }),
];

const PLACES = [
  ['in the process', false],
  ['behind HTTP', true],
] as const;

test.for(PLACES)('a plan within the limits is answered, subgraphs %s', async ([, isRemote]) => {
  const { status, body } = await answerOf(
    '{ media(count: 2) { title reviews(count: 1) { text } } }',
    isRemote,
    {
      objects: 10,
      bytes: 10_000,
    },
  );
  expect([status, body.errors]).toEqual([200, undefined]);
  expect(body.data).toMatchObject({ media: [{ title: 'film 0', reviews: [{ text: 'good' }] }, {}] });
});

test.for(PLACES)(
  'the object limit counts all subgraphs of a plan together, subgraphs %s',
  async ([, isRemote]) => {
    const { status, body } = await answerOf(
      '{ media(count: 30) { title reviews(count: 30) { text } } }',
      isRemote,
      {
        objects: 500,
      },
    );
    expect(status).toBe(400);
    expect(body.errors).toEqual(refusalBy('objects', 500));
    expect(body).not.toHaveProperty('data');
  },
);

test.for(PLACES)(
  'the object limit ends a plan before its second fetch, subgraphs %s',
  async ([, isRemote]) => {
    const { status, body } = await answerOf('{ media(count: 30) { title text(length: 1) } }', isRemote, {
      objects: 20,
    });
    expect([status, body.errors]).toEqual([400, refusalBy('objects', 20)]);
    await sleep(50);
    expect(asked).toEqual([]);
  },
);

test.for(PLACES)('the byte limit ends a plan, subgraphs %s', async ([, isRemote]) => {
  const { status, body } = await answerOf('{ media(count: 20) { title text(length: 1000) } }', isRemote, {
    bytes: 10_000,
  });
  expect([status, body.errors]).toEqual([400, refusalBy('bytes', 10_000)]);
});

test.for(PLACES)(
  'the time limit ends a plan, and later fetches are not made, subgraphs %s',
  async ([, isRemote]) => {
    const begun = performance.now();
    const { status, body } = await answerOf('{ slow { title text(length: 1) } }', isRemote, { timeMs: 700 });
    expect([status, body.errors]).toEqual([400, refusalBy('time', 700)]);
    await sleep(Math.max(0, 1800 - (performance.now() - begun)));
    expect(asked).toEqual([]);
  },
);
