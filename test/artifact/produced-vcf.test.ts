// What a production made leaves the platform as it is: in a browser, and by a DRS client that knows nothing but the
// description that GA4GH publishes.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import createClient from 'openapi-fetch';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectRoot } from '../../platform/project-root.ts';
import { launch, signedIn } from '../console/browser.ts';
import { buildConsole } from '../console/console-testkit.ts';
import type { paths } from '../contract/ga4gh/drs-paths.d.ts';
import { findChromium } from '../portal/find-chromium.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { addRule, addSchema, canRun, hasBcftools, produce, storedFile } from './production-testkit.ts';
import { field } from './schema-field.ts';

const DATA = path.join(projectRoot, 'examples/vcf-stats/data');
const DESCRIPTION = path.join(projectRoot, 'test/contract/ga4gh/drs-1.5.0.openapi.yaml');
const FORMAT = 'http://edamontology.org/format_3016';

/** The variants of some chromosomes, as a file of its own. */
const VIEW = `cwlVersion: v1.2
class: CommandLineTool
requirements: {InlineJavascriptRequirement: {}}
baseCommand: [bcftools, view, --no-version, --output-file, calls.vcf]
inputs:
  vcf: {type: File, inputBinding: {position: 2}}
  sample: string
  targets: {type: string, inputBinding: {prefix: --targets, position: 1}}
outputs:
  uri: {type: File, format: "${FORMAT}", outputBinding: {glob: calls.vcf}}
  sample: {type: string, outputBinding: {outputEval: $(inputs.sample)}}
  targets: {type: string, outputBinding: {outputEval: $(inputs.targets)}}
`;

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe.skipIf(!canRun || !hasBcftools)('a produced VCF', () => {
  let server: TestServer;
  let entity: { readonly id: string };
  /** As it lies in the store. */
  let made: Buffer;

  beforeAll(async () => {
    buildConsole();
    server = await startServer({ config: `artifact: {allow_sources: ["${DATA}"]}\n` });
    await addSchema(server, {
      name: 'Vcf',
      version: '1',
      fields: [field('uri', 'uri', { required: true }), field('sample', 'string', { required: true })],
    });
    await addSchema(server, {
      name: 'Calls',
      version: '1',
      fields: [
        field('uri', 'uri'),
        field('sample', 'string'),
        field('targets', 'string'),
        field('size', 'int'),
        field('sha256', 'string'),
        field('file_name', 'string'),
      ],
    });
    const uri = pathToFileURL(path.join(DATA, 'HG00641.vcf.gz')).href;
    const { status, text } = await server.rest('POST', '/api/v1/metadata/ingest', {
      body: { id: 'vcf:1', entity_type: 'Vcf', data: { uri, sample: 'HG00641' } },
    });
    expect(status, text).toBe(200);
    await addRule(server, 'view', VIEW, {
      produces: { entity_type: 'Calls', match: { sample: '{sample}', targets: '{targets}' } },
      requires: [{ ref: 'Vcf(sample={sample})' }],
    });
    const { body } = await produce(server, {
      entity_type: 'Calls',
      criteria: { sample: 'HG00641', targets: 'chr1,chr2' },
    });
    expect(body, JSON.stringify(body)).toMatchObject({ status: 'completed' });
    ({ entity } = body);
    made = readFileSync(storedFile(server, body.entity.fields.uri));
    expect(made.toString()).toMatch(/^##fileformat=VCF[^]*\nchr1\t/);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const executablePath = findChromium();
  test.skipIf(executablePath === undefined)(
    'is downloaded from its page in Chromium, whole and under its name',
    async () => {
      const browser = await launch(executablePath);
      try {
        const { page, complaints } = await signedIn(browser, server, server.key);
        await page.goto(`${server.url}/console/entity?id=${encodeURIComponent(entity.id)}&tab=files`);
        const downloading = page.waitForEvent('download');
        await page.getByRole('link', { name: 'Download calls.vcf' }).click();
        const download = await downloading;
        expect(download.suggestedFilename()).toBe('calls.vcf');
        expect(sha256(readFileSync(await download.path()))).toBe(sha256(made));
        expect(complaints).toEqual([]);
      } finally {
        await browser.close();
      }
    },
  );

  test('is resolved and downloaded by a client generated from GA4GH’s description of DRS', async () => {
    const description = parse(readFileSync(DESCRIPTION, 'utf8')) as Parameters<typeof openapiTS>[0];
    await expect(astToString(await openapiTS(description))).toMatchFileSnapshot(
      '../contract/ga4gh/drs-paths.d.ts',
    );
    const anonymous = createClient<paths>({ baseUrl: `${server.url}/ga4gh/drs/v1` });
    const info = await anonymous.GET('/service-info');
    expect(info.data).toMatchObject({ type: { group: 'org.ga4gh', artifact: 'drs', version: '1.5.0' } });

    const told = { params: { path: { object_id: entity.id } } };
    expect((await anonymous.GET('/objects/{object_id}', told)).response.status).toBe(401);
    const authorization = await anonymous.OPTIONS('/objects/{object_id}', told);
    expect(authorization.data?.supported_types).toContain('BearerAuth');
    const headers = { authorization: `Bearer ${server.key}` };
    const client = createClient<paths>({ baseUrl: `${server.url}/ga4gh/drs/v1`, headers });
    const { data: object } = await client.GET('/objects/{object_id}', told);
    const self = new URL(object?.self_uri ?? '');
    expect([self.protocol, self.host, decodeURIComponent(self.pathname.slice(1))]).toEqual([
      'drs:',
      new URL(server.url).host,
      entity.id,
    ]);
    expect(object).toMatchObject({ name: 'calls.vcf', size: made.length });
    const [method] = object?.access_methods ?? [];
    const { data: access } = await client.GET('/objects/{object_id}/access/{access_id}', {
      params: { path: { object_id: entity.id, access_id: method?.access_id ?? '' } },
    });
    expect(access?.url).toBe(method?.access_url?.url);

    const answer = await fetch(access?.url ?? '', { headers });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const checksum = object?.checksums.find(({ type }) => type === 'sha-256')?.checksum;
    expect([answer.status, sha256(bytes), bytes.length]).toEqual([200, checksum, made.length]);
    expect(bytes.equals(made)).toBe(true);
  });
});
