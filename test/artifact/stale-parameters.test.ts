// docs/reference/artifact.md#reuse-rules: what is required and stale is made again with the parameters that it had.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addRule, canRun, ended } from './production-testkit.ts';
import { type Greeter, GREET, GREETS, startGreeter } from './staleness-testkit.ts';

const withMood = (name: string): string =>
  GREET.replace('reads: string', `reads: string\n  ${name}: {type: string, default: plain}`);

interface Planned {
  readonly plan: { readonly requires: readonly Record<string, unknown>[] };
  readonly plan_hash: string;
}

describe.skipIf(!canRun)('a stale requirement is made again', () => {
  let greeter: Greeter;
  beforeAll(async () => {
    greeter = await startGreeter();
    await addRule(greeter.server, 'greet', withMood('mood'), GREETS);
  });
  afterAll(() => greeter.server[Symbol.asyncDispose]());

  const planned = async (sample: string): Promise<Planned> =>
    (
      await greeter.server.rest('GET', `/api/v1/artifact/resolve?entity_type=Echo&sample=${sample}`, {
        headers: { prefer: 'reuse=fresh' },
      })
    ).body as Planned;
  const refreshed = async (sample: string, planHash?: string) => {
    const { body } = await greeter.server.rest('POST', '/api/v1/artifact/produce', {
      body: { entity_type: 'Echo', criteria: { sample }, reuse: 'fresh', plan_hash: planHash },
    });
    return ended(greeter.server, String(body.production_id));
  };
  const greetings = async (sample: string): Promise<Record<string, unknown>[]> => {
    const { body } = await greeter.server.graphql(
      '{ productions(entityType: "Greeting", limit: 1000) { productions { status criteria parameters inputs } } }',
    );
    return body.data.productions.productions.filter(
      (one: { criteria: { sample: string } }) => one.criteria.sample === sample,
    );
  };

  test('with its parameters, which the plan and its hash have', async () => {
    for (const sample of ['glad', 'sad']) {
      await greeter.write(sample, { reads: 'a' });
      await greeter.make('Greeting', sample, { parameters: { mood: sample } });
      await greeter.make('Echo', sample);
      await greeter.write(sample, { reads: 'b' });
    }
    const plan = await planned('glad');
    expect(plan.plan.requires[0]).toMatchObject({ decision: 'build', parameters: { mood: 'glad' } });
    expect(await refreshed('glad', plan.plan_hash)).toMatchObject({ status: 'completed', error: null });
    expect(await greetings('glad')).toMatchObject([
      { status: 'completed', parameters: { mood: 'glad' }, inputs: { reads: 'b', mood: 'glad' } },
      { status: 'completed', parameters: { mood: 'glad' }, inputs: { reads: 'a', mood: 'glad' } },
    ]);
    // the same plan but for the parameter has another hash, also after somebody made the result with another one
    const before = await planned('sad');
    await greeter.make('Greeting', 'sad', { parameters: { mood: 'angry' } });
    await greeter.write('sad', { reads: 'c' });
    const after = await planned('sad');
    expect(after.plan.requires[0]).toMatchObject({ parameters: { mood: 'angry' } });
    expect(after.plan_hash).not.toBe(before.plan_hash);
  });

  test('without those that its rule does not take any more', async () => {
    await greeter.write('other', { reads: 'a' });
    await greeter.make('Greeting', 'other', { parameters: { mood: 'glad' } });
    await greeter.make('Echo', 'other');
    await addRule(greeter.server, 'greet', withMood('tone'), GREETS);
    expect((await planned('other')).plan.requires[0]).not.toHaveProperty('parameters');
    expect((await refreshed('other')).status).toBe('completed');
    expect((await greetings('other')).map(({ parameters }) => parameters)).toEqual([{}, { mood: 'glad' }]);
  });
});
