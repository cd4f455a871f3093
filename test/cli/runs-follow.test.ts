// `cairn runs follow` and `cairn query` of a subscription: notified by the platform while the run continues, or polling if that is refused.
import { expect, test } from 'vitest';
import { run } from './command-line.ts';
import { type Answer, platformDouble } from './platform-double.ts';

const nowhere = '/';
const shown = (status: string, fetched: number) => ({
  status,
  records_fetched: fetched,
  records_created: 0,
  records_updated: 0,
  records_skipped: 0,
  records_failed: 0,
});
const event = (status: string, fetched: number): string =>
  `event: next\ndata: ${JSON.stringify({ data: { runProgress: shown(status, fetched) } })}\n\n`;
const COMPLETE = 'event: complete\ndata:\n\n';
const stream = (body: string): Answer => ({
  headers: { 'content-type': 'text/event-stream; charset=utf-8' },
  body: `:\n\n${body}`,
});

async function follow(states: readonly [string, number][], graphql: Answer) {
  const left = [...states];
  await using platform = await platformDouble(({ path }) => {
    if (path === '/graphql') return graphql;
    const [status, fetched] = left.shift() ?? ['failed', 0];
    return { body: { run_id: 'r1', ...shown(status, fetched) } };
  });
  const { status, stdout, stderr } = await run(
    ['runs', 'follow', 'r1', '--json', '--url', platform.url, '--key', 'k'],
    { cwd: nowhere },
  );
  const told = stderr
    .split('\n')
    .flatMap((line) => /^(\w+) +fetched (\d+)/.exec(line)?.slice(1, 3).join(' ') ?? []);
  return { status, told, run: JSON.parse(stdout) as unknown, asked: platform.asked };
}

test('each reported state of the run is shown once; the run is read at the beginning and at the end', async () => {
  const followed = await follow(
    [
      ['running', 0],
      ['success', 9],
    ],
    stream(
      [event('running', 0), event('running', 4), event('running', 4), event('success', 9), COMPLETE].join(''),
    ),
  );
  expect(followed).toMatchObject({
    status: 0,
    told: ['running 0', 'running 4', 'success 9'],
    run: { run_id: 'r1', status: 'success', records_fetched: 9 },
  });
  expect(followed.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /api/v1/workflow/runs/r1',
    'POST /graphql',
    'GET /api/v1/workflow/runs/r1',
  ]);
  expect(followed.asked[1]).toMatchObject({
    authorization: 'Bearer k',
    body: { query: expect.stringContaining('runProgress'), variables: { id: 'r1' } },
  });
});

test.each<[string, Answer]>([
  ['is refused', { status: 403, body: { errors: [{ message: 'no' }] } }],
  ['is no stream', { body: { data: null } }],
  ['breaks off', stream(event('running', 0))],
  ['tells of an error', stream('event: next\ndata: {"errors":[{"message":"gone"}]}\n\n')],
  ['tells what is no JSON', stream('event: next\ndata: {\n\n')],
])('if the subscription %s, the run is polled until it has ended', async (_, graphql) => {
  const followed = await follow(
    [
      ['running', 0],
      ['running', 3],
      ['failed', 5],
    ],
    graphql,
  );
  expect(followed).toMatchObject({
    status: 1,
    told: ['running 0', 'running 3', 'failed 5'],
    run: { status: 'failed' },
  });
  expect(followed.asked.filter(({ path }) => path === '/graphql')).toHaveLength(1);
});

test('a run that has ended is not followed', async () => {
  const followed = await follow([['success', 1]], stream(''));
  expect(followed.asked).toHaveLength(1);
});

test('of a subscription, cairn query prints what is delivered, a line for each, until it is complete', async () => {
  const asking = async (
    body: string,
    document = '# how far\nsubscription { runProgress(runId: "r1") { status } }',
  ) => {
    await using platform = await platformDouble(() => stream(body));
    const { status, stdout, stderr } = await run(['query', document, '--url', platform.url, '--key', 'k'], {
      cwd: nowhere,
    });
    return [status, stdout, stderr, platform.asked[0]?.headers['accept']];
  };
  const told = (status: string): string =>
    `event: next\ndata: ${JSON.stringify({ data: { runProgress: { status } } })}\n\n`;
  expect(await asking(told('running') + told('success') + COMPLETE)).toEqual([
    0,
    '{"runProgress":{"status":"running"}}\n{"runProgress":{"status":"success"}}\n',
    '',
    'text/event-stream',
  ]);
  const fault = JSON.stringify({ errors: [{ message: 'gone', extensions: { code: 'NOT_FOUND' } }] });
  expect(await asking(`${told('running')}event: next\ndata: ${fault}\n\n${COMPLETE}`)).toEqual([
    1,
    '{"runProgress":{"status":"running"}}\n',
    'cairn: an event without data: gone (NOT_FOUND)\n',
    'text/event-stream',
  ]);
  expect((await asking(told('running')))[2]).toBe('cairn: the stream ended early\n');
});
