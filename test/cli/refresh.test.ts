// `cairn refresh` against a real platform: what it makes anew, and what it says of results that it does not.
import { expect, test } from 'vitest';
import { addRule, canRun } from '../artifact/production-testkit.ts';
import { GREETS, SLOW, startGreeter } from '../artifact/staleness-testkit.ts';
import { run } from './command-line.ts';

test.skipIf(!canRun)(
  'results that are not made anew are named with their reasons; the status is 1',
  async () => {
    const { server, write, make } = await startGreeter();
    await using _ = server;
    const cairn = (...args: string[]) =>
      run(['refresh', ...args, '--url', server.url, '--key', server.key], { cwd: server.dataDir });
    await write('s1', { reads: 'a' });
    await write('s2', { reads: 'a' });
    const first = await make('Greeting', 's1');
    const second = await make('Greeting', 's2');
    expect(await cairn()).toEqual({
      status: 0,
      stderr: '',
      stdout: expect.stringMatching(/\nnothing is stale\n$/),
    });

    await addRule(server, 'greet', SLOW, GREETS);
    const { body } = await server.rest('POST', '/api/v1/artifact/produce', {
      body: { entity_type: 'Greeting', criteria: { sample: 's1' }, reuse: 'fresh' },
    });
    expect(await cairn(first, '--plan')).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringMatching(new RegExp(`^${first} +Greeting +\\S.*\nplan sha256:`, 'm')),
    });
    const reason = `nothing is made: the same is being made by production ${body.production_id}, which keeps to no plan`;
    const all = await cairn(first);
    expect(all).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        new RegExp(`^${first}: ${reason}.*\ncairn: 1 of 1 results are not made anew\n$`),
      ),
    });
    expect(all.stdout).toMatch(/\nplan sha256:[0-9a-f]{64}\n$/);
    const asJson = await cairn(first, '--json');
    expect([asJson.status, JSON.parse(asJson.stdout), JSON.parse(asJson.stderr)]).toEqual([
      1,
      expect.objectContaining({ productions: [] }),
      {
        message: '1 of 1 results are not made anew',
        refused: [
          { entity_id: first, error: { code: 'conflict', message: expect.stringContaining(reason) } },
        ],
      },
    ]);
    const some = await cairn(first, second);
    expect(some).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/Greeting.*s2.*(?:queued|running)/),
      stderr: expect.stringMatching(/\ncairn: 1 of 2 results are not made anew\n$/),
    });
  },
);
