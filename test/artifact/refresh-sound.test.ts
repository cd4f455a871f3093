// docs/reference/artifact.md#refresh: what producing would refuse or make again is so in its plan.
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addRule, canRun, storedFile } from './production-testkit.ts';
import { ECHO, ECHOES, type Greeter, startGreeter } from './staleness-testkit.ts';

const LOUD = ECHO.replace('cat ', 'cat -n ');
const CONTAINED = LOUD.replace(
  'requirements:\n',
  'requirements:\n  DockerRequirement: {dockerPull: "debian:12"}\n',
);

describe.skipIf(!canRun)('a plan to refresh', () => {
  let greeter: Greeter;
  beforeAll(async () => {
    greeter = await startGreeter();
  });
  afterAll(() => greeter.server[Symbol.asyncDispose]());

  interface Steps {
    readonly steps: readonly {
      readonly plan: { readonly requires: readonly { readonly decision: string }[] } | null;
      readonly error: { readonly code: string } | null;
    }[];
    readonly plan_hash: string;
  }
  const planned = async (): Promise<Steps> =>
    (await greeter.server.rest('GET', '/api/v1/artifact/refresh?entity_type=Echo')).body as Steps;

  test('reuses no entity whose file is missing, and says what images cannot be run', async () => {
    const { server } = greeter;
    await greeter.write('s1', { reads: 'a' });
    const greeting = await greeter.make('Greeting', 's1');
    await greeter.make('Echo', 's1');
    await addRule(server, 'echo', LOUD, ECHOES);
    const decision = ({ steps }: Steps) => steps.map(({ plan }) => plan?.requires[0]?.decision);
    expect(decision(await planned())).toEqual(['reuse']);
    const entity = async () => (await server.rest('GET', `/api/v1/metadata/entities/${greeting}`)).body.data;
    await rm(storedFile(server, (await entity()).data.uri));
    const plan = await planned();
    expect(decision(plan)).toEqual(['build']);
    expect((await entity()).is_available).toBe(true); // a plan changes nothing
    const { body } = await server.rest('POST', '/api/v1/artifact/refresh', {
      body: { entity_type: 'Echo', plan_hash: `${plan.plan_hash}0` },
    });
    expect(body.details.plan_hash).toBe(plan.plan_hash);
    expect((await entity()).is_available).toBe(false);
    await addRule(server, 'echo', CONTAINED, ECHOES);
    expect((await planned()).steps).toMatchObject([{ plan: null, error: { code: 'runner_unavailable' } }]);
  });
});
