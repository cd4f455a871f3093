// `node scripts/run.mjs bench/console.ts [rows]` measures the console in Chromium: a table of 200,000 rows (1000000 for
// a million) and a lineage of 10,000 entities, each as a ratio to a page without a framework that has the same data.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { FLAGS } from '../scripts/chromium.mjs';
import { bareLineage, bareTable } from './baseline/bare-pages.ts';
import { type CairnServer, startCairn } from './cairn-server.ts';
import { Processes } from './processes.ts';
import { entityId, seed } from './seed.ts';
import { median } from './statistics.ts';

const TYPE = 'Wide';
const TUBES = 10_000;
const ROUNDS = 5;
const ROW = 36;

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

async function post({ url, key }: CairnServer, target: string, body: unknown): Promise<unknown> {
  const response = await fetch(url + target, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${target}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function fillLineage(server: CairnServer): Promise<void> {
  const schema = (name: string, fields: readonly object[]) =>
    post(server, '/api/v1/metadata/schemas', { name, version: '1', fields });
  await schema('Donor', [{ name: 'born', field_type: 'int' }]);
  await schema('Tube', [{ name: 'donor', field_type: 'ref', references: 'Donor' }]);
  const query =
    'mutation ($entities: [IngestedEntity!]!) { ingestEntities(entities: $entities) { errors { message } } }';
  const write = (entities: readonly object[]) => post(server, '/graphql', { query, variables: { entities } });
  await write([{ entityType: 'Donor', id: 'donor:1', data: {} }]);
  for (let from = 0; from < TUBES; from += 2500)
    await write(
      Array.from({ length: 2500 }, (_, i) => ({
        entityType: 'Tube',
        id: `tube:${String(from + i).padStart(5, '0')}`,
        data: { donor: 'donor:1' },
      })),
    );
}

/** After the next frame has been painted. */
const PAINTED = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))';

/** Milliseconds from the last answer of the API until what it led to has been painted. */
const SINCE_ANSWERS = `${PAINTED}.then(() => performance.now() - Math.max(...performance.getEntriesByType('resource')
  .filter(({ name }) => name.endsWith('/graphql')).map(({ responseEnd }) => responseEnd)))`;

/** Milliseconds from `begin` until `shown` is painted. */
async function until(
  page: Page,
  begin: () => Promise<unknown>,
  shown: () => Promise<unknown>,
): Promise<number> {
  const started = performance.now();
  await begin();
  await shown();
  await page.evaluate(PAINTED);
  return performance.now() - started;
}

interface Frames {
  readonly median: number;
  /** Nineteen of twenty are at most this. */
  readonly p95: number;
}

const FRAMES = 120;

/** The intervals of frames, in milliseconds, while the box is scrolled by a step in each. */
const framesOf = (page: Page, box: string, dx: number, dy: number): Promise<Frames> =>
  page.evaluate<Frames>(`new Promise((done) => {
    const box = document.querySelector(${JSON.stringify(box)}), took = [];
    let last = performance.now();
    const step = (now) => {
      took.push(now - last);
      last = now;
      box.scrollBy(${dx}, ${dy});
      if (took.length < ${FRAMES}) return requestAnimationFrame(step);
      took.sort((a, b) => a - b);
      done({ median: took[${FRAMES / 2}], p95: took[${Math.floor(FRAMES * 0.95)}] });
    };
    requestAnimationFrame(step);
  })`);

interface Side {
  readonly page: Page;
  readonly url: string;
  readonly box: string;
  readonly firstShown: () => Promise<unknown>;
  readonly rowShown: (id: string) => Promise<unknown>;
}

const scrollTo = (page: Page, box: string, row: number): Promise<unknown> =>
  page.evaluate(`document.querySelector(${JSON.stringify(box)}).scrollTo(0, ${row * ROW})`);

type Figures = Readonly<Record<string, number>>;

async function measureTable(
  { page, url, box, firstShown, rowShown }: Side,
  ids: readonly string[],
  round: number,
): Promise<Figures> {
  const first = await until(page, () => page.goto(url), firstShown);
  const jumps: number[] = [];
  for (const share of [0.21, 0.53, 0.86]) {
    const row = Math.floor(Math.min(ids.length, 250_000) * share) + round * 100;
    jumps.push(
      await until(
        page,
        () => scrollTo(page, box, row),
        () => rowShown(ids[row + 2] ?? ''),
      ),
    );
  }
  await scrollTo(page, box, 0);
  await firstShown();
  const frames = await framesOf(page, box, 0, 90);
  return {
    'table-first': first,
    'table-jump': median(jumps),
    'table-frame': frames.median,
    'table-frame-p95': frames.p95,
  };
}

async function measureLineage(
  page: Page,
  url: string,
  box: string,
  drawn: () => Promise<unknown>,
): Promise<Figures> {
  const paint = await until(page, () => page.goto(url), drawn);
  const after = await page.evaluate<number>(SINCE_ANSWERS);
  const frames = await framesOf(page, box, 90, 0);
  return {
    'lineage-read-and-paint': paint,
    'lineage-first-paint': after,
    'lineage-frame': frames.median,
    'lineage-frame-p95': frames.p95,
  };
}

const TARGETS: Readonly<Record<string, string>> = {
  'table-first': 'first row of a table, from a cold page',
  'table-jump': 'a row far away, after scrolling there',
  'table-frame': 'a frame while scrolling',
  'table-frame-p95': 'nineteen of twenty frames',
  'lineage-read-and-paint': '10,000 entities, from a cold page',
  'lineage-first-paint': '10,000 entities, from the last answer',
  'lineage-frame': 'a frame while panning them',
  'lineage-frame-p95': 'nineteen of twenty frames',
};

async function signedIn(server: CairnServer, context: BrowserContext): Promise<Page> {
  const { url } = (await post(server, '/api/v1/gateway/auth/sign-in-link', {})) as { url: string }; // its only member of use
  const { pathname, search } = new URL(url);
  const page = await context.newPage();
  await page.goto(server.url + pathname + search);
  return page;
}

async function run(server: CairnServer, rows: number): Promise<void> {
  const started = performance.now();
  await seed(server, rows, [TYPE]);
  await fillLineage(server);
  say(
    `${rows} rows and ${TUBES} entities of a lineage: filled in ${Math.round((performance.now() - started) / 1000)} s`,
  );
  const ids = Array.from({ length: rows }, (_, n) => entityId(n)).sort();
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    chromiumSandbox: false,
    args: FLAGS,
  });
  try {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(120_000);
    const own = await signedIn(server, context);
    const bare = await context.newPage();
    const serve = (name: string, body: string) =>
      bare.route(`**/bare/${name}`, (route) => route.fulfill({ contentType: 'text/html', body }));
    await serve('table', bareTable(server.key, TYPE));
    await serve('lineage', bareLineage(server.key));
    const table = (page: Page, url: string, box: string): Side => {
      const rowShown = (id: string) => page.getByText(id, { exact: true }).first().waitFor();
      return { page, url, box, rowShown, firstShown: () => rowShown(ids[2] ?? '') };
    };
    const sides = [
      async (round: number) => ({
        ...(await measureTable(
          table(own, `${server.url}/console/entities?type=${TYPE}&sort=id`, '.tablebox.tall'),
          ids,
          round,
        )),
        ...(await measureLineage(
          own,
          `${server.url}/console/lineage?id=donor:1`,
          '.lineage .diagram',
          async () => {
            await own.getByRole('button', { name: /^Show them/ }).click();
            await own.getByText(`${(TUBES + 1).toLocaleString('en')} entities`).waitFor();
          },
        )),
      }),
      async (round: number) => ({
        ...(await measureTable(table(bare, `${server.url}/bare/table`, '#box'), ids, round)),
        ...(await measureLineage(bare, `${server.url}/bare/lineage`, '#box', () =>
          bare.waitForFunction('document.title === "drawn"'),
        )),
      }),
    ] as const;
    const taken: [Figures[], Figures[]] = [[], []];
    for (let round = 0; round <= ROUNDS; round++)
      for (const side of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        await (side === 0 ? own : bare).bringToFront(); // a page behind another has no frames
        const figures = await sides[side](round);
        if (round > 0) taken[side].push(figures); // the first round warms both
      }
    say(`${'medians'.padEnd(56)} ${'console'.padStart(9)}   ${'bare'.padStart(9)}   ratio`);
    for (const [name, what] of Object.entries(TARGETS)) {
      const [ours, theirs] = taken.map((side) => median(side.map((figures) => figures[name] ?? NaN)));
      say(
        `${`${name}: ${what}`.padEnd(56)} ${(ours ?? 0).toFixed(1).padStart(6)} ms ${(theirs ?? 0).toFixed(1).padStart(9)} ms ${((ours ?? 0) / (theirs ?? 1)).toFixed(2).padStart(7)}`,
      );
    }
  } finally {
    await browser.close();
  }
}

const directory = mkdtempSync(path.join(os.tmpdir(), 'cairn-console-'));
chmodSync(directory, 0o755); // when this runs as root, PostgreSQL runs as another user
const processes = new Processes(directory);
try {
  await run(await startCairn(processes, directory), Number(process.argv[2] ?? 200_000));
} finally {
  await processes.stop();
  rmSync(directory, { recursive: true, force: true });
}
