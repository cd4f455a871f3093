// Stale results in a real browser: found on the home page, planned, made anew, left and found again.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addRule, canRun } from '../artifact/production-testkit.ts';
import { type Greeter, GREETS, SLOW, startGreeter } from '../artifact/staleness-testkit.ts';
import { findChromium } from '../portal/find-chromium.ts';
import { launch, signedIn, tabTo, violationsInBothSchemes } from './browser.ts';
import { buildConsole } from './console-testkit.ts';

const executablePath = findChromium();
const homeOf = (page: Page) => page.getByRole('region', { name: 'Stale results' });

describe.skipIf(executablePath === undefined || !canRun)('in Chromium, with cwltool', () => {
  let greeter: Greeter;
  let browser: Browser;
  let greeting = '';
  let echo = '';
  /** Of the other sample. */
  let second = '';
  /** When both are. */
  let stale = '';
  const open = (page: Page, address: string) => page.goto(`${greeter.server.url}/console${address}`);
  beforeAll(async () => {
    buildConsole();
    greeter = await startGreeter();
    await greeter.write('s1', { reads: 'a' });
    await greeter.write('s2', { reads: 'a' });
    second = await greeter.make('Greeting', 's2');
    greeting = await greeter.make('Greeting', 's1');
    echo = await greeter.make('Echo', 's1');
    browser = await launch(executablePath);
  });
  afterAll(async () => {
    await browser.close();
    await greeter.server[Symbol.asyncDispose]();
  });

  test('a home page without stale results does not speak of them; a viewer sees them, and may not make them', async () => {
    const { server } = greeter;
    const { page, context, complaints } = await signedIn(
      browser,
      server,
      await server.newKey({ role: 'viewer' }),
    );
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.waitForResponse((response) => /StaleResults/.test(response.request().postData() ?? ''));
    expect(await homeOf(page).count()).toBe(0);
    await greeter.write('s1', { reads: 'b' });
    await page.reload();
    await homeOf(page).getByText('reads').first().waitFor();
    stale = (await server.graphql('{ basis { time } }')).body.data.basis.time;
    await homeOf(page).getByRole('link', { name: 'See how they are made anew' }).click();
    await page.getByText('Making them anew needs the role analyst.').waitFor();
    expect(await page.getByRole('button', { name: /^Make/ }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('the plan first; one that has changed makes nothing; then each once, left and found again, by keyboard', async () => {
    const { server } = greeter;
    const { page, context, complaints } = await signedIn(
      browser,
      server,
      await server.newKey({ role: 'analyst' }),
    );
    await homeOf(page).getByRole('link', { name: greeting }).waitFor();
    await tabTo(page, 'Refresh …');
    await page.keyboard.press('Enter');
    const steps = page.getByRole('list', { name: 'Steps' }).locator('> li');
    await steps.nth(1).waitFor();
    expect(await steps.count()).toBe(2);
    await steps.nth(0).getByRole('link', { name: greeting }).waitFor();
    await steps.nth(1).getByRole('link', { name: echo }).first().waitFor();
    await steps.nth(0).getByText('How it is made').click();
    await steps.nth(0).getByText('greet@1').first().waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);

    await greeter.write('s2', { reads: 'c' });
    await page.getByRole('button', { name: 'Make 2 results anew' }).click();
    await page.getByText('the current plan differs from the one with this plan_hash').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await steps.nth(2).waitFor();
    await tabTo(page, 'Make 3 results anew');
    await page.keyboard.press('Enter');
    await page.waitForURL(/refresh\?request=/);
    await page.getByRole('progressbar').waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);

    await page.getByRole('link', { name: 'Types' }).click();
    const bar = page.getByRole('status').filter({ hasText: 'made anew' });
    await bar.waitFor();
    const other = await context.newPage();
    await open(other, '/rules');
    await other.getByText('3 stale results were made anew').waitFor({ timeout: 120_000 });
    await page.getByText('3 stale results were made anew').waitFor({ timeout: 120_000 });
    await bar.getByRole('link', { name: 'Look at it' }).click();
    await page.getByText('3 of 3 productions ended: 3 completed').waitFor();
    await page.reload();
    const made = page.getByRole('region', { name: 'Productions' });
    await made.getByRole('link', { name: echo }).waitFor();
    await page.getByRole('link', { name: 'Look what is stale now' }).click();
    await page.getByRole('heading', { name: 'Nothing is stale' }).waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await other.getByText('3 stale results were made anew').waitFor({ state: 'detached' });
    await open(page, '');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    expect(await homeOf(page).count()).toBe(0);
    await open(page, `/?at=${stale}`);
    await homeOf(page).getByText('They were no longer what would be made then.').waitFor();
    for (const id of [greeting, echo]) await homeOf(page).getByRole('link', { name: id }).first().waitFor();
    expect(
      await homeOf(page)
        .getByRole('link', { name: /Refresh|anew/ })
        .count(),
    ).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('one entity and its production say that they are stale, and why it cannot be made anew', async () => {
    const { server } = greeter;
    const { page, context, complaints } = await signedIn(browser, server, server.key);
    await greeter.write('s1', { reads: 'd' });
    await server.rest('PATCH', '/api/v1/artifact/rules/greet', {
      body: { status: 'deprecated', deprecation_note: 'wrong' },
    });
    await open(page, `/entity?id=${greeting}&tab=made-by`);
    await page.getByRole('link', { name: 'a production' }).click();
    await page.getByRole('region', { name: 'It is no longer what would be made now' }).waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await page.getByRole('link', { name: 'See how it is made anew' }).click();
    await page.getByText(/^It cannot be made anew/).waitFor();
    expect(await page.getByRole('button', { name: 'Make 0 results anew' }).isDisabled()).toBe(true);
    await page.getByRole('link', { name: 'All stale results' }).click();
    await page.getByRole('list', { name: 'Steps' }).locator('> li').nth(2).waitFor();
    await page.getByLabel('Type').selectOption('Echo');
    await page.waitForURL(/type=Echo/);
    await page.reload();
    await page
      .getByLabel('Type')
      .getByRole('option', { name: 'Echo', selected: true })
      .waitFor({ state: 'attached' });
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('what is being made otherwise is not made anew: each with its reason, alone and beside what is', async () => {
    const { server } = greeter;
    const { page, context, complaints } = await signedIn(browser, server, server.key);
    await addRule(server, 'greet', SLOW, GREETS);
    const { body: made } = await server.rest('POST', '/api/v1/artifact/produce', {
      body: { entity_type: 'Greeting', criteria: { sample: 's1' }, reuse: 'fresh' },
    });
    expect(made.status).toMatch(/^(?:queued|running)$/);
    const reason = new RegExp(
      `${greeting}: nothing is made: the same is being made by production ${made.production_id}`,
    );
    await open(page, `/refresh?id=${greeting}`);
    await tabTo(page, 'Make 1 result anew');
    await page.keyboard.press('Enter');
    const alert = page.getByRole('alert');
    await alert.getByText('1 result is not made anew').waitFor();
    expect(await alert.getByRole('listitem').allInnerTexts()).toEqual([expect.stringMatching(reason)]);
    await alert.getByText(/can be made anew when its production has ended/).waitFor();
    expect(new URL(page.url()).searchParams.has('request')).toBe(false);
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await alert.getByRole('button', { name: 'Look again' }).click();
    await alert.waitFor({ state: 'detached' });

    await open(page, `/refresh?id=${greeting}&id=${second}`);
    await page.getByRole('button', { name: 'Make 2 results anew' }).click();
    await page.waitForURL(/refresh\?request=/);
    const beside = page.getByRole('note').filter({ hasText: '1 result is not made anew' });
    await page.getByText('0 of 1 production ended').waitFor();
    expect(await beside.getByRole('listitem').allInnerTexts()).toEqual([expect.stringMatching(reason)]);
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await page.reload();
    await beside.getByRole('link', { name: greeting }).waitFor();
    const { body } = await server.rest('GET', '/api/v1/artifact/productions?entity_type=Greeting');
    for (const { production_id: id, status } of body.productions)
      if (status === 'queued' || status === 'running')
        await server.rest('DELETE', `/api/v1/artifact/productions/${id}`);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
