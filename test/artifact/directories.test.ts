// docs/reference/artifact.md#directories, docs/reference/artifact.md#outputs: directories are produced,
// stored, reused, evicted and passed on; secondary files stay with their file.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { packDirectory } from '../../subgraphs/artifact/storage/pack-directory.ts';
import { addRule, canRun, produce, shell } from './production-testkit.ts';
import {
  files,
  ingest,
  list,
  MAKE,
  ROOT,
  SAMPLE,
  served,
  server,
  setUp,
  textOf,
} from './directories-testkit.ts';

const LISTED = (sample: string): string =>
  `made\n.\n./name\n./none\n./sub\n./sub/deep\n./sub/deep/er\n./sub/link\n${sample}\nmore\n`;

setUp();

test.skipIf(!canRun)(
  'a directory is stored under its hash, reused, and passed to the next workflow',
  async () => {
    const first = await produce(server, { entity_type: 'Folder', criteria: { sample: 's' } });
    expect(first.body, JSON.stringify(first.body)).toMatchObject({
      status: 'completed',
      entity: { fields: { file_name: 'made.tar', sha256: first.body.entity.uri.slice(-64) } },
    });
    const {
      body: {
        data: { entity },
      },
    } = await server.graphql(
      'query($id: ID!) { entity(id: $id) { artifacts { hash mediaType field name } } }',
      { id: first.body.entity.id },
    );
    expect(entity.artifacts).toEqual([
      {
        hash: `sha256:${first.body.entity.uri.slice(-64)}`,
        mediaType: 'application/x-tar',
        field: 'uri',
        name: 'made.tar',
      },
    ]);
    expect((await produce(server, { entity_type: 'Folder', criteria: { sample: 's' } })).body).toMatchObject({
      decision: 'reuse',
      production_id: null,
      entity: { id: first.body.entity.id },
    });

    const listed = await list('s');
    expect(listed.body, JSON.stringify(listed.body)).toMatchObject({ status: 'completed' });
    expect(await textOf(listed.body.entity.uri)).toBe(LISTED('s'));
    expect((await server.rest('GET', '/api/v1/metadata/entities?entity_type=Folder')).body.data.total).toBe(
      1,
    );

    // evicted, it is produced again: the same content, whatever the time
    await server.rest('DELETE', `/api/v1/artifact/cache/sha256:${first.body.entity.uri.slice(-64)}`);
    expect(
      (await produce(server, { entity_type: 'Folder', criteria: { sample: 's' } })).body.entity,
    ).toMatchObject({ uri: first.body.entity.uri });
    expect(await server.rest('GET', `/api/v1/artifact/crates/${listed.body.entity.id}`)).toMatchObject({
      status: 200,
      text: expect.stringContaining('made.tar'),
    });
  },
);

test.skipIf(!canRun)('a list of directories is a field of many', async () => {
  await addRule(
    server,
    'parts',
    shell(
      'mkdir a b; echo 1 > a/x; echo 2 > b/x',
      'sample: string',
      `parts: {type: 'Directory[]', outputBinding: {glob: [a, b]}}\n${SAMPLE}`,
    ),
    { produces: { entity_type: 'Folders', match: { sample: '{sample}' } } },
  );
  const { body } = await produce(server, { entity_type: 'Folders', criteria: { sample: 's' } });
  expect(body.entity?.fields.parts, JSON.stringify(body)).toHaveLength(2);
});

test.skipIf(!canRun)(
  'directories that were not made here: archives from elsewhere, and directories of this machine where they are allowed',
  async () => {
    const archive = path.join(ROOT, 'open', 'ref.tar');
    await packDirectory(
      path.join(ROOT, 'open', 'ref'),
      archive,
      { bytes: 1e6, entries: 100 },
      new AbortController().signal,
    );
    served['/far/ref.tar'] = await readFile(archive, 'latin1'); // plain letters
    for (const [sample, uri] of [
      ['tar', pathToFileURL(archive).href],
      ['place', pathToFileURL(path.join(ROOT, 'open', 'ref')).href],
      ['slash', `${pathToFileURL(path.join(ROOT, 'open', 'ref')).href}/`],
      ['http', files.url('/far/ref.tar')],
    ] as const) {
      await ingest('Folder', { sample, uri });
      const { body } = await list(sample);
      expect(body.status, JSON.stringify(body)).toBe('completed');
      expect(await textOf(body.entity.uri), sample).toBe('ref\n.\n./a\n./a/genome.fa\n>chr1\n');
    }
    const named = await list('named', { folder: pathToFileURL(path.join(ROOT, 'open', 'ref')).href });
    expect(named.body.status, JSON.stringify(named.body)).toBe('completed');
  },
);

test.skipIf(!canRun)(
  'inputs that are no directory, exceed the limits, leave the directory or are not allowed are refused',
  async () => {
    served['/not.tar'] = 'hello'.repeat(1000);
    await mkdir(path.join(ROOT, 'open', 'many'));
    await Promise.all(
      Array.from({ length: 150 }, (_, i) => writeFile(path.join(ROOT, 'open', 'many', String(i)), '')),
    );
    for (const [folder, reason] of [
      [files.url('/not.tar'), 'is not a tar archive'],
      [pathToFileURL(path.join(ROOT, 'open', 'leaky')).href, 'leads outside of it'],
      [pathToFileURL(path.join(ROOT, 'open', 'many')).href, 'more than 100 files'],
      ['file:///etc', 'artifact.allow_sources'],
      [pathToFileURL(ROOT).href, 'artifact.allow_sources'],
    ])
      expect((await list('bad', { folder })).body, folder).toMatchObject({
        status: 'failed',
        error: { code: 'source_unavailable', message: expect.stringContaining(reason ?? '') },
      });
    for (const folder of [
      { class: 'Directory', path: '/etc' },
      { class: 'Directory', listing: [{ class: 'File', path: '/etc/passwd' }] },
    ]) {
      expect((await list('bad', { folder })).body, JSON.stringify(folder)).toMatchObject({
        status: 'failed',
        error: { code: 'unsupported' },
      });
    }
  },
);

test.skipIf(!canRun)(
  'a directory with a link that leads out of it is refused as an output, and nothing of it is stored',
  async () => {
    const before = (await server.database.pool.query('SELECT hash FROM artifact.stored_object')).rowCount;
    const leak = MAKE.replace('ln -s ../name made/sub/link', 'ln -s /etc made/sub/link');
    await addRule(server, 'leak', leak, {
      produces: { entity_type: 'Folder', match: { sample: '{sample}' } },
      scope: 'user:admin',
    });
    const { body } = await produce(server, {
      entity_type: 'Folder',
      criteria: { sample: 'leak' },
      rule: 'leak',
    });
    expect(body).toMatchObject({
      status: 'failed',
      error: { code: expect.stringMatching(/^(output_invalid|workflow_failed)$/) },
    }); // cwltool itself may refuse it
    expect((await server.database.pool.query('SELECT hash FROM artifact.stored_object')).rowCount).toBe(
      before,
    );
    await server.rest('PATCH', '/api/v1/artifact/rules/leak', {
      body: { status: 'deprecated', deprecation_note: 'it leaks' },
    });
  },
);
