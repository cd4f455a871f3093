// Refusals and warnings: identical in both APIs, in the right order, with suggestions
// (docs/reference/api-conventions.md#warnings, docs/reference/api-conventions.md#refused-parameters).
import { expect, test } from 'vitest';
import type { Answer } from './testkit/server.ts';
import { type Body, bodyOf, list, server, setUp, viewer } from './refusals-testkit.ts';

setUp();

test('an invalid instant is the same error in REST and GraphQL, as literal and as variable', async () => {
  for (const at of ['yesterday', '2026-02-30T00:00:00Z', '2026-01-31T09:30:00', '']) {
    const rest = await Promise.all([
      list({ as_of: at }),
      server.rest('GET', `/api/v1/metadata/entities/a?as_of=${at}`),
      server.rest('GET', `/api/v1/metadata/entities/a/state?at=${at}`),
    ]);
    expect([at, ...rest.map(({ status }) => status)]).toEqual([at, 422, 422, 422]);
    const asked = await Promise.all([
      server.graphql('query($at: DateTime) { entities(asOf: $at) { total } }', { at }),
      server.graphql(`{ entities(asOf: ${JSON.stringify(at)}) { total } }`),
      server.graphql('query($at: DateTime!) { entityAt(id: "a", at: $at) { id } }', { at }),
      server.graphql(`{ entity(id: "a") { stateAt(at: ${JSON.stringify(at)}) { id } } }`),
    ]);
    expect([at, ...asked.map((one) => bodyOf(one).errors?.[0]?.extensions.code)]).toEqual([
      at,
      ...asked.map(() => 'VALIDATION_FAILED'),
    ]);
  }
});

test('an instant that is no text is a bad request, wherever one is taken', async () => {
  const asked = await Promise.all([
    server.graphql('mutation { createApiKey(input: {label: "x", role: viewer, expires: 5}) { secret } }'),
    server.graphql('mutation($input: ApiKeyInput!) { createApiKey(input: $input) { secret } }', {
      input: { label: 'x', role: 'viewer', expires: 5 },
    }),
    server.graphql('{ evaluateTrigger(name: "none", since: 5) { wouldFire } }'),
    server.graphql('query($at: DateTime) { entities(asOf: $at) { total } }', { at: 5 }),
  ]);
  expect(asked.map((one) => bodyOf(one).errors?.[0]?.extensions.code)).toEqual(
    asked.map(() => 'INVALID_REQUEST'),
  );
});

test('a caller who may not write a rule does not learn its faults', async () => {
  const register = async (body: unknown, key: string): Promise<number> =>
    (await server.rest('POST', '/api/v1/artifact/rules', { body, key })).status;
  for (const body of [{ name: 'r' }, {}, { name: 5, scope: 'global' }, { scope: 'user:other' }, { scope: 7 }])
    expect([body, await register(body, viewer)]).toEqual([body, 403]);
  expect(await register({ scope: 'user:somebody' }, viewer)).toBe(422);
  expect(await register({ name: 'r' }, server.key)).toBe(422);
});

test('a limit out of bounds is refused by the name that the client gave it', async () => {
  for (const limit of ['0', '1001', 'x', '99999999999']) {
    const answers = await Promise.all(
      [
        'metadata/diff?from=2000-01-01T00:00:00Z&',
        'metadata/entities/a/why?',
        'workflow/runs/r/why?',
        'artifact/productions/p/why?',
        'gateway/why?subject=entity:a&',
      ].map(async (path) => {
        const { status, text } = await server.rest('GET', `/api/v1/${path}limit=${limit}`);
        return [status, text.includes('"limit must be an integer from 1 to 1000"'), text.includes('first')];
      }),
    );
    expect([limit, ...answers]).toEqual([
      limit,
      ...[422, 422, 400, 400, 400].map((code) => [code, true, false]),
    ]);
  }
});

test('a semicolon in a path is part of the id', async () => {
  for (const path of ['a;b', 'a%3Bb', 'a%3bb'])
    expect((await server.rest('GET', `/api/v1/metadata/entities/${path}`)).body).toMatchObject({
      data: { id: 'a;b' },
    });
  expect((await server.rest('GET', '/api/v1/metadata/entities/a;v=1')).status).toBe(404);
});

test('If-Match takes any of a list; If-None-Match is 304 where the entity stands as it was', async () => {
  const put = (tags: string): Promise<Answer> =>
    server.rest('PUT', '/api/v1/metadata/entities/Sample/tagged', {
      body: { data: { name: tags } },
      headers: { 'if-match': tags },
    });
  await server.rest('POST', '/api/v1/metadata/ingest', {
    body: { entity_type: 'Sample', id: 'tagged', data: { name: 'x' } },
  });
  expect((await put(', "7",, "1",')).status).toBe(200);
  expect((await put('"7", "1", W/"2"')).status).toBe(412);
  const get = (tags: string, query = ''): Promise<Answer> =>
    server.rest('GET', `/api/v1/metadata/entities/tagged${query}`, { headers: { 'if-none-match': tags } });
  for (const tags of ['"2"', 'W/"2"', '"1", "2"', ',, "1",, "2" ,', '*']) {
    const known = await get(tags);
    expect([tags, known.status, known.text, known.headers.get('etag')]).toEqual([tags, 304, '', '"2"']);
  }
  for (const tags of ['"1"', '2', '"2', '"1""2"', 'W/'])
    expect([tags, (await get(tags)).status]).toEqual([tags, 200]);
  expect((await get('"2"', '?expand=made_of[]')).status).toBe(200); // its surroundings have no version
  await server.rest('DELETE', '/api/v1/metadata/entities/tagged');
  const gone = await get('"2"');
  expect([gone.status, (gone.body as { data: { is_available: boolean } }).data.is_available]).toEqual([
    200,
    false,
  ]);
});

test('a write that need not find its entity heeds If-Match and If-None-Match, too; of others a warning tells', async () => {
  const ingest = (id: string, headers: Record<string, string>): Promise<Answer> =>
    server.rest('POST', '/api/v1/metadata/ingest', {
      body: { entity_type: 'Sample', id, data: { name: JSON.stringify(headers) } },
      headers,
    });
  const told = async (id: string, headers: Record<string, string>): Promise<unknown> => {
    const { status, body } = await ingest(id, headers);
    return [status, (body as { data: { version: number } | null }).data?.version ?? null];
  };
  expect(await told('wanted', { 'if-match': '"1"' })).toEqual([412, null]);
  expect(await told('wanted', { 'if-match': '*' })).toEqual([412, null]);
  expect(await told('wanted', { 'if-none-match': '*' })).toEqual([200, 1]);
  expect(await told('wanted', { 'if-none-match': '*' })).toEqual([412, null]);
  expect(await told('wanted', { 'if-match': '"7", "1"' })).toEqual([200, 2]);
  expect(await told('wanted', { 'if-match': '"1"' })).toEqual([412, null]);
  expect(await told('wanted', { 'if-match': 'nonsense' })).toEqual([412, null]);
  expect(await told('wanted', { 'if-match': '*' })).toEqual([200, 3]);
  const INGEST =
    'mutation ($v: Int, $in: [Int!], $e: Boolean) { ingestEntity(entityType: "Sample", id: "wanted", data: {name: "g"}, ifVersion: $v, ifVersionIn: $in, ifExists: $e) { version } }';
  const codes = [];
  for (const wanted of [{ v: 2 }, { in: [1, 2] }, { e: false }, { v: 3, e: true }]) {
    const { body } = await server.graphql(INGEST, wanted);
    codes.push((body as Body).errors?.[0]?.extensions.code ?? 'written');
  }
  expect(codes).toEqual([...Array.from({ length: 3 }, () => 'PRECONDITION_FAILED'), 'written']);

  const availability = (headers: Record<string, string>): Promise<Answer> =>
    server.rest('POST', '/api/v1/metadata/entities/wanted/availability', {
      body: { is_available: false },
      headers,
    });
  expect((await availability({ 'if-match': '"3"' })).status).toBe(412);
  expect((await availability({ 'if-match': '"4"' })).status).toBe(200);

  const unheeded = ['If-Match was not looked at: the write was made whatever it says'];
  const headers = { 'if-match': '"999"' };
  for (const [path, body] of [
    ['/entities/wanted/relationships', { target_entity_id: 'a', relationship_type: 'near' }],
    ['/entities/wanted/external-ids', { external_id: 'x' }],
    ['/entities/Sample/bulk-availability', { entity_ids: ['wanted'], available: true }],
    ['/ingest/bulk', [{ entity_type: 'Sample', id: 'wanted', data: { name: 'bulk' } }]],
  ] as const) {
    const answer = await server.rest('POST', `/api/v1/metadata${path}`, { body, headers });
    expect([path, answer.status, bodyOf(answer).meta.warnings]).toEqual([path, 200, unheeded]);
  }
  expect(bodyOf(await ingest('wanted', { 'if-none-match': '"1"' })).meta.warnings).toEqual([
    'If-None-Match was not looked at: the write was made whatever it says',
  ]);
});

test('one of many concurrent creations with If-None-Match: * succeeds', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      server.rest('POST', '/api/v1/metadata/ingest', {
        body: { entity_type: 'Sample', id: 'first-come', data: { name: `by ${i}` } },
        headers: { 'if-none-match': '*' },
      }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 412)]);
});
