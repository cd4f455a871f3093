// The sample sheet as an adapter for a trigger: it returns the same entities that load.ts sends.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { readTsv } from './read-tsv.ts';
import { samplesOf } from './samples.ts';

interface Pull {
  readonly directory: string;
  readonly options: Readonly<Record<string, unknown>>;
}

export default {
  entityType: 'Sample',
  async *fetch({ directory, options }: Pull): AsyncGenerator<Record<string, unknown>> {
    const sheet = await readFile(path.join(directory, String(options['sheet'])), 'utf8');
    for (const { id, data } of samplesOf(readTsv(sheet))) yield { id, ...data };
  },
};
