// `npm run example:vcf` as a person runs it, with real files and the real bcftools.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';
import { canRun, hasBcftools } from '../artifact/production-testkit.ts';
import { startServer } from '../testkit/server.ts';

function runExample(
  env: Readonly<Record<string, string>>,
): Promise<{ status: number | null; out: string; errors: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [path.join('scripts', 'run.mjs'), path.join('examples', 'vcf-stats', 'run.ts')],
      { cwd: projectRoot, env: { PATH: process.env['PATH'] ?? '', ...env } },
    );
    let [out, errors] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    child.once('error', reject).once('close', (status) => {
      resolve({ status, out, errors });
    });
  });
}

test.skipIf(!canRun || !hasBcftools)(
  'statistics of real VCF files are built once, reused with the reason, and built for another parameter with the nearest miss named',
  async () => {
    await using server = await startServer({
      config: `artifact: {allow_sources: ["${path.join(projectRoot, 'examples/vcf-stats/data')}"]}\n`,
    });
    const env = { CAIRN_URL: server.url, CAIRN_KEY: server.key };
    const { status, out, errors } = await runExample(env);
    expect({ status, errors }, out).toEqual({ status: 0, errors: '' });
    const [, first = '', again = '', other = ''] = out.split(
      /Asked for the first time:|Asked again:|With another parameter \(chrX\):/,
    );
    expect(first.match(/built/g)).toHaveLength(3);
    expect(again.match(/reused/g)).toHaveLength(3);
    expect(again).toMatch(/is stored, available and matches/);
    expect(other).toMatch(/HG00641 .*built/);
    expect(other).toMatch(
      /What the plan said \(build\): nothing stored matches; nearest is \S+, whose targets is chr1,chr2.*, not chrX/,
    );
    const { body } = await server.rest(
      'GET',
      '/api/v1/metadata/entities?entity_type=VariantStats&targets=chrX',
    );
    expect(body.data.items[0].data).toMatchObject({ sample: 'HG00641', records: expect.any(Number) });
    expect(body.data.items[0].data.records).toBeGreaterThan(0);
    const drs = await server.rest('GET', `/ga4gh/drs/v1/objects/sha256:${body.data.items[0].data.sha256}`);
    expect(drs).toMatchObject({
      status: 200,
      body: { checksums: [{ type: 'sha-256' }], access_methods: [{ type: 'https' }] },
    });
    const report = await server.rest('GET', new URL(drs.body.access_methods[0].access_url.url).pathname);
    expect([report.status, report.text]).toEqual([200, expect.stringContaining('bcftools stats')]);

    const second = await runExample(env);
    expect(second.status, second.errors).toBe(0);
    expect(second.out).not.toContain(' built');
    expect((await server.rest('GET', '/api/v1/artifact/rules?name=variant-stats')).body.total).toBe(1);
  },
);
