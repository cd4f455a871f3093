// docs/reference/artifact.md#entity-identity: one value of an entity's identity fields is one entity,
// whichever production or process makes it, at any time; an evicted one becomes available again.
import { expect, test } from 'vitest';
import { addRule, addSchema, canRun, ended, produce, shell } from './production-testkit.ts';
import { field } from './schema-field.ts';
import { server, setUp } from './identities-testkit.ts';

const greeting = (sample: string, more: Record<string, unknown> = {}) => ({
  entity_type: 'Greeting',
  criteria: { sample },
  ...more,
});

const all = async (query: string) =>
  (await server.rest('GET', `/api/v1/metadata/entities?include_unavailable=true&${query}`)).body.data
    .items as { id: string; version: number; is_available: boolean; data: Record<string, unknown> }[];

const events = async (id: string) =>
  (await server.rest('GET', `/api/v1/metadata/entities/${id}/history`)).body.data as {
    event_type: string;
    payload: Record<string, unknown>;
    context: Record<string, unknown>;
  }[];

const ask = async (body: Record<string, unknown>, key = server.key) =>
  (await server.rest('POST', '/api/v1/artifact/produce', { body, key })).body.production_id as string;

const completed = async (id: string) => {
  const record = await ended(server, id);
  expect(record, JSON.stringify(record)).toMatchObject({ status: 'completed' });
  return record;
};

setUp();

test.skipIf(!canRun)('different requests for the same key, at once, make one entity', async () => {
  const requests = [
    greeting('z'),
    { entity_type: 'Greeting', criteria: { sample: 'z', mood: 'plain' } },
    greeting('z', { parameters: { mood: 'plain' } }),
    greeting('z', { rule: 'greet@1', parameters: { mood: 'plain' } }),
  ];
  const records = await Promise.all((await Promise.all(requests.map((body) => ask(body)))).map(completed));
  const found = await all('entity_type=Greeting&sample=z');
  expect(found).toMatchObject([{ is_available: true, version: 1, data: { sample: 'z', mood: 'plain' } }]);
  expect(new Set(records.flatMap((record) => record.entity_ids))).toEqual(new Set([found[0]?.id]));
  expect((await events(found[0]?.id ?? '')).map((event) => event.event_type)).toEqual(['EntityCreated']);
});

test.skipIf(!canRun)(
  'items that several productions make are one entity each, with the data of the latest',
  async () => {
    const words = ['abc', 'cde', 'eca'];
    for (const record of await Promise.all(
      (
        await Promise.all(
          words.map((word) =>
            ask({ entity_type: 'Letter', criteria: { key: word[0] ?? '' }, parameters: { word } }),
          ),
        )
      ).map(completed),
    ))
      expect(record.entity_ids).toHaveLength(3);
    const found = await all('entity_type=Letter');
    expect(found.map((letter) => letter.data['key']).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
    for (const { id } of found) {
      const { body } = await server.graphql(
        'query($id: ID!) { entity(id: $id) { data producedBy { parameters } } }',
        { id },
      );
      expect(body.data.entity.producedBy.parameters.word).toBe(body.data.entity.data.word);
    }
  },
);

test.skipIf(!canRun)(
  'producing an evicted entity again makes the same entity available, and its history shows it',
  async () => {
    const first = await produce(server, greeting('evicted'));
    const { id } = first.body.entity;
    await server.rest('DELETE', `/api/v1/artifact/cache/${first.body.entity.uri.slice(-64)}`);
    expect(await all('entity_type=Greeting&sample=evicted')).toMatchObject([{ id, is_available: false }]);
    const again = await produce(server, greeting('evicted'));
    expect(again.body).toMatchObject({
      status: 'completed',
      production_id: expect.any(String),
      entity: { id },
    });
    expect(await all('entity_type=Greeting&sample=evicted')).toMatchObject([
      { id, is_available: true, version: 1 },
    ]);
    expect((await events(id)).at(-1)).toMatchObject({
      event_type: 'AvailabilityChanged',
      actor: 'service:artifact',
      payload: { previous: false, current: true, reason: 'produced again' },
      context: { production: again.body.production_id, rule: 'greet@1' },
    });
    expect((await produce(server, greeting('evicted'))).body).toMatchObject({
      decision: 'reuse',
      production_id: null,
    });
  },
);

test.skipIf(!canRun)(
  'made with other parameters, or again after it was ruled out, it is the same entity at a new version; what is left out is cleared',
  async () => {
    await addSchema(server, {
      name: 'Note',
      version: '1',
      fields: [field('key', 'string'), field('text', 'string'), field('more', 'string')],
    });
    await addRule(
      server,
      'note',
      shell(
        'true',
        'key: string\ntext: {type: string, default: none}\nmore: string?',
        ['key', 'text', 'more']
          .map(
            (name) =>
              `${name}: {type: ${name === 'more' ? 'string?' : 'string'}, outputBinding: {outputEval: '$(inputs.${name})'}}`,
          )
          .join('\n'),
      ),
      { produces: { entity_type: 'Note', match: { key: '{key}' } } },
    );
    const note = (parameters: Record<string, unknown>) =>
      produce(server, { entity_type: 'Note', criteria: { key: 'k' }, parameters });
    const first = await note({ text: 'one', more: 'said' });
    const second = await note({ text: 'two' });
    expect(second.body).toMatchObject({
      status: 'completed',
      entity: { id: first.body.entity.id, version: 2, fields: { key: 'k', text: 'two' } },
    });
    expect(second.body.entity.fields.more ?? null).toBeNull();
    expect((await note({ text: 'two' })).body).toMatchObject({ production_id: null });
    await server.rest('PUT', `/api/v1/artifact/reuse/${first.body.entity.id}`, {
      body: { reusable: false, reason: 'wrong' },
    });
    const third = await note({ text: 'two' });
    expect(third.body).toMatchObject({
      status: 'completed',
      production_id: expect.any(String),
      entity: { id: first.body.entity.id },
    });
    // it was produced again
    expect((await note({ text: 'two' })).body).toMatchObject({ production_id: null });
    expect(await all('entity_type=Note')).toHaveLength(1);
  },
);

test.skipIf(!canRun)(
  'an entity that was there before, by hand or from before identities were kept, is the one that is meant; one that was moved, renamed or superseded is not',
  async () => {
    const put = (id: string, data: Record<string, unknown>) =>
      server.rest('POST', '/api/v1/metadata/ingest', {
        body: { entity_type: 'Greeting', id, data: { uri: 'https://files.test/x', ...data } },
      });
    await put('by-hand', { sample: 'hand' });
    await server.rest('PUT', '/api/v1/artifact/reuse/by-hand', {
      body: { reusable: false, reason: 'not ours' },
    });
    expect((await produce(server, greeting('hand'))).body).toMatchObject({
      entity: { id: 'by-hand', version: 2, fields: { mood: 'plain' } },
    });

    await put('of-beta', { sample: 'moved', project: 'beta' });
    expect(
      (await produce(server, { entity_type: 'Greeting', criteria: { sample: 'moved', mood: 'plain' } })).body
        .entity.id,
    ).not.toBe('of-beta');
    expect((await server.rest('GET', '/api/v1/metadata/entities/of-beta')).body.data).toMatchObject({
      version: 1,
      data: { project: 'beta' },
    });

    const renamed = (await produce(server, greeting('renamed'))).body.entity.id as string;
    await server.rest('PUT', `/api/v1/metadata/entities/Greeting/${renamed}`, {
      body: { data: { sample: 'another name' } },
    });
    const anew = (await produce(server, greeting('renamed'))).body.entity.id as string;
    expect(anew).not.toBe(renamed);
    expect((await server.rest('GET', `/api/v1/metadata/entities/${renamed}`)).body.data.data.sample).toBe(
      'another name',
    );

    await put('replacement', { sample: 'replacement' });
    expect(
      (
        await server.graphql(
          'mutation($id: ID!) { supersedeEntity(id: $id, replacementId: "replacement") { superseded { isAvailable } } }',
          { id: anew },
        )
      ).body.data.supersedeEntity.superseded.isAvailable,
    ).toBe(false);
    const next = (await produce(server, greeting('renamed'))).body.entity.id as string;
    expect([renamed, anew, 'replacement']).not.toContain(next);
  },
);
