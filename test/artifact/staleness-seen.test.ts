// docs/reference/artifact.md#staleness: what callers are told of what they may not see, and what others may read of it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PlanNode, recorded } from '../../subgraphs/artifact/planning/plan.ts';
import { canRun, ended } from './production-testkit.ts';
import { type Greeter, startGreeter } from './staleness-testkit.ts';

describe.skipIf(!canRun)('staleness', () => {
  let greeter: Greeter;
  beforeAll(async () => {
    greeter = await startGreeter();
  });
  afterAll(() => greeter.server[Symbol.asyncDispose]());

  test('tells nothing of a required entity that the caller may not see', async () => {
    const { server, write, make, told } = greeter;
    await write('moved', { reads: 'a', project: 'alpha' });
    const greeting = await make('Greeting', 'moved');
    const echo = await make('Echo', 'moved');
    const viewer = await server.newKey({ role: 'viewer', project: 'alpha' });
    const fresh = { is_stale: false, is_complete: true, reasons: [], not_known: [] };
    expect([await told(greeting, viewer), await told(echo, viewer)]).toEqual([fresh, fresh]);
    const hidden = { is_stale: false, is_complete: false, reasons: [], not_known: [] };
    for (const reads of ['a', 'b']) {
      await write('moved', { reads, project: 'beta' });
      expect([await told(greeting, viewer), await told(echo, viewer)]).toEqual([hidden, hidden]);
    }
    expect(await told(echo)).toMatchObject({ is_stale: true, reasons: [{ entity_id: 'moved' }] });
    const withdrawn = await server.rest('POST', '/api/v1/metadata/entities/moved/availability', {
      body: { is_available: false },
    });
    expect(withdrawn.status).toBe(200);
    expect([await told(greeting, viewer), await told(echo, viewer)]).toEqual([hidden, hidden]);
  });

  test('was, as of a time, for whoever saw it then', async () => {
    const { server, write, make } = greeter;
    const now = async (): Promise<string> =>
      (await server.graphql('{ basis { time } }')).body.data.basis.time;
    await write('then', { reads: 'a', project: 'alpha' });
    const greeting = await make('Greeting', 'then');
    const fresh = await now();
    await write('then', { reads: 'b', project: 'alpha' });
    const stale = await now();
    await write('then', { reads: 'b', project: 'beta' });
    const moved = await now();
    const keys = await Promise.all(
      ['alpha', 'beta'].map((project) => server.newKey({ role: 'viewer', project })),
    );
    const listed = async (key: string, time: string): Promise<boolean> => {
      const { body } = await server.rest('GET', `/api/v1/artifact/staleness?as_of=${time}`, { key });
      return body.items.some(({ entity_id: id }: { entity_id: string }) => id === greeting);
    };
    for (const [time, seen] of [
      [fresh, [false, false, false]],
      [stale, [true, true, false]],
      [moved, [true, false, false]],
    ] as const)
      expect(await Promise.all([server.key, ...keys].map((key) => listed(key, time)))).toEqual(seen);
  });

  test('is told in plans to who asks, and not recorded', async () => {
    const { server, write, make } = greeter;
    await write('noted', { reads: 'a', project: 'alpha' });
    await make('Greeting', 'noted');
    await write('noted', { reads: 'b', project: 'alpha' });
    const { body } = await server.rest('POST', '/api/v1/artifact/produce', {
      body: { entity_type: 'Greeting', criteria: { sample: 'noted' }, reuse: 'fresh' },
    });
    expect(body.plan.stale_reasons).toEqual(['Sample noted v1 -> v2: reads changed, bound as input reads']);
    expect(body.plan.reason).toContain('matches but is stale');
    const { plan } = await ended(server, body.production_id);
    expect(JSON.stringify(plan)).toContain('matches but is stale');
    expect(JSON.stringify(plan)).not.toContain('v1 -> v2');
  });
});

test('recorded plans have no reasons of staleness at any depth, nor the parameters of what is stale', () => {
  const node = (requires: readonly PlanNode[]): PlanNode => ({
    entity_type: 'T',
    criteria: {},
    decision: 'build',
    entity_id: null,
    rule: 'r@1',
    cwl_hash: null,
    workflow_hash: null,
    bindings: {},
    reason: 'e matches but is stale; r@1 produces it',
    stale_reasons: ['Sample s v1 -> v2'],
    parameters: { mood: 'glad' },
    projects: [],
    rules_considered: [],
    requires,
    repeated: false,
  });
  const kept = recorded(node([node([node([])])]));
  expect(JSON.stringify(kept)).not.toMatch(/stale_reasons|glad/);
  expect(kept.requires[0]?.requires[0]?.reason).toContain('is stale');
});
