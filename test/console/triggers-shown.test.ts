// Triggers in a real browser: how they went, paused and resumed; and what the home page says of growth and refused rows.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../portal/find-chromium.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { settledRun } from '../workflow/workflow-server.ts';
import { launch, signedIn, violationsInBothSchemes, type Visit } from './browser.ts';
import { buildConsole, SCHEMA } from './console-testkit.ts';

const executablePath = findChromium();
const CONFIG = `workflow:
  triggers:
    - {name: nightly, type: schedule, schedule: '0 3 * * *', action: {type: ingest, adapter: sheet}}
    - {name: lost, type: schedule, schedule: '0 4 * * *', action: {type: ingest, adapter: none}}
    - {name: of-lab, type: manual, project: lab, action: {type: ingest, adapter: sheet}}
    - {name: by-hand, type: manual, action: {type: ingest, adapter: sheet}}
  adapters:
    - {name: sheet, type: jsonl, entity_type: Biopsy, source: rows.jsonl, map: {id: row.id, donor: row.donor, tissue: row.tissue}}
    - {name: none, type: jsonl, entity_type: Biopsy, source: none.jsonl, map: {id: row.id}}
`;

describe.skipIf(executablePath === undefined)('in Chromium', () => {
  let server: TestServer;
  let browser: Browser;
  let visit: Visit;
  const run = async (name: string): Promise<void> => {
    const { body } = await server.rest('POST', `/api/v1/workflow/triggers/${name}/run`);
    await settledRun(server, body.run_id);
  };
  beforeAll(async () => {
    buildConsole();
    server = await startServer({ config: CONFIG });
    await server.rest('POST', '/api/v1/metadata/schemas', { body: SCHEMA });
    await writeFile(
      path.join(server.dataDir, 'rows.jsonl'),
      ['liver', 'skin', 'bone']
        .map((tissue, i) => JSON.stringify({ id: `b:${i}`, donor: `D-${i}`, tissue }))
        .join('\n'),
    );
    await run('nightly'); // the third row is refused
    await run('nightly');
    await run('lost');
    browser = await launch(executablePath);
    visit = await signedIn(browser, server, server.key);
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  test('the latest runs as a strip, the next firing and the last error; paused with a reason, found paused, resumed', async () => {
    const { page, complaints } = visit;
    await page.goto(`${server.url}/console/runs`);
    const triggers = page.getByRole('region', { name: 'Triggers' });
    await triggers.getByRole('img', { name: '0 of 1 succeeded' }).waitFor();
    await triggers.getByRole('link', { name: 'lost' }).click();
    await page
      .getByText(/AdapterFetchError/)
      .first()
      .waitFor();
    await page.getByText('Next firing').waitFor();
    await page.goto(`${server.url}/console/trigger?name=nightly`);
    const strip = page.getByRole('list', { name: 'The latest runs over time: 0 of 2 succeeded' });
    const columns = strip.getByRole('link', { name: /partial success/ });
    await expect.poll(() => columns.count()).toBeGreaterThan(0); // of one minute, or of two
    await page.getByRole('button', { name: 'Copy request' }).click();
    await page.getByRole('button', { name: 'PauseTrigger' }).click(); // what an action does is to be copied as well
    await expect.poll(() => page.getByTestId('snippet').textContent()).toContain('pauseTrigger(name: $name');
    await page.getByRole('button', { name: 'RunTrigger' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Page, type, or id' }).fill('liver');
    await page.getByRole('option', { name: 'liver in Biopsy' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Pause …' }).click();
    await page.getByLabel('Reason').fill('service of the sequencer');
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByText('service of the sequencer').waitFor();
    expect(await page.getByText('Next firing').count()).toBe(0);
    expect(await violationsInBothSchemes(page)).toEqual([]);
    expect((await server.rest('GET', '/api/v1/workflow/triggers/nightly')).body.status).toBe('paused');
    await page.goto(`${server.url}/console/runs`);
    await triggers.getByText('paused', { exact: true }).waitFor();
    await page.goto(`${server.url}/console/trigger?name=nightly`);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Next firing').waitFor();
    const isOne = /^partial/.test((await columns.first().getAttribute('aria-label')) ?? '');
    await columns.first().click();
    if (!isOne) {
      await page.waitForURL(/\/console\/trigger\?name=nightly&since=/);
      const listed = page.getByRole('region', { name: 'List of runs' });
      await expect.poll(() => listed.locator('tbody tr').count()).toBe(2);
      await listed.getByRole('link', { name: 'nightly' }).first().click();
    }
    await page.waitForURL(/\/console\/run\?id=/);
    await page.getByRole('link', { name: 'Compare' }).click();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'failed' })
      .getByRole('link', { name: 'lost' })
      .click();
    const compared = page.getByRole('region', { name: 'Differences of the runs' });
    await compared.getByRole('row', { name: 'status partial_success failed' }).waitFor();
    await compared.getByRole('row', { name: 'trigger nightly lost' }).waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('a trial has a beginning and an end', async () => {
    const { page, complaints } = visit;
    await page.goto(`${server.url}/console/trigger?name=nightly&tab=trial`);
    await page.getByLabel('Since').fill('2026-01-01T00:00:00');
    await page.getByLabel('Until').fill('2026-01-04T00:00:00');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('It would have fired 3 times, of 3 cases.').waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await page.reload();
    await page.getByText('It would have fired 3 times, of 3 cases.').waitFor();
    expect(await page.getByLabel('Until').inputValue()).toMatch(/^2026-01-04T00:00/);
    await page.getByLabel('Until').fill('2026-01-03T00:00:00');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('It would have fired 2 times, of 2 cases.').waitFor();
    await page.goBack();
    await page.getByText('It would have fired 3 times, of 3 cases.').waitFor();
    expect(await page.getByLabel('Until').inputValue()).toMatch(/^2026-01-04T00:00/);
    expect(complaints).toEqual([]);
  });

  test('the strip has the runs of the chosen project, and its earliest column leads to all of its time', async () => {
    const { page, complaints } = visit;
    const projects: unknown[] = [];
    await page.route('**/graphql', async (route) => {
      const { query, variables } = JSON.parse(route.request().postData() ?? '{}') as {
        readonly query?: string;
        readonly variables?: { readonly project?: string };
      };
      if (query?.startsWith('query Trigger(') !== true) return route.continue();
      projects.push(variables?.project);
      const response = await route.fetch({ postData: { query, variables: { ...variables, project: null } } });
      const json = await response.json();
      json.data.trigger.runs.nextCursor = 'to those before';
      await route.fulfill({ response, json });
    });
    await page.goto(`${server.url}/console/trigger?name=nightly&project=lab`);
    const strip = page.getByRole('list', { name: /^The latest runs over time/ });
    await strip.getByRole('link').first().waitFor();
    expect(projects[0]).toBe('lab');
    const labels = await Promise.all(
      (await strip.getByRole('link').all()).map((link) => link.getAttribute('aria-label')),
    );
    expect(labels.map((label) => label?.startsWith('at least '))).toEqual(labels.map((_, i) => i === 0));
    await strip.getByRole('link').first().click();
    await page.waitForURL(/\/console\/trigger\?project=lab&name=nightly&since=/);
    await page.unrouteAll({ behavior: 'wait' });
    expect(complaints).toEqual([]);
  });

  test('what was there before is dimmed and busy until what was asked for is there', async () => {
    const { page, complaints } = visit;
    await page.goto(`${server.url}/console/runs`);
    const list = page.getByRole('region', { name: 'List of runs' });
    await list.waitFor();
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/graphql', async (route) => {
      if (/query Runs\(/.test(route.request().postData() ?? '')) await held;
      await route.fallback();
    });
    const opacity = (): Promise<string> =>
      page.evaluate(`getComputedStyle(document.querySelector('[aria-label="List of runs"]')).opacity`);
    expect(await opacity()).toBe('1');
    await page.getByLabel('Status').selectOption('failed');
    await page.locator('[aria-busy="true"]').filter({ has: list }).waitFor();
    await page.getByRole('status').filter({ hasText: 'Loading the runs' }).waitFor();
    expect(await opacity()).toBe('0.62');
    answer();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    expect([await opacity(), await list.locator('tbody tr').count()]).toEqual(['1', 1]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    expect(complaints).toEqual([]);
  });

  test('runs are found by trigger, time, cause and error, by an address that is the whole choice', async () => {
    const { page, complaints } = visit;
    await page.goto(`${server.url}/console/runs`);
    const rows = page.getByRole('region', { name: 'List of runs' }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(3);
    await page.getByText('Time, cause and error').click();
    await page.getByLabel('Error contains').fill('TISSUE must');
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByLabel('Trigger', { exact: true }).selectOption('lost');
    await page.getByText('None meets these conditions.').waitFor();
    await page.reload();
    await page.getByText('None meets these conditions.').waitFor();
    expect(await page.getByLabel('Error contains').inputValue()).toBe('TISSUE must');
    await page.getByRole('button', { name: 'Remove these conditions' }).click();
    await expect.poll(() => rows.count()).toBe(1);
    await rows.getByText('on request').waitFor(); // its cause
    await page.getByText('Time, cause and error').click();
    await page.getByLabel('Queued before').fill('2001-01-01T00:00:00');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByText('None meets these conditions.').waitFor();
    const [run] = (await server.rest('GET', '/api/v1/workflow/runs?trigger=lost')).body.runs as [
      { run_id: string },
    ];
    const { body } = await server.graphql(`{ run(runId: "${run.run_id}") { requestId causedBy } }`);
    const { requestId, causedBy } = body.data.run as { requestId: string; causedBy: string };
    for (const [name, value] of [
      ['Id of the request', requestId],
      ['Fired by', causedBy],
    ] as const) {
      await page.goto(`${server.url}/console/runs`);
      await expect.poll(() => rows.count()).toBe(3);
      await page.getByText('Time, cause and error').click();
      await page.getByLabel(name).fill(value);
      await page.keyboard.press('Enter');
      await expect.poll(() => rows.count()).toBe(1);
      await rows.getByRole('link', { name: 'lost' }).waitFor();
    }
    await page.goto(`${server.url}/console/trigger?name=nightly`);
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByLabel('Status', { exact: true }).selectOption('failed');
    await page.getByText('None meets these conditions.').waitFor();
    expect(complaints).toEqual([]);
  });

  test('a trigger of a project is run by those who are in it', async () => {
    for (const [project, offered] of [
      ['lab', ['of-lab', 'by-hand']],
      ['other', ['by-hand']],
    ] as const) {
      const one = await signedIn(browser, server, await server.newKey({ role: 'analyst', project }));
      await one.page.goto(`${server.url}/console/runs`);
      await one.page.getByRole('button', { name: 'Run by-hand now' }).waitFor();
      expect(await one.page.getByRole('button', { name: 'Run of-lab now' }).count()).toBe(offered.length - 1);
      await one.page.goto(`${server.url}/console/trigger?name=of-lab`);
      await one.page.getByRole('heading', { name: /of-lab/ }).waitFor();
      expect(await one.page.getByRole('button', { name: /^Run/ }).count()).toBe(offered.length - 1);
      await one.page.keyboard.press('Control+k');
      await one.page.getByRole('combobox', { name: 'Page, type, or id' }).fill('Run ');
      await one.page.getByRole('option', { name: 'Run by-hand' }).waitFor();
      expect(await one.page.getByRole('option', { name: 'Run of-lab' }).count()).toBe(offered.length - 1);
      await one.context.close();
    }
  });

  test('what somebody may not pause is not offered', async () => {
    const { page } = visit;
    await page.goto(`${server.url}/console/trigger?name=by-hand`);
    await page.getByRole('button', { name: /^Run/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Pause …' }).count()).toBe(0);
    const lead = await signedIn(
      browser,
      server,
      await server.newKey({ role: 'project_lead', project: 'lab' }),
    );
    await lead.page.goto(`${server.url}/console/trigger?name=nightly`);
    await lead.page.getByRole('button', { name: /^Run/ }).waitFor();
    expect(await lead.page.getByRole('button', { name: 'Pause …' }).count()).toBe(0);
    await lead.context.close();
  });

  test('the home page says how types grew, and that rows were refused', async () => {
    const { page, complaints } = visit;
    await page.goto(`${server.url}/console`);
    await page.getByText('2 new in 28 days').waitFor();
    await page.getByText('2 rows of 2 runs were refused in the last 7 days').waitFor();
    await page.getByText('The trigger lost failed the last time').waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('the project of a trigger is told in GraphQL, in REST, and here', async () => {
    const { page, complaints } = visit;
    const { body } = await server.graphql('{ triggers { name project } }');
    const told = body.data.triggers as readonly { name: string; project: string | null }[];
    expect(told.filter(({ project }) => project !== null)).toEqual([{ name: 'of-lab', project: 'lab' }]);
    expect((await server.rest('GET', '/api/v1/workflow/triggers/of-lab')).body.project).toBe('lab');
    expect((await server.rest('GET', '/api/v1/workflow/triggers/by-hand')).body).not.toHaveProperty(
      'project',
    );
    await page.goto(`${server.url}/console/runs`);
    const triggers = page.getByRole('region', { name: 'Triggers' });
    await triggers.getByRole('row', { name: /^of-lab\s+of project lab/ }).waitFor();
    await triggers.getByRole('link', { name: 'of-lab' }).click();
    await page.getByRole('region', { name: 'State' }).getByRole('link', { name: 'lab' }).click();
    await page.waitForURL(/\/console\/runs\?project=lab$/);
    await page.goto(`${server.url}/console/runs?project=other`);
    await triggers.getByRole('link', { name: 'by-hand' }).waitFor();
    expect(await triggers.getByRole('link', { name: 'of-lab' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
