// docs/reference/artifact.md#producing, docs/reference/artifact.md#productions,
// docs/reference/artifact.md#eviction: reuse, build, deduplication, failures, eviction.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  addRule,
  addSchema,
  canRun,
  ended,
  GREET,
  GREETING,
  produce,
  shell,
  startProducer,
  storedFile,
} from './production-testkit.ts';
import { MATCH, greeting, server, entity, setUp } from './produce-testkit.ts';

setUp();

/** docs/reference/metadata.md#why: from the file back to the request, and forward again. */
async function expectChain(request: string, production: string, id: string, digest: string): Promise<void> {
  const chain = async (subject: string, direction: string): Promise<readonly string[]> => {
    const { body } = await server.rest(
      'GET',
      `/api/v1/gateway/why?${new URLSearchParams({ subject, direction }).toString()}`,
    );
    const { nodes, links } = body as { nodes: { key: string }[]; links: { cause: string; effect: string }[] };
    const known = new Set(nodes.map(({ key }) => key));
    expect(links.every(({ cause, effect }) => known.has(cause) && known.has(effect))).toBe(true);
    return [...known];
  };
  const made = [`production:${production}`, `request:${request}`, 'rule:greet@1'];
  const file = `file:sha256:${digest}`;
  const back = await chain(file, 'backward');
  expect(back).toEqual(expect.arrayContaining([file, ...made]));
  // and the plan, the rule's document, and the request that registered it
  const others = back.filter((key) => ![file, ...made].includes(key)).map((key) => key.split(':')[0]);
  expect(others.toSorted()).toEqual(['document', 'plan', 'request']);
  for (const subject of back.filter((key) => /^(?:document|plan|request):/.test(key)))
    expect(await chain(subject, 'forward')).toEqual(
      expect.arrayContaining([`production:${production}`, `version:1:${id}`, file]),
    );
  expect(await chain(`version:1:${id}`, 'backward')).toEqual(expect.arrayContaining(made));
  for (const subject of [`request:${request}`, 'rule:greet@1'])
    expect(await chain(subject, 'forward')).toEqual(
      expect.arrayContaining([`production:${production}`, `version:1:${id}`, file]),
    );
}

test.skipIf(!canRun)(
  'a missing entity is built, stored under its hash and written with provenance; a second request reuses it',
  async () => {
    const first = await server.rest('POST', '/api/v1/artifact/produce', { body: greeting('s1') });
    expect(first).toMatchObject({
      status: 202,
      body: {
        status: expect.stringMatching(/^(queued|running)$/),
        poll_url: `/api/v1/artifact/productions/${first.body.production_id}`,
        decision: 'build',
        rule: 'greet@1',
      },
    });
    const production = await ended(server, first.body.production_id);
    expect(production, JSON.stringify(production)).toMatchObject({
      status: 'completed',
      error: null,
      rule: 'greet@1',
      runner: expect.stringMatching(/^cwltool /),
      requested_by: 'user:admin',
      inputs: { sample: 's1' },
    });
    const [id] = production.entity_ids;
    const made = await entity(id);
    const file = storedFile(server, made.data.uri);
    expect(await readFile(file, 'utf8')).toBe('hello s1\n');
    expect(made.data).toMatchObject({ sample: 's1', mood: 'plain', size: 9, sha256: path.basename(file) });
    const { body: history } = await server.rest('GET', `/api/v1/metadata/entities/${id}/history`);
    expect(history.data.items?.[0] ?? history.data[0]).toMatchObject({
      event_type: 'EntityCreated',
      actor: 'service:artifact',
      context: {
        production: production.production_id,
        rule: 'greet@1',
        cwl_hash: expect.stringMatching(/^sha256:/),
        runner: production.runner,
        inputs: { sample: 's1' },
        requested_by: 'user:admin',
      },
    });

    await expectChain(
      first.headers.get('x-request-id') ?? '',
      production.production_id,
      id,
      path.basename(file),
    );

    const again = await server.rest('POST', '/api/v1/artifact/produce', { body: greeting('s1') });
    expect(again).toMatchObject({
      status: 200,
      body: {
        status: 'completed',
        decision: 'reuse',
        production_id: null,
        entity: { id },
        uri: made.data.uri,
        plan: { reason: expect.stringContaining('is stored, available and matches') },
      },
    });
    const graph = await server.graphql(
      'query($id: ID!) { entity(id: $id) { producedBy { id rule } artifacts { hash size } } }',
      { id },
    );
    expect(graph.body.data.entity).toMatchObject({
      producedBy: { id: production.production_id, rule: 'greet@1' },
      artifacts: [{ hash: `sha256:${path.basename(file)}`, size: 9 }],
    });
  },
);

test.skipIf(!canRun)(
  'fifty equal concurrent requests are one production, and each gets its result',
  async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        server.rest('POST', '/api/v1/artifact/produce', { body: greeting('fifty') }),
      ),
    );
    const given = await Promise.all(
      answers.map(async ({ status, body }) =>
        status === 202 ? (await ended(server, body.production_id)).entity_ids[0] : body.entity.id,
      ),
    ); // late requests find the result
    expect(new Set(given).size).toBe(1);
    expect(
      (await server.rest('GET', '/api/v1/metadata/entities?entity_type=Greeting&sample=fifty')).body.data
        .items,
    ).toMatchObject([{ id: given[0] }]);
    const { rows } = await server.database.pool.query(
      `SELECT count(*) FILTER (WHERE runner IS NOT NULL)::int AS built FROM artifact.production WHERE criteria @> '{"sample": "fifty"}'`,
    );
    expect(rows).toEqual([{ built: 1 }]);
  },
);

test.skipIf(!canRun)(
  'Prefer: wait answers with the entity when it is made in time; when not, with the production',
  async () => {
    const { status, body } = await server.rest('POST', '/api/v1/artifact/produce', {
      body: greeting('waited'),
      headers: { prefer: 'respond-async, wait=20' },
    });
    if (status === 202) {
      // a slow machine
      expect(body).toMatchObject({ status: expect.stringMatching(/^(queued|running)$/), entity: null });
      expect((await ended(server, body.production_id)).status).toBe('completed');
    } else
      expect({ status, body }).toMatchObject({
        status: 200,
        body: {
          status: 'completed',
          decision: 'reuse',
          entity: { fields: { sample: 'waited' } },
          production_id: expect.any(String),
        },
      });
  },
);

test.skipIf(!canRun)(
  'parameters are inputs of the workflow; a result that was made with others is not reused, and the plan says so',
  async () => {
    const first = await produce(server, greeting('param', { parameters: { mood: 'glad' } }));
    expect(first.body.entity?.fields).toMatchObject({ mood: 'glad' });
    expect((await produce(server, greeting('param', { parameters: { mood: 'glad' } }))).body).toMatchObject({
      decision: 'reuse',
      production_id: null,
    });
    const other = await server.rest('POST', '/api/v1/artifact/produce', {
      body: greeting('param', { parameters: { mood: 'sad' } }),
    });
    expect(other.body.plan.reason).toContain(
      `${first.body.entity.id} matches but was made with mood = "glad", not "sad"`,
    );
    expect((await ended(server, other.body.production_id)).status).toBe('completed');
    expect(
      await server.rest('POST', '/api/v1/artifact/produce', {
        body: greeting('param', { parameters: { colour: 'red' } }),
      }),
    ).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('greet@1 has no input colour') },
    });
  },
);

test.skipIf(!canRun)('a failure is reported and not cached: the next request starts again', async () => {
  await addSchema(server, { ...GREETING, name: 'Broken' });
  await addRule(
    server,
    'broken',
    shell(
      'echo why >&2; exit 3',
      'sample: string',
      'uri: {type: File, outputBinding: {glob: a}}\nsample: string',
    ),
    { produces: { entity_type: 'Broken', match: { sample: '{sample}' } } },
  );
  const body = { entity_type: 'Broken', criteria: { sample: 'x' } };
  const first = await produce(server, body);
  expect(first.body).toMatchObject({
    status: 'failed',
    error: { code: 'workflow_failed' },
    entity_ids: [],
    log: expect.stringContaining('why'),
  });
  const second = await produce(server, body);
  expect(second.body).toMatchObject({ status: 'failed' });
  expect(second.body.production_id).not.toBe(first.body.production_id);
});

test.skipIf(!canRun)(
  'a container image that is no longer allowed, or a limit that is lower now, is refused when it is to run',
  async () => {
    await using strict = await startProducer('artifact: {allowed_images: ["quay.io/*"]}');
    await addSchema(strict, GREETING);
    await addRule(strict, 'greet', GREET, MATCH);
    const failureWith = async (demands: string, sample: string): Promise<unknown> => {
      await strict.database.pool.query(
        `UPDATE artifact.workflow SET parsed = jsonb_set(parsed::jsonb, '{demands}', parsed::jsonb->'demands' || $1::jsonb)`,
        [demands], // as if it had been registered under another configuration
      );
      return (await produce(strict, greeting(sample))).body.error;
    };
    expect(await failureWith('{"images": ["docker.io/library/alpine"]}', 'a')).toMatchObject({
      code: 'image_not_allowed',
    });
    expect(await failureWith('{"images": [], "resources": {"coresMin": 4000}}', 'b')).toMatchObject({
      code: 'limit_exceeded',
    });
  },
);

test.skipIf(!canRun)('a required output that is missing is a failure, and nothing is written', async () => {
  await addSchema(server, { ...GREETING, name: 'Lacking' });
  await addRule(
    server,
    'lacking',
    shell(
      'true',
      'sample: string',
      "uri: {type: File, outputBinding: {glob: '*.txt', outputEval: '$(self.length ? self[0] : null)'}}\nsample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}",
    ),
    { produces: { entity_type: 'Lacking', match: { sample: '{sample}' } } },
  );
  expect((await produce(server, { entity_type: 'Lacking', criteria: { sample: 'x' } })).body).toMatchObject({
    status: 'failed',
  });
  expect(
    (await server.rest('GET', '/api/v1/metadata/entities?entity_type=Lacking&include_unavailable=true')).body
      .data.total,
  ).toBe(0);
});

test.skipIf(!canRun)('a production with a plan hash runs that plan and no other', async () => {
  const {
    body: { plan_hash: hash },
  } = await server.rest('GET', '/api/v1/artifact/resolve?entity_type=Greeting&sample=hashed');
  const wrong = await server.rest('POST', '/api/v1/artifact/produce', {
    body: greeting('hashed', { plan_hash: `sha256:${'0'.repeat(64)}` }),
  });
  expect(wrong).toMatchObject({
    status: 409,
    body: {
      error: 'conflict',
      details: { plan_hash: hash, difference: [expect.stringContaining('Greeting is produced by greet@1')] },
    },
  });
  expect((await produce(server, greeting('hashed', { plan_hash: hash }))).body).toMatchObject({
    decision: 'reuse',
  });
});
