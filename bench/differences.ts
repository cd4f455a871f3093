// `node scripts/run.mjs bench/differences.ts [entities] [changes]` measures what differs in a type between two times: the
// same changes among few and among many entities, and ten times the changes. Entities are at least 100 times the changes:
// a tenth of them has to hold ten times the changes.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type CairnServer, startCairn } from './cairn-server.ts';
import { Processes } from './processes.ts';
import { entityId, seed } from './seed.ts';
import { median } from './statistics.ts';

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
const [most = 1_000_000, changes = 1000] = process.argv.slice(2).map(Number);
if (![most, changes].every((count) => Number.isSafeInteger(count) && count > 0) || most < changes * 100) {
  process.stderr.write(
    `bench/differences.ts [entities] [changes]: entities must be at least 100 × changes, here ${changes * 100}: a tenth of them has to hold ten times the changes\n`,
  );
  process.exit(2);
}
const TYPE = 'Bench';
/** How often it is asked: before, so that the server has warmed up, and then. */
const [WARM, TIMES] = [20, 21];
const PAGE = 1000;

async function answer({ url, key }: CairnServer, target: string, init: RequestInit = {}): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...init.headers };
  const response = await fetch(url + target, { ...init, headers });
  const text = await response.text();
  if (!response.ok || text.includes('"errors":[{')) throw new Error(`${target}: ${response.status} ${text}`);
  return text;
}

/** Changes so many of the entities, spread over all, and answers the times before and after. */
async function change(
  server: CairnServer,
  entities: number,
  count: number,
  note: string,
): Promise<[string, string]> {
  const from = new Date().toISOString();
  const step = Math.floor(entities / count);
  for (let first = 0; first < count; first += PAGE)
    await answer(server, '/graphql', {
      method: 'POST',
      body: JSON.stringify({
        query:
          'mutation Change($entities: [IngestedEntity!]!) { ingestEntities(entities: $entities) { errors { message } } }',
        variables: {
          entities: Array.from({ length: Math.min(PAGE, count - first) }, (_, i) => ({
            entityType: TYPE,
            id: entityId((first + i) * step),
            data: { note },
          })),
        },
      }),
    });
  return [from, new Date().toISOString()];
}

/** The median milliseconds of all that differs, streamed. */
async function measure(
  server: CairnServer,
  [from, to]: readonly [string, string],
  count: number,
  condition = '',
): Promise<number> {
  const target = `/api/v1/metadata/diff?entity_type=${TYPE}&from=${from}&to=${to}${condition}`;
  const times: number[] = [];
  for (let i = 0; i < WARM + TIMES; i++) {
    const started = performance.now();
    const text = await answer(server, target, { headers: { accept: 'application/x-ndjson' } });
    times.push(performance.now() - started);
    const found = text.split('\n').length - 1;
    if (found !== count) throw new Error(`${found} entities differ, not ${count}`);
  }
  return median(times.slice(WARM));
}

async function among(entities: number): Promise<readonly number[]> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'cairn-differences-'));
  chmodSync(directory, 0o755); // when this runs as root, PostgreSQL runs as another user
  const processes = new Processes(directory);
  try {
    const server = await startCairn(processes, directory);
    await seed(server, entities, [TYPE]);
    const between = await change(server, entities, changes, 'changed');
    // what was written since is not looked at
    const more = await change(server, entities, changes * 10, 'changed again');
    const figures = [
      await measure(server, between, changes),
      await measure(server, between, changes, '&filter=data.age%20%3E%3D%200'),
      await measure(server, more, changes * 10),
    ];
    const labels = [`${changes} changes`, `${changes} changes, with a filter`, `${changes * 10} changes`];
    for (const [i, label] of labels.entries())
      say(`${String(entities).padStart(9)} entities, ${label.padEnd(28)} ${figures[i]?.toFixed(1)} ms`);
    return figures;
  } finally {
    await processes.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

const [few, many] = [await among(Math.ceil(most / 10)), await among(most)];
const ratio = (i: number): string => ((many[i] ?? 0) / (few[i] ?? 1)).toFixed(2);
say(
  `${changes} changes among ${most} entities over the same among a tenth of them: ${ratio(0)} ×, with a filter ${ratio(1)} ×`,
);
say(`ten times the changes among ${most} entities: ${((many[2] ?? 0) / (many[0] ?? 1)).toFixed(2)} ×`);
