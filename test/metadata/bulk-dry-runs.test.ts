// Dry runs and all-or-nothing loads over REST.
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { addSchema } from '../artifact/production-testkit.ts';
import type { Answer } from '../testkit/server.ts';
import { LINES, lines, post, server, setUp } from './bulk-over-rest-testkit.ts';

describe.each(['in-process', 'http'] as const)('%s', (transport) => {
  setUp(transport);

  test('a dry run says what the load then does, row by row, and writes nothing', async () => {
    await addSchema(server, {
      name: 'Tube',
      version: '1',
      fields: [
        { name: 'code', field_type: 'string', unique: true },
        { name: 'of', field_type: 'ref', references: 'Tube', must_exist: true },
      ],
    });
    const tube = (id: string, data: Record<string, unknown>) => ({ entity_type: 'Tube', id, data });
    await post(lines([tube('t0', { code: 'A' }), tube('t00', { code: 'Z' })]));
    const rows = [
      tube('t1', { code: 'B', of: 't0' }),
      tube('t2', { code: 'A' }), // taken by one that is stored
      tube('t3', { code: 'B' }), // taken by a row before
      tube('t4', { code: 'C', of: 't1' }), // refers to a row before
      tube('t5', { code: 'D', of: 't6' }), // refers to nothing
      tube('t1', { code: 'E' }), // changes a row before
      tube('t0', { code: 'A' }), // as it is
      tube('t7', { code: 'B' }), // was freed by a row before
      'not json',
      { entity_type: 'Tube', data: { code: 'F' } },
    ];
    const stored = async (): Promise<Record<string, unknown>> => {
      const found = await server.graphql(
        '{ entities(entityType: "Tube") { totalCount: total items { id version data history { eventType } } } }',
      );
      expect(found.body.data.entities.totalCount).toBe(2);
      return found.body.data;
    };
    const before = await stored();
    const told = (answered: Answer['body']) =>
      answered.data.outcomes.map((one: Record<string, unknown>) => one['change'] ?? one['message']);
    const rehearsed = await post(lines(rows), LINES, undefined, '?dry_run=true');
    expect([rehearsed.status, rehearsed.body.data]).toMatchObject([
      207,
      { created: 4, updated: 1, unchanged: 1, failed: 4 },
    ]);
    expect(rehearsed.body.data.outcomes[0]).toEqual({ row: 0, line: 1, id: 't1', change: 'created' });
    expect(await stored()).toEqual(before);
    expect((await server.rest('GET', '/api/v1/metadata/entities/t1')).status).toBe(404);
    const done = await post(lines(rows));
    expect(told(rehearsed.body)).toEqual(told(done.body));
    const { body } = await post(lines(rows.slice(0, 8)), LINES, undefined, '?dry_run=true');
    expect(told(body)).toEqual(told((await post(lines(rows.slice(0, 8)))).body));
  });

  test('a dry run sees large entities, and what rows before have made of them', async () => {
    const note = randomBytes(400_000).toString('base64');
    const large = (data: Record<string, unknown>) => ({ entity_type: 'Reading', id: 'large', data });
    await post(lines([large({ n: 1, note })]));
    const rows = [
      large({ n: 1 }),
      large({ n: 2 }),
      large({ n: 2, note }),
      large({ n: 'x' }),
      large({ n: 1 }),
    ];
    const changes = async (query: string): Promise<unknown> =>
      (await post(lines(rows), LINES, undefined, query)).body.data.outcomes.map(
        (one: Record<string, unknown>) => one['change'] ?? one['code'],
      );
    const expected = ['unchanged', 'updated', 'unchanged', 422, 'updated'];
    expect(await changes('?dry_run=true')).toEqual(expected);
    expect((await server.rest('GET', '/api/v1/metadata/entities/large')).body.data.version).toBe(1);
    expect(await changes('')).toEqual(expected);
  });

  test('all or nothing writes all rows or none, and tells every reason', async () => {
    const good = { entity_type: 'Reading', id: 'all1', data: { n: 1 } };
    const all = '?all_or_nothing=true';
    const refused = await post(
      lines([good, { id: 'all2' }, { entity_type: 'Reading', id: 'all3', data: { n: 'x' } }]),
      LINES,
      undefined,
      all,
    );
    expect([refused.status, refused.body.data]).toMatchObject([
      207,
      {
        created: 0,
        updated: 0,
        unchanged: 0,
        failed: 2,
        outcomes: [{ id: 'all1' }, { code: 422 }, { code: 422 }],
      },
    ]);
    expect(refused.body.data.outcomes[0].change).toBeUndefined();
    const twice = await post(
      lines([good, ...['x', 'y'].map((n) => ({ entity_type: 'Reading', data: { n } }))]),
      LINES,
      undefined,
      all,
    );
    expect(twice.body.data).toMatchObject({ created: 0, failed: 2 });
    expect((await server.rest('GET', '/api/v1/metadata/entities/all1')).status).toBe(404);
    const { status, body } = await post(
      lines([good, { entity_type: 'Reading', id: 'all3', data: { n: 3 } }]),
      LINES,
      undefined,
      all,
    );
    expect([status, body.data]).toMatchObject([
      200,
      { created: 2, failed: 0, outcomes: [{ version: 1, change: 'created' }, { version: 1 }] },
    ]);
  });

  test('the number of rows of an all-or-nothing load is limited, and a truncated body writes nothing', async () => {
    const rows = Array.from({ length: 20_000 }, (_, n) => ({
      entity_type: 'Reading',
      id: `many${n}`,
      data: n % 2 === 0 ? { n } : { n: 'odd', note: 'x'.repeat(200) },
    }));
    const dry = '?dry_run=true';
    const { status, body } = await post(lines(rows), LINES, undefined, dry);
    expect([status, body.data.created, body.data.failed]).toEqual([207, 10_000, 10_000]);
    const more = await post(lines([...rows, rows[0]]), LINES, undefined, dry);
    expect([more.status, more.body.error.message]).toEqual([413, expect.stringContaining('20000 rows')]);
    const cut = await post(
      '[{"entity_type":"Reading","id":"cut1","data":{"n":1}},',
      {
        'content-type': 'application/json',
      },
      undefined,
      '?all_or_nothing=true',
    );
    expect(cut.status).toBe(400);
    expect((await server.rest('GET', '/api/v1/metadata/entities/cut1')).status).toBe(404);
  });

  test('a dry run is refused where the load would be: for readers, and for other projects', async () => {
    const row = lines([{ entity_type: 'Reading', id: 'd1', data: { n: 1, project: 'beta' } }]);
    const analyst = await server.newKey({ role: 'analyst', project: 'alpha' });
    expect((await post(row, LINES, analyst, '?dry_run=true')).body.data.outcomes).toMatchObject([
      { code: 403 },
    ]);
    const viewer = await server.newKey({ role: 'viewer' });
    expect((await post(row, LINES, viewer, '?dry_run=true')).body.error).toBe('insufficient_role');
    await post(row);
    const hidden = lines([{ entity_type: 'Reading', id: 'd1', data: { n: 2 } }]);
    expect((await post(hidden, LINES, analyst, '?dry_run=true')).body.data.outcomes).toMatchObject([
      { code: 404, message: expect.not.stringContaining('beta') },
    ]);
  });
});
