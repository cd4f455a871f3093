// docs/reference/artifact.md#refresh
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askWhy } from '../gateway/why-testkit.ts';
import { addRule, canRun, ended } from './production-testkit.ts';
import { type Greeter, GREET, GREETS, startGreeter } from './staleness-testkit.ts';

const LOUD = GREET.replace('reads: string', 'reads: string\n  mood: {type: string, default: plain}');

describe.skipIf(!canRun)('stale results are made anew', () => {
  let greeter: Greeter;
  beforeAll(async () => {
    greeter = await startGreeter();
    await addRule(greeter.server, 'greet', LOUD, GREETS);
  });
  afterAll(() => greeter.server[Symbol.asyncDispose]());

  test('as one plan by its hash, with what they were made of, each once and with its own parameters', async () => {
    const { server, write, make } = greeter;
    const call = (method: string, query = '', body?: unknown, key = server.key) =>
      server.rest(method, `/api/v1/artifact/refresh${query}`, {
        key,
        ...(body === undefined ? {} : { body }),
      });
    const askedBy = async (request: string, more = '') => {
      const { body: page } = await server.rest(
        'GET',
        `/api/v1/artifact/productions?request_id=${request}${more}`,
      );
      return [
        page.total,
        page.productions.map((one: { production_id: string }) => one.production_id).toSorted(),
      ];
    };
    await write('s1', { reads: 'a' });
    const greeting = await make('Greeting', 's1', { parameters: { mood: 'glad' } });
    const echo = await make('Echo', 's1');
    expect((await call('GET')).body).toMatchObject({ steps: [], is_complete: true });
    await write('s1', { reads: 'b' });
    const { body: plan } = await call('GET', '?entity_type=Echo');
    expect(plan).toMatchObject({
      is_complete: true,
      steps: [
        { entity_id: greeting, parameters: { mood: 'glad' }, error: null, plan: { decision: 'build' } },
        { entity_id: echo, parameters: {}, error: null, plan: { decision: 'build' } },
      ],
    });
    const viewer = await server.newKey({ role: 'viewer' });
    expect((await call('POST', '', {}, viewer)).status).toBe(403);
    const refused = await call('POST', '', { entity_type: 'Echo', plan_hash: 'sha256:00' });
    expect([refused.status, refused.body.details?.plan_hash]).toEqual([409, plan.plan_hash]);
    // another version of what it would be made of is another plan
    await write('s1', { reads: 'c' });
    const outdated = await call('POST', '', { entity_type: 'Echo', plan_hash: plan.plan_hash });
    expect([outdated.status, outdated.body.details?.expected]).toEqual([409, plan.plan_hash]);
    await write('s1', { reads: 'b' });
    const told = await call('GET', '?entity_type=Echo');
    const seen = { request: told.headers.get('x-request-id') ?? '', hash: String(told.body.plan_hash) };
    expect(seen.hash).not.toBe(plan.plan_hash);
    const before = (await server.graphql('{ basis { time } }')).body.data.basis.time;
    const [begun, joined] = await Promise.all([
      call('POST', '', { entity_type: 'Echo', plan_hash: seen.hash }),
      call('POST', '', { entity_type: 'Echo' }),
    ]);
    expect([begun.status, begun.body.productions.length]).toEqual([202, 2]);
    // who came second waits for the same, and finds it by the own request
    const made = begun.body.productions.map((one: { production_id: string }) => one.production_id);
    expect(joined.body.request_id).not.toBe(begun.body.request_id);
    for (const request of [begun.body.request_id, joined.body.request_id])
      expect(await askedBy(request)).toEqual([2, made.toSorted()]);
    expect(await askedBy('00000000-0000-4000-8000-000000000000')).toEqual([0, []]);
    expect(await askedBy(begun.body.request_id, `&as_of=${before}`)).toEqual([0, []]);
    for (const id of made) {
      const chain = await askWhy(server, `production:${id}`, { depth: 3 }, server.key);
      expect(chain?.nodes.map(({ key }) => key)).toContain(`request:${seen.request}`);
    }
    for (const { production_id: id } of begun.body.productions)
      expect(await ended(server, id)).toMatchObject({ status: 'completed' });
    const { body } = await server.rest('GET', '/api/v1/artifact/productions');
    expect(body.productions.map((one: { entity_type: string }) => one.entity_type).toSorted()).toEqual([
      'Echo',
      'Echo',
      'Greeting',
      'Greeting',
    ]);
    expect((await greeter.told(echo)).is_stale).toBe(false);
    expect((await call('GET')).body).toMatchObject({ steps: [], is_complete: true });
    // what cannot be made says why, and is left out
    await server.rest('PATCH', '/api/v1/artifact/rules/greet', {
      body: { status: 'deprecated', deprecation_note: 'wrong' },
    });
    const { body: last } = await call('POST', '', { entity_ids: [greeting] });
    expect(last).toMatchObject({
      productions: [],
      plan: { steps: [{ plan: null, error: { code: 'not_found' } }] },
    });
    expect((await call('POST', '', { entity_ids: [greeting], entity_type: 'Echo' })).status).toBe(422);
  });
});
