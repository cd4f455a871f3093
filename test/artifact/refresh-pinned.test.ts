// docs/reference/artifact.md#refresh: what is asked for by the hash of a plan is made of what that was made of, or not at all.
import { setTimeout as sleep } from 'node:timers/promises';
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
  const begin = (hash: string | null) => rest('POST', 'refresh', { entity_type: 'Echo', plan_hash: hash });
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

  /** Its workflow has begun. */
  const running = async (id: string): Promise<void> => {
    for (let runner: unknown = null; runner === null;) {
      const { body } = await rest('GET', `productions/${id}`);
      ({ runner } = body);
      if (runner !== null) expect(body.status).toBe('running');
    }
  };

  test('a changed input: nothing is made, and the reason says what has changed; another plan makes it', async () => {
    const { server, write, make, told } = greeter;
    await write('s1', { reads: 'a' });
    await make('Greeting', 's1');
    const echo = await make('Echo', 's1');
    // by the hash of a plan that was seen, and of the plan of the answer
    for (const [round, isSeen] of [true, false].entries()) {
      let begun: readonly Begun[] = [];
      await occupied(async () => {
        await write('s1', { reads: `b${round}` });
        const answer = await begin(isSeen ? await planned() : null);
        expect(answer.status).toBe(202);
        begun = answer.body.productions;
        await write('s1', { reads: `c${round}` });
      });
      expect(begun.map((one) => one.entity_type)).toEqual(['Greeting', 'Echo']);
      const versions = `version ${2 + 2 * round} -> ${3 + 2 * round}`;
      for (const { production_id: id } of begun)
        expect(await ended(server, id)).toMatchObject(
          conflict(
            new RegExp(`s1 has changed since the refresh was planned: ${versions}: plan the refresh again`),
          ),
        );
    }
    const { body: page } = await rest('GET', 'productions?entity_type=Greeting&status=completed');
    expect(
      page.productions.filter((one: { criteria: { sample: string } }) => one.criteria.sample === 's1'),
    ).toHaveLength(1);
    const { body: again } = await begin(await planned());
    for (const { production_id: id } of again.productions)
      expect(await ended(server, id)).toMatchObject({ status: 'completed' });
    expect((await told(echo)).is_stale).toBe(false);
  });

  test('before, at the same time, and after: what is made has the input that was planned', async () => {
    const { server, write } = greeter;
    await addRule(server, 'greet', GREET, GREETS);
    const round = async (
      n: number,
      changeAfter: number | 'before' | 'begun',
    ): Promise<ReadonlySet<string>> => {
      await write('s1', { reads: `planned-${n}` });
      const hash = await planned();
      const change = () => write('s1', { reads: `changed-${n}` });
      if (changeAfter === 'before') await change();
      const changed = typeof changeAfter === 'number' ? sleep(changeAfter).then(change) : Promise.resolve();
      const [answer] = await Promise.all([begin(hash), changed]);
      if (answer.status === 409) return new Set(['refused']);
      expect(answer.status).toBe(202);
      if (changeAfter === 'begun') {
        await running(answer.body.productions[0].production_id);
        await change();
      }
      const outcomes = new Set<string>();
      for (const { production_id: id, entity_type: type } of answer.body.productions as readonly Begun[]) {
        const { status, error, inputs } = await ended(server, id);
        outcomes.add(status);
        if (changeAfter === 'begun') expect(status).toBe(type === 'Greeting' ? 'completed' : 'failed');
        if (status === 'completed' && type === 'Greeting') expect(inputs.reads).toBe(`planned-${n}`);
        if (status === 'failed') expect(['conflict', 'not_found']).toContain(error.code);
      }
      return outcomes;
    };
    expect(await round(0, 'before')).toEqual(new Set(['refused']));
    for (const [n, changeAfter] of [0, 5, 20, 60].entries())
      expect((await round(n + 1, changeAfter)).size).toBeGreaterThan(0);
    // its workflow has what was planned; what is made of it would not be of what there is
    expect(await round(9, 'begun')).toEqual(new Set(['completed', 'failed']));
  });

  test('a changed input, and somebody who has seen no plan has joined: it is made of what there is', async () => {
    const { server, write, make, told } = greeter;
    await addRule(server, 'greet', GREET, GREETS);
    await write('j', { reads: 'a' });
    await make('Greeting', 'j');
    const echo = await make('Echo', 'j');
    await write('j', { reads: 'b' });
    let begun: readonly Begun[] = [];
    await occupied(async () => {
      const { body } = await rest('POST', 'refresh', { entity_ids: [echo] });
      begun = body.productions;
      expect(begun.map((one) => one.entity_type)).toEqual(['Greeting', 'Echo']);
      const { body: joined } = await rest('POST', 'produce', {
        entity_type: 'Echo',
        criteria: { sample: 'j' },
        reuse: 'fresh',
      });
      expect(joined.production_id).toBe(begun[1]?.production_id);
      await write('j', { reads: 'c' });
    });
    const [greeting, made] = await Promise.all(begun.map((one) => ended(server, one.production_id)));
    expect(greeting).toMatchObject(conflict(/j has changed since the refresh was planned/));
    expect(made).toMatchObject({ status: 'completed', error: null });
    expect((await told(made.entity_ids[0])).is_stale).toBe(false);
    const { body: page } = await rest('GET', 'productions?entity_type=Greeting&status=completed');
    const one = page.productions.find(
      (each: { criteria: { sample: string } }) => each.criteria.sample === 'j',
    );
    const { inputs } = await ended(server, one.production_id);
    expect(inputs.reads).toBe('c');
  });

  test('a second refresh that has planned something else: each makes what it has planned, or says why not', async () => {
    const { server, write, make, told } = greeter;
    await addRule(server, 'greet', GREET, GREETS);
    await write('two', { reads: 'a' });
    await make('Greeting', 'two');
    const echo = await make('Echo', 'two');
    const [first, second] = [[] as Begun[], [] as Begun[]];
    await occupied(async () => {
      await write('two', { reads: 'b' });
      const refreshed = async () => (await rest('POST', 'refresh', { entity_ids: [echo] })).body;
      first.push(...(await refreshed()).productions);
      expect((await refreshed()).productions).toEqual(first); // the same plan
      await write('two', { reads: 'c' });
      const { plan, productions } = await refreshed();
      second.push(...productions);
      const why = /which was planned otherwise: plan the refresh again when it has ended/;
      expect(plan.steps).toMatchObject(
        first.map(({ entity_type: type }) => ({
          entity_type: type,
          plan: null,
          error: { code: 'conflict', message: expect.stringMatching(why) },
        })),
      );
    });
    expect([first.length, second]).toEqual([2, []]);
    for (const { production_id: id } of first)
      expect(await ended(server, id)).toMatchObject(
        conflict(/two has changed since the refresh was planned/),
      );
    const { body } = await rest('POST', 'refresh', { entity_ids: [echo] });
    for (const { production_id: id } of body.productions)
      expect(await ended(server, id)).toMatchObject({ status: 'completed' });
    expect((await told(echo)).is_stale).toBe(false);
  });
});
