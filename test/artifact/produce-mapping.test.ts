// docs/reference/artifact.md#output-mapping, docs/reference/artifact.md#requires,
// docs/reference/artifact.md#one-per-item, docs/reference/artifact.md#required-entities-first: requirements
// are produced first.
import { createHash } from 'node:crypto';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { addRule, addSchema, canRun, produce, shell, startProducer } from './production-testkit.ts';
import { field } from './schema-field.ts';
import { canary } from './registration-testkit.ts';
import { COUNT, files, ingest, ROOT, server, setUp, total } from './produce-mapping-testkit.ts';

setUp();

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
