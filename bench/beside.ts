// `node scripts/run.mjs bench/beside.ts [seconds] [rounds]` measures how long one small write takes (median) while
// somebody else writes an entity of 9 MB again and again, or ingests 5,000 entities a request, as ratios to how long it
// takes alone, in turn. It takes two minutes and is not part of `npm run bench`.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Pool } from 'undici';
import { startCairn } from './cairn-server.ts';
import { Processes } from './processes.ts';
import { median } from './statistics.ts';

const LARGE = 9_000_000;
const BULK = 5000;
const ALLOWED = 3;
/** Of the others there are so many, however long that takes. */
const LEAST = 3;
/** Between two small writes: what is measured is how long one takes, not how many there can be. */
const PAUSE_MS = 20;

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

interface Request {
  readonly path: string;
  readonly body: string;
}

const ingest = (id: string, data: object): Request => ({
  path: '/api/v1/metadata/ingest',
  body: JSON.stringify({ entity_type: 'Written', id, data }),
});

const bulk = (round: number): Request => ({
  path: '/graphql',
  body: JSON.stringify({
    query:
      'mutation Ingest($entities: [IngestedEntity!]!) { ingestEntities(entities: $entities) { created errors { code } } }',
    variables: {
      entities: Array.from({ length: BULK }, (_, i) => ({
        entityType: 'Written',
        data: { name: `n${round}`, age: i },
      })),
    },
  }),
});

class Writers {
  readonly #pool: Pool;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, key: string) {
    this.#pool = new Pool(url, { connections: 4 });
    this.#headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  }

  /** Milliseconds. @throws Error with an answer that is none of success */
  async send(request: Request): Promise<number> {
    const begun = performance.now();
    const answer = await this.#pool.request({ method: 'POST', headers: this.#headers, ...request });
    const text = await answer.body.text();
    if (answer.statusCode >= 300 || text.includes('"errors":[{'))
      throw new Error(`${request.path}: ${answer.statusCode} ${text.slice(0, 300)}`);
    return performance.now() - begun;
  }

  /** The median of small writes, one after the other, beside others. */
  async smallBeside(seconds: number, other?: (n: number) => Request): Promise<number> {
    let isOver = false;
    let others = 0;
    const beside = (async () => {
      for (; other !== undefined && !isOver; others++) await this.send(other(others));
    })();
    const taken: number[] = [];
    const small = (async () => {
      const until = performance.now() + seconds * 1000;
      while (performance.now() < until || (other !== undefined && others < LEAST)) {
        taken.push(
          await this.send(ingest(`small:${taken.length % 100}`, { name: 'n', age: Math.random() * 1e6 })),
        );
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    })().finally(() => {
      isOver = true;
    });
    await Promise.all([small, beside]);
    return median(taken);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

async function main(): Promise<void> {
  const [seconds = 8, rounds = 5] = process.argv.slice(2).map(Number);
  const directory = mkdtempSync(path.join(os.tmpdir(), 'cairn-beside-'));
  chmodSync(directory, 0o755); // when this runs as root, PostgreSQL runs as another user
  const processes = new Processes(directory);
  try {
    const { url, key } = await startCairn(processes, directory);
    const writers = new Writers(url, key);
    const fields = [
      { name: 'name', field_type: 'string' },
      { name: 'age', field_type: 'float' },
    ];
    await writers.send({
      path: '/api/v1/metadata/schemas',
      body: JSON.stringify({ name: 'Written', version: '1', fields }),
    });
    const text = 'x'.repeat(LARGE);
    const large = (n: number): Request => ingest('large', { name: `${n}${text}` });
    await writers.smallBeside(2); // warm
    const cases = [
      ['a write of 9 MB', large],
      [`a bulk of ${BULK}`, bulk],
    ] as const;
    const seen = cases.map((): number[] => []);
    const alone: number[] = [];
    for (let round = 0; round < rounds; round++)
      for (const [i, [, other]] of cases.entries()) {
        const before = await writers.smallBeside(seconds / 2);
        const beside = await writers.smallBeside(seconds, other);
        alone.push(before);
        seen[i]?.push(beside / before);
      }
    say(`a small write alone: ${median(alone).toFixed(1)} ms (p50)`);
    for (const [i, [name]] of cases.entries()) {
      const of = seen[i] ?? [];
      const [least, most] = [Math.min(...of), Math.max(...of)];
      say(
        `beside ${name}: ${median(of).toFixed(2)} times (${least.toFixed(2)}–${most.toFixed(2)}), ${median(of) <= ALLOWED ? 'at most' : 'more than'} ${ALLOWED}`,
      );
    }
    await writers.close();
  } finally {
    await processes.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

await main();
