// What the console is served with, and its conditions on fields.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { filterOf, readCondition } from '../../console/views/entities/conditions.ts';
import { projectRoot } from '../../platform/project-root.ts';
import { startServer } from '../testkit/server.ts';
import { MARKUP, SCHEMA, server, setUp } from './console-testkit.ts';
import type { World } from './every-view-world.ts';
import { SHOWN_VIEWS } from './every-view.ts';

/** What comes with the first view, compressed, in bytes. */
const FIRST_LOAD = 350_000;

interface Manifest {
  readonly main: string;
  readonly scheme: string;
  readonly style: string;
  readonly preload: readonly string[];
  readonly files: Readonly<Record<string, { readonly gzip: number }>>;
}

setUp();

describe('conditions on fields', () => {
  const fields = SCHEMA.fields.map(({ name, field_type: type, ...more }) => ({ name, type, ...more }));

  test.each([
    [['tissue:eq:liver'], '', 30],
    [['tissue:ne:liver'], '', 34],
    [['donor:contains:D-1'], '', 12],
    [['donor:starts:D-6'], '', 2],
    [['age:lt:22'], '', 2],
    [['age:ge:22', 'age:le:23'], '', 2],
    [['age:has:'], '', 60],
    [['age:hasnt:'], '', 4],
    [['labels:eq:cold'], '', 1],
    [['parent:eq:biopsy:1'], '', 1],
    [['taken:ge:2026-01-01T00:00:00Z'], '', 0],
    [['tissue:eq:liver'], 'data.age > 70 || data.age < 22', 5],
    [[`donor:eq:${MARKUP}`], '', 1],
    [[], 'data.age == 42', 1],
    [['nonsense', 'age:around:4'], '', 64],
  ])('%j and %j', async (texts, own, total) => {
    const conditions = texts.flatMap((text) => readCondition(text) ?? []);
    const filter = filterOf(conditions, own, fields) ?? null;
    const { body } = await server.graphql(
      'query ($filter: String) { entities(entityType: "Biopsy", filter: $filter) { total } }',
      { filter },
    );
    expect([filter, body]).toMatchObject([filter, { data: { entities: { total } } }]);
  });
});

describe('what is served', () => {
  const get = (target: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(server.url + target, { headers: { accept: 'text/html', ...headers }, redirect: 'manual' });

  test('the first view loads at most 350 kB, compressed', () => {
    const { main, scheme, style, preload, files } = JSON.parse(
      readFileSync(path.join(projectRoot, 'dist/console/manifest.json'), 'utf8'),
    ) as Manifest;
    const home = Object.keys(files).find((name) => name.startsWith('home-')) ?? '';
    const sizes = [main, scheme, style, home, ...preload].map((name) => files[name]?.gzip ?? NaN);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_LOAD);
  });

  test('the page may load nothing from other origins and is not cached; its assets are cached permanently', async () => {
    const page = await get('/console/entities?type=Biopsy');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('unsafe');
    expect(page.headers.get('cache-control')).toBe('no-store');
    const html = await page.text();
    const [asset = ''] = /console\/assets\/main-\w+\.js/.exec(html) ?? [];
    const script = await get(`/${asset}`, { 'accept-encoding': 'br' });
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(script.headers.get('content-encoding')).toBe('br');
    expect((await get('/console/assets/..%2fmanifest.json')).status).not.toBe(200);
    expect((await get('/console/assets/constructor')).status).not.toBe(200);
  });

  test.each(['', '/', '/types', '/types/'])(
    'its page at /console%s names files that are there',
    async (view) => {
      const html = await (await get(`/console${view}`)).text();
      const names = [...html.matchAll(/(?:src|href)="([^"]*assets[^"]*)"/g)].map(([, name]) => name ?? '');
      expect(names.length).toBeGreaterThan(2);
      for (const name of names) {
        const { pathname } = new URL(name, `${server.url}/console${view}`);
        expect([pathname, (await get(pathname)).status]).toEqual([pathname, 200]);
      }
    },
  );

  test('the root redirects to the console, and an unknown path answers a browser with a page', async () => {
    const root = await get('/');
    expect([root.status, root.headers.get('location')]).toEqual([303, 'console']);
    const missing = await get('/no/such/<b>page</b>');
    expect(missing.status).toBe(404);
    const text = await missing.text();
    expect(text).toContain('There is no such page');
    expect(text).not.toContain('<b>page');
    for (const view of ['nothing', 'entity/nothing', 'constructor'])
      expect([view, (await get(`/console/${view}`)).status]).toEqual([view, 404]);
    for (const { at } of SHOWN_VIEWS) {
      const { pathname } = new URL(at({} as World), 'http://console');
      const shown = await get(pathname === '/' ? '/console' : `/console${pathname}`);
      expect([pathname, shown.status]).toEqual([pathname, pathname === '/nowhere' ? 404 : 200]);
    }
    await using closed = await startServer({ config: 'graphql: {explorer: false}' });
    const ask = (target: string, accept: string): Promise<Response> =>
      fetch(closed.url + target, { headers: { accept } });
    const page = await ask('/graphql', 'text/html,*/*');
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(await page.text()).toMatch(/its explorer is turned off[^]*href="\/console"/);
    for (const [target, accept] of [
      ['/graphql', '*/*'],
      ['/graphql?query={__typename}', 'text/html'],
    ] as const) {
      const { status, headers } = await ask(target, accept);
      expect([target, status, headers.get('content-type')]).toEqual([
        target,
        401,
        'application/json; charset=utf-8',
      ]);
    }
    expect((await get('/api/v1/nothing')).status).toBe(401); // as for programs
    expect((await fetch(`${server.url}/nothing`)).status).toBe(401);
  });
});
