// The change feed: every event once, in log order, to callers that may see it, however often a reader
// reconnects.
import { expect, test } from 'vitest';
import type { Caller } from '../../platform/identity.ts';
import { seal, unseal } from '../../platform/sealed-text.ts';
import { admin, callerWith } from '../testkit/metadata.ts';
import { FEED, metadata, ingest, open, read, log, setUp } from './change-feed-testkit.ts';

setUp();

test('an event is pushed as soon as it is committed, as the history shows it, with a token to come back by', async () => {
  const feed = await open();
  const waiting = feed.take(1);
  const started = performance.now();
  await ingest('first', { n: 1 }, 'Thing', admin, { workflow_run_id: 'r' });
  const [item] = await waiting;
  expect(performance.now() - started).toBeLessThan(10_000);
  const [history] = (await metadata.ask(
    '{ entityHistory(entityId: "first") { id eventType entityId entityType actor timestamp schemaVersion context payload } }',
  )) as unknown[];
  expect(item).toEqual({ token: expect.any(String) as unknown, event: history });
  await feed.close();
});

test('a new feed begins now, one from `start` at the beginning, one with a token right after it', async () => {
  const ids = await log();
  const all = await read(ids.length, { after: 'start' });
  expect(all.map((i) => i.event.id)).toEqual(ids);
  expect((await read(ids.length - 1, { after: all[0]?.token })).map((i) => i.event.id)).toEqual(ids.slice(1));
  const feed = await open();
  await ingest('later', { n: 1 });
  expect((await feed.take(1)).map((i) => i.event.entityId)).toEqual(['later']);
  await feed.close();
  const end = await metadata.ask('{ provenanceToken }');
  await ingest('after-token', { n: 1 });
  expect((await read(1, { after: end })).map((i) => i.event.entityId)).toEqual(['after-token']);
  await expect(open({ after: 'nonsense' })).rejects.toThrow('`after` is not a token');
  await expect(open({ after: Buffer.from('e1.01').toString('base64') })).rejects.toThrow(
    '`after` is not a token',
  );
});

const unsealed = (text: string): string => Buffer.from(text).toString('base64url');

const textIn = (token: unknown): string => unseal(String(token)) ?? '';

test.each(['e2.999999999.00000000', 'e2.999999999999999999.00000000'])(
  'a token beyond the end of the log (%s) is refused, without repeated reads',
  async (text) => {
    await expect(open({ after: seal(text) })).rejects.toThrow('beyond the end of the log');
    await expect(metadata.component.subscribe(FEED, { after: seal(text) }, admin)).rejects.toMatchObject({
      code: 'invalid_request',
    });
  },
);

test('a token of another log is refused, though this one is as long', async () => {
  const [, position] = textIn(await metadata.ask('{ provenanceToken }')).split('.');
  await expect(open({ after: seal(`e2.${position}.00000000`) })).rejects.toThrow('belongs to another log');
});

test('a token without a seal is accepted where it marks its event, and tells nobody how long the log is', async () => {
  const text = textIn(await metadata.ask('{ provenanceToken }'));
  const [, position] = text.split('.');
  await ingest('after-old-token', { n: 1 });
  expect((await read(1, { after: unsealed(text) })).map((i) => i.event.entityId)).toEqual([
    'after-old-token',
  ]);
  for (const place of [position, '999999999'])
    await expect(open({ after: unsealed(`e1.${place}`) })).rejects.toThrow('`after` is not a token');
  // with the ids of their own events others could find positions by trying
  const member = { ...admin, projects: ['alpha'] };
  await expect(metadata.component.subscribe(FEED, { after: unsealed(text) }, member)).rejects.toMatchObject({
    code: 'invalid_request',
  });
});

test('events are chosen by type, by entity type with its subtypes, and by a CEL expression over their fields', async () => {
  const feed = (variables: Record<string, unknown>) => open({ after: 'start', ...variables });
  const after = (await read((await log()).length, { after: 'start' })).at(-1)?.token;
  await ingest('c1', { n: 1 });
  await ingest('c2', { n: 5 }, 'Small');
  await ingest('c1', { n: 9 }, 'Thing', callerWith('service', '*', 'service:sync'));
  const ids = async (count: number, variables: Record<string, unknown>) =>
    (await read(count, { after, ...variables })).map((i) => [i.event.entityId, i.event.eventType]);
  expect(await ids(1, { types: ['EntityUpdated'] })).toEqual([['c1', 'EntityUpdated']]);
  expect(await ids(1, { entityTypes: ['Small'] })).toEqual([['c2', 'EntityCreated']]);
  expect(await ids(3, { entityTypes: ['Thing'] })).toHaveLength(3);
  expect(await ids(1, { filter: 'event_type == "EntityCreated" && payload.initial_state.n > 3' })).toEqual([
    ['c2', 'EntityCreated'],
  ]);
  expect(
    await ids(1, {
      filter:
        'actor.startsWith("service:") && timestamp > timestamp("2020-01-01T00:00:00Z") && entity_id == "c1"',
    }),
  ).toEqual([['c1', 'EntityUpdated']]);
  expect(await ids(2, { filter: 'entity_type == null', after: 'start' })).toEqual([
    [null, 'MigrationApplied'],
    [null, 'MigrationApplied'],
  ]);
  await expect(feed({ filter: 'payload.' })).rejects.toThrow(/CEL: .*line 1/);
  await expect(feed({ filter: 'nothing == 1' })).rejects.toThrow('CEL');
  await expect(feed({ types: ['Nothing'] })).rejects.toThrow('unknown event type: Nothing');
  await expect(feed({ entityTypes: ['Nothing'] })).rejects.toThrow('unknown entity type: Nothing');
});

test('a scoped reader gets shared entities, its own projects, and the instance; roles hold as for history', async () => {
  const end = async () => (await read((await log()).length, { after: 'start' })).at(-1)?.token;
  const after = await end();
  await ingest('pa', { project: 'alpha' });
  await ingest('pb', { project: 'beta' });
  await ingest('ps', {});
  await metadata.ask(
    'mutation { createSchema(definition: {name: "Other", version: "1", fields: []}) { name } }',
  );
  const seen = (caller: Caller, count: number) =>
    read(count, { after }, caller).then((items) => items.map((i) => i.event.entityId));
  expect(await seen(callerWith('viewer', ['alpha']), 3)).toEqual(['pa', 'ps', null]);
  expect(await seen(callerWith('viewer', []), 2)).toEqual(['ps', null]);
  expect(await seen(admin, 4)).toEqual(['pa', 'pb', 'ps', null]);
  await expect(open({}, { ...admin, roles: [] })).rejects.toThrow(
    'role viewer is required to read provenance',
  );
});
