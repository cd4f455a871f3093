// Projects over time: callers keep access to what they could see at a time, and a move is visible in both
// projects without the other's data.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../platform/identity.ts';
import { admin, callerWith, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';
import { metadataFace } from '../testkit/metadata-rest-api.ts';

const [alpha, beta, nobody] = [
  callerWith('viewer', ['alpha']),
  callerWith('viewer', ['beta']),
  callerWith('viewer', []),
];
const lead = (...projects: string[]): Caller => callerWith('project_lead', projects, 'user:lead');
const READERS = { alpha, beta, nobody, admin };

let metadata: FreshMetadata;
let times: string[];
let token: unknown;
const INGEST =
  'mutation($id: ID!, $d: JSON!) { ingestEntity(entityType: "Sample", id: $id, data: $d) { version } }';
const write = (id: string, d: Record<string, unknown>, caller: Caller = admin) =>
  metadata.ask(INGEST, { id, d }, caller);
const relate = (s: string, t: string) =>
  metadata.ask(
    'mutation($s: ID!, $t: ID!) { relate(sourceId: $s, targetId: $t, relationshipType: "near") { id } }',
    { s, t },
  );

/** In alpha, then in beta, then shared: each time with a word that only that side may read. */
beforeAll(async () => {
  metadata = await freshMetadata();
  await metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
    d: {
      name: 'Sample',
      version: '1',
      fields: ['project', 'word', 'more'].map((name) => ({ name, field_type: 'string' })),
    },
  });
  token = await metadata.ask('{ provenanceToken }');
  await write('other-a', { project: 'alpha' });
  await write('x', { project: 'alpha', word: 'apple' });
  await write('x', { word: 'apples' });
  await relate('x', 'other-a');
  await write('x', { project: 'beta', word: 'banana' });
  for (const isAvailable of [false, true])
    await metadata.ask(
      'mutation($isAvailable: Boolean!) { setAvailability(id: "x", isAvailable: $isAvailable, reason: "why") { id } }',
      { isAvailable },
    );
  await write('x', { word: 'bananas' });
  await write('x', { project: null, word: 'sugar' });
  times = (
    (await metadata.ask('{ entityHistory(entityId: "x") { timestamp } }')) as { timestamp: string }[]
  ).map((event) => event.timestamp);
});
afterAll(() => metadata[Symbol.asyncDispose]());

interface Event {
  eventType: string;
  payload: {
    previous_state?: { word?: string } | null;
    new_state?: { word?: string } | null;
    initial_state?: { word?: string };
  };
}
/** The visible part of an event: its type, and the words of its states. */
const told = ({ eventType, payload }: Event): string => {
  const word = (state: { word?: string } | null | undefined): string =>
    state === null ? 'hidden' : (state?.word ?? '');
  return eventType === 'EntityUpdated'
    ? `${word(payload.previous_state)}→${word(payload.new_state)}`
    : eventType === 'EntityCreated'
      ? word(payload.initial_state)
      : eventType;
};
const EXPECTED: Record<keyof typeof READERS, string[]> = {
  admin: [
    'apple',
    'apple→apples',
    'RelationshipCreated',
    'apples→banana',
    'AvailabilityChanged',
    'AvailabilityChanged',
    'banana→bananas',
    'bananas→sugar',
  ],
  alpha: ['apple', 'apple→apples', 'RelationshipCreated', 'apples→hidden', 'hidden→sugar'],
  beta: ['hidden→banana', 'AvailabilityChanged', 'AvailabilityChanged', 'banana→bananas', 'bananas→sugar'],
  nobody: ['hidden→sugar'],
};
const readers = Object.keys(READERS) as (keyof typeof READERS)[];
const ask = (who: keyof typeof READERS, document: string, variables: Record<string, unknown> = {}) =>
  metadata.ask(document, variables, READERS[who]);

test.each(readers)('history: %s', async (who) => {
  expect(
    ((await ask(who, '{ entityHistory(entityId: "x") { eventType payload } }')) as Event[]).map(told),
  ).toEqual(EXPECTED[who]);
  expect(
    (
      (await ask(who, '{ entity(id: "x") { history { eventType payload } } }')) as { history: Event[] }
    ).history.map(told),
  ).toEqual(EXPECTED[who]);
  expect(
    (
      (await ask(
        who,
        '{ entityHistoryPage(entityId: "x", limit: 100) { items { eventType payload } } }',
      )) as { items: Event[] }
    ).items.map(told),
  ).toEqual(EXPECTED[who]);
});

test.each(readers)('change feed: %s', async (who) => {
  await write(`end-${who}`, {});
  const gone = new AbortController();
  const seen: string[] = [];
  const feed = await metadata.component.subscribe(
    'subscription($after: String) { provenanceEvents(after: $after) { event { entityId eventType payload } } }',
    { after: token },
    { ...READERS[who], signal: gone.signal },
  );
  for await (const { data } of feed) {
    const { event } = data?.['provenanceEvents'] as { event: Event & { entityId: string } };
    if (event.entityId === `end-${who}`) break;
    if (event.entityId === 'x') seen.push(told(event));
  }
  gone.abort();
  expect(seen).toEqual(EXPECTED[who]);
});

test.each(readers)('PROV: %s', async (who) => {
  const document = JSON.stringify(await ask(who, '{ provenanceDocument(entityIds: ["x"]) }'));
  const [a, b] = [who === 'admin' || who === 'alpha', who === 'admin' || who === 'beta'];
  expect([document.includes('apple'), document.includes('banana'), document.includes('sugar')]).toEqual([
    a,
    b,
    true,
  ]);
  expect(document).not.toContain('"null"');
  if (b) expect(document).toContain('version:x/4');
});

test.each(readers)(
  'reads as of every time, one and many, by list, count, filter, search: %s',
  async (who) => {
    const sees = {
      admin: () => true,
      alpha: (w: string) => !w.startsWith('b'),
      beta: (w: string) => !w.startsWith('a'),
      nobody: (w: string) => w.startsWith('s'),
    }[who];
    const words = ['apple', 'apples', 'apples', 'banana', 'banana', 'banana', 'bananas', 'sugar'];
    for (const [i, at] of times.entries()) {
      const word = words[i] ?? '';
      const expected = sees(word) ? [word] : [];
      const of = (rows: unknown): string[] =>
        (rows as { id: string; data: { word: string } }[])
          .filter(({ id }) => id === 'x')
          .map(({ data }) => data.word);
      const one = await ask(who, 'query($at: DateTime!) { entityAt(id: "x", at: $at) { id data } }', { at });
      const whole = 'items { id data } total';
      const lists = await Promise.all(
        [
          `entities(entityType: "Sample", includeUnavailable: true, asOf: $at) { ${whole} }`,
          `entities(entityType: "Sample", includeUnavailable: true, orderBy: "-updated_at", asOf: $at) { ${whole} }`,
          `entities(entityType: "Sample", includeUnavailable: true, filter: "data.word == '${word}'", asOf: $at) { ${whole} }`,
          `entities(entityType: "Sample", includeUnavailable: true, filter: "data.word.matches('${word}')", asOf: $at) { ${whole} }`,
        ].map(
          (field) =>
            ask(who, `query($at: DateTime!) { ${field} }`, { at }) as Promise<{
              items: { id: string }[];
              total: number;
            }>,
        ),
      );
      const found = await ask(
        who,
        `query($at: DateTime!) { search(entityType: "Sample", q: "${word}", includeUnavailable: true, asOf: $at) { id data } }`,
        { at },
      );
      expect([
        who,
        i,
        ...[one === null ? [] : [one], ...lists.map((list) => list.items), found].map(of),
      ]).toEqual([who, i, ...Array.from({ length: 6 }, () => expected)]);
      for (const list of lists) expect([who, i, list.total]).toEqual([who, i, list.items.length]);
    }
    const near = (at: string | undefined) =>
      ask(
        who,
        'query($at: DateTime) { findRelationships(entityId: "x", asOf: $at) { items { targetEntityId } } }',
        { at },
      ) as Promise<{ items: unknown[] }>;
    expect((await near(times[2])).items).toHaveLength(who === 'admin' || who === 'alpha' ? 1 : 0);
    expect((await near(times[3])).items).toHaveLength(who === 'admin' ? 1 : 0);
  },
);

test('REST answers the same; who never saw an entity gets 404, who saw it once gets what they saw', async () => {
  const rest = metadataFace(metadata.component);
  await write('gone', { project: 'alpha', word: 'kkk' });
  await write('gone', { project: 'beta', word: 'mmm' });
  const events = async (caller: Caller) => {
    const { status, body } = await rest('GET', '/entities/gone/history', { caller });
    return [status, JSON.stringify(body.data)];
  };
  expect(await events(nobody)).toEqual([404, 'null']);
  expect(await events(alpha)).toEqual([200, expect.stringMatching(/kkk.*"new_state":null/)]);
  expect((await events(alpha))[1]).not.toMatch(/mmm|beta/);
  expect((await events(beta))[1]).not.toMatch(/kkk|alpha/);
  expect((await rest('GET', '/entities/gone', { caller: alpha })).status).toBe(404);
  const { body } = await rest('GET', '/entities/gone/history', { caller: admin });
  const [{ timestamp: before } = { timestamp: '' }] = body.data as { timestamp: string }[];
  // its present project does not hide its past
  const then = (caller: Caller) => rest('GET', `/entities/gone?as_of=${before}`, { caller });
  expect((await then(alpha)).body.data).toMatchObject({ data: { project: 'alpha', word: 'kkk' } });
  expect([(await then(beta)).status, (await then(nobody)).status]).toEqual([404, 404]);
});

test("large entities move like small ones: no side sees the other's state", async () => {
  const filler = 'abcdefgh '.repeat(20_000);
  await write('large', { project: 'alpha', word: 'kkk', more: filler });
  await write('large', { project: 'beta', word: 'mmm' });
  const payloads = async (caller: Caller) =>
    JSON.stringify(await metadata.ask('{ entityHistory(entityId: "large") { payload } }', {}, caller));
  expect(await payloads(alpha)).not.toMatch(/mmm|"beta"/);
  expect(await payloads(beta)).not.toMatch(/kkk|"alpha"/);
  expect(await payloads(beta)).toContain(filler);
});

test.each<[what: string, caller: Caller, from: string | null, to: string | null, fault: string | null]>([
  ['a lead of both', lead('alpha', 'beta'), 'alpha', 'beta', null],
  ['a lead of the one it leaves', lead('alpha'), 'alpha', 'beta', 'PROJECT_SCOPE_DENIED'],
  ['a lead of the one it comes to', lead('beta'), 'alpha', 'beta', 'NOT_FOUND'],
  ['an analyst of both', callerWith('analyst', ['alpha', 'beta']), 'alpha', 'beta', 'INSUFFICIENT_ROLE'],
  ['a lead of the one that takes what all share', lead('beta'), null, 'beta', null],
  [
    'an analyst of the one that takes what all share',
    callerWith('analyst', ['beta']),
    null,
    'beta',
    'INSUFFICIENT_ROLE',
  ],
  ['an analyst of all projects', callerWith('analyst', '*'), null, 'beta', 'INSUFFICIENT_ROLE'],
  ['a lead of the one that gives it to all', lead('alpha'), 'alpha', null, null],
  [
    'an analyst of the one that gives it to all',
    callerWith('analyst', ['alpha']),
    'alpha',
    null,
    'INSUFFICIENT_ROLE',
  ],
  ['a service of both', callerWith('service', ['alpha', 'beta']), 'alpha', 'beta', null],
])('a move is for a project lead who is in both: %s', async (what, caller, from, to, fault) => {
  const id = `move ${what}`.replaceAll(' ', '-');
  await write(id, { ...(from === null ? {} : { project: from }), word: 'w' });
  const moves = [
    () =>
      metadata.ask(
        'mutation($id: ID!, $d: JSON!) { updateEntity(entityType: "Sample", id: $id, data: $d) { version } }',
        { id, d: { project: to } },
        caller,
      ),
    () => write(id, { project: to, word: 'v' }, caller),
  ];
  for (const move of moves) {
    if (fault === null) expect(await move()).toMatchObject({ version: expect.any(Number) as unknown });
    else await expect(move()).rejects.toThrow(fault);
  }
  expect(await metadata.ask('query($id: ID!) { entity(id: $id) { project } }', { id })).toEqual({
    project: fault === null ? to : from,
  });
});
