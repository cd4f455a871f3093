// GraphQL over HTTP, and the media types that clients accept.
import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { JSON_TYPE } from '../../router/graphql/media-type.ts';
import { ask, type Endpoint, serveEndpoint } from './serve-endpoint.ts';

const closers: (() => unknown)[] = [];

let straight: Endpoint;

let apollo: Endpoint;

beforeAll(async () => {
  const later = (fn: () => unknown): void => void closers.push(fn);
  straight = await serveEndpoint({ shortcut: true }, later);
  apollo = await serveEndpoint({ shortcut: false }, later);
});

afterAll(async () => {
  for (const close of closers) await close();
});

const text = (body: string, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body,
});

describe.each(['past Apollo Server', 'through it'])('GraphQL over HTTP, %s', (way) => {
  test.each(
    serverAudits({
      url: () => (way === 'through it' ? apollo : straight).url,
      fetchFn: (url: string, init: RequestInit = {}) =>
        fetch(url, { ...init, headers: { 'x-api-key': 'k', ...(init.headers as Record<string, string>) } }),
    }),
  )('$name', async ({ fn }) => {
    expect(await fn()).toMatchObject({ status: 'ok' });
  });
});

describe('what clients accept', () => {
  const RESPONSE = 'application/graphql-response+json; charset=utf-8';
  const PLAIN = 'application/json; charset=utf-8';
  test.each([
    ['Apollo Client', 'application/graphql-response+json,application/json;q=0.9', RESPONSE],
    [
      'urql',
      'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
      RESPONSE,
    ],
    [
      'Relay and graphql-request',
      'application/graphql-response+json; charset=utf-8, application/json; charset=utf-8',
      RESPONSE,
    ],
    ['fetch', '*/*', PLAIN],
    ['older clients', 'application/json, text/plain, */*', PLAIN],
    ['one that prefers plain JSON', 'application/graphql-response+json;q=0.1, application/json', PLAIN],
    ['one that takes anything of a kind', 'application/*;q=0.8', PLAIN],
    ['one that refuses plain JSON', 'application/json;q=0, */*', RESPONSE],
  ])('%s: answers and refusals are %s', async (_, accept, type) => {
    for (const [source, status] of [
      ['{ book(id: "b1") { id title } }', 200],
      ['{ nothing }', 400],
      ['{ book(', 400],
    ] as const) {
      for (const _ of [1, 2]) {
        // the second time from the cache
        const { status: answered, headers } = await ask(
          straight,
          text(JSON.stringify({ query: source }), { accept, 'x-api-key': 'k' }),
        );
        expect([source, answered, headers.get('content-type')]).toEqual([source, status, type]);
      }
    }
  });
});

test('clients that accept only application/json get document errors with 200, and request errors with their status', async () => {
  for (const endpoint of [straight, apollo]) {
    const said = async (content: string, accept: string): Promise<unknown[]> => {
      const { status, headers, body } = await ask(
        endpoint,
        text(content, { 'x-api-key': 'k', ...(accept === '' ? {} : { accept }) }),
      );
      return [status, headers.get('content-type'), body.errors?.length];
    };
    for (const query of ['{', '{ nothing }', 'query($id: ID!) { book(id: $id) { id } }']) {
      expect(await said(JSON.stringify({ query }), 'application/json')).toEqual([200, JSON_TYPE, 1]);
      for (const accept of ['', '*/*', 'application/json, text/plain, */*'])
        expect(await said(JSON.stringify({ query }), accept)).toEqual([400, JSON_TYPE, 1]);
    }
    for (const content of ['{', '{}', '{"query": 5}'])
      expect(await said(content, 'application/json')).toEqual([400, JSON_TYPE, 1]);
  }
});
