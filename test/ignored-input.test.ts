// What is not known or not heeded is told: unknown names, warnings.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { apiOf } from '../cli/api.ts';
import type { Answer } from './testkit/server.ts';
import { type Body, bodyOf, list, server, setUp } from './refusals-testkit.ts';

setUp();

test('an unknown type comes with what was probably meant', async () => {
  expect(bodyOf(await list({ entity_type: 'Sampel' })).error).toEqual({
    code: 422,
    message: 'unknown entity type: Sampel; did you mean Sample?',
  });
  expect(
    bodyOf(
      await server.rest('POST', '/api/v1/metadata/ingest', { body: { entity_type: 'biopsy', data: {} } }),
    ).error?.message,
  ).toBe('unknown entity type: biopsy; did you mean Biopsy?');
  const meant = 'did you mean Sample?';
  const metadata = '/api/v1/metadata';
  const artifact = '/api/v1/artifact';
  for (const [method, path, body] of [
    ['POST', `${metadata}/entities/Sampel/bulk-availability`, { entity_ids: ['a'], available: true }],
    ['GET', `${metadata}/schemas/Sampel`, undefined],
    ['GET', `${metadata}/schemas/Sampel/references`, undefined],
    ['GET', `${metadata}/schemas/Sampel/reference-faults`, undefined],
    ['GET', `${metadata}/export/Sampel.csv`, undefined],
    ['GET', `${artifact}/resolve?entity_type=Sampel`, undefined],
    ['POST', `${artifact}/produce`, { entity_type: 'Sampel', criteria: {} }],
    ['POST', `${artifact}/resolve_all`, { entity_type: 'Sampel', partial_spec: {} }],
    ['DELETE', `${artifact}/cache?entity_type=Sampel`, undefined],
  ] as const) {
    const { status, text } = await server.rest(method, path, { body });
    expect([path, status, text]).toEqual([path, 404, expect.stringContaining(meant)]);
  }
  expect(bodyOf(await list({ entity_type: 'Zebrafish' })).error?.message).toBe(
    'unknown entity type: Zebrafish',
  );
});

test('a filter with a field that neither the type nor its subtypes have is answered with a warning', async () => {
  const warned = async (filter: string, type = 'Sample'): Promise<unknown> => {
    const [rest, graphql] = [
      await list({ entity_type: type, filter }),
      await server.graphql(
        'query($t: String, $f: String) { entities(entityType: $t, filter: $f) { total items { relationships { id } } } }',
        { t: type, f: filter },
      ),
    ];
    expect([rest.status, graphql.status, bodyOf(graphql).extensions?.warnings]).toEqual([
      200,
      200,
      bodyOf(rest).meta.warnings,
    ]);
    return bodyOf(rest).meta.warnings;
  };
  expect(await warned('data.tisue == "liver"')).toEqual([
    'filter: Sample and its subtypes have no field tisue; did you mean tissue?',
  ]);
  expect(await warned('has(data.zzz) || data["nmae"] == "x" || data.name.matches("(?i)x")')).toEqual([
    'filter: Sample and its subtypes have no field zzz',
    'filter: Sample and its subtypes have no field nmae; did you mean name?',
  ]);
  expect(await warned('data.organ == "liver" && data.name == "x"')).toBeUndefined(); // a subtype has it
  expect(await warned('[1].exists(data, data.x == 1)', 'Biopsy')).toBeUndefined(); // another name
  // without a type
  expect(bodyOf(await list({ filter: 'data.tisue == "liver"' })).meta.warnings).toBeUndefined();
  expect(
    bodyOf(
      await server.graphql('{ explainFilter(entityType: "Sample", filter: "data.tisue == 1") { left } }'),
    ).extensions?.warnings,
  ).toHaveLength(1);
});

test('a filter that takes a datetime for a timestamp, or asks for another text of it, is answered with a warning', async () => {
  await server.rest('POST', '/api/v1/metadata/schemas', {
    body: {
      name: 'Visit',
      version: '1',
      fields: [
        { name: 'at', field_type: 'datetime' },
        { name: 'note', field_type: 'string' },
      ],
    },
  });
  const warned = async (filter: string): Promise<unknown> =>
    bodyOf(await list({ entity_type: 'Visit', filter })).meta.warnings;
  for (const filter of [
    'data.at < timestamp("2020-01-01T00:00:00Z")',
    'timestamp("2020-01-01T00:00:00Z") - duration("1h") <= data["at"]',
    'data.at in [timestamp("2020-01-01T00:00:00Z")]',
    'data.at == "2020-01-01T00:00:00Z"',
    'data.at >= "2020-01-01T01:00:00.000000+01:00"',
    'has(data.at) && data.at.getFullYear() == 2020',
    'data.at > created_at',
  ])
    expect([filter, await warned(filter)]).toEqual([
      filter,
      ['filter: at is a datetime, which is a string in CEL: compare timestamp(data.at)'],
    ]);
  for (const filter of [
    'timestamp(data.at) < timestamp("2020-01-01T00:00:00Z")',
    'timestamp(data.at).getFullYear() == 2020',
    'data.at == "2020-01-01T00:00:00.000000Z"',
    'data.at >= "2020-01"',
    'data.note == "2020-01-01T00:00:00Z"',
    'created_at > timestamp("2020-01-01T00:00:00Z") && data.at != ""',
  ])
    expect([filter, await warned(filter)]).toEqual([filter, undefined]);
});

test('answers without an envelope have warnings in a header, and the command line prints them', async () => {
  const warned = async (path: string): Promise<unknown> =>
    JSON.parse((await server.rest('GET', path)).headers.get('x-warnings') ?? 'null');
  expect(await warned('/api/v1/workflow/runs?stauts=failed&limit=5')).toEqual([
    'the query parameter stauts is unknown here; did you mean status?',
  ]);
  expect(await warned(`/api/v1/artifact/rules?${encodeURIComponent('züri')}=1`)).toEqual([
    'the query parameter züri is unknown here',
  ]);
  expect(await warned('/api/v1/gateway/auth/api-keys?al=true')).toEqual([
    'the query parameter al is unknown here; did you mean all?',
  ]);
  expect(await warned('/api/v1/gateway/sync/events?state=x')).toEqual([
    'the query parameter state is unknown here; did you mean status?',
  ]);
  expect(await warned('/api/v1/workflow/runs?status=failed')).toBeNull();
  const said: string[] = [];
  const api = apiOf({ url: server.url, key: server.key }, (warning) => said.push(warning));
  await api.call({ path: '/api/v1/workflow/runs', query: { stauts: 'failed' } });
  expect(said).toHaveLength(1);
});

test('a query parameter that no row and no type knows is answered with a warning; of a named type it is refused', async () => {
  expect(bodyOf(await list({ nmae: 'x' })).meta.warnings).toEqual([
    'no type has a field nmae; did you mean name?',
  ]);
  for (const known of ['name', 'organ', 'id', 'project', 'version'])
    expect([known, bodyOf(await list({ [known]: '1' })).meta.warnings]).toEqual([known, undefined]);
  expect(bodyOf(await list({ nmae: 'x', entity_type: 'Sample' })).error).toMatchObject({ code: 422 });
  expect(bodyOf(await list({ entity_typ: 'Sample' })).meta.warnings).toEqual([
    'no type has a field entity_typ; did you mean the parameter entity_type?',
  ]);
  expect(bodyOf(await list({ lmit: '5', entity_type: 'Sample' })).error?.message).toBe(
    'unknown field lmit; did you mean the parameter limit?',
  );
  expect(
    bodyOf(await server.rest('GET', '/api/v1/metadata/search?entity_type=Sample&q=x&limt=5&project=p')).meta
      .warnings,
  ).toEqual(['the query parameter limt is unknown here; did you mean limit?']);
  expect(bodyOf(await server.rest('GET', '/api/v1/metadata/entities/a?expnad=x')).meta.warnings).toEqual([
    'the query parameter expnad is unknown here; did you mean expand?',
  ]);
});

test('a query that is not UTF-8 is refused: nothing is looked for, or written, that nobody sent', async () => {
  const asked = (method: string, path: string) => server.rest(method, `/api/v1/metadata${path}`);
  expect((await asked('GET', '/entities?entity_type=Sample&name=caf%E9')).status).toBe(422);
  expect((await asked('GET', '/search?entity_type=Sample&q=%FF')).status).toBe(422);
  expect((await asked('GET', '/entities?name=%EF%BF%BD&%C3%A9=%F0%9F%98%80&x=%zz')).status).toBe(200);
  const { body } = await server.rest('POST', '/api/v1/metadata/ingest', {
    body: { entity_type: 'Sample', id: 'reasoned', data: { name: 'x' } },
  });
  expect((body as Body).error).toBeNull();
  expect((await asked('DELETE', '/entities/reasoned?reason=caf%E9')).status).toBe(422);
  expect((await asked('DELETE', '/entities/reasoned?reason=caf%C3%A9')).status).toBe(200);
  expect((await server.rest('GET', '/api/v1/workflow/runs?trigger=%FF')).status).toBe(400);
});

test('files, exports and bulk ingest warn of ignored parameters like other endpoints', async () => {
  const unknown = (meant: string): string[] => [
    `the query parameter ${meant.slice(0, -1)} is unknown here; did you mean ${meant}?`,
  ];
  const rows = Array.from({ length: 600 }, (_, i) => ({ id: `bulk${i}`, data: { name: 'x' } }));
  const bulk = await server.rest('POST', '/api/v1/metadata/ingest/bulk?entity_type=Sample&entity_typ=x', {
    body: rows,
  });
  expect([bulk.status, bodyOf(bulk).meta.warnings]).toEqual([200, unknown('entity_type')]);

  const inHeader = ({ headers }: Answer): unknown => JSON.parse(headers.get('x-warnings') ?? 'null');
  const filter = (text: string): string => `filter=${encodeURIComponent(text)}`;
  const nameless = ['filter: Sample and its subtypes have no field nmae; did you mean name?'];
  for (const extension of ['csv', 'ndjson', 'parquet', 'arrow', 'xlsx'])
    for (const sought of ['has(data.nmae)', '!has(data.nmae)']) {
      const file = await server.rest(
        'GET',
        `/api/v1/metadata/export/Sample.${extension}?${filter(sought)}&limit=3`,
      );
      expect([extension, sought, file.status, inHeader(file)]).toEqual([extension, sought, 200, nameless]);
    }
  const plain = await server.rest('GET', '/api/v1/metadata/export/Sample.csv?limit=3');
  expect([plain.text.split('\r\n').length, inHeader(plain)]).toEqual([5, null]);
  const streamed = await server.rest('POST', '/graphql', {
    headers: { accept: 'text/event-stream' },
    body: {
      query:
        'subscription { exportEntities(entityType: "Sample", filter: "has(data.nmae)") { count lines } }',
    },
  });
  expect(streamed.text).toContain(JSON.stringify(nameless));

  await server.rest('POST', '/api/v1/metadata/schemas', {
    body: { name: 'Report', version: '1', fields: [{ name: 'uri', field_type: 'uri' }] },
  });
  await server.rest('POST', '/api/v1/metadata/ingest', {
    body: { entity_type: 'Report', id: 'report', data: {} },
  });
  const hex = createHash('sha256').update('text').digest('hex');
  const put = await server.rest('PUT', `/api/v1/artifact/files/${hex}?nam=x&entity_id=report&field=uri`, {
    body: 'text',
    headers: { 'content-type': 'text/plain' },
  });
  expect([put.status, inHeader(put)]).toEqual([201, unknown('name')]);
  const got = await server.rest('GET', '/api/v1/metadata/entities/report/files/uri?nam=x');
  expect([got.status, got.text, inHeader(got)]).toEqual([
    200,
    'text',
    ['the query parameter nam is unknown here'],
  ]);
});

test('an unknown key is quoted, so that it is not read as a word of the sentence', async () => {
  const refusedSchema = async (definition: object): Promise<unknown> =>
    bodyOf(
      await server.rest('POST', '/api/v1/metadata/schemas', {
        body: { name: 'Odd', version: '1', fields: [], ...definition },
      }),
    ).error?.message;
  expect(await refusedSchema({ fields: [{ name: 'sex', field_type: 'string', type: 'x' }] })).toBe(
    'field sex: unknown key "type"',
  );
  expect(await refusedSchema({ fields: [{ name: 'sex', field_type: 'string', requird: true }] })).toBe(
    'field sex: unknown key "requird"; did you mean required?',
  );
  expect(await refusedSchema({ field: [] })).toBe('schema: unknown key "field"; did you mean fields?');
  const rule = { rule_id: 'named', expression: 'has(data.name)' };
  expect(await refusedSchema({ rules: [rule, { ...rule, mesage: 'give it a name' }] })).toBe(
    'rules[1]: unknown key "mesage"; did you mean message?',
  );
  const run = await server.rest('POST', '/api/v1/workflow/runs', {
    body: { action: { type: 'ingest', adapter: 'x', name: 'y' } },
  });
  expect([run.status, (run.body as { message: string }).message]).toEqual([
    400,
    'action: unknown key "name"',
  ]);
});

test('a member of a body that an endpoint does not know is told, and refused where it would have restricted', async () => {
  const send = (method: string, path: string, body: unknown): Promise<Answer> =>
    server.rest(method, `/api/v1/${path}`, { body });
  const told = async (method: string, path: string, body: unknown): Promise<unknown> => {
    const answer = await send(method, path, body);
    const header = answer.headers.get('x-warnings');
    return [answer.status, header === null ? bodyOf(answer).meta.warnings : JSON.parse(header)];
  };
  const unknown = (name: string, meant?: string): string[] => [
    `the member ${name} of the body is unknown here${meant === undefined ? '' : `; did you mean ${meant}?`}`,
  ];
  const { body: key } = await send('POST', 'gateway/auth/api-keys', { label: 'x', role: 'viewer' });
  expect(await told('DELETE', `gateway/auth/api-keys/${key.id}`, { reasn: 'x' })).toEqual([
    200,
    unknown('reasn', 'reason'),
  ]);
  const sample = { entity_type: 'Sample', id: 'told', data: { name: 'x' } };
  expect(await told('POST', 'metadata/ingest', { ...sample, actor: 'user:me' })).toEqual([
    200,
    unknown('actor'),
  ]);
  expect(await told('POST', 'metadata/ingest', sample)).toEqual([200, undefined]);
  expect(
    await told('POST', 'metadata/entities/told/availability', { is_available: false, reson: 'x' }),
  ).toEqual([200, unknown('reson', 'reason')]);
  expect(
    await told('POST', 'artifact/resolve_all', { entity_type: 'Sample', partial_spec: {}, limt: 5 }),
  ).toEqual([200, unknown('limt', 'limit')]);

  for (const [path, body, status] of [
    ['artifact/produce', { entity_type: 'Sample', criteria: {}, plan_hsh: 'x' }, 422],
    ['artifact/refresh', { entity_typ: 'Sample' }, 422],
    ['metadata/schemas', { name: 'Odd', version: '1', fields: [], parnt: 'Sample' }, 422],
    ['gateway/auth/api-keys', { label: 'x', role: 'viewer', projects: ['p'] }, 400],
  ] as const) {
    const refused = await send('POST', path, body);
    expect([path, refused.status, refused.text]).toEqual([
      path,
      status,
      expect.stringMatching(/plan_hsh|entity_typ|parnt|projects/),
    ]);
  }
});
