// `npm run example:vcf` produces statistics of real VCF files at the first request and reuses them
// afterwards.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import { projectRoot } from '../../platform/project-root.ts';
import { type Api, connect, Trouble } from '../1000-genomes/api.ts';
import { table } from '../1000-genomes/terminal.ts';
import { VARIANT_STATS, VCF } from './schemas.ts';

const here = path.join(projectRoot, 'examples', 'vcf-stats');
const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** The chromosomes with most of these samples' repeats, and the one with the rest. */
const [MANY, FEW] = ['chr1,chr2,chr3,chr4,chr5,chr6,chr7,chr8,chr9,chr10,chr11,chr12', 'chrX'];

const DECLARE = 'mutation($d: JSON!) { createSchema(definition: $d) { name } }';
const INGEST =
  'mutation($id: ID!, $data: JSON!) { ingestEntity(entityType: "Vcf", id: $id, data: $data) { id } }';
const CURRENT = 'query { rule(name: "variant-stats") { rule definition } }';
const REGISTER = 'mutation($d: JSON!) { registerRule(definition: $d) { rule { rule cwlHash } } }';
const ANSWER = 'decision plan entity { id fields } production { id status error }';
const PRODUCE = `mutation($c: JSON!) { produceArtifact(entityType: "VariantStats", criteria: $c, waitSeconds: 20) { ${ANSWER} } }`;
const STATE = 'query($id: ID!) { production(id: $id) { id status error } }';
const HISTORY = 'query($id: ID!) { entity(id: $id) { history { eventType actor context } } }';

interface Production {
  readonly id: string;
  readonly status: string;
  readonly error: { readonly message: string } | null;
}
interface Produced {
  readonly decision: string;
  readonly plan: { readonly reason: string };
  readonly entity: { readonly id: string; readonly fields: Readonly<Record<string, unknown>> } | null;
  readonly production: Production | null;
}
/** An artifact, and whether it was built because of this request. */
interface Obtained extends Produced {
  readonly isBuilt: boolean;
}
interface Registered {
  readonly rule: string;
}

async function register(api: Api): Promise<string> {
  const content = readFileSync(path.join(here, 'variant-stats.cwl')).toString('base64');
  const definition = {
    // the file beside this one is a mapping
    ...(parse(readFileSync(path.join(here, 'rule.yaml'), 'utf8')) as object),
    execute: { cwl_content: content },
  };
  const { rule: known } = await api.graphql<{
    rule: (Registered & { definition: { execute: { cwl_content?: string } } }) | null;
  }>(CURRENT, {});
  if (known?.definition.execute.cwl_content === content) return known.rule;
  return (await api.graphql<{ registerRule: { rule: Registered } }>(REGISTER, { d: definition })).registerRule
    .rule.rule;
}

/** Requests the artifact until it exists, and waits for a running workflow. */
async function produce(api: Api, sample: string, targets: string): Promise<Obtained> {
  for (let isBuilt = false; ; isBuilt = true) {
    const { produceArtifact: produced } = await api.graphql<{ produceArtifact: Produced }>(PRODUCE, {
      c: { sample, targets },
    });
    if (produced.entity) return { ...produced, isBuilt: isBuilt || produced.production !== null };
    let production = produced.production;
    while (production && (production.status === 'queued' || production.status === 'running')) {
      await sleep(500);
      production = (await api.graphql<{ production: Production }>(STATE, { id: production.id })).production;
    }
    if (production?.status !== 'completed')
      throw new Trouble(
        `The statistics of ${sample} could not be made: ${production?.error?.message ?? 'it was cancelled'}`,
      );
  }
}

async function main(): Promise<void> {
  const api = await connect(process.env, projectRoot);
  for (const d of [VCF, VARIANT_STATS]) await api.graphql(DECLARE, { d });
  const files = readdirSync(path.join(here, 'data')).filter((name) => name.endsWith('.vcf.gz'));
  const samples = files.map((file) => file.replace('.vcf.gz', ''));
  for (const [i, sample] of samples.entries())
    await api.graphql(INGEST, {
      id: `vcf:${sample}`,
      data: { sample, uri: pathToFileURL(path.join(here, 'data', files[i] ?? '')).href },
    });
  say(`${files.length} Vcf entities are stored, and the rule ${await register(api)} is registered.`);

  const round = async (
    title: string,
    targets: string,
    which: readonly string[],
  ): Promise<readonly Obtained[]> => {
    say(`\n${title}\n`);
    const produced = await Promise.all(which.map((sample) => produce(api, sample, targets)));
    say(
      table(
        produced.map(({ entity, isBuilt }, i) => ({
          sample: which[i],
          ...pick(entity?.fields ?? {}),
          how: isBuilt ? 'built' : 'reused',
        })),
        10,
      ),
    );
    return produced;
  };
  await round('Asked for the first time:', MANY, samples);
  const [again] = await round('Asked again:', MANY, samples);
  say(`\n  Why: ${again?.plan.reason ?? ''}`);
  const [first = ''] = samples;
  const { resolveArtifact: other } = await api.graphql<{ resolveArtifact: Produced }>(
    'query($c: JSON!) { resolveArtifact(entityType: "VariantStats", criteria: $c) { decision plan } }',
    { c: { sample: first, targets: FEW } },
  );
  await round(`With another parameter (${FEW}):`, FEW, [first]);
  say(`\n  What the plan said (${other.decision}): ${other.plan.reason}`);
  const id = again?.entity?.id ?? '';
  const { entity } = await api.graphql<{ entity: { history: readonly { context: unknown }[] } }>(HISTORY, {
    id,
  });
  say(`\nWhere ${id} comes from:\n\n${JSON.stringify(entity.history[0]?.context, null, 2)}`);
}

const pick = ({
  records,
  indels,
  multiallelic_sites: multiallelic,
  sha256,
}: Readonly<Record<string, unknown>>) => ({
  records,
  indels,
  multiallelic,
  file: typeof sha256 === 'string' ? `${sha256.slice(0, 12)}…` : null,
});

main().catch((error: unknown) => {
  const unexpected = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${error instanceof Trouble ? error.message : unexpected}\n`);
  process.exitCode = 1;
});
