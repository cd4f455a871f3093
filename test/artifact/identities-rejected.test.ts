// Identities after rejected writes, and over several processes.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { freshDatabase } from '../testkit/database.ts';
import { startProcess } from '../testkit/server-process.ts';
import { addRule, addSchema, canRun, GREETING, produce, shell } from './production-testkit.ts';
import { field } from './schema-field.ts';
import { base64 } from './registration-testkit.ts';
import { LETTERS, server, setUp } from './identities-testkit.ts';

setUp();

test.skipIf(!canRun)(
  'a write that metadata rejects leaves entities, files and identities unchanged',
  async () => {
    const OUT =
      "uri: {type: File, outputBinding: {glob: out.txt}}\nsample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}\nmood: {type: string, outputBinding: {outputEval: '$(inputs.mood)'}}";
    await addSchema(server, {
      ...GREETING,
      name: 'Strict',
      rules: [{ rule_id: 'glad', expression: 'data.mood != "sad"', message: 'not sad' }],
    });
    await addRule(
      server,
      'strict',
      shell('echo $(inputs.mood) > out.txt', 'sample: string\nmood: {type: string, default: glad}', OUT),
      { produces: { entity_type: 'Strict', match: { sample: '{sample}' } } },
    );
    const strict = (parameters: Record<string, unknown>, sample = 's') =>
      produce(server, { entity_type: 'Strict', criteria: { sample }, parameters });
    const {
      body: { entity },
    } = await strict({});
    expect((await strict({ mood: 'sad' })).body).toMatchObject({
      status: 'failed',
      error: { code: 'ingestion_error', message: expect.stringContaining('not sad') },
    });
    expect((await strict({ mood: 'sad' }, 'never')).body).toMatchObject({ status: 'failed' });
    const { rows } = await server.database.pool.query(
      `SELECT entity_id, hash FROM artifact.artifact_entity WHERE entity_type = 'Strict'`,
    );
    expect(rows).toEqual([{ entity_id: entity.id, hash: `sha256:${entity.uri.slice(-64)}` }]);
    expect(
      (
        await server.database.pool.query(
          `SELECT entity_id FROM artifact.entity_identity WHERE entity_type = 'Strict'`,
        )
      ).rows,
    ).toEqual([{ entity_id: entity.id }]);
    expect((await strict({})).body).toMatchObject({
      decision: 'reuse',
      entity: { id: entity.id, version: 1 },
    });
  },
);

test.skipIf(!canRun)('in several processes at once, one identity is one entity', async () => {
  const database = await freshDatabase();
  const dataDirs = await Promise.all([0, 1, 2].map(() => mkdtemp(path.join(os.tmpdir(), 'cairn-identity-'))));
  const servers: Awaited<ReturnType<typeof startProcess>>[] = [];
  try {
    for (const dataDir of dataDirs) {
      // the first start has made it
      if (servers[0] !== undefined) await writeFile(path.join(dataDir, 'admin-key'), servers[0].key);
      servers.push(await startProcess({ dataDir, env: { DATABASE_URL: database.url } }));
    }
    const [one] = servers;
    const key = one?.key ?? '';
    const api = async (
      at: number,
      method: string,
      to: string,
      body?: unknown,
    ): Promise<ReturnType<typeof JSON.parse>> => {
      const response = await fetch(`${servers[at % servers.length]?.url}/api/v1${to}`, {
        method,
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return response.json();
    };
    await api(0, 'POST', '/metadata/schemas', {
      name: 'Letter',
      version: '1',
      fields: [field('key', 'string'), field('word', 'string')],
    });
    await api(0, 'POST', '/artifact/rules', {
      name: 'letters',
      produces: {
        entity_type: 'Letter',
        from_output: 'items',
        array_mode: 'one_per_item',
        match: { key: '{key}' },
      },
      execute: { cwl_content: base64(LETTERS) },
    });
    const words = ['abcdef', 'fedcba', 'acebdf', 'bdface', 'cfaebd', 'dabfec'];
    const productions = await Promise.all(
      words.map(
        async (word, i) =>
          (
            await api(i, 'POST', '/artifact/produce', {
              entity_type: 'Letter',
              criteria: { key: word[0] },
              parameters: { word },
            })
          ).production_id as string,
      ),
    );
    for (const [i, id] of productions.entries())
      await expect
        .poll(async () => (await api(i, 'GET', `/artifact/productions/${id}`)).status, {
          timeout: 150_000,
          interval: 300,
        })
        .toBe('completed');
    const {
      data: { items },
    } = await api(0, 'GET', '/metadata/entities?entity_type=Letter&include_unavailable=true');
    expect(items.map((item: { data: { key: string } }) => item.data.key).sort()).toEqual([
      'a',
      'b',
      'c',
      'd',
      'e',
      'f',
    ]);
    for (const one of servers) expect(await one.end('SIGTERM')).toBe(0);
  } finally {
    for (const one of servers) await one.end('SIGKILL');
    await database.close();
    for (const dataDir of dataDirs) await rm(dataDir, { recursive: true, force: true });
  }
});
