// docs/reference/artifact.md#output-mapping, docs/reference/artifact.md#requires,
// docs/reference/artifact.md#one-per-item, docs/reference/artifact.md#required-entities-first: requirements
// are produced first.
import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestServer } from '../testkit/server.ts';
import {
  addRule,
  addSchema,
  canRun,
  ended,
  GREET,
  GREETING,
  produce,
  shell,
  startProducer,
} from './production-testkit.ts';
import { canary } from './registration-testkit.ts';

let server: TestServer;
let files: Awaited<ReturnType<typeof canary>>;
const ROOT = mkdtempSync(path.join(os.tmpdir(), 'cairn-sources-'));
const field = (name: string, type: string) => ({ name, field_type: type, required: false });
const total = async (type: string) =>
  (await server.rest('GET', `/api/v1/metadata/entities?entity_type=${type}&include_unavailable=true`)).body
    .data.total as number;
const ingest = async (entity_type: string, id: string, data: Record<string, unknown>) =>
  server.rest('POST', '/api/v1/metadata/ingest', { body: { entity_type, id, data } });

/** Counts the letters of a text file of an entity. */
const COUNT = shell(
  'wc -c < $(inputs.text.path) | tr -d " " > count.txt',
  'text: File\nname: string',
  [
    'uri: {type: File, outputBinding: {glob: count.txt}}',
    "name: {type: string, outputBinding: {outputEval: '$(inputs.name)'}}",
    "letters: {type: int, outputBinding: {glob: count.txt, loadContents: true, outputEval: '$(parseInt(self[0].contents))'}}",
  ].join('\n'),
);

beforeAll(async () => {
  files = await canary({
    '/a.txt': 'twelve chars',
    '/moved': { status: 302, headers: { location: '/a.txt' } },
  });
  await mkdir(path.join(ROOT, 'open'), { recursive: true });
  await writeFile(path.join(ROOT, 'open', 'b.txt'), 'five!');
  await writeFile(path.join(ROOT, 'secret.txt'), 'secret');
  await symlink(path.join(ROOT, 'secret.txt'), path.join(ROOT, 'open', 'link.txt'));
  server = await startProducer(
    `artifact: {allow_networks: [127.0.0.1/32], allow_sources: ["file://${ROOT}/open/"]}\n`,
  );
  await addSchema(server, GREETING);
  await addSchema(server, {
    name: 'Text',
    version: '1',
    fields: [field('uri', 'uri'), field('name', 'string'), field('project', 'string')],
  });
  await addSchema(server, {
    name: 'Letters',
    version: '1',
    fields: [field('uri', 'uri'), field('name', 'string'), field('letters', 'int')],
  });
  await addSchema(server, {
    name: 'Item',
    version: '1',
    fields: [field('key', 'string'), field('rank', 'int')],
  });
  await addRule(server, 'letters', COUNT, {
    produces: { entity_type: 'Letters', match: { name: '{name}' } },
    requires: [{ ref: 'Text(name={name})' }],
  });
  await addRule(server, 'greet', GREET, {
    produces: { entity_type: 'Greeting', match: { sample: '{sample}' } },
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await files[Symbol.asyncDispose]();
  await rm(ROOT, { recursive: true });
});

const letters = (name: string, key = server.key) =>
  produce(server, { entity_type: 'Letters', criteria: { name } }, key);

test.skipIf(!canRun)(
  'a file that is required is fetched, and its checksum goes into the provenance',
  async () => {
    await ingest('Text', 't1', { uri: files.url('/moved'), name: 'over http' });
    const made = await letters('over http');
    expect(made.body, JSON.stringify(made.body.error)).toMatchObject({
      status: 'completed',
      entity: { fields: { letters: 12 } },
    });
    const { body } = await server.rest('GET', `/api/v1/metadata/entities/${made.body.entity.id}/history`);
    const hash = `sha256:${createHash('sha256').update('twelve chars').digest('hex')}`;
    expect(JSON.stringify(body)).toContain(hash);
    expect(
      (await server.graphql('{ entity(id: "t1") { artifacts { hash size } } }')).body.data.entity.artifacts,
    ).toEqual([{ hash, size: 12 }]);
    // stored once, it is not fetched again
    files.seen.length = 0;
    await server.rest('PUT', `/api/v1/artifact/reuse/${made.body.entity.id}`, {
      body: { reusable: false, reason: 'again' },
    });
    expect((await letters('over http')).body).toMatchObject({ status: 'completed' });
    expect(files.seen).toEqual([]);
  },
);

test.skipIf(!canRun)(
  'files are read where the operator allows it and nowhere else, whatever links lead there',
  async () => {
    await ingest('Text', 'f1', {
      uri: pathToFileURL(path.join(ROOT, 'open', 'b.txt')).href,
      name: 'allowed',
    });
    await ingest('Text', 'f2', {
      uri: pathToFileURL(path.join(ROOT, 'open', 'link.txt')).href,
      name: 'link',
    });
    await ingest('Text', 'f3', {
      uri: pathToFileURL(path.join(server.dataDir, 'admin-key')).href,
      name: 'key',
    });
    await ingest('Text', 'f4', { uri: 's3://bucket/key', name: 's3' });
    expect((await letters('allowed')).body.entity?.fields).toMatchObject({ letters: 5 });
    for (const name of ['link', 'key', 's3']) {
      expect((await letters(name)).body, name).toMatchObject({
        status: 'failed',
        error: { code: 'source_unavailable', message: expect.stringContaining('artifact.allow_sources') },
      });
    }
  },
);

test.skipIf(!canRun)('addresses in private networks are not fetched, in any spelling', async () => {
  await using strict = await startProducer();
  await addSchema(strict, {
    name: 'Text',
    version: '1',
    fields: [field('uri', 'string'), field('name', 'string')],
  });
  await addSchema(strict, {
    name: 'Letters',
    version: '1',
    fields: [field('uri', 'uri'), field('name', 'string'), field('letters', 'int')],
  });
  await addRule(strict, 'letters', COUNT, {
    produces: { entity_type: 'Letters', match: { name: '{name}' } },
  });
  await using trap = await canary({ '/x': 'trapped' });
  const tricks = [
    trap.url('/x'),
    `http://2130706433:${trap.port}/x`,
    `http://0x7f.1:${trap.port}/x`,
    `http://localhost:${trap.port}/x`,
    `http://[::ffff:127.0.0.1]:${trap.port}/x`,
    'http://169.254.169.254/latest/meta-data',
    'data:text/plain,x',
    'gopher://127.0.0.1/x',
    '/etc/passwd',
    `http://user:pw@127.0.0.1:${trap.port}/x`,
  ];
  const results = await Promise.all(
    tricks.map((text, i) =>
      produce(strict, { entity_type: 'Letters', criteria: { name: `trick ${i}` }, parameters: { text } }),
    ),
  );
  expect(results.map(({ body }) => [body.status, body.error?.code])).toEqual(
    tricks.map(() => ['failed', 'source_unavailable']),
  );
  for (const parameters of [
    { text: { $include: 'file:///etc/passwd' } },
    { text: { class: 'File', path: '/etc/passwd' } },
    { text: { class: 'Directory', path: '/etc' } },
  ]) {
    expect(
      (await produce(strict, { entity_type: 'Letters', criteria: { name: 'y' }, parameters })).body,
      JSON.stringify(parameters),
    ).toMatchObject({ status: 'failed', error: { code: 'unsupported' } });
  }
  expect(trap.seen).toEqual([]);
});

test.skipIf(!canRun)(
  'missing requirements of a rule are produced first, to any depth, by one production for all that need them',
  async () => {
    await addSchema(server, {
      name: 'Reply',
      version: '1',
      fields: [field('uri', 'uri'), field('sample', 'string')],
    });
    await addSchema(server, {
      name: 'Chat',
      version: '1',
      fields: [field('uri', 'uri'), field('sample', 'string'), field('kind', 'string')],
    });
    const join = (inputs: string) =>
      shell(
        'cat $(inputs.one.path) > joined.txt; echo more >> joined.txt',
        inputs,
        "uri: {type: File, outputBinding: {glob: joined.txt}}\nsample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}",
      );
    await addRule(
      server,
      'reply',
      join('greeting: File\none: {type: File?}\nsample: string').replaceAll('inputs.one', 'inputs.greeting'),
      { produces: { entity_type: 'Reply', match: { sample: '{sample}' } }, requires: [{ ref: 'Greeting' }] },
    );
    const chat = shell(
      'cat $(inputs.reply.path) $(inputs.greeting.path) > chat.txt',
      'reply: File\ngreeting: File\nsample: string\nkind: string',
      "uri: {type: File, outputBinding: {glob: chat.txt}}\nsample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}\nkind: {type: string, outputBinding: {outputEval: '$(inputs.kind)'}}",
    );
    await addRule(server, 'chat', chat, {
      produces: { entity_type: 'Chat', match: { sample: '{sample}', kind: '{kind}' } },
      requires: [{ ref: 'Reply(sample={sample})' }, { ref: 'Greeting(sample={sample})' }],
    });
    const kinds = ['a', 'b', 'c', 'd'];
    const made = await Promise.all(
      kinds.map((kind) => produce(server, { entity_type: 'Chat', criteria: { sample: 'deep', kind } })),
    );
    expect(made.map(({ body }) => [body.status, body.error ?? null])).toEqual(
      kinds.map(() => ['completed', null]),
    );
    expect([await total('Chat'), await total('Reply')]).toEqual([4, 1]);
    expect(
      (await server.rest('GET', '/api/v1/metadata/entities?entity_type=Greeting&sample=deep')).body.data
        .total,
    ).toBe(1);
  },
);

const items = (list: unknown) =>
  shell(
    'true',
    'set: string',
    `items: {type: {type: array, items: {type: record, fields: {key: string, rank: int}}}, outputBinding: {outputEval: '\${return ${JSON.stringify(list)}}'}}`,
  );

test.skipIf(!canRun)(
  'every item of a list becomes an entity; two that are the same are an ingestion error, and nothing is written',
  async () => {
    const produces = {
      entity_type: 'Item',
      from_output: 'items',
      array_mode: 'one_per_item',
      match: { key: '{key}' },
    };
    await addRule(
      server,
      'items',
      items([
        { key: 'a', rank: 1 },
        { key: 'b', rank: 2 },
        { key: 'c', rank: 3 },
      ]).replace('set: string', 'key: string'),
      { produces },
    );
    const made = await produce(server, { entity_type: 'Item', criteria: { key: 'b' } });
    expect(made.body, JSON.stringify(made.body)).toMatchObject({
      status: 'completed',
      entity: { fields: { key: 'b', rank: 2 } },
    });
    const { body } = await server.rest('POST', '/api/v1/artifact/resolve_all', {
      body: { entity_type: 'Item' },
    });
    expect(body.entities.map((e: { fields: unknown }) => e.fields)).toEqual(
      expect.arrayContaining([
        { key: 'a', rank: 1 },
        { key: 'b', rank: 2 },
        { key: 'c', rank: 3 },
      ]),
    );

    await addRule(
      server,
      'items',
      items([
        { key: 'x', rank: 1 },
        { key: 'y', rank: 2 },
        { key: 'x', rank: 3 },
      ]).replace('set: string', 'key: string'),
      { produces },
    );
    const twice = await produce(server, { entity_type: 'Item', criteria: { key: 'x' } });
    expect(twice.body).toMatchObject({
      status: 'failed',
      error: { code: 'ingestion_error', details: { items: [0, 2], identity: { key: 'x' } } },
    });
    expect(await total('Item')).toBe(3);
  },
);

test.skipIf(!canRun)('entities that metadata refuses fail the production as a whole', async () => {
  await addSchema(server, {
    name: 'Ruled',
    version: '1',
    fields: [field('key', 'string'), field('rank', 'int')],
    rules: [{ rule_id: 'low', expression: 'data.rank < 3', message: 'rank must be below 3' }],
  });
  await addRule(
    server,
    'ruled',
    items([
      { key: 'a', rank: 1 },
      { key: 'b', rank: 5 },
    ]).replace('set: string', 'key: string'),
    {
      produces: {
        entity_type: 'Ruled',
        from_output: 'items',
        array_mode: 'one_per_item',
        match: { key: '{key}' },
      },
    },
  );
  const made = await produce(server, { entity_type: 'Ruled', criteria: { key: 'a' } });
  expect(made.body).toMatchObject({
    status: 'failed',
    error: { code: 'ingestion_error', message: expect.stringContaining('rank must be below 3') },
  });
  expect(await total('Ruled')).toBe(0);
});

test.skipIf(!canRun)('a workflow that makes something else than was asked for fails', async () => {
  await addSchema(server, { name: 'Other', version: '1', fields: [field('key', 'string')] });
  await addRule(
    server,
    'other',
    shell('true', 'key: string', 'key: {type: string, outputBinding: {outputEval: \'$("wrong")\'}}'),
    { produces: { entity_type: 'Other', match: { key: '{key}' } } },
  );
  expect((await produce(server, { entity_type: 'Other', criteria: { key: 'right' } })).body).toMatchObject({
    status: 'failed',
    error: { code: 'output_invalid', message: 'the workflow produced a Other whose key is wrong, not right' },
  });
});

test.skipIf(!canRun)(
  "a workflow's output cannot create entities in a project that its requester is not in",
  async () => {
    await addRule(
      server,
      'smuggle',
      shell(
        'echo x > out.txt',
        'sample: string',
        "uri: {type: File, outputBinding: {glob: out.txt}}\nsample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}\nproject: {type: string, outputBinding: {outputEval: '$(\"beta\")'}}",
      ),
      { produces: { entity_type: 'Greeting', match: { sample: '{sample}' } } },
    );
    const sam = await server.newKey({ role: 'analyst', owner: 'user:sam', project: 'alpha' });
    const { body } = await server.rest('POST', '/api/v1/artifact/produce', {
      key: sam,
      body: { entity_type: 'Greeting', criteria: { sample: 'smuggled' }, rule: 'smuggle' },
      headers: { prefer: 'wait=20' },
    });
    expect(body).toMatchObject({
      status: 'failed',
      error: {
        code: 'output_invalid',
        message: expect.stringContaining('of which user:sam is not a member'),
      },
    });
  },
);

test.skipIf(!canRun)(
  'a product of project entities shows callers outside the project neither its production nor its history',
  async () => {
    await addSchema(server, {
      name: 'Sealed',
      version: '1',
      fields: [
        field('name', 'string'),
        field('note', 'string'),
        field('uri', 'uri'),
        field('project', 'string'),
      ],
    });
    await addSchema(server, {
      name: 'Digest',
      version: '1',
      fields: [field('name', 'string'), field('uri', 'uri')],
    });
    await addRule(
      server,
      'digest',
      shell(
        'echo done > out.txt',
        'sealed: Any\nnote: string\nname: string',
        "uri: {type: File, outputBinding: {glob: out.txt}}\nname: {type: string, outputBinding: {outputEval: '$(inputs.name)'}}",
      ),
      {
        produces: { entity_type: 'Digest', match: { name: '{name}' } },
        requires: [{ ref: 'Sealed(name={name})' }],
      },
    );
    await ingest('Sealed', 'sealed-1', { name: 'n', note: 'a note of alpha', project: 'alpha' });
    const [inside, outside] = [
      await server.newKey({ role: 'analyst', owner: 'user:ina', project: 'alpha' }),
      await server.newKey({ role: 'analyst', owner: 'user:otto', project: 'beta' }),
    ];
    const { body } = await server.rest('POST', '/api/v1/artifact/produce', {
      key: inside,
      body: { entity_type: 'Digest', criteria: { name: 'n' } },
      headers: { prefer: 'wait=20' },
    });
    const {
      entity_ids: [made],
    } = await ended(server, body.production_id);
    expect(made).toBeDefined();
    const told = async (key: string): Promise<readonly string[]> =>
      Promise.all(
        [
          `/api/v1/artifact/productions/${body.production_id}`,
          '/api/v1/artifact/productions?entity_type=Digest',
          `/api/v1/artifact/crates/${made}`,
          `/api/v1/metadata/entities/${made}/history`,
        ].map(async (to) => (await server.rest('GET', to, { key })).text),
      );
    const [record, list, crate, history] = await told(inside);
    for (const text of [record, crate]) expect(text).toContain('a note of alpha');
    expect(list).toContain(body.production_id);
    // only by its name, which is visible to everybody who sees the result
    expect(history).toContain('sealed-1');
    for (const text of [...(await told(outside)), history]) expect(text).not.toContain('a note of alpha');
    expect(
      (await server.rest('GET', `/api/v1/artifact/productions/${body.production_id}`, { key: outside }))
        .status,
    ).toBe(404);
  },
);
