// Unusual values in REST requests: nulls, wrong types, numbers out of range, contexts that cannot be stored;
// and the answers about schemas.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';
import { metadataFace, type MetadataFace } from '../testkit/metadata-rest-api.ts';

let metadata: FreshMetadata;
let rest: MetadataFace;
beforeAll(async () => {
  metadata = await freshMetadata();
  rest = metadataFace(metadata.component);
  await rest('POST', '/schemas', {
    body: { name: 'Thing', version: '1.0.0', fields: [{ name: 'label', field_type: 'text' }] },
  });
  await rest('POST', '/ingest', { body: { entity_type: 'Thing', data: { id: 't1', label: 'x' } } });
});
afterAll(() => metadata[Symbol.asyncDispose]());

const refused = (message: string) => ({ status: 422, body: { data: null, error: { code: 422, message } } });

test("data that is null, and fields of a body of another type than the specification's, are 422 and named", async () => {
  expect(await rest('POST', '/ingest', { body: { entity_type: 'Thing', data: null } })).toMatchObject(
    refused('data must be an object'),
  );
  expect(await rest('PUT', '/entities/Thing/t1', { body: { data: null } })).toMatchObject(
    refused('data must be an object'),
  );
  expect(await rest('POST', '/ingest', { body: { entity_type: 5, data: {} } })).toMatchObject(
    refused('entity_type must be a string'),
  );
  expect(await rest('POST', '/ingest', { body: { entity_type: null, data: {} } })).toMatchObject(
    refused('entity_type is required'),
  );
  expect(
    await rest('POST', '/entities/Thing/bulk-availability', {
      body: { entity_ids: ['t1'], available: true, actor: 4 },
    }),
  ).toMatchObject(refused('actor must be a string'));
});

test('ids with invisible characters are refused', async () => {
  const ingest = (id: string) =>
    rest('POST', '/ingest', { body: { entity_type: 'Thing', id, data: { label: 'y' } } });
  for (const id of [
    'a\u200bb',
    '\u202eb',
    'a\u0085',
    'a\u00ad',
    '\u2060',
    '\u200d',
    'a\u200d',
    ' a',
    '\u00a0',
    'a/b',
    '',
    'x'.repeat(201),
  ]) {
    expect(await ingest(id)).toMatchObject(
      refused('field id must be 1 to 200 visible characters without `/` and `\\`, and neither `.` nor `..`'),
    );
  }
  for (const id of ['日本語', '😀', '👩‍🔬', 'نمی‌خواهم', '%41?#&', 'x'.repeat(200), '😀'.repeat(200)])
    expect((await ingest(id)).body.data).toMatchObject({ id });
});

test("an ETag that only resembles the entity's does not match", async () => {
  for (const tag of ['"01"', '"8", "9"', '"1" "2"', '1', 'W/"1"', '"1'])
    expect(
      (
        await rest('PUT', '/entities/Thing/t1', {
          body: { data: { label: 'never' } },
          headers: { 'if-match': tag },
        })
      ).status,
    ).toBe(412);
  for (const tag of ['"1"', '"9", W/"2", "1"', ' * '])
    expect(
      (
        await rest('PUT', '/entities/Thing/t1', {
          body: { data: { label: 'x' } },
          headers: { 'if-match': tag },
        })
      ).status,
    ).toBe(200);
});

test.each([
  '/entities?',
  '/entities/t1/history?',
  '/entities/t1/relationships?',
  '/search?entity_type=Thing&q=x&',
])('a page that begins beyond every integer is 422, one beyond the end is empty: %s', async (listing) => {
  expect(await rest('GET', `${listing}offset=2147483648`)).toMatchObject(
    refused('offset must be an integer from 0 to 2147483647'),
  );
  const { status, body } = await rest('GET', `${listing}offset=2147483647`);
  expect({ status, items: body.data.items ?? body.data }).toEqual({ status: 200, items: [] });
});

test('a context that is no JSON is 400; one that could not be kept exactly is 422; nothing is written', async () => {
  const write = (context: string) =>
    rest('PUT', '/entities/Thing/t1', {
      body: { data: { label: 'never' } },
      headers: { 'x-metadata-context': context },
    });
  expect(await write('{')).toMatchObject({
    status: 400,
    body: { error: { code: 400, message: expect.stringMatching(/^X-Metadata-Context is not valid JSON/) } },
  });
  expect((await write('['.repeat(300) + ']'.repeat(300))).status).toBe(400);
  expect(await write('{"notes":"\\u0000"}')).toMatchObject(
    refused('X-Metadata-Context: $.notes: a string must not contain U+0000'),
  );
  expect(await write('{"n":9007199254740993}')).toMatchObject(
    refused('X-Metadata-Context: $.n: the integer 9007199254740993 is beyond ±(2^53−1)'),
  );
  expect((await rest('GET', '/entities/t1')).body.data).toMatchObject({ data: { label: 'x' }, version: 1 });
});

test('a context is stored verbatim, whether its header is in UTF-8 or in Latin-1', async () => {
  const text = '{"b": 1.0,  "notes": "\u00e9"}';
  for (const [label, header] of [
    ['utf8', Buffer.from(text, 'utf8').toString('latin1')],
    ['latin1', text],
  ] as const) {
    await rest('PUT', '/entities/Thing/t1', {
      body: { data: { label } },
      headers: { 'x-metadata-context': header },
    });
  }
  const { rows } = await metadata.database.pool.query<{ context: string }>(
    'SELECT context::text FROM metadata.provenance WHERE entity_id = $1 AND context IS NOT NULL',
    ['t1'],
  );
  expect(rows.map(({ context }) => context)).toEqual([text, text]);
});

test("a schema's version is a string, and every field of a definition says whether it is required", async () => {
  expect(await rest('POST', '/schemas', { body: { name: 'Other', version: 1, fields: [] } })).toMatchObject(
    refused('version must be a string, for example "1.0.0"'),
  );
  expect((await rest('GET', '/schemas/Thing')).body.data).toEqual({
    name: 'Thing',
    version: '1.0.0',
    fields: [{ name: 'label', field_type: 'text', required: false }],
  });
  const again = await rest('POST', '/schemas', {
    body: {
      name: 'Thing',
      version: '1.0.0',
      fields: [{ name: 'label', field_type: 'text', required: false }],
    },
  });
  expect(again).toMatchObject({
    status: 200,
    body: { data: { name: 'Thing', version: '1.0.0', status: 'created' } },
  });
});

test('a whole float of any size is written back as it was read, however it is spelled; an int beyond 2^53−1 is none', async () => {
  await rest('POST', '/schemas', {
    body: {
      name: 'Measured',
      version: '1',
      fields: [
        { name: 'f', field_type: 'float' },
        { name: 'l', field_type: 'float', many: true },
        { name: 'i', field_type: 'int' },
      ],
    },
  });
  for (const [i, f] of [
    '1e300',
    '1e20',
    '9007199254740994',
    '-1.7976931348623157e308',
    '123456789012345680000',
    '5e-324',
    '-0.0',
    '1e21',
  ].entries()) {
    const created = await rest('POST', '/ingest', {
      body: `{"entity_type":"Measured","id":"m${i}","data":{"f":${f},"l":[${f},1.5]}}`,
    });
    expect([f, created.status]).toEqual([f, 200]);
    for (const text of [created.text, (await rest('GET', `/entities/m${i}`)).text]) {
      const data = /"data":(\{"f":[^}]*\})/.exec(text)?.[1] ?? '';
      expect(data).not.toBe('');
      const again = await rest('PUT', `/entities/Measured/m${i}`, { body: `{"data":${data}}` });
      expect([data.slice(0, 60), again.status, again.body.data.version, again.body.data.data]).toEqual([
        data.slice(0, 60),
        200,
        1,
        { f: Number(f) + 0, l: [Number(f) + 0, 1.5] },
      ]);
    }
  }
  const n = (text: string) => rest('POST', '/ingest', { body: `{"entity_type":"Measured","data":${text}}` });
  expect(await n('{"i":9007199254740992}')).toMatchObject(refused('field i must be an integer'));
  expect((await n('{"f":9007199254740993}')).status).toBe(422);
});
