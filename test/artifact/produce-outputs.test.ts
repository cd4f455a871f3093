// What becomes of the outputs of a workflow.
import { expect, test } from 'vitest';
import { addRule, addSchema, canRun, ended, produce, shell } from './production-testkit.ts';
import { field } from './schema-field.ts';
import { ingest, server, setUp, total } from './produce-mapping-testkit.ts';

setUp();

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

test.skipIf(!canRun)(
  'one value in two projects is two entities, items without a value are one each; outputs that are the same are named',
  async () => {
    await addSchema(server, {
      name: 'Placed',
      version: '1',
      fields: [field('key', 'string'), field('rank', 'int'), field('project', 'string')],
    });
    const produces = { entity_type: 'Placed', from_output: 'items', match: { key: '{key}' } };
    await addRule(
      server,
      'placed',
      items([
        { key: 'p', rank: 1, project: 'alpha' },
        { key: 'p', rank: 2, project: 'beta' },
        { key: null, rank: 3, project: 'alpha' },
        { key: null, rank: 4, project: 'alpha' },
      ])
        .replace('set: string', 'key: string')
        .replace('key: string, rank: int', 'key: string?, rank: int, project: string'),
      { produces: { ...produces, array_mode: 'one_per_item' } },
    );
    const made = await produce(server, { entity_type: 'Placed', criteria: { key: 'p' } });
    expect(made.body, JSON.stringify(made.body)).toMatchObject({ entity: { fields: { key: 'p' } } });
    expect(await total('Placed')).toBe(4);

    const output = (name: string): string =>
      `${name}: {type: {type: record, fields: {key: string}}, outputBinding: {outputEval: '\${return {key: inputs.key}}'}}`;
    await addRule(server, 'placed', shell('true', 'key: string', `${output('a')}\n${output('b')}`), {
      produces: ['a', 'b'].map((name) => ({ ...produces, from_output: name })),
    });
    const twice = await produce(server, { entity_type: 'Placed', criteria: { key: 'q' } });
    expect(twice.body).toMatchObject({
      error: {
        code: 'ingestion_error',
        message: 'output a and output b are the same Placed: nothing was stored',
      },
    });
    expect(await total('Placed')).toBe(4);
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
    const asked = { entity_type: 'Greeting', criteria: { sample: 'smuggled' }, rule: 'smuggle' };
    const { body } = await produce(server, asked, sam);
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
