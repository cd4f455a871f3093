// Productions and runs in the picture of a lineage, in a real browser: as boxes, opened in both directions, or as arrows.
import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canRun } from '../artifact/production-testkit.ts';
import { type Greeter, startGreeter } from '../artifact/staleness-testkit.ts';
import { findChromium } from '../portal/find-chromium.ts';
import { eventually, settledRun } from '../workflow/workflow-server.ts';
import { launch, signedIn, violationsInBothSchemes, type Visit } from './browser.ts';
import { buildConsole } from './console-testkit.ts';

const executablePath = findChromium();
const folder = mkdtempSync(path.join(os.tmpdir(), 'cairn-lineage-'));
/** Entities that one run writes: more than the nodes of a chain that are read at once. */
const MANY = 520;
const CONFIG = `
workflow:
  triggers:
    - {name: by-hand, type: manual, action: {type: ingest, adapter: sheet}}
    - {name: many-at-once, type: manual, action: {type: ingest, adapter: many}}
    - {name: on-sample, type: metadata_poll, poll: {entity_type: Sample, filter: 'data.name == "s1"', interval_seconds: 1}, action: {type: resolve, entity_type: Greeting, criteria: {sample: '{entity.name}'}}}
  adapters:
    - {name: many, type: csv, source: ${folder}/many.csv, entity_type: Sample, map: {id: row.id, name: row.name}}
    - {name: sheet, type: csv, source: ${folder}/rows.csv, entity_type: Sample, map: {id: row.id, name: row.name, reads: row.reads}}
`;

describe.skipIf(executablePath === undefined || !canRun)('in Chromium, with cwltool', () => {
  let greeter: Greeter;
  let browser: Browser;
  let visit: Visit;
  let page: Page;
  let greeting = '';
  let echo = '';
  beforeAll(async () => {
    buildConsole();
    writeFileSync(path.join(folder, 'rows.csv'), 'id,name,reads\ns1,s1,a\n');
    const many = Array.from({ length: MANY }, (_, i) => `many-${i},m${i}\n`);
    writeFileSync(path.join(folder, 'many.csv'), `id,name\n${many.join('')}`);
    greeter = await startGreeter(CONFIG);
    const { server } = greeter;
    const fired = await server.graphql('mutation { runTrigger(name: "by-hand") { runId } }');
    expect(fired.body.errors).toBeUndefined();
    await eventually(
      async () =>
        (await server.graphql('{ runs(limit: 9) { runs { triggerName status } } }')).body.data.runs.runs as {
          triggerName: string;
          status: string;
        }[],
      (runs) => runs.some(({ triggerName, status }) => triggerName === 'on-sample' && status === 'success'),
    );
    greeting = await greeter.make('Greeting', 's1'); // what the run has asked for
    echo = await greeter.make('Echo', 's1');
    browser = await launch(executablePath);
    visit = await signedIn(browser, server, server.key);
    ({ page } = visit);
  });
  afterAll(async () => {
    await browser.close();
    await greeter.server[Symbol.asyncDispose]();
  });
  const open = async (id: string, more = ''): Promise<void> => {
    await page.goto(`${greeter.server.url}/console/lineage?id=${encodeURIComponent(id)}${more}`);
    await page.getByRole('region', { name: 'Lineage' }).waitFor();
  };
  const box = (name: string | RegExp) =>
    page.getByRole('region', { name: 'Lineage' }).getByRole('link', { name });
  const plus = (name: string) => page.getByRole('button', { name, exact: true });

  test('productions and runs are boxes between entities, each opened by itself, in both directions', async () => {
    await open(greeting);
    await box('(production) greet@1').waitFor();
    await box('(production) echo').waitFor(); // which it was an input of
    expect(await box('Sample s1').count()).toBe(0); // behind the production
    expect(await box(/^Echo /).count()).toBe(0);
    await plus('Show what greet@1 comes from').click();
    await box('Sample s1').waitFor();
    await box('(run) on-sample').waitFor(); // which asked for it
    await plus('Show what s1 comes from').click();
    await box('(run) by-hand').waitFor(); // which wrote it
    await plus('Show what comes from echo@1').press('Enter');
    await box(`Echo ${echo.slice(0, 10)}`).waitFor();
    for (const text of ['made', 'input', 'asked for', 'wrote'])
      await page.locator('.edge-label').getByText(text, { exact: true }).first().waitFor();
    await page.getByText(/entities, 4 productions and runs/).waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await page.reload(); // what is open is in the address
    await page.getByText(/entities, 4 productions and runs/).waitFor();
    await box('(production) greet@1').click();
    await page.waitForURL(/\/console\/production\?/);
    expect(visit.complaints).toEqual([]);
  });

  test('from an entity a run that it fired, and what that asked for', async () => {
    await open('s1');
    await box('(run) on-sample').waitFor();
    await box('(production) greet@1').waitFor();
    await box('(run) by-hand').waitFor();
    await plus('Show what comes from on-sample').click();
    await expect.poll(() => page.locator('.edge-label').getByText('asked for').count()).toBe(1);
  });

  test('as arrows they connect what is on both sides of them', async () => {
    await open(greeting);
    await page.getByLabel('Productions and runs').uncheck();
    await box('Sample s1').waitFor();
    await box(`Echo ${echo.slice(0, 10)}`).waitFor();
    expect(await box('(production)').count()).toBe(0);
    await page.waitForURL(/works=arrows/);
    await page.locator('.edge-label').getByText('greet@1').waitFor();
    await page.locator('.edge-label').getByText('echo@1').waitFor();
    await page.getByLabel('Productions and runs').check();
    await box('(production) greet@1').waitFor();
    expect(visit.complaints).toEqual([]);
  });

  test('a production or a run is the middle of a picture, too, and a box of all of them is one', async () => {
    await open(greeting, '&one=(production)');
    await page.getByLabel('(production) (2)').waitFor();
    const { body } = await greeter.server.graphql(`{ entity(id: "${greeting}") { producedBy { id } } }`);
    const id = body.data.entity.producedBy.id as string;
    await open(`production/${id}`);
    await box('Sample s1').waitFor();
    await box(`Greeting ${greeting.slice(0, 10)}`).waitFor();
    await page.goto(`${greeter.server.url}/console/lineage?id=production/nobody`);
    await page.getByText('There is no entity with this id').waitFor();
    expect(visit.complaints).toEqual([]);
  });

  test('where a chain is longer than what is read of it, the picture says so, and where all of it is', async () => {
    const { body } = await greeter.server.graphql('mutation { runTrigger(name: "many-at-once") { runId } }');
    const id = body.data.runTrigger.runId as string;
    await settledRun(greeter.server, id);
    await open(`run/${id}`);
    const note = page.getByText('Of many-at-once there are more productions and runs:');
    await note.waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await note.getByRole('link', { name: 'all that it led to' }).click();
    await page.waitForURL(new RegExp(`/console/why\\?subject=run(%3A|:)${id}&direction=FORWARD`));
    await page.getByText('many-at-once').first().waitFor();
    await open(greeting);
    await box('(production) greet@1').waitFor();
    expect(await page.getByText('there are more productions and runs').count()).toBe(0);
    expect(visit.complaints).toEqual([]);
  });

  test('what a picture asks for ends when it is left', async () => {
    const [held, ended]: [string[], string[]] = [[], []];
    await page.goto(`${greeter.server.url}/console/types`);
    const isChain = (text: string | null): boolean => /query LineageChain/.test(text ?? '');
    page.on('requestfailed', (request) => {
      if (isChain(request.postData())) ended.push(request.failure()?.errorText ?? '');
    });
    await page.route('**/graphql', async (route) => {
      if (isChain(route.request().postData())) held.push('');
      else await route.fallback();
    });
    await page.goto(`${greeter.server.url}/console/lineage?id=s1`);
    await expect.poll(() => held.length).toBe(2); // both directions of one node, and no more at a time
    await page.getByRole('navigation').getByRole('link', { name: 'Types' }).click();
    await expect.poll(() => ended).toEqual(['net::ERR_ABORTED', 'net::ERR_ABORTED']);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    expect(visit.complaints).toEqual([]);
  });
});
