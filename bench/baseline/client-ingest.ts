// Loads a file of NDJSON by the client library, as its documentation shows.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createClient } from '../../client/src/index.ts';

const { CAIRN_URL = '', CAIRN_KEY = '', FILE = '', TYPE = '', CONCURRENCY = '4' } = process.env;

async function* rows() {
  for await (const line of createInterface({ input: createReadStream(FILE) })) {
    const { id, ...data } = JSON.parse(line) as { id: string } & Record<string, unknown>; // as the bench wrote it
    yield { entityType: TYPE, id, data };
  }
}

const client = createClient({ url: CAIRN_URL, apiKey: CAIRN_KEY });
const { created, failed } = await client.ingestAll(rows(), { concurrency: Number(CONCURRENCY) }).summary();
if (failed > 0) throw new Error(`${failed} rows were refused`);
process.stdout.write(`${created}\n`);
