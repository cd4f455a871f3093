// Files beside files, of this store, of a request and of a service elsewhere.
import { expect, test } from 'vitest';
import { startServer } from '../testkit/server.ts';
import { addRule, canRun, produce, shell } from './production-testkit.ts';
import { startWes } from './wes-server.ts';
import {
  files,
  ingest,
  list,
  SAMPLE,
  served,
  server,
  setUp,
  textOf,
  withTypes,
} from './directories-testkit.ts';

const FORMAT = 'http://edamontology.org/format_2572';

setUp();

/** Creates an alignment with its index, and a directory, beside it. */
const ALIGN = shell(
  'echo reads > a.bam; echo index > a.bam.bai; mkdir a.parts; echo part > a.parts/1',
  'sample: string',
  `uri: {type: File, format: "${FORMAT}", secondaryFiles: [.bai, ^.parts], outputBinding: {glob: a.bam}}\n${SAMPLE}`,
);

/** Requires the index, and the format. */
const DEPTH = shell(
  'cat $(inputs.bam.path) $(inputs.bam.path).bai > out.txt',
  `bam: {type: File, format: "${FORMAT}", secondaryFiles: [.bai, {pattern: .csi, required: false}]}\nsample: string`,
  `uri: {type: File, outputBinding: {glob: out.txt}}\n${SAMPLE}`,
);

test.skipIf(!canRun)(
  'secondary files are stored, shown and passed on with their file, and so is its format',
  async () => {
    await addRule(server, 'align', ALIGN, {
      produces: { entity_type: 'Bam', match: { sample: '{sample}' } },
    });
    await addRule(server, 'depth', DEPTH, {
      produces: { entity_type: 'Depth', match: { sample: '{sample}' } },
      requires: [{ ref: 'Bam' }],
    });
    const bam = await produce(server, { entity_type: 'Bam', criteria: { sample: 's' } });
    expect(bam.body, JSON.stringify(bam.body)).toMatchObject({
      status: 'completed',
      entity: { fields: { file_name: 'a.bam', format: FORMAT } },
    });
    const {
      body: {
        data: { entity },
      },
    } = await server.graphql('query($id: ID!) { entity(id: $id) { artifacts { field name mediaType } } }', {
      id: bam.body.entity.id,
    });
    expect(entity.artifacts).toEqual([
      { field: 'uri', name: 'a.bam', mediaType: null },
      { field: 'uri/a.bam.bai', name: 'a.bam.bai', mediaType: null },
      { field: 'uri/a.parts', name: 'a.parts.tar', mediaType: 'application/x-tar' },
    ]);
    const { text } = await server.rest('GET', `/api/v1/metadata/entities/${bam.body.entity.id}/history`);
    expect(text).toContain('uri/a.bam.bai');
    const depth = await produce(server, { entity_type: 'Depth', criteria: { sample: 's' } });
    expect(depth.body, JSON.stringify(depth.body)).toMatchObject({ status: 'completed' });
    expect(await textOf(depth.body.entity.uri)).toBe('reads\nindex\n');
  },
);

test.skipIf(!canRun)(
  'secondary files of a remote input are fetched with it; if one is missing nothing runs',
  async () => {
    Object.assign(served, {
      '/far/b.bam?key=1': 'far\n',
      '/far/b.bam.bai?key=1': 'its index\n',
      '/far/c.bam': 'alone\n',
    });
    await ingest('Bam', { sample: 'far', uri: files.url('/far/b.bam?key=1') });
    await ingest('Bam', { sample: 'alone', uri: files.url('/far/c.bam') });
    const depth = await produce(server, { entity_type: 'Depth', criteria: { sample: 'far' } });
    expect(depth.body, JSON.stringify(depth.body)).toMatchObject({ status: 'completed' });
    expect(await textOf(depth.body.entity.uri)).toBe('far\nits index\n');
    expect(
      (await produce(server, { entity_type: 'Depth', criteria: { sample: 'alone' } })).body,
    ).toMatchObject({
      status: 'failed',
      error: { code: 'source_unavailable', message: expect.stringContaining('c.bam.bai') },
    });
    files.seen.length = 0; // stored, they are not fetched again
    await server.rest('PUT', `/api/v1/artifact/reuse/${depth.body.entity.id}`, {
      body: { reusable: false, reason: 'again' },
    });
    expect((await produce(server, { entity_type: 'Depth', criteria: { sample: 'far' } })).body).toMatchObject(
      { status: 'completed' },
    );
    expect(files.seen.filter((to) => !to.includes('.csi'))).toEqual([]);
  },
);

test.skipIf(!canRun)(
  'a request cannot pass a file of the store off as its own, nor claim it for an entity',
  async () => {
    const {
      body: { entity: secret },
    } = await produce(server, { entity_type: 'Folder', criteria: { sample: 'secret' } });
    const claimed = { id: secret.id, entityType: 'Folder' };
    expect(
      (await list('thief', { folder: { class: 'Directory', location: secret.uri, entity: claimed } })).body,
    ).toMatchObject({ status: 'failed', error: { code: 'source_unavailable' } });
    served['/mine.tar'] = 'x';
    await list('thief', {
      folder: { class: 'Directory', location: files.url('/mine.tar'), entity: claimed },
    });
    const { rows } = await server.database.pool.query(
      'SELECT hash, source FROM artifact.artifact_entity WHERE entity_id = $1',
      [secret.id],
    );
    expect(rows).toEqual([{ hash: `sha256:${secret.uri.slice(-64)}`, source: null }]);
  },
);

test.skipIf(!canRun)(
  'a remote service gets directories as inputs, and its output directories are fetched',
  async () => {
    await using wes = await startWes();
    await using far = await withTypes(
      await startServer({
        config: `artifact: {runner: {type: wes, url: "${wes.url}", token_env: WES_TOKEN, poll_seconds: 1}}\n`,
        env: { WES_TOKEN: wes.token },
      }),
    );
    const listed = await produce(far, { entity_type: 'Listing', criteria: { sample: 's' } });
    expect(listed.body, JSON.stringify(listed.body)).toMatchObject({ status: 'completed' });
    expect(await textOf(listed.body.entity.uri, far)).toMatch(
      /^made\n\.\n\.\/name\n\.\/none\n\.\/sub\n\.\/sub\/deep\n\.\/sub\/deep\/er\n\.\/sub\/link\n/,
    );
    expect(wes.faults).toEqual([]);
  },
);
