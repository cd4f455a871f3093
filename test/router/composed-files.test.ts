// What was composed once is there for the next process, and nothing depends on it.
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { compose } from '../../router/execution/compose.ts';
import { createComposedFiles, type Sdls } from '../../router/execution/composed-files.ts';

const log = pino({ level: 'silent' });

async function scratch(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'composed-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return path.join(directory, 'not', 'made', 'yet');
}

/** A subgraph of its own for each test: a process composes the same SDLs once. */
const graph = (field: string): Sdls => new Map([['one', `type Query { ${field}: Int! }`]]);

test('a supergraph is composed once for the same SDLs, by whichever process', async () => {
  const directory = await scratch();
  const sdls = graph('kept');
  const { supergraphSdl } = compose(sdls, createComposedFiles(directory, log));
  expect(createComposedFiles(directory, log).recall(sdls)).toBe(supergraphSdl);
  expect(createComposedFiles(directory, log).recall(graph('other'))).toBeUndefined();
  expect(await readdir(directory)).toHaveLength(1); // and no half-written file

  const [later, known] = [graph('later'), createComposedFiles(directory, log)];
  known.keep(later, supergraphSdl);
  expect(compose(later, known).schema.getQueryType()?.getFields()).toHaveProperty('kept');
});

test('a damaged file is composed again and replaced', async () => {
  const directory = await scratch();
  const memory = createComposedFiles(directory, log);
  const sdls = graph('damaged');
  memory.keep(sdls, 'type Query { wrong: Int }');
  const [name = ''] = await readdir(directory);
  const file = path.join(directory, name);
  await writeFile(file, (await readFile(file, 'utf8')).slice(0, -3));
  expect(memory.recall(sdls)).toBeUndefined();
  const { supergraphSdl } = compose(sdls, memory);
  expect(supergraphSdl).toContain('damaged: Int!');
  expect(memory.recall(sdls)).toBe(supergraphSdl);
});

test('every start composes if the cache cannot be read or written', async () => {
  const directory = await scratch();
  const file = path.dirname(path.dirname(path.dirname(directory)));
  await writeFile(path.join(file, 'taken'), '');
  const memory = createComposedFiles(path.join(file, 'taken', 'below a file'), log);
  expect(compose(graph('nowhere'), memory).supergraphSdl).toContain('nowhere: Int!');
  expect(memory.recall(graph('nowhere'))).toBeUndefined();
});

test('the newest few supergraphs are kept', async () => {
  const directory = await scratch();
  const memory = createComposedFiles(directory, log);
  for (let i = 0; i < 20; i++) {
    memory.keep(graph(`f${i}`), `# ${i}`);
    for (const name of await readdir(directory)) {
      const file = path.join(directory, name);
      const made = /# (\d+)$/.exec(await readFile(file, 'utf8'))?.[1];
      await utimes(file, Number(made), Number(made));
    }
  }
  expect(await readdir(directory)).toHaveLength(16);
  expect(memory.recall(graph('f19'))).toBe('# 19');
  expect(memory.recall(graph('f0'))).toBeUndefined();
});
