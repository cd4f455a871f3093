// The commands that call a running platform: their requests, output and errors.
import { expect, test } from 'vitest';
import { run } from './command-line.ts';
import { platformDouble } from './platform-double.ts';
import { CALLS } from './client-calls.ts';
import { nowhere } from './client-testkit.ts';

test.each(CALLS)(
  '%s asks the public API and shows the answer, for people and as JSON',
  async (_, { args, answer, asks, shows, json }) => {
    await using platform = await platformDouble(() => answer);
    const target = ['--url', platform.url, '--key', 'sk_test'];
    const forPeople = await run([...args, ...target], { cwd: nowhere });
    expect(forPeople).toMatchObject({ status: 0, stderr: '' });
    expect(forPeople.stdout).toMatch(shows);
    expect(platform.asked).toEqual([expect.objectContaining({ ...asks, authorization: 'Bearer sk_test' })]);
    expect(JSON.parse((await run([...args, ...target, '--json'], { cwd: nowhere })).stdout)).toEqual(json);
  },
);

test('lists of rules and of keys are whole, however many pages they have', async () => {
  for (const [command, name, id] of [
    ['rules', 'rules', 'rule'],
    ['keys', 'keys', 'id'],
  ] as const) {
    await using platform = await platformDouble(({ query }) => {
      const at = Number(query['cursor']?.[0] ?? 0);
      return {
        body: {
          [name]: [{ [id]: `n${at}`, produces: [] }],
          total: 3,
          next_cursor: at < 2 ? String(at + 1) : null,
        },
      };
    });
    const target = [command, 'list', '--url', platform.url, '--key', 'k'];
    expect((await run(target, { cwd: nowhere })).stdout.match(/n\d/g), command).toEqual(['n0', 'n1', 'n2']);
    expect(JSON.parse((await run([...target, '--json'], { cwd: nowhere })).stdout)).toMatchObject({
      [name]: [{ [id]: 'n0' }, { [id]: 'n1' }, { [id]: 'n2' }],
      total: 3,
      next_cursor: null,
    });
  }
});

test('what is wrong beside the components is said with its code', async () => {
  const problems = [{ code: 'replicas_left_out', detail: '1 lost of 2' }];
  await using platform = await platformDouble(() => ({
    body: { status: 'degraded', components: {}, problems },
  }));
  const asked = ['health', '--url', platform.url, '--key', 'k'];
  const { stdout } = await run(asked, { cwd: nowhere });
  expect(stdout).toContain('\nreplicas_left_out: 1 lost of 2\n');
});
