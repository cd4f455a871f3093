// docs/reference/artifact.md#one-production-per-request: what is asked for with any results and with fresh ones is made once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canRun, ended } from './production-testkit.ts';
import { type Greeter, startGreeter } from './staleness-testkit.ts';

describe.skipIf(!canRun)('one production serves who wants any result and who wants a fresh one', () => {
  let greeter: Greeter;
  beforeAll(async () => {
    greeter = await startGreeter();
  });
  afterAll(() => greeter.server[Symbol.asyncDispose]());

  const ask = async (sample: string, reuse: string): Promise<string> => {
    const { body } = await greeter.server.rest('POST', '/api/v1/artifact/produce', {
      body: { entity_type: 'Echo', criteria: { sample }, reuse },
    });
    return String(body.production_id);
  };
  const isRunning = async (id: string): Promise<boolean> => {
    const { body } = await greeter.server.rest('GET', `/api/v1/artifact/productions/${id}`);
    return body.status === 'running' && body.runner !== null;
  };
  const madeOf = async (sample: string): Promise<Record<string, number>> => {
    const { body } = await greeter.server.rest('GET', '/api/v1/artifact/productions?limit=1000');
    const counts: Record<string, number> = {};
    for (const { entity_type: type, criteria } of body.productions)
      if (criteria.sample === sample) counts[type] = (counts[type] ?? 0) + 1;
    return counts;
  };

  test.each([
    ['at once', ['any', 'fresh']],
    ['at once, fresh first', ['fresh', 'any']],
  ])('%s', async (name, order) => {
    const sample = name.replaceAll(/\W/g, '');
    await greeter.write(sample, { reads: 'a' });
    await greeter.make('Greeting', sample);
    await greeter.write(sample, { reads: 'b' });
    const [one, other] = await Promise.all(order.map((reuse) => ask(sample, reuse)));
    expect(one).toBe(other);
    const { status, entity_ids: ids } = await ended(greeter.server, String(one));
    expect(status).toBe('completed');
    expect(await greeter.told(ids[0])).toEqual({
      is_stale: false,
      is_complete: true,
      reasons: [],
      not_known: [],
    });
    expect(await madeOf(sample)).toEqual({ Echo: 1, Greeting: 2 });
  });

  test('while the one that may reuse any is running already', async () => {
    await greeter.write('late', { reads: 'a' });
    await greeter.make('Greeting', 'late');
    await greeter.write('late', { reads: 'b' });
    const begun = await ask('late', 'any');
    for (let tries = 0; !(await isRunning(begun)); tries++) expect(tries).toBeLessThan(1000);
    expect(await ask('late', 'fresh')).toBe(begun);
    const { status, entity_ids: ids } = await ended(greeter.server, begun);
    expect(status).toBe('completed');
    expect(await greeter.told(ids[0])).toEqual({
      is_stale: false,
      is_complete: true,
      reasons: [],
      not_known: [],
    });
    expect(await madeOf('late')).toEqual({ Echo: 1, Greeting: 2 });
  });
});
