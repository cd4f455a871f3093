// The console as of an earlier time in a real browser: every view shows that moment or says that it cannot, and nothing
// that changes something is offered.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../portal/find-chromium.ts';
import { asSuperuser } from '../testkit/database.ts';
import { launch, signedIn, violationsInBothSchemes, type Visit } from './browser.ts';
import { RULE } from './console-testkit.ts';
import { startWorld, type World } from './every-view-world.ts';
import { SHOWN_ACTIONS, SHOWN_VIEWS } from './every-view.ts';

const executablePath = findChromium();

describe.skipIf(executablePath === undefined)('in Chromium', () => {
  let world: World;
  let browser: Browser;
  let visit: Visit;
  /** After the world was made, and before it changed. */
  let then = '';
  let later = '';
  const tell = async (document: string, variables?: Record<string, unknown>) => {
    const { body } = await world.server.graphql(document, variables);
    if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
    return body.data;
  };
  const at = (address: string, instant = then): string =>
    `${world.server.url}/console${address}${address.includes('?') ? '&' : '?'}at=${encodeURIComponent(instant)}`;
  const settled = async (page: Page): Promise<void> => {
    await page.locator('main h1').first().waitFor();
    await page.locator('.loading').first().waitFor({ state: 'detached' });
  };
  const open = async (address: string, instant = then): Promise<void> => {
    await visit.page.goto(at(address, instant));
    await settled(visit.page);
  };

  beforeAll(async () => {
    world = await startWorld();
    then = (await tell('{ basis { time } }')).basis.time;
    const changed = await tell(
      `mutation ($rule: JSON!) {
        registerRule(definition: $rule) { isValid }
        resumeTrigger(name: "on-change") { status }
        pauseTrigger(name: "lab", reason: "later") { status }
        runTrigger(name: "on-change") { runId }
        produceArtifact(entityType: "Biopsy", criteria: { donor: "later" }) { production { id } }
      }`,
      { rule: { ...RULE, version: 2, description: 'Copies it again.' } },
    );
    later = changed.produceArtifact.production.id;
    browser = await launch(executablePath);
    visit = await signedIn(browser, world.server, world.server.key);
  });
  afterAll(async () => {
    await browser.close();
    await world.server[Symbol.asyncDispose]();
  });

  test('triggers, runs, rules, productions and plans are those of then, on every page that shows them', async () => {
    const { page } = visit;
    const body = page.locator('main');
    await open('/runs');
    const runs = page.getByRole('region', { name: 'List of runs' }).locator('tbody tr');
    await runs.nth(2).waitFor();
    expect(await runs.count()).toBe(3);
    const triggers = page.getByRole('region', { name: 'Triggers' });
    await triggers
      .getByRole('row', { name: /^on-change/ })
      .getByText('paused')
      .waitFor();
    expect(await triggers.getByRole('row', { name: /^lab/ }).getByText('paused').count()).toBe(0);
    await page.getByRole('note').getByText('These deliveries are of the present').waitFor();
    await open('/trigger?name=on-change');
    await page.getByText('Paused by').waitFor();
    await open('/trigger?name=on-change&tab=observations');
    await page.getByRole('note').getByText('These observations are of the present').waitFor();
    await open('/rules');
    await body.getByRole('link', { name: 'copy-biopsy@1' }).waitFor();
    await open('/rule?name=copy-biopsy&tab=versions');
    expect(await page.getByRole('region', { name: 'Versions' }).locator('tbody tr').count()).toBe(1);
    await open('/rules?tab=productions');
    expect(await page.getByRole('region', { name: 'Productions' }).locator('tbody tr').count()).toBe(3);
    await open(`/production?id=${later}`);
    await page.getByRole('heading', { name: 'There was no such production then' }).waitFor();
    await open('/ask?type=Biopsy&c.donor=Nobody&plan=1');
    await page.getByRole('list', { name: 'Plan' }).getByText('copy-biopsy@1').first().waitFor();
    await open('/');
    await page.getByRole('link', { name: '3 runs' }).waitFor();
    await page.getByRole('link', { name: '3 productions' }).waitFor();
    await page.getByRole('button', { name: 'Back to the present' }).click();
    await page.getByRole('link', { name: '4 runs' }).waitFor();
    await page.getByRole('link', { name: '4 productions' }).waitFor();
  });

  test('the request to copy has the instant, and answers the same elsewhere', async () => {
    const { page } = visit;
    await open('/rules?tab=productions');
    await page.getByRole('button', { name: 'Copy request of this view' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'curl', exact: true }).click();
    const text = (await dialog.getByTestId('snippet').textContent()) ?? '';
    const [, json = ''] = /-d '([\s\S]*)'$/.exec(text) ?? [];
    const { query, variables } = JSON.parse(json) as { query: string; variables: Record<string, unknown> };
    expect(query).toContain('@asOf(time: $at)');
    expect((await tell(query, variables)).productions.total).toBe(3);
    await page.keyboard.press('Escape');
  });

  test('before the first moment that is known, a view says which that is and leads there', async () => {
    const { page } = visit;
    const { rows } = await world.server.database.pool.query<{ name: string }>(
      'SELECT current_database() AS name',
    );
    // as after an upgrade
    await asSuperuser(`UPDATE workflow.past_begins SET at = '${then}'`, rows[0]?.name);
    await page.goto(`${world.server.url}/console/runs`);
    const triggers = page.getByRole('region', { name: 'Triggers' });
    await triggers.getByRole('link', { name: 'lab' }).waitFor();
    await page.getByRole('button', { name: 'Time shown by all views' }).click();
    await page.getByLabel('Date and time').fill('2001-01-01T00:00:00');
    await page.getByRole('button', { name: 'Show this moment' }).click();
    await page.getByRole('alert').first().waitFor();
    expect(await triggers.count()).toBe(0); // what is there now is not shown for then
    await page
      .getByRole('button', { name: /^Go to .* the first moment that is known$/ })
      .first()
      .click();
    await triggers.getByRole('link', { name: 'lab' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('no view fails, each says in its bar what it shows, and all are accessible', async () => {
    const { page, complaints } = visit;
    const wrong: string[] = [];
    for (const { at: of } of SHOWN_VIEWS) {
      const address = of(world);
      await open(address);
      for (const fault of await page.getByRole('alert').allInnerTexts()) wrong.push(`${address}: ${fault}`);
      const bar = await page.locator('.past').innerText();
      const isPresent = bar.includes('This view shows the present');
      if (isPresent !== /^\/(?:types|admin(?!\?tab=measurements)|compare\?of=type)/.test(address))
        wrong.push(`${address} says ${bar}`);
      if (/^\/(?:runs|trigger|rule|production|admin\?tab=keys)/.test(address))
        wrong.push(...(await violationsInBothSchemes(page)).map((one) => `${address} ${one}`));
    }
    expect(wrong).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('no action is offered, on any view or in the palette', async () => {
    const { page } = visit;
    const offered: string[] = [];
    for (const [name, { at: of, before, offer }] of Object.entries(SHOWN_ACTIONS)) {
      await open(of(world));
      // what cannot be reached is not offered either
      if (before !== undefined && !/Cancel/.test(name)) await before(page);
      if ((await offer(page).count()) > 0) offered.push(name);
    }
    expect(offered).toEqual([]);
    await open('/');
    for (const words of ['New API key', 'New Biopsy', 'Run lab']) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Page, type, or id' }).fill(words);
      await page.getByRole('option', { name: `${words} in Biopsy` }).waitFor();
      expect(await page.getByRole('option', { name: words, exact: true }).count()).toBe(0);
      await page.keyboard.press('Escape');
    }
  });
});
