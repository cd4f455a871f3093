// `node scripts/run.mjs bench/million.ts [entities]` measures lookups among a million entities, each compared
// with hand-written SQL over the same rows. It takes some minutes and is not part of `npm run bench`.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { type CairnServer, startCairn } from './cairn-server.ts';
import { createLookups, type Lookup } from './million-lookups.ts';
import { residentMiB } from './memory.ts';
import { Processes } from './processes.ts';
import { dataOf, FIELDS, seed, TYPES, entityId } from './seed.ts';
import { median } from './statistics.ts';

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
const PREFIX = '/api/v1/metadata';
const PAGE = 1000;

type Body = Readonly<Record<string, unknown>>;
async function ask({ url, key }: CairnServer, target: string, body?: unknown): Promise<Body> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(
    url + target,
    body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
  );
  const answer = (await response.json()) as Body; // every response of the platform is an object
  if (!response.ok || answer['errors'] !== undefined)
    throw new Error(`${target}: ${response.status} ${JSON.stringify(answer).slice(0, 500)}`);
  return answer;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const TIMES = 41;

/** Measures the median milliseconds of both sides, one at a time and alternately. */
async function compare(
  server: CairnServer,
  client: pg.Client,
  { name, target, sql, aim }: Lookup,
): Promise<void> {
  const [cairn, other]: [number[], number[]] = [[], []];
  for (let i = 0; i < TIMES; i++) {
    const [path, statements] = [target(i), sql(i)];
    const sides = [
      async () => {
        cairn.push(await timed(() => ask(server, PREFIX + path)));
      },
      async () => {
        other.push(
          await timed(async () => {
            for (const [text, values] of statements)
              JSON.stringify((await client.query(text, [...values])).rows);
          }),
        );
      },
    ];
    // Alternate which side is first, because the first one reads rows that the database has not cached.
    for (const side of i % 2 === 0 ? sides : sides.reverse()) await side();
  }
  const [ours, theirs] = [median(cairn.slice(1)), median(other.slice(1))];
  say(
    `${name.padEnd(44)} ${ours.toFixed(2).padStart(8)} ms  ${theirs.toFixed(2).padStart(8)} ms  ${(ours / theirs).toFixed(2).padStart(6)} ×  ${aim === null ? '' : `(≤ ${aim}: ${ours / theirs <= aim ? 'met' : 'missed'})`}`,
  );
}

/** Reads all entities through list pages by cursor. */
async function stream(server: CairnServer): Promise<void> {
  const pages: number[] = [];
  const memory: number[] = [];
  let seen = 0;
  for (let cursor: string | null = null, more = true; more;) {
    const target = `${PREFIX}/entities?limit=${PAGE}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    let page: { items: readonly unknown[]; next_cursor: string | null } | undefined;
    pages.push(
      await timed(async () => {
        // the body of a list
        page = (await ask(server, target))['data'] as typeof page;
      }),
    ); // the format of a list response
    seen += page?.items.length ?? 0;
    cursor = page?.next_cursor ?? null;
    more = cursor !== null;
    if (pages.length % 50 === 0) memory.push(residentMiB(server.pid));
  }
  const some = Math.max(1, Math.floor(pages.length / 10));
  say(
    `streamed ${seen} entities in ${pages.length} pages: first pages ${median(pages.slice(0, some)).toFixed(1)} ms, last pages ${median(pages.slice(-some)).toFixed(1)} ms`,
  );
  say(`memory of the server meanwhile: ${memory.join(' ')} MiB`);
}

/** Changes some entities, so that the past differs from the present; returns a time before the changes. */
async function change(server: CairnServer, count: number, entities: number): Promise<string> {
  const { data } = (await ask(server, `${PREFIX}/entities/${entityId(entities - 1)}`)) as {
    data: { created_at: string };
  };
  const step = Math.floor(entities / count);
  for (let from = 0; from < count; from += PAGE) {
    const changed = Array.from({ length: Math.min(PAGE, count - from) }, (_, i) => (from + i) * step);
    await ask(server, '/graphql', {
      query:
        'mutation Change($entities: [IngestedEntity!]!) { ingestEntities(entities: $entities) { updated errors { message } } }',
      variables: {
        entities: changed.map((n) => ({
          entityType: TYPES[n % TYPES.length],
          id: entityId(n),
          data: { note: `Changed: ${String(dataOf(n)['name'])}` },
        })),
      },
    });
  }
  return data.created_at;
}

async function run(server: CairnServer, entities: number): Promise<void> {
  say(`${entities} entities: filled in ${((await timed(() => seed(server, entities))) / 1000).toFixed(0)} s`);
  const seconds =
    (await timed(() =>
      ask(server, `${PREFIX}/schemas`, {
        name: TYPES[0],
        version: '2.0.0',
        fields: FIELDS.map((field) =>
          ['age', 'state'].includes(field.name)
            ? { ...field, required: field.name === 'age', indexed: true }
            : field,
        ),
      }),
    )) / 1000;
  say(`an index over a field of the million, stored data checked: ${seconds.toFixed(1)} s`);
  const client = new pg.Client(server.databaseUrl);
  await client.connect();
  try {
    const changed = await timed(() => change(server, Math.min(20_000, entities), entities));
    say(`20,000 entities changed in calls of a thousand: ${(changed / 1000).toFixed(1)} s`);
    const at = await change(server, 1, entities);
    say(`${'one request at a time, medians'.padEnd(44)} ${'Cairn'.padStart(8)}     ${'by hand'.padStart(8)}`);
    for (const lookup of createLookups(entities, at)) await compare(server, client, lookup);
    await stream(server);
  } finally {
    await client.end();
  }
}

const directory = mkdtempSync(path.join(os.tmpdir(), 'cairn-million-'));
chmodSync(directory, 0o755); // when this runs as root, PostgreSQL runs as another user
const processes = new Processes(directory);
try {
  await run(await startCairn(processes, directory), Number(process.argv[2] ?? 1_000_000));
} finally {
  await processes.stop();
  rmSync(directory, { recursive: true, force: true });
}
