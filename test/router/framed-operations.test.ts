// Operations of a router that share a connection to a component: each has its own identity, limits and outcome
// (docs/reference/gateway.md#operations-over-one-connection).
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Budget } from '../../platform/budget/budget.ts';
import { withBudget } from '../../platform/budget/budgeted.ts';
import type { Caller } from '../../platform/identity.ts';
import { caller } from './library.ts';
import { framed, signing } from './framed-testkit.ts';

const CODE = (result: { errors?: readonly { extensions?: Readonly<Record<string, unknown>> }[] }): unknown =>
  result.errors?.[0]?.extensions?.['code'];

test('operations of many callers at once: each is answered for its own identity and under its own request id', async () => {
  const { sign, reader } = await signing('echo');
  const { remote, seen, frames } = await framed({ sign, reader, timeoutMs: 30_000 });
  const who = remote.prepare('{ who }');
  const callers = Array.from({ length: 600 }, (_, i): Caller => ({
    actor: `user:${i % 150}`,
    roles: i % 3 === 0 ? ['viewer'] : ['viewer', 'analyst'],
    projects: i % 5 === 0 ? '*' : [`p${i % 7}`, 'ü,*'],
    requestId: randomUUID(),
  }));
  const answers = await Promise.all(callers.map((one) => who({}, one)));
  for (const [i, { data, errors }] of answers.entries()) {
    const { actor, roles, projects, requestId } = callers[i] as Caller;
    expect(errors).toBeUndefined();
    expect(JSON.parse(String(data?.['who']))).toEqual([actor, roles, projects, requestId]);
  }
  expect(frames.open).toBeGreaterThan(0);
  expect(seen.requests.filter((one) => one === 'POST').length).toBeLessThan(400); // most went in frames
});

test('what an operation is on behalf of, its instant and its trace arrive with it alone', async () => {
  const { sign, reader } = await signing('echo');
  const { remote, seen } = await framed({ sign, reader });
  const told = remote.prepare('{ told }');
  const trace = (n: number): string => `00-${String(n).repeat(32)}-${String(n).repeat(16)}-01`;
  const asked: Partial<Caller>[] = [
    {},
    { traceparent: trace(1) },
    { cause: 'run:r1', traceparent: trace(2) },
    { asOf: '2026-01-31T09:30:00.123456Z' },
  ];
  const answers = await Promise.all(asked.map((more) => told({}, { ...caller, ...more })));
  expect(answers.slice(0, 3).map(({ data }) => JSON.parse(String(data?.['told'])))).toEqual([
    [null, null],
    [null, trace(1)],
    ['run:r1', trace(2)],
  ]);
  // the field is not said to know the past: an instant that arrives refuses it
  expect(answers.map(CODE)).toEqual([undefined, undefined, undefined, 'VALIDATION_FAILED']);
  expect(seen.requests).not.toContain('POST');
});

test('an identity that does not verify is refused for its own operation alone', async () => {
  const { sign, reader } = await signing('echo');
  const forged = 'user:eve';
  const { remote, seen } = await framed({
    reader,
    sign: async (identity, audience) => {
      const token = (await sign(identity, audience)) ?? '';
      return identity.actor === forged ? `${token.slice(0, -4)}AAAA` : token;
    },
  });
  const who = remote.prepare('{ who }');
  const answers = await Promise.all(
    ['user:ada', forged, 'user:bo', forged].map((actor) => who({}, { ...caller, actor })),
  );
  expect(answers.map(({ data }) => (data ? (JSON.parse(String(data['who'])) as string[])[0] : null))).toEqual(
    ['user:ada', null, 'user:bo', null],
  );
  expect(answers.map(CODE)).toEqual([undefined, 'INVALID_TOKEN', undefined, 'INVALID_TOKEN']);
  expect(seen.requests).not.toContain('POST');
});

test('roles are checked for each operation, also of one document', async () => {
  const { remote, seen } = await framed();
  const write = remote.prepare('mutation($name: String!) { write(name: $name) }');
  const [by, viewed] = await Promise.all([
    write({ name: 'a' }, caller),
    write({ name: 'b' }, { ...caller, roles: ['viewer'] }),
  ]);
  expect([by.data, CODE(viewed)]).toEqual([{ write: 'a' }, 'INSUFFICIENT_ROLE']);
  expect(seen.writes).toEqual(['a']);
});

test('one that fails, one that cannot be read and one that is slow do not hold the others up', async () => {
  const { remote, seen } = await framed();
  const ended: string[] = [];
  const run = (document: string, variables = {}): Promise<unknown> =>
    remote
      .prepare(document)(variables, caller)
      .then((result) => {
        ended.push(document);
        return CODE(result) ?? result.data;
      });
  const SLOW = '{ wait(ms: 300) }';
  expect(
    await Promise.all([
      run(SLOW),
      run('{ fail }'),
      run('{ nothing }'),
      run('query($text: String) { say(text: $text) }', { text: { no: 'text' } }),
      run('query($text: String) { say(text: $text) }', { text: 'ü' }),
    ]),
  ).toEqual([{ wait: 'one' }, 'NOT_FOUND', 'INVALID_REQUEST', 'INVALID_REQUEST', { say: 'ü' }]);
  expect(ended.at(-1)).toBe(SLOW);
  expect(seen.requests).not.toContain('POST');
});

test('finished texts pass unparsed, with what stands beside them', async () => {
  const { remote } = await framed();
  const answer = await remote.prepare('{ a: text { value } b: text { value } }')({}, caller);
  expect(answer).toEqual({
    texts: { a: '{"value":"ü user:ada"}', b: '{"value":"ü user:ada"}' },
    extensions: { schemaVersion: '7' },
  });
});

test('one that takes too long is unavailable, is ended in the component, and the others go on', async () => {
  const { remote, seen, frames } = await framed({ timeoutMs: 400 });
  const late = remote.prepare('{ wait(ms: 2000, name: "late") }')({}, caller);
  const say = remote.prepare('{ say(text: "x") }');
  for (let n = 0; n < 10; n++) {
    expect(await say({}, caller)).toMatchObject({ data: { say: 'x' } });
    await sleep(60);
  }
  expect(CODE(await late)).toBe('COMPONENT_UNAVAILABLE');
  await expect.poll(() => seen.left).toEqual(['late']);
  expect(frames.open).toBeGreaterThan(0);
  expect(seen.requests).not.toContain('POST');
});

test('one whose client disconnects is ended in the component, and no other', async () => {
  const { remote, seen } = await framed();
  const gone = new AbortController();
  const wait = remote.prepare('query($name: String) { wait(ms: 700, name: $name) }');
  const [left, stayed] = [
    wait({ name: 'left' }, { ...caller, signal: gone.signal }),
    wait({ name: 'stayed' }, caller),
  ];
  await sleep(100);
  gone.abort();
  expect(CODE(await left)).toBe('COMPONENT_UNAVAILABLE');
  await expect.poll(() => seen.left).toEqual(['left']);
  expect((await stayed).data).toEqual({ wait: 'stayed' });
  expect(seen.left).toEqual(['left']);
});

test('limits count for each operation: one over its bytes ends alone, on either side', async () => {
  const { remote } = await framed();
  const limits = { cost: 100, objects: 1000, bytes: 100_000, timeMs: 10_000 };
  const run = async (document: string): Promise<unknown> => {
    const budget = new Budget(limits, caller);
    try {
      return await budget.within(remote.prepare(document)({}, withBudget(caller, budget))).then(
        ({ data }) => Object.values(data ?? {}).map((text) => String(text).length),
        (refusal: { details: unknown }) => refusal.details,
      );
    } finally {
      budget.close();
    }
  };
  expect(await Promise.all([run('{ big(bytes: 90000) }'), run('{ big(bytes: 200000) }')])).toEqual([
    [45_000],
    { limit: 'bytes', asked: expect.any(Number) as number, allowed: 100_000 },
  ]);
  const short = new Budget({ ...limits, timeMs: 150 }, caller);
  await expect(
    short.within(remote.prepare('{ wait(ms: 3000) }')({}, withBudget(caller, short))),
  ).rejects.toMatchObject({ details: { limit: 'time' } });
  short.close();
});

test('the trace of each operation is its own', async () => {
  const { remote, seen } = await framed();
  const traces = ['a', 'b'].map((c) => `00-${c.repeat(32)}-${c.repeat(16)}-01`);
  const who = remote.prepare('{ who }');
  await Promise.all(
    [...traces, undefined].map((traceparent) => who({}, { ...caller, ...(traceparent && { traceparent }) })),
  );
  expect(seen.traces.sort()).toEqual([...traces, undefined]);
});
