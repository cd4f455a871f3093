// docs/reference/metadata.md#why: a file that another production's has taken the place of is still what its production made.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canRun } from '../artifact/production-testkit.ts';
import { type Greeter, startGreeter } from '../artifact/staleness-testkit.ts';
import { askWhy, keysOf } from './why-testkit.ts';

describe.skipIf(!canRun)('a replaced file', () => {
  let greeter: Greeter;
  beforeAll(async () => {
    greeter = await startGreeter();
  });
  afterAll(() => greeter.server[Symbol.asyncDispose]());

  interface Made {
    readonly production: string;
    readonly file: string;
  }
  const make = async (reads: string): Promise<Made> => {
    const { server } = greeter;
    await greeter.write('s1', { reads, project: 'alpha' });
    const id = await greeter.make('Greeting', 's1', { reuse: 'fresh' });
    const entity = (await server.rest('GET', `/api/v1/metadata/entities/${id}`)).body.data;
    const { body } = await server.rest('GET', '/api/v1/artifact/productions?limit=1');
    return {
      production: `production:${body.productions[0].production_id}`,
      file: `file:${hashIn(entity.data.uri)}`,
    };
  };
  const hashIn = (uri: string): string => `sha256:${/[0-9a-f]{64}/.exec(uri)?.[0]}`;

  test('leads to its production and back, as what took its place does; a foreign project is told of neither', async () => {
    const { server } = greeter;
    const [before, after] = [await make('a'), await make('b')];
    expect(after.file).not.toBe(before.file);
    for (const { production, file } of [before, after]) {
      const [back, on] = [
        await askWhy(server, file, { direction: 'BACKWARD', depth: 5 }, server.key),
        await askWhy(server, production, { direction: 'FORWARD', depth: 1 }, server.key),
      ];
      expect(keysOf(back)).toContain(production);
      expect(back?.links).toContainEqual(
        expect.objectContaining({ cause: production, effect: file, kind: 'STORED' }),
      );
      expect(keysOf(on).filter((key) => key.startsWith('file:'))).toEqual([file]);
    }
    const foreign = await server.newKey({ role: 'analyst', project: 'beta' });
    const own = await server.newKey({ role: 'analyst', project: 'alpha' });
    for (const { file, production } of [before, after]) {
      const seen = await askWhy(server, file, { depth: 5 }, own);
      expect(keysOf(seen)).toContain(production);
    }
    expect(await askWhy(server, before.file, { depth: 5 }, foreign)).toBeNull();
    // the entity is in no project, and its file is this one
    expect(keysOf(await askWhy(server, after.file, { depth: 5 }, foreign))).toEqual([after.file]);
    const paths = [before, after].map(({ production }) => production.replace('production:', ''));
    const { body } = await server.rest('GET', `/api/v1/artifact/productions/${paths[0]}/diff?to=${paths[1]}`);
    expect(JSON.stringify(body)).toContain(before.file.replace('file:', ''));
  });
});
