// Takes screenshots of the console of a running server, as whom `npx cairn open` signs in:
//
//     npm run screenshots -- [folder]          (default: docs/screenshots)
//
// CAIRN_URL and CAIRN_KEY name the server and the key. SHOTS=all takes every view, in the dark and on a phone too;
// any other value those whose names contain it.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { chromium } from 'playwright-core';
import { FLAGS } from './chromium.mjs';

const folder = process.argv[2] ?? 'docs/screenshots';
const shots = process.env['SHOTS'];

/** Those that the documents show. */
const SHOWN = ['home', 'entities', 'history', 'stale', 'then'];
const isWanted = (name) => {
  if (shots === undefined) return SHOWN.includes(name);
  return shots === 'all' || name.includes(shots);
};

const A_MINUTE_AGO = new Date(Date.now() - 60_000).toISOString();

const VIEWS = [
  ['home', ''],
  ['entities', '/entities?type=Sample&f=sex:eq:female'],
  ['entity', '/entity?id=sample:HG00096'],
  ['history', '/entity?id=sample:HG00096&tab=history'],
  ['types', '/types?name=Population'],
  ['lineage', '/lineage?id=sample:HG00096'],
  ['runs', '/runs'],
  ['rules', '/rules'],
  ['ask', '/ask?type=VariantStats'],
  ['admin', '/admin'],
  ['stale', '/refresh'],
  ['then', `/rules?tab=productions&at=${A_MINUTE_AGO}`],
];

const { stdout, stderr, status } = spawnSync(process.execPath, ['cli/cairn.mjs', 'open', '--json'], {
  encoding: 'utf8',
});
if (status !== 0) throw new Error(stderr);
const { url: link } = JSON.parse(stdout);
const { origin } = new URL(link);

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  chromiumSandbox: false,
  args: FLAGS,
});
await mkdir(folder, { recursive: true });
const context = await browser.newContext({ viewport: { width: 1120, height: 700 } });
const page = await context.newPage();
page.on('console', (message) => {
  if (message.type() === 'error') console.error(message.text());
});
page.on('pageerror', (error) => console.error(error.message));
await page.goto(link);

async function take(name, view, { colorScheme = 'light', width = 1120, height = 700 } = {}) {
  if (!isWanted(name)) return;
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme });
  await page.goto(`${origin}/console${view}`);
  await page.locator('main h1').waitFor();
  await page.locator('.loading').first().waitFor({ state: 'detached' });
  await page.waitForTimeout(3000);
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
  console.log(path.join(folder, `${name}.png`));
}
for (const [name, view] of VIEWS) await take(name, view);
for (const name of ['entities', 'home'])
  await take(`${name}-dark`, VIEWS.find(([one]) => one === name)[1], { colorScheme: 'dark' });
await take('entities-phone', VIEWS[1][1], { width: 390, height: 780 });
await browser.close();
