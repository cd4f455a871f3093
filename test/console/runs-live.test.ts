// Runs and productions in a real browser while they change: logs that follow, lists that tell what is new, one project.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../portal/find-chromium.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { settledRun } from '../workflow/workflow-server.ts';
import { launch, signedIn, violationsInBothSchemes, type Visit } from './browser.ts';
import { buildConsole, MARKUP, SCHEMA } from './console-testkit.ts';

const executablePath = findChromium();
/** Pages that are asked for and not answered yet. */
const waiting: http.ServerResponse[] = [];
const source = http.createServer(({ url = '' }, res) => {
  if (new URL(url, 'http://x').searchParams.get('page') === '1')
    res.end(JSON.stringify([{ id: 'b:1', donor: 'D', tissue: MARKUP }]));
  else waiting.push(res);
});
const config = (url: string): string => `workflow:
  triggers:
    - {name: pull, type: manual, project: apollo, retry: {attempts: 1}, action: {type: ingest, adapter: lims}}
    - {name: gemini-pull, type: manual, project: gemini, action: {type: ingest, adapter: lims}}
  adapters:
    - {name: lims, type: http, url: "${url}", paging: {style: page, parameter: page}, entity_type: Biopsy, map: {id: row.id, donor: row.donor, tissue: row.tissue}}
`;

describe.skipIf(executablePath === undefined)('in Chromium', () => {
  let server: TestServer;
  let browser: Browser;
  let visit: Visit;
  const start = async (): Promise<string> =>
    String((await server.rest('POST', '/api/v1/workflow/triggers/pull/run')).body.run_id);
  const sql = (text: string, values: unknown[] = []) => server.database.pool.query(text, values);
  /** As another process works it: none of this one takes it. */
  const insert = (id: string, project: string) =>
    sql(
      `INSERT INTO artifact.production (id, entity_type, criteria, rule, status, request_key, plan, requested_by, requested_at)
       VALUES ($1, 'Biopsy', $2, 'stats@1', 'running', $1, '{"entity_type":"Biopsy","decision":"build","reason":"none is stored"}', 'user:rita', clock_timestamp())`,
      [id, { project }],
    );
  beforeAll(async () => {
    buildConsole();
    source.listen(0, '127.0.0.1');
    await once(source, 'listening');
    const { port } = source.address() as AddressInfo;
    server = await startServer({ config: config(`http://127.0.0.1:${port}/`) });
    await server.rest('POST', '/api/v1/metadata/schemas', { body: SCHEMA });
    browser = await launch(executablePath);
    visit = await signedIn(browser, server, server.key);
  });
  afterAll(async () => {
    source.closeAllConnections();
    source.close();
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  test('the log of a run follows, stands still, is copied and downloaded; the list of runs tells what is new', async () => {
    const { page, context, complaints } = visit;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${server.url}/console/runs?project=apollo`);
    await page.getByText('You see the project').waitFor();
    const triggers = page.getByRole('region', { name: 'Triggers' });
    await triggers.getByRole('link', { name: 'pull', exact: true }).waitFor();
    expect(await triggers.getByRole('link', { name: 'gemini-pull' }).count()).toBe(0);
    const runId = await start();
    const row = page.getByRole('region', { name: 'List of runs' }).getByRole('row').nth(1);
    await row.getByText('running').waitFor();
    await row.getByText('new', { exact: true }).waitFor();
    await row.getByRole('link', { name: 'pull' }).click();
    const log = page.getByRole('region', { name: 'Log of the run' });
    await log.getByText('page 1 has 1 records').waitFor();
    await page.getByText('live', { exact: true }).waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    for (const res of waiting.splice(0)) res.end('[]');
    await settledRun(server, runId);
    await page.getByRole('button', { name: /^Go on \(\d+ new\)/ }).waitFor();
    expect(await log.getByText('attempt 1 ends').count()).toBe(0);
    await page.getByRole('button', { name: /^Go on/ }).click();
    await log.getByText('attempt 1 ends').waitFor();
    expect(await log.getByText('record 1 is refused').textContent()).toContain('field tissue must be one of');
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied.trim().split('\n')).toHaveLength(await log.locator('.line').count());
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(await readFile(await download.path(), 'utf8')).toBe(copied);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(complaints).toEqual([]);
  });

  test('the log of a run is as it was at the chosen time', async () => {
    const { page, complaints } = visit;
    const before = new Date().toISOString();
    const runId = await start();
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    await page.goto(`${server.url}/console/run?id=${runId}&at=${before}`);
    await page.getByText('There was no such run then').waitFor();
    for (const res of waiting.splice(0)) res.end('[]');
    await settledRun(server, runId);
    await page.goto(`${server.url}/console/run?id=${runId}&at=${new Date().toISOString()}`);
    await page.getByRole('region', { name: 'Log of the run' }).getByText('attempt 1 ends').waitFor();
    expect(await page.getByRole('button', { name: 'Pause', exact: true }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('of the next run, nothing of the log of the one before is shown', async () => {
    const { page, complaints } = visit;
    const runs: string[] = [];
    for (let count = 0; count < 2; count++) {
      const runId = await start();
      await expect.poll(() => waiting.length).toBeGreaterThan(0);
      for (const res of waiting.splice(0)) res.end('[]');
      await settledRun(server, runId);
      runs.push(runId);
    }
    await page.goto(`${server.url}/console/run?id=${runs[0]}`);
    const log = page.getByRole('region', { name: 'Log of the run' });
    await log.getByText('attempt 1 ends').waitFor();
    const first = log.locator('.line').first();
    const before = await first.textContent(); // with its time
    await page.evaluate(
      `history.pushState(null, '', '/console/run?id=${runs[1]}'); dispatchEvent(new PopStateEvent('popstate'))`,
    );
    await page
      .getByText(runs[1] ?? '', { exact: true })
      .first()
      .waitFor();
    await log.getByText('attempt 1 ends').waitFor();
    await expect.poll(() => first.textContent()).not.toBe(before);
    expect(complaints).toEqual([]);
  });

  test('productions of one project, marked as they change; one with its log until it ends; at the width of a phone', async () => {
    const { page, complaints } = visit;
    await insert('theirs', 'gemini');
    await page.goto(`${server.url}/console/rules?tab=productions&project=apollo`);
    await page.getByText('No productions').waitFor();
    await insert('own', 'apollo');
    const list = page.getByRole('region', { name: 'Productions' });
    await list.getByText('new', { exact: true }).waitFor();
    expect(await list.getByRole('row').count()).toBe(2);
    await list.getByRole('link', { name: 'Biopsy' }).click();
    await page.getByText('It has not begun yet.').waitFor();
    await sql(
      `UPDATE artifact.production SET started_at = clock_timestamp(), log = 'step one' WHERE id = 'own'`,
    );
    const log = page.getByRole('region', { name: 'Log of the production' });
    await log.getByText('step one').waitFor();
    await sql(`UPDATE artifact.production SET log = log || E'\\nstep two ' || $1 WHERE id = 'own'`, [MARKUP]);
    await log.getByText('step two').waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await sql(
      `UPDATE artifact.production SET status = 'cancelled', finished_at = clock_timestamp() WHERE id = 'own'`,
    );
    await page.getByRole('heading', { level: 1 }).getByText('cancelled').waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(complaints).toEqual([]);
  });
});
