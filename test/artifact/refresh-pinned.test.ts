// docs/reference/artifact.md#refresh: what is asked for by the hash of a plan is made of what that was made of, or not at all.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addRule, canRun, ended } from './production-testkit.ts';
import { type Greeter, GREET, GREETS, startGreeter } from './staleness-testkit.ts';

const SLOW = GREET.replace('echo $(inputs.reads)', 'sleep 6; echo $(inputs.reads)');

describe.skipIf(!canRun)('a refresh by its hash, while what it was planned with changes', () => {
  let greeter: Greeter;
  let occupations = 0;
  beforeAll(async () => {
    greeter = await startGreeter('artifact: {limits: {concurrent: 1}}');
  });
  afterAll(() => greeter.server[Symbol.asyncDispose]());

  interface Begun {
    readonly production_id: string;
    readonly entity_type: string;
  }
  const rest = (method: string, path: string, body?: unknown) =>
    greeter.server.rest(method, `/api/v1/artifact/${path}`, body === undefined ? {} : { body });
  const planned = async (): Promise<string> => {
    const { body } = await rest('GET', 'refresh?entity_type=Echo');
    return String(body.plan_hash);
  };
  const begin = (hash: string) => rest('POST', 'refresh', { entity_type: 'Echo', plan_hash: hash });
  const conflict = (message: RegExp) => ({
    status: 'failed',
    error: { code: 'conflict', message: expect.stringMatching(message) },
  });
  /** The only slot is taken meanwhile, so that nothing of the refresh begins. */
  const occupied = async (work: () => Promise<void>): Promise<void> => {
    await addRule(greeter.server, 'greet', SLOW, GREETS);
    await greeter.write('other', { reads: `x${++occupations}` });
    const { body } = await rest('POST', 'produce', {
      entity_type: 'Greeting',
      criteria: { sample: 'other' },
      reuse: 'fresh',
    });
    for (let status = ''; status !== 'running';)
      ({ status } = (await rest('GET', `productions/${body.production_id}`)).body);
    await work();
    await ended(greeter.server, String(body.production_id));
  };

  test('a changed input: nothing is made, and the reason says what has changed; another plan makes it', async () => {
    const { server, write, make, told } = greeter;
    await write('s1', { reads: 'a' });
    await make('Greeting', 's1');
    const echo = await make('Echo', 's1');
    let begun: readonly Begun[] = [];
    await occupied(async () => {
      await write('s1', { reads: 'b' });
      const answer = await begin(await planned());
      expect(answer.status).toBe(202);
      begun = answer.body.productions;
      await write('s1', { reads: 'c' });
    });
    expect(begun.map((one) => one.entity_type)).toEqual(['Greeting', 'Echo']);
    for (const { production_id: id } of begun)
      expect(await ended(server, id)).toMatchObject(
        conflict(/s1 has changed since the refresh was planned: version 2 -> 3: plan the refresh again/),
      );
    const { body: page } = await rest('GET', 'productions?entity_type=Greeting&status=completed');
    expect(
      page.productions.filter((one: { criteria: { sample: string } }) => one.criteria.sample === 's1'),
    ).toHaveLength(1);
    const { body: again } = await begin(await planned());
    for (const { production_id: id } of again.productions)
      expect(await ended(server, id)).toMatchObject({ status: 'completed' });
    expect((await told(echo)).is_stale).toBe(false);
  });

  test('at the same time, again and again: what is made has the input that was planned', async () => {
    const { server, write } = greeter;
    await addRule(server, 'greet', GREET, GREETS);
    const ends = new Set<string>();
    for (let round = 0; round < 4; round++) {
      await write('s1', { reads: `planned-${round}` });
      const hash = await planned();
      const [answer] = await Promise.all([begin(hash), write('s1', { reads: `changed-${round}` })]);
      if (answer.status === 409) {
        ends.add('refused');
        continue;
      }
      for (const { production_id: id, entity_type: type } of answer.body.productions as readonly Begun[]) {
        const { status, error, inputs } = await ended(server, id);
        ends.add(status);
        if (status === 'completed' && type === 'Greeting') expect(inputs.reads).toBe(`planned-${round}`);
        if (status === 'failed') expect(['conflict', 'not_found']).toContain(error.code);
      }
    }
    expect(ends.size).toBeGreaterThan(0);
  });
});
