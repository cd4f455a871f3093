// The commands `cairn produce`, `productions` and `cache`, against a real platform.
import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import {
  addRule,
  addSchema,
  canRun,
  GREET,
  GREETING,
  startProducer,
  storedFile,
} from '../artifact/production-testkit.ts';
import { run } from './command-line.ts';

test.skipIf(!canRun)(
  'an entity is made and reused, productions are shown, the store is verified and emptied',
  async () => {
    await using server = await startProducer();
    await addSchema(server, GREETING);
    await addRule(server, 'greet', GREET, {
      produces: { entity_type: 'Greeting', match: { sample: '{sample}' } },
    });
    const cairn = (...args: string[]) =>
      run([...args, '--url', server.url, '--key', server.key], { cwd: server.dataDir });

    expect(await cairn('produce', 'Greeting', 'sample=s', '--plan')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(
        /^build Greeting sample=s\n {2}no Greeting is stored; greet@1 produces it/,
      ),
    });
    const made = await cairn('produce', 'Greeting', 'sample=s', '--parameter', 'mood=glad', '--wait');
    expect(made).toMatchObject({ status: 0, stderr: '', stdout: expect.stringMatching(/^produced \S+\n$/) });
    expect((await cairn('produce', 'Greeting', 'sample=s')).stdout).toMatch(
      /^\S+ is reused: \S+ is stored, available and matches/,
    );
    const { productions } = JSON.parse((await cairn('productions', 'list', '--json')).stdout) as {
      productions: { production_id: string; status: string }[];
    };
    expect(productions).toMatchObject([{ status: 'completed' }]);
    const { body: told } = await server.graphql('{ productions { productions { requestId } } }');
    const askedBy = async (request: string): Promise<unknown> =>
      JSON.parse((await cairn('productions', 'list', '--request', request, '--json')).stdout);
    expect(await askedBy(told.data.productions.productions[0].requestId)).toMatchObject({ productions });
    expect(await askedBy('00000000-0000-4000-8000-000000000000')).toMatchObject({ productions: [] });
    expect((await cairn('productions', 'show', productions[0]?.production_id ?? '')).stdout).toMatch(
      /status +completed/,
    );
    expect((await cairn('productions', 'cancel', productions[0]?.production_id ?? '')).stdout).toMatch(
      /is completed/,
    );
    expect(await cairn('produce', 'Greeting', 'sample')).toMatchObject({ status: 2 });

    expect(await cairn('cache', 'verify')).toMatchObject({ status: 0, stdout: '1 files were checked\n' });
    const { body } = await server.rest('GET', '/api/v1/metadata/entities?entity_type=Greeting');
    await rm(storedFile(server, body.data.items[0].data.uri));
    expect(await cairn('cache', 'verify')).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('is missing'),
    });
    expect(await cairn('cache', 'evict')).toMatchObject({ status: 2 });
    expect(await cairn('cache', 'evict', '--all')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^1 files \(\d+ bytes\) were evicted/),
    });
  },
);
