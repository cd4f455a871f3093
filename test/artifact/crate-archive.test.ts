// docs/reference/artifact.md#ro-crate: a crate with its files, as a ZIP archive.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  addRule,
  addSchema,
  canRun,
  GREET,
  GREETING,
  produce,
  shell,
  startProducer,
} from './production-testkit.ts';

/** Files of an archive without compression, in its order (APPNOTE.TXT, 4.3). */
function stored(archive: Buffer): Map<string, Buffer> {
  const end = archive.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  const files = new Map<string, Buffer>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const header = archive.readUInt32LE(at + 42);
    const from = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
    expect(archive.readUInt16LE(at + 10)).toBe(0); // not compressed
    files.set(name, archive.subarray(from, from + archive.readUInt32LE(at + 24)));
    at += 46 + nameLength + extra + comment;
  }
  return files;
}

test.skipIf(!canRun)(
  'a crate is an archive with the files that the caller may read, each time the same',
  async () => {
    await using server = await startProducer();
    await addSchema(server, GREETING);
    await addSchema(server, { ...GREETING, name: 'Echo' });
    await addRule(server, 'greet', GREET, {
      produces: { entity_type: 'Greeting', match: { sample: '{sample}' } },
    });
    await addRule(
      server,
      'echo',
      shell(
        '(cat $(inputs.greeting.path); echo again) > out.txt',
        'greeting: File\nsample: string',
        "uri: {type: File, outputBinding: {glob: out.txt}}\nsample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}",
      ),
      { produces: { entity_type: 'Echo', match: { sample: '{sample}' } }, requires: [{ ref: 'Greeting' }] },
    );
    const { body } = await produce(server, { entity_type: 'Echo', criteria: { sample: 's' } });
    const { id, uri } = body.entity as { id: string; uri: string };
    const to = `/api/v1/artifact/crates/${id}/zip`;
    const get = async (): Promise<{ headers: Headers; archive: Buffer }> => {
      const answer = await fetch(server.url + to, { headers: { 'x-api-key': server.key } });
      expect(answer.status).toBe(200);
      return { headers: answer.headers, archive: Buffer.from(await answer.arrayBuffer()) };
    };
    const { headers, archive } = await get();
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(archive.length),
      'content-disposition': expect.stringContaining(`filename="${id}.crate.zip"`),
    });
    const files = stored(archive);
    const names = [...files.keys()];
    expect(names[0]).toBe('ro-crate-metadata.json');
    expect(names.slice(1)).toEqual(names.slice(1).sort());
    const metadata = JSON.parse(files.get('ro-crate-metadata.json')?.toString() ?? '');
    const nodes = new Map(
      (metadata['@graph'] as { '@id': string; sha256?: string; contentUrl?: string }[]).map((node) => [
        node['@id'],
        node,
      ]),
    );
    expect(names.length).toBe(4); // what was given, what was made, and by what
    const main = nodes.get('workflow/workflow.cwl');
    const text = files.get('workflow/workflow.cwl') ?? Buffer.alloc(0);
    expect(main).toMatchObject({ sha256: createHash('sha256').update(text).digest('hex') });
    expect(nodes.get('./')).toMatchObject({ mainEntity: { '@id': 'workflow/workflow.cwl' } });
    for (const name of names.filter((one) => one.startsWith('files/'))) {
      const content = files.get(name) ?? Buffer.alloc(0);
      const hex = createHash('sha256').update(content).digest('hex');
      expect(nodes.get(name)).toMatchObject({ sha256: hex, contentUrl: expect.stringContaining(hex) });
      expect(name.startsWith(`files/${hex.slice(0, 12)}/`)).toBe(true);
    }
    const made = [...nodes.values()].find((node) => node.contentUrl === uri);
    expect(files.get(made?.['@id'] ?? '')?.toString()).toMatch(/again\n$/);
    expect(JSON.stringify(metadata)).not.toContain(`{"@id":"${uri}"}`);
    expect((await get()).archive.equals(archive)).toBe(true);
    const head = await server.rest('HEAD', to);
    expect([head.status, head.headers.get('content-length'), head.text]).toEqual([
      200,
      String(archive.length),
      '',
    ]);
    // an evicted file stays an address
    await server.rest('DELETE', `/api/v1/artifact/cache/sha256:${uri.slice(-64)}`);
    const less = stored((await get()).archive);
    expect([less.size, less.get('ro-crate-metadata.json')?.toString()]).toEqual([
      3,
      expect.stringContaining(`"@id": "${uri}"`),
    ]);
    expect((await server.rest('GET', '/api/v1/artifact/crates/nothing/zip')).status).toBe(404);
  },
);
