// `npm run example` loads the 1000 Genomes sample sheet through the public API, then asks five questions.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { projectRoot } from '../../platform/project-root.ts';
import { type Api, connect, Trouble } from './api.ts';
import { ask, commands } from './ask.ts';
import { declareSchemas, type Schema } from './declare-schemas.ts';
import type { Entity } from './entity.ts';
import { ingestAll, type Outcome, storedEntities } from './ingest.ts';
import { populationOf } from './populations.ts';
import { questions } from './questions.ts';
import { readTsv } from './read-tsv.ts';
import { samplesOf } from './samples.ts';
import { progress, table } from './terminal.ts';

const here = path.join(projectRoot, 'examples', '1000-genomes');
const read = (...names: string[]): string => readFileSync(path.join(here, ...names), 'utf8');
const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Returns the example's types from its schema files. */
const schemas = (): Schema[] =>
  ['population.json', 'sample.json'].map((file) => JSON.parse(read('schemas', file)) as Schema);

async function load(api: Api, type: string, entities: readonly Entity[]): Promise<Outcome> {
  const before = await storedEntities(api, type);
  const started = performance.now();
  const outcome = await ingestAll(api, entities, before, progress(type, entities.length, process.stdout));
  const seconds = (performance.now() - started) / 1000;
  say(
    `${type}: ${outcome.created} created, ${outcome.updated} updated, ${outcome.unchanged} unchanged, in ${seconds.toFixed(1)} s`,
  );
  return outcome;
}

/** Shows, where nothing was new, that the history of one entity has no new event. */
async function sayThatNothingChanged(api: Api, id: string): Promise<void> {
  const events = await api.rest<readonly { event_type: string; timestamp: string }[]>(
    'GET',
    `/entities/${id}/history`,
  );
  say(
    `Nothing changed: a write that changes nothing leaves no event. The history of ${id} still has ${events.length}: ${events.map((e) => `${e.event_type} at ${e.timestamp}`).join(', ')}.`,
  );
}

async function askAll(api: Api, loaded: readonly Entity[]): Promise<void> {
  for (const [i, question] of questions.entries()) {
    const { items, total } = await ask(api, question, loaded);
    const command = commands(api.url, question);
    say(`\n${i + 1}. ${question.text}\n\n   REST     ${command.rest}\n   GraphQL  ${command.graphql}\n`);
    say(`   Both answer the same ${total}:\n`);
    say(table(items.map(question.columns), 5));
  }
}

async function main(): Promise<void> {
  const api = await connect(process.env, projectRoot);
  const started = performance.now();
  const populations = readTsv(read('data', '20210728_igsr_populations.tsv')).map(populationOf);
  const samples = samplesOf(readTsv(read('data', '20130606_sample_info.tsv')));
  for (const { name, version } of await declareSchemas(api, schemas()))
    say(`Schema ${name} ${version} is there.`);
  const outcomes = [await load(api, 'Population', populations), await load(api, 'Sample', samples)];
  say(
    `${populations.length + samples.length} entities in ${((performance.now() - started) / 1000).toFixed(1)} s.`,
  );
  if (outcomes.every(({ created, updated }) => created + updated === 0))
    await sayThatNothingChanged(api, 'sample:HG00096');
  await askAll(api, [...populations, ...samples]);
  say(`\nLook around: ${api.url}/graphql`);
}

main().catch((error: unknown) => {
  const unexpected = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${error instanceof Trouble ? error.message : unexpected}\n`);
  process.exitCode = 1;
});
