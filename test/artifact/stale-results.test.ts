// docs/reference/artifact.md#lists-of-stale-results
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestServer } from '../testkit/server.ts';
import { plant } from './planted-results.ts';
import { startServer } from '../testkit/server.ts';
import { GREETS, GREET_LOUDLY, GREET, addGreetings } from './staleness-testkit.ts';
import { addRule } from './production-testkit.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await addGreetings(server);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

const write = async (sample: string, data: Record<string, unknown>): Promise<void> => {
  const body = { entity_type: 'Sample', id: sample, data: { name: sample, ...data } };
  const { status, text } = await server.rest('POST', '/api/v1/metadata/ingest', { body });
  if (status !== 200) throw new Error(text);
};
const stored = (sample: string, kind: string) => ({
  sample,
  uri: `https://files.example/${kind}/${sample}`,
});
/** A greeting of the sample, and an echo of that. */
async function chain(sample: string): Promise<void> {
  const criteria = { sample };
  await plant(server, { entityType: 'Greeting', id: `g-${sample}`, data: stored(sample, 'g'), criteria });
  await plant(server, { entityType: 'Echo', id: `e-${sample}`, data: stored(sample, 'e'), criteria });
}
interface Item {
  readonly entity_id: string;
  readonly staleness: { readonly reasons: readonly { readonly via: string[]; readonly message: string }[] };
}
interface Page {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
  readonly is_complete: boolean;
  readonly up_to: string | null;
}
/** Asked again until all changes were looked at. */
async function page(query = '', key = server.key): Promise<Page> {
  for (;;) {
    const body = (await server.rest('GET', `/api/v1/artifact/staleness?${query}`, { key })).body as Page;
    if (body.is_complete) return body;
  }
}
const staleIds = async (query = '', key = server.key): Promise<string[]> =>
  (await page(query, key)).items.map(({ entity_id: id }) => id);

describe('stale results', () => {
  test('have a filter that is read also where nothing is stale', async () => {
    for (const filter of [')(', 'data.name == "a") || (true', 'nothing(1)'])
      for (const [method, target, body] of [
        ['GET', `/api/v1/artifact/staleness?filter=${encodeURIComponent(filter)}`, undefined],
        ['POST', '/api/v1/artifact/refresh', { filter }],
      ] as const)
        expect((await server.rest(method, target, { body })).status).toBe(422);
  });

  test('are listed with what has changed once they are stale, through chains, and no longer when they are not', async () => {
    await write('s1', { reads: 'a', note: 'x' });
    await chain('s1');
    expect(await page()).toMatchObject({ items: [], next_cursor: null, is_complete: true });
    await write('s1', { reads: 'a', note: 'y' });
    expect(await staleIds()).toEqual([]);
    await write('s1', { reads: 'b', note: 'y' });
    const { items, up_to: upTo } = await page();
    expect(items.map((item) => [item.entity_id, item.staleness.reasons[0]?.via])).toEqual([
      ['g-s1', []],
      ['e-s1', ['g-s1']],
    ]);
    expect(upTo).not.toBeNull();
    // what changes further is told, and what was found last is told again
    await write('s1', { reads: 'c', note: 'y' });
    for (let n = 0; n < 2; n++)
      expect(
        (await page()).items.map((item) => item.staleness.reasons.map(({ message }) => message)),
      ).toEqual([
        ['Sample s1 v1 -> v4: reads changed, bound as input reads'],
        ['Sample s1 v1 -> v4: reads changed, bound as input reads'],
      ]);
    await addRule(server, 'greet', GREET_LOUDLY, GREETS);
    expect((await page()).items.map((item) => item.staleness.reasons.length)).toEqual([2, 2]);
    await addRule(server, 'greet', `# as before\n${GREET}`, GREETS);
    await write('s1', { reads: 'a' });
    expect(await staleIds()).toEqual([]);
  });

  test('by rules: a change of what a rule does, another name, back again', async () => {
    await write('s2', { reads: 'a' });
    await chain('s2');
    await addRule(server, 'greet', GREET_LOUDLY, GREETS);
    expect(new Set(await staleIds())).toEqual(new Set(['g-s1', 'e-s1', 'g-s2', 'e-s2']));
    await addRule(server, 'greet', `# again\n${GREET}`, GREETS);
    expect(await staleIds()).toEqual([]);
    await server.rest('PATCH', '/api/v1/artifact/rules/greet', {
      body: { status: 'deprecated', deprecation_note: 'wrong' },
    });
    expect((await staleIds()).length).toBe(4);
    await addRule(server, 'welcome', GREET, GREETS);
    expect(await staleIds()).toEqual([]);
  });

  test('by type and filter, in pages, each once', async () => {
    const samples = ['p1', 'p2', 'p3', 'p4', 'p5'];
    for (const sample of samples) {
      await write(sample, { reads: 'a' });
      await chain(sample);
    }
    for (const sample of samples) await write(sample, { reads: 'b' });
    expect(new Set(await staleIds('entity_type=Echo'))).toEqual(new Set(samples.map((s) => `e-${s}`)));
    expect(await staleIds('entity_type=Echo&filter=data.sample == "p3"')).toEqual(['e-p3']);
    const paged: string[] = [];
    for (let query = 'limit=3'; ;) {
      const { items, next_cursor: next } = await page(query);
      paged.push(...items.map(({ entity_id: id }) => id));
      if (next === null) break;
      query = `limit=3&cursor=${next}`;
    }
    expect(paged.toSorted()).toEqual(samples.flatMap((s) => [`e-${s}`, `g-${s}`]).toSorted());
    for (const [query, status, message] of [
      ['entity_type=Nothing', 404, 'entity type not found: Nothing'],
      ['limit=0', 400, 'limit must be'],
      ['cursor=W10', 400, 'cursor does not come from this list'],
      ['filter=data.(', 422, ''],
    ] as const) {
      const answer = await server.rest('GET', `/api/v1/artifact/staleness?${query}`);
      expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(message)]);
    }
    for (const sample of samples) await write(sample, { reads: 'a' });
    expect(await staleIds()).toEqual([]);
  });

  test('that were made again are listed no more; what is made while its input changes is', async () => {
    await write('m1', { reads: 'a' });
    await chain('m1');
    await write('m1', { reads: 'b' });
    expect(await staleIds()).toEqual(['g-m1', 'e-m1']);
    const again = { entityType: 'Greeting', id: 'g-m1', criteria: { sample: 'm1' } };
    await plant(server, { ...again, data: { ...stored('m1', 'g'), uri: 'https://files.example/new' } });
    expect((await page()).items.map((item) => [item.entity_id, item.staleness.reasons[0]?.message])).toEqual([
      ['e-m1', 'Greeting g-m1 v1 -> v2: uri changed, bound as input greeting'],
    ]);
    await plant(server, {
      entityType: 'Echo',
      id: 'e-m1',
      data: stored('m1', 'e'),
      criteria: { sample: 'm1' },
    });
    expect(await staleIds()).toEqual([]);
    // its input changed before it was completed
    await write('m2', { reads: 'a' });
    const production = await plant(server, {
      entityType: 'Greeting',
      id: 'g-m2',
      data: stored('m2', 'g'),
      criteria: { sample: 'm2' },
    });
    const { pool } = server.database;
    await pool.query('DELETE FROM artifact.staleness_due WHERE id = $1', [production]);
    await pool.query(`UPDATE artifact.production SET status = 'running' WHERE id = $1`, [production]);
    await write('m2', { reads: 'b' });
    expect(await staleIds()).toEqual([]);
    await pool.query(`UPDATE artifact.production SET status = 'completed' WHERE id = $1`, [production]);
    expect(await staleIds()).toEqual(['g-m2']);
    await write('m2', { reads: 'a' });
  });

  test('are not reused by GET /resolve, nor listed by resolve_all, where fresh ones are wanted', async () => {
    await write('f1', { reads: 'a' });
    await chain('f1');
    await write('f1', { reads: 'b' });
    const resolve = async (prefer: string) =>
      (
        await server.rest('GET', '/api/v1/artifact/resolve?entity_type=Greeting&sample=f1', {
          headers: { prefer },
        })
      ).body as { decision: string };
    expect((await resolve('reuse=any')).decision).toBe('reuse');
    expect((await resolve('reuse=old')).decision).toBe('reuse');
    expect((await resolve('wait=1, reuse="fresh"')).decision).toBe('build');
    const all = (reuse?: string) =>
      server.rest('POST', '/api/v1/artifact/resolve_all', {
        body: { entity_type: 'Greeting', partial_spec: { sample: 'f1' }, reuse },
      });
    expect((await all()).body).toMatchObject({ total: 1, entities: [{ id: 'g-f1' }] });
    expect((await all('fresh')).body).toMatchObject({ total: 1, entities: [] });
    expect((await all('new')).status).toBe(422);
    await write('f1', { reads: 'a' });
    expect((await all('fresh')).body).toMatchObject({ entities: [{ id: 'g-f1' }] });
  });

  test('also by a change of before anybody followed the type that their rule has come to require', async () => {
    await write('b1', { reads: 'a' });
    await chain('b1');
    expect(await staleIds()).toEqual([]);
    // what was made was looked at before the type was known to be required
    await server.database.pool.query(
      `UPDATE artifact.staleness_basis SET positions = positions - 'Sample' - 'Greeting'`,
    );
    await write('b1', { reads: 'b' });
    expect(await staleIds()).toEqual(['g-b1', 'e-b1']);
    await write('b1', { reads: 'a' });
    expect(await staleIds()).toEqual([]);
  });

  test('by rule and from a time on, in an order that goes on when all marks are gone', async () => {
    for (const sample of ['o1', 'o2']) {
      await write(sample, { reads: 'a' });
      await chain(sample);
    }
    const sinceOf = async (query = ''): Promise<string[]> =>
      (await page(query)).items.map((item) => (item as unknown as { since: string }).since);
    await write('o1', { reads: 'b' });
    const [first = ''] = await sinceOf('rule=welcome');
    await write('o1', { reads: 'a' });
    expect(await staleIds()).toEqual([]);
    const { pool } = server.database;
    await pool.query(`UPDATE artifact.staleness_basis SET marked_at = marked_at + interval '1 hour'`); // the clock went back
    await write('o2', { reads: 'b' });
    const later = await sinceOf();
    expect(later.length).toBe(2);
    expect(Date.parse(later[0] ?? '') - Date.parse(first)).toBeGreaterThan(3_500_000);
    expect(await staleIds(`since=${later[0]}`)).toEqual(['e-o2']);
    expect(await staleIds(`since=${first}`)).toEqual(['g-o2', 'e-o2']);
    expect(await staleIds('rule=echo')).toEqual(['e-o2']);
    expect(await staleIds('rule=echo@1')).toEqual(['e-o2']);
    expect(await staleIds('rule=echo@7')).toEqual([]);
    expect(await staleIds('rule=ech')).toEqual([]);
    await write('o2', { reads: 'a' });
  });

  test('of what a caller may not see are not listed', async () => {
    const alpha = await server.newKey({ role: 'viewer', project: 'alpha' });
    const beta = await server.newKey({ role: 'viewer', project: 'beta' });
    await write('v1', { reads: 'a', project: 'alpha' });
    await chain('v1');
    await write('v1', { reads: 'b', project: 'alpha' });
    expect(await staleIds('', alpha)).toEqual(['g-v1', 'e-v1']);
    expect(await page('', beta)).toMatchObject({ items: [], next_cursor: null });
    await write('v1', { reads: 'b', project: 'beta' });
    expect(await staleIds()).toEqual(['g-v1', 'e-v1']);
    for (const key of [alpha, beta])
      expect(await page('', key)).toMatchObject({ items: [], next_cursor: null });
    await write('v1', { reads: 'a', project: 'alpha' });
  });

  test('not by a comment in a large workflow, however long it is', async () => {
    const steps = Array.from(
      { length: 1500 },
      (_, i) => `      field_${i}: {kept: as it is, and written at length}`,
    );
    const large = `${GREET}\n$graph_of_notes:\n  more:\n${steps.join('\n')}\n`.replace(
      '$graph_of_notes',
      'hints:\n  urn:notes',
    );
    expect(large.length).toBeLessThan(2 ** 18);
    await server.rest('PATCH', '/api/v1/artifact/rules/welcome', {
      body: { status: 'deprecated', deprecation_note: 'over' },
    });
    await addRule(server, 'greet', large, GREETS);
    await write('l1', { reads: 'a' });
    await chain('l1');
    await addRule(server, 'greet', `# ${'x'.repeat(2 ** 17)}\n${large}`, GREETS);
    expect((await staleIds()).filter((id) => id.endsWith('l1'))).toEqual([]);
    await addRule(server, 'greet', large.replace('field_7:', 'field_x:'), GREETS);
    expect((await staleIds()).filter((id) => id.endsWith('l1'))).toEqual(['g-l1', 'e-l1']);
  });
});
