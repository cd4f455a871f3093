// Every endpoint answers any input with a specified error, never with an internal one, and changes nothing
// (docs/reference/api-conventions.md#errors).
import { Pool } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REST_API_KINDS } from '../rest-compat/rest-apis.ts';
import { startServer, type TestServer } from './testkit/server.ts';

const TEXTS = [
  '',
  ' ',
  'null',
  'undefined',
  'NaN',
  'true',
  '0',
  '-1',
  '1e400',
  '9007199254740993',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff',
  '\u202e',
  '\ufeff',
  '\u0001',
  '\u007f',
  '../../etc/passwd',
  "'; DROP TABLE metadata.entity; --",
  "' OR '1'='1",
  '${jndi:ldap://x}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '%s%n%d',
  '\\',
  '"',
  "'",
  '`',
  '|',
  '&&',
  '*',
  '(',
  ':*',
  '!',
  '& |',
  '𝒳😀',
  'ﷺ'.repeat(40),
  'a'.repeat(201),
  'a'.repeat(10_000),
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '2026-02-30',
  '0000-00-00T00:00:00Z',
  '99999-01-01T00:00:00Z',
  '[object Object]',
  '\r\nSet-Cookie: x=1',
];
const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  [],
  {},
  [[]],
  [null],
  { __proto__: 1 },
  ...TEXTS,
];
const RAW_BODIES = [
  '',
  '{',
  '[',
  ']',
  '"',
  'nul',
  '{"a":}',
  '{"a":1,}',
  '[1 2]',
  '\u0000',
  '{"data":{"a":"\\u0000"},"entity_type":"T"}',
  '{"data":{"a":"\\ud800"},"entity_type":"T"}',
  '{"data":{"n":9007199254740993},"entity_type":"T"}',
  '{"data":{"n":1e400},"entity_type":"T"}',
  `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  `{"data":${'{"a":'.repeat(300)}1${'}'.repeat(300)},"entity_type":"T"}`,
  '{"__proto__":{"data":{}}}',
  '{"entity_type":"T","data":{"__proto__":{"x":1}}}',
  '{"a":1}{"b":2}',
  '\ufeff{}',
];

/** What was a 500 somewhere once: it is sent to every place. */
const EVERYWHERE: readonly unknown[] = [
  '',
  null,
  [],
  {},
  '-1',
  '1e400',
  '9007199254740993',
  '\u0000',
  'a\u0000b',
  '\ud800',
  ':*',
  '& |',
  'a'.repeat(10_000),
  '__proto__',
  '0000-00-00T00:00:00Z',
];
/** `npm run prove -- hostile-input`: every value at every place. Else each row meets all others, each place some of them. */
const IS_WHOLE = process.env['CAIRN_PROVE_HOSTILE'] !== undefined;

/** What each of a row's places gets, one after the other. */
function* shares<Value>(values: readonly Value[], places: number): Generator<readonly Value[], never> {
  const isEverywhere = (value: Value): boolean =>
    EVERYWHERE.some((one) => JSON.stringify(one) === JSON.stringify(value));
  const everywhere = values.filter(isEverywhere);
  const others = values.filter((value) => !isEverywhere(value));
  const size = Math.max(3, Math.ceil(others.length / places));
  for (let from = 0; ; from += size) {
    const some = Array.from({ length: size }, (_, i) => others[(from + i) % others.length] as Value);
    yield IS_WHOLE ? values : [...everywhere, ...some];
  }
}

let server: TestServer;
let connection: Pool;
beforeAll(async () => {
  server = await startServer();
  connection = new Pool(server.url, { connections: 1 });
  await server.rest('POST', '/api/v1/metadata/schemas', {
    body: {
      name: 'T',
      version: '1',
      fields: [
        { name: 'a', field_type: 'string' },
        { name: 'n', field_type: 'float' },
        { name: 'j', field_type: 'json' },
        { name: 'r', field_type: 'ref', references: 'T' },
        { name: 'u', field_type: 'string', unique: true },
      ],
    },
  });
  await server.rest('POST', '/api/v1/metadata/ingest', {
    body: { entity_type: 'T', data: { id: 't1', a: 'x' } },
  });
});
afterAll(async () => {
  await connection.close();
  await server[Symbol.asyncDispose]();
});

const state = async (): Promise<string> =>
  (await server.rest('GET', '/api/v1/metadata/entities/t1')).text.replace(/"request_id":"[^"]*"/, '') +
  (await server.rest('GET', '/api/v1/metadata/entities/t1/history')).text.replace(/"request_id":"[^"]*"/, '');

/** Not by fetch, which takes a multiple of the processor time: these are many thousand requests. */
async function send(
  method: string,
  target: string,
  body?: string,
): Promise<{ status: number; text: string }> {
  const response = await connection.request({
    method,
    path: target,
    headers: {
      accept: '*/*',
      'x-api-key': server.key,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.statusCode, text: await response.body.text() };
}

const check = (what: string, answer: { status: number; text: string }): void => {
  expect([what.slice(0, 300), answer.status < 500, answer.text.slice(0, 200)]).toEqual([
    what.slice(0, 300),
    true,
    answer.text.slice(0, 200),
  ]);
  expect(answer.text).not.toMatch(/node_modules|\bat .*\.ts:\d+|SELECT |INSERT INTO|syntax error at or near/);
};

const encoded = (text: string): string => {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return encodeURIComponent(wellFormed);
};

for (const api of Object.values(REST_API_KINDS)) {
  for (const row of api.rows) {
    if (row.path.startsWith('/api/v1/')) continue; // the same rows under their second path
    test(`${api.name}: ${row.method} ${row.path}`, async () => {
      const before = await state();
      const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
      const plain = (name: string): string =>
        name === 'entity_id' ? 'absent-entity' : name === 'entity_type' ? 'T' : 'absent';
      const target = (values: Record<string, string>): string =>
        `/api/v1/${api.name}${row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(values[name] ?? plain(name)))}`;
      const body = row.body === undefined ? undefined : '{}';
      const queries = [...Object.keys(row.query), 'any_field'];
      const texts = shares(TEXTS, names.length + queries.length);
      for (const name of names)
        for (const text of texts.next().value)
          if (text !== '') check(`${name}=${text}`, await send(row.method, target({ [name]: text }), body));
      for (const name of queries)
        for (const text of texts.next().value)
          check(`?${name}=${text}`, await send(row.method, `${target({})}?${name}=${encoded(text)}`, body));
      if (row.body !== undefined) {
        for (const raw of RAW_BODIES) check(`body ${raw}`, await send(row.method, target({}), raw));
        const properties = Object.keys(row.bodySchema?.['properties'] ?? {});
        const values = shares(VALUES, properties.length + 1);
        for (const name of [...properties, 'unknown_key'])
          for (const value of values.next().value)
            check(
              `${name}: ${JSON.stringify(value)}`,
              await send(
                row.method,
                target({}),
                JSON.stringify({
                  ...Object.fromEntries(properties.map((p) => [p, 'absent'])),
                  [name]: value,
                }),
              ),
            );
      }
      expect(await state()).toBe(before);
      expect((await send('GET', '/livez')).status).toBe(200);
    });
  }
}
