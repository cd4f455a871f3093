// `cairn measurements`: what the processes measured, a row for each value.
import { expect, test } from 'vitest';
import { run } from './command-line.ts';
import { platformDouble } from './platform-double.ts';

const ANSWER = {
  step: 60,
  times: ['2026-01-31T09:00:00.000000Z', '2026-01-31T09:01:00.000000Z'],
  series: [
    { name: 'runs_queued', unit: 'count', process: null, values: [3, null] },
    { name: 'memory_bytes', unit: 'bytes', process: 'p1', values: [100, 200] },
  ],
  processes: [],
};

test('measurements asks for the series and the time, and prints what there is', async () => {
  await using platform = await platformDouble(() => ({ body: ANSWER }));
  const at = ['--url', platform.url, '--key', 'k'];
  const asked = ['runs_queued', 'memory_bytes', '--from', '2026-01-31T09:00:00Z', '--step', '60'];
  const { status, stdout, stderr } = await run(['measurements', ...asked, '-o', 'csv', ...at]);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout.trim().split(/\r?\n/).slice(1)).toEqual([
    '2026-01-31T09:00:00.000000Z,runs_queued,,3,count',
    '2026-01-31T09:00:00.000000Z,memory_bytes,p1,100,bytes',
    '2026-01-31T09:01:00.000000Z,memory_bytes,p1,200,bytes',
  ]);
  expect(JSON.parse((await run(['measurements', '--json', ...at])).stdout)).toEqual(ANSWER);
  expect(platform.asked).toMatchObject([
    {
      path: '/api/v1/gateway/measurements',
      query: { name: ['runs_queued,memory_bytes'], from: ['2026-01-31T09:00:00Z'], step: ['60'] },
    },
    { path: '/api/v1/gateway/measurements', query: {} },
  ]);
});
