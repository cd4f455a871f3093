// The GraphQL explorer.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { buildSchema, type DocumentNode, parse, print, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';
import { ask, type Endpoint, serveEndpoint } from './serve-endpoint.ts';

const closers: (() => unknown)[] = [];

let straight: Endpoint;

beforeAll(async () => {
  const later = (fn: () => unknown): void => void closers.push(fn);
  straight = await serveEndpoint({ shortcut: true }, later);
});

afterAll(async () => {
  for (const close of closers) await close();
});

describe('the explorer', () => {
  const html = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'x-test-role': 'none' } };

  test('comes to a browser without a credential, with everything it needs from this server', async () => {
    const page = await fetch(straight.url, html);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/default-src 'none'; script-src 'self';/);
    const source = await page.text();
    expect(source).not.toMatch(/https?:|<script>|\son\w+=/);
    const files = [...source.matchAll(/(?:src|href)="(graphql\/[^"]+)"/g)].map(([, file]) => file ?? '');
    expect(files).toHaveLength(9);
    for (const file of files) {
      const asset = await fetch(new URL(file, straight.url), { headers: { 'x-test-role': 'none' } });
      expect(asset.status).toBe(200);
      expect(asset.headers.get('content-type')).toMatch(/^text\/(javascript|css); charset=utf-8$/);
      expect((await asset.text()).length).toBeGreaterThan(100);
    }
  });

  interface Props {
    readonly defaultQuery: string;
    readonly fetcher: (request: unknown, options?: { documentAST: DocumentNode }) => unknown;
  }

  /** Runs the page's script in a minimal browser. */
  async function openExplorer() {
    const source = await (await fetch(`${straight.url}/assets/explorer.js`)).text();
    const stored = new Map<string, string>();
    const elements = new Map<
      string,
      {
        value: string;
        textContent: string;
        addEventListener: (name: string, listener: (event: unknown) => void) => void;
      }
    >();
    const listeners: ((event: unknown) => void)[] = [];
    const element = (id: string) => {
      const found = elements.get(id) ?? {
        value: '',
        textContent: '',
        addEventListener: (_, listener) => listeners.push(listener),
      };
      elements.set(id, found);
      return found;
    };
    let props: Props | undefined;
    const requests: [string, RequestInit][] = [];
    const subscribed: unknown[] = [];
    runInNewContext(source, {
      document: { getElementById: element },
      sessionStorage: {
        getItem: (key: string) => stored.get(key) ?? null,
        setItem: (key: string, value: string) => stored.set(key, value),
        removeItem: (key: string) => stored.delete(key),
      },
      React: {
        createElement: (_: unknown, given: Props) => {
          props = given;
        },
      },
      ReactDOM: { createRoot: () => ({ render: () => undefined }) },
      GraphiQL: 'GraphiQL',
      GraphiQLPluginExplorer: { explorerPlugin: () => ({}) },
      // what it does with the page is seen in Chromium (test/console/beside.test.ts)
      MutationObserver: class {
        readonly observe = (): void => undefined;
      },
      graphqlSse: {
        createClient: ({ headers }: { headers: () => unknown }) => ({
          iterate: (request: unknown) => {
            subscribed.push([request, headers()]);
            return 'events';
          },
        }),
      },
      fetch: (url: string, init: RequestInit) => {
        // beside the requests that a reader makes, the page asks who that is
        if (typeof init.body !== 'string' || !init.body.includes('{ me {')) requests.push([url, init]);
        return fetch(straight.url, init);
      },
    });
    if (!props) throw new Error('the page renders GraphiQL');
    const enter = (credential: string): void => {
      element('key').value = credential;
      listeners[0]?.({ preventDefault: () => undefined });
    };
    return { props, requests, subscribed, element, enter };
  }

  test('asks by the session, or sends the key that it was given as a bearer and keeps it in the tab alone', async () => {
    const { props, requests, element, enter } = await openExplorer();
    expect(await props.fetcher({ query: '{ people { name } }' })).toEqual({
      data: { people: [{ name: 'Ada' }, { name: 'Bo' }] },
    });
    expect(requests[0]?.[1].headers).not.toHaveProperty('authorization');
    expect(requests[0]).toMatchObject([
      'graphql',
      { credentials: 'same-origin', headers: { 'x-cairn-session': '1' } },
    ]);
    enter(' sk_secret ');
    await props.fetcher({ query: '{ people { name } }' });
    expect(requests[1]).toMatchObject(['graphql', { headers: { authorization: 'Bearer sk_secret' } }]);
    expect(requests[1]?.[1].headers).not.toHaveProperty('x-cairn-session');
    expect(element('key').value).toBe('');
  });

  test('subscribes by server-sent events', async () => {
    const { props, requests, subscribed, enter } = await openExplorer();
    enter('sk_secret');
    const documentAST = parse('query A { people { name } } subscription B { x }');
    expect(props.fetcher({ query: print(documentAST), operationName: 'B' }, { documentAST })).toBe('events');
    expect(subscribed).toEqual([
      [expect.objectContaining({ operationName: 'B' }), { authorization: 'Bearer sk_secret' }],
    ]);
    await props.fetcher({ query: print(documentAST), operationName: 'A' }, { documentAST });
    expect([requests.length, subscribed.length]).toEqual([1, 1]);
  });

  test('greets with operations that the graph has', async () => {
    const { props } = await openExplorer();
    const graph = buildSchema(await readFile(path.join(projectRoot, 'test/contract/api.graphql'), 'utf8'));
    expect(validate(graph, parse(props.defaultQuery))).toEqual([]);
  });

  test('serves nothing else from its folder', async () => {
    for (const name of ['explorer.ts', '..%2fendpoint.ts', 'constructor', '__proto__']) {
      expect(
        (await fetch(`${straight.url}/assets/${name}`, { headers: { 'x-test-role': 'none' } })).status,
      ).toBe(404);
    }
  });

  test('is not what a query by GET leads to, which needs a credential', async () => {
    expect(await ask(straight, { path: '?query={people{id}}', ...html })).toMatchObject({
      status: 401,
      body: { error: 'missing_token' },
    });
    expect((await ask(straight, { headers: { 'x-test-role': 'none' } })).status).toBe(401);
    const elsewhere = {
      headers: { 'x-api-key': 'k', 'x-project': 'b', 'x-test-projects': 'a' },
      path: '?query={people{id}}',
    };
    expect(await ask(straight, elsewhere)).toMatchObject({
      status: 403,
      body: { error: 'project_scope_denied' },
    });
  });

  test('is not there where it is switched off', async () => {
    const closed = await serveEndpoint({ explorer: false });
    expect((await fetch(closed.url, html)).status).toBe(401);
    expect((await fetch(`${closed.url}/assets/react.js`)).status).toBe(404);
  });
});
