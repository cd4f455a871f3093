// docs/reference/artifact.md#container-images: which images productions ran in, and what is stale since names stand for others.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '../../platform/database/transaction.ts';
import pino from 'pino';
import { CwltoolRunner } from '../../subgraphs/artifact/runners/cwltool-runner.ts';
import { ImageFollower } from '../../subgraphs/artifact/staleness/follow-images.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { containerStandIn, type StandIn } from './container-stand-in.ts';
import {
  addRule,
  addSchema,
  canRun,
  cwltoolSettings,
  GREETING,
  NOWHERE,
  produce,
  shell,
} from './production-testkit.ts';

const IMAGE = 'quay.io/biocontainers/greet:1';
const MOVING = 'quay.io/biocontainers/moving:1';
const BUILT = 'built-here';
const DUMB = 'dumb-at-first';
const hex = (digit: string): string => `sha256:${digit.repeat(64)}`;
const held = (content: string, ...digests: readonly string[]) => ({ Id: hex(content), RepoDigests: digests });
const A = {
  [IMAGE]: held('a', `quay.io/mirror/greet@${hex('0')}`, `quay.io/biocontainers/greet@${hex('1')}`),
};
const B = { [IMAGE]: held('b', `quay.io/biocontainers/greet@${hex('2')}`) };
const tool = (image: string): string =>
  shell(
    'echo hello $(inputs.sample) > out.txt',
    'sample: string',
    "uri: {type: File, outputBinding: {glob: out.txt}}\nsample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}",
    `hints: {DockerRequirement: {dockerPull: "${image}"}}\n`,
  );

interface Made {
  readonly id: string;
  readonly production: string;
}

test('a database that does not answer ends neither the process nor its closing, and is not taken for the engine', async () => {
  const told: string[] = [];
  const log = pino({}, { write: (line: string) => void told.push(JSON.parse(line).msg) });
  const follower = new ImageFollower({
    db: { query: () => Promise.reject(new Error('the connection is lost')) },
    transact: () => Promise.reject(new Error('the connection is lost')),
    runner: {},
    log,
  });
  await expect(follower.look()).rejects.toThrow('the connection is lost');
  follower.begin();
  await follower.close();
  expect(told).toEqual(['which images this machine has could not be looked at']);
});

describe.skipIf(!canRun).each(['docker', 'podman'] as const)('with %s', (engine) => {
  let root: string;
  let standIn: StandIn;
  let server: TestServer;
  beforeAll(async () => {
    root = await mkdtemp(path.join(os.tmpdir(), 'cairn-images-'));
    standIn = await containerStandIn(root, engine);
    server = await startServer({
      config: `artifact: {runner: {type: cwltool, container_engine: ${engine}, tool_paths: ["${root}"]}}\n`,
    });
    await addSchema(server, GREETING);
    for (const [name, image] of Object.entries({ greet: IMAGE, moving: MOVING, built: BUILT, dumb: DUMB }))
      await addRule(server, name, tool(image), {
        produces: { entity_type: 'Greeting', match: { sample: '{sample}' } },
      });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await rm(root, { recursive: true, force: true });
  });

  const make = async (rule: string, sample = rule, more = {}): Promise<Made> => {
    const { body } = await produce(server, { entity_type: 'Greeting', criteria: { sample }, rule, ...more });
    if (body.entity === undefined) throw new Error(JSON.stringify(body));
    const id = String(body.entity.id);
    const made = await server.graphql('query ($id: ID!) { entity(id: $id) { producedBy { id } } }', { id });
    return { id, production: made.body.data.entity.producedBy.id };
  };
  const imagesOf = async ({ production }: Made): Promise<unknown> =>
    (await server.rest('GET', `/api/v1/artifact/productions/${production}`)).body.images;
  const told = async ({ id }: Made, asOf = ''): Promise<readonly unknown[]> =>
    (await server.rest('GET', `/api/v1/artifact/staleness/${id}${asOf}`)).body.reasons;
  const listed = async (): Promise<readonly string[]> => {
    for (;;) {
      const { body } = await server.rest('GET', '/api/v1/artifact/staleness');
      if (body.is_complete === true) return body.items.map(({ entity_id: id }: { entity_id: string }) => id);
    }
  };
  /** The follower of one machine, which has looked at nothing yet. */
  const machine = (name?: string): ImageFollower => {
    const { pool } = server.database;
    return new ImageFollower({
      db: pool,
      transact: (work) => inTransaction(pool, work),
      runner: new CwltoolRunner(
        cwltoolSettings({ toolPaths: [root], containerEngine: engine }),
        { cores: 1, ram: 2 ** 32, disk: 2 ** 30, timeSeconds: 120 },
        NOWHERE,
      ),
      log: pino({ level: 'silent' }),
      ...(name === undefined ? {} : { machine: name }),
    });
  };
  const changed = {
    kind: 'IMAGE_CHANGED',
    image: IMAGE,
    message: `image ${IMAGE}: ${hex('1')} -> ${hex('2')}`,
    from_digest: hex('1'),
    to_digest: hex('2'),
  };

  test('a production records the digest of the repository that its workflow names, its provenance and its crate tell of it', async () => {
    await standIn.hold(A);
    const made = await make('greet', 'recorded');
    expect(await imagesOf(made)).toEqual([{ image: IMAGE, digest: hex('1'), image_id: hex('a') }]);
    const history = await server.rest('GET', `/api/v1/metadata/entities/${made.id}/history`);
    expect(history.text).toContain(JSON.stringify({ container_digests: { [IMAGE]: hex('1') } }).slice(1, -1));
    const { text } = await server.rest('GET', `/api/v1/artifact/crates/${made.id}`);
    expect(text).toContain('1'.repeat(64));
    expect(await told(made)).toEqual([]);
  });

  test('an image that was built here has an id alone; one that is not known any more, became another one during the run, or was not told of before it, has its name', async () => {
    await standIn.hold({
      [BUILT]: held('c'),
      [DUMB]: held('f'),
      [MOVING]: held('d', `quay.io/biocontainers/moving@${hex('4')}`),
    });
    expect(await imagesOf(await make('built'))).toEqual([{ image: BUILT, digest: null, image_id: hex('c') }]);
    const moving = await make('moving');
    expect(await imagesOf(moving)).toEqual([{ image: MOVING, digest: null, image_id: null }]);
    const staleness = await server.rest('GET', `/api/v1/artifact/staleness/${moving.id}`);
    expect(staleness.body).toEqual({
      is_stale: false,
      is_complete: true,
      reasons: [],
      not_known: [`image ${MOVING}: its content was not recorded, since the engine does not tell it`],
    });
    expect(await imagesOf(await make('dumb'))).toEqual([{ image: DUMB, digest: null, image_id: null }]);
    expect(await imagesOf(await make('greet', 'unknown'))).toEqual([
      { image: IMAGE, digest: null, image_id: null },
    ]);
  });

  test('what ran in an image is stale when a run finds another one of the name, is made anew, and was not stale before', async () => {
    await standIn.hold(A);
    const [first, second] = [await make('greet', 'one'), await make('greet', 'two')];
    expect(await listed()).not.toContain(first.id);
    const { timestamp: then } = (
      await server.database.pool.query<{ timestamp: string }>(
        `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS timestamp`,
      )
    ).rows[0] ?? { timestamp: '' };
    await standIn.hold(B);
    const third = await make('greet', 'three');
    expect(await told(first)).toEqual([expect.objectContaining(changed)]);
    expect(await told(third)).toEqual([]);
    expect(await told(first, `?as_of=${then}`)).toEqual([]);
    expect(await listed()).toEqual(expect.arrayContaining([first.id, second.id]));
    expect(await listed()).not.toContain(third.id);
    const { body } = await server.rest(
      'GET',
      `/api/v1/artifact/productions/${first.production}/diff?to=${third.production}`,
    );
    expect(body.differences).toContainEqual({
      path: ['images', IMAGE],
      kind: 'CHANGED',
      before: hex('1'),
      after: hex('2'),
    });

    const again = await make('greet', 'one', { reuse: 'fresh' });
    expect([again.id, again.production === first.production]).toEqual([first.id, false]);
    expect(await told(again)).toEqual([]);
    expect(await listed()).not.toContain(again.id);
  });

  test('it is noticed without a run, taken back with the tag, and unknown without the image', async () => {
    await standIn.hold(A);
    await machine().look();
    const made = await make('greet', 'looked');
    for (const [images, isStale] of [
      [B, true],
      [A, false],
      [B, true],
      [{}, false],
      [{ [IMAGE]: { ...A[IMAGE], Id: hex('e') } }, false], // the same digest: another way to store it
      [B, true],
    ] as const) {
      await standIn.hold(images);
      await machine().look();
      expect((await told(made)).length, JSON.stringify(images)).toBe(isStale ? 1 : 0);
      expect((await listed()).includes(made.id), JSON.stringify(images)).toBe(isStale);
    }
  });

  test('it is not stale while any machine has the image as it was, and machines that look no more are forgotten', async () => {
    await standIn.hold(A);
    await machine().look();
    const made = await make('greet', 'fleet');
    const other = machine('other');
    await other.note([{ image: IMAGE, digest: hex('1'), imageId: hex('a') }]);
    await standIn.hold(B);
    await machine().look();
    expect(await told(made)).toEqual([]);
    await server.database.pool.query(
      `UPDATE artifact.image_now SET looked_at = looked_at - interval '2 days' WHERE machine = 'other'`,
    );
    await machine('third').look();
    expect(await told(made)).toEqual([expect.objectContaining(changed)]);
    expect(await listed()).toContain(made.id);
  });

  test('a machine without the image makes nothing due, and names that none has had for a day are forgotten, also where no engine is asked', async () => {
    await standIn.hold(A);
    await machine().look();
    const made = await make('greet', 'forgotten');
    await listed();
    await standIn.hold({});
    await machine('empty').look();
    const { pool } = server.database;
    const due = async (): Promise<readonly unknown[]> =>
      (await pool.query(`SELECT id FROM artifact.staleness_due WHERE kind = 'production'`)).rows;
    expect(await due()).toEqual([]);
    const kept = async (): Promise<readonly unknown[]> =>
      (await pool.query('SELECT machine FROM artifact.image_now WHERE image = $1', [IMAGE])).rows;
    expect(await kept()).toContainEqual({ machine: 'empty' });
    await pool.query(
      `UPDATE artifact.image_now SET looked_at = looked_at - interval '2 days' WHERE machine <> 'empty' OR image = $1`,
      [IMAGE],
    );
    await new ImageFollower({
      db: pool,
      transact: (work) => inTransaction(pool, work),
      runner: {},
      log: pino({ level: 'silent' }),
    }).look();
    expect(await kept()).toEqual([]);
    expect(await due()).toContainEqual({ id: made.production });
  });

  test('many names are one question, also where the engine does not say which of them it has not', async () => {
    const { pool } = server.database;
    const names = [BUILT, `${BUILT}-also`, IMAGE, MOVING];
    await machine('asks').note(names.map((image) => ({ image, digest: null, imageId: hex('9') })));
    const calls = async (): Promise<number> =>
      (await standIn.told()).filter(([verb, second]) => verb === 'image' && second === 'inspect').length;
    for (const [images, isOne] of [
      [{ ...A, [`${BUILT}-also`]: held('c') }, true],
      [{ ...A, [`${BUILT}-also`]: held('c'), terse: held('0') }, false],
    ] as const) {
      await standIn.hold(images);
      const before = await calls();
      await machine('asks').look();
      expect((await calls()) - before === 1).toBe(isOne);
      const { rows } = await pool.query(
        `SELECT image, image_id FROM artifact.image_now WHERE machine = 'asks' AND image = ANY($1) ORDER BY image`,
        [names],
      );
      expect(rows).toEqual([
        { image: BUILT, image_id: null },
        { image: `${BUILT}-also`, image_id: hex('c') },
        { image: IMAGE, image_id: hex('a') },
        { image: MOVING, image_id: null },
      ]);
    }
    await pool.query(`DELETE FROM artifact.image_now WHERE machine = 'asks'`);
  });

  test('an engine that does not answer holds neither lists nor the end of the process up', async () => {
    await machine('waits').note([{ image: IMAGE, digest: hex('1'), imageId: hex('a') }]);
    await standIn.hold({ slow: held('0') });
    const follower = machine('waits');
    const began = performance.now();
    follower.begin();
    await follower.lookBriefly();
    await follower.close();
    expect(performance.now() - began).toBeLessThan(10_000);
    await server.database.pool.query(`DELETE FROM artifact.image_now WHERE machine = 'waits'`);
  });

  test('machines that look at the same time leave what each of them has', async () => {
    await standIn.hold(A);
    await machine().look();
    const made = await make('greet', 'at once');
    for (const images of [B, A, B]) {
      await standIn.hold(images);
      await Promise.all(
        ['third', undefined, 'fourth', 'fifth', undefined].map((name) => machine(name).look()),
      );
      expect((await listed()).includes(made.id)).toBe(images === B);
    }
  });
});
