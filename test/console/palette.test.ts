// The palette in a real browser: what can be done anywhere, by keyboard and by role.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../portal/find-chromium.ts';
import { launch, signedIn, violationsInBothSchemes } from './browser.ts';
import { server, setUp } from './console-testkit.ts';

const executablePath = findChromium();

setUp();

describe.skipIf(executablePath === undefined)('in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch(executablePath);
  });
  afterAll(() => browser.close());

  /** Types into the palette, and returns what it offers of the kind. */
  const offered = async (page: Page, typed: string): Promise<readonly string[]> => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Page, type, or id' }).fill(typed);
    await page
      .getByRole('option', { name: /action$/ })
      .first()
      .waitFor();
    const options = await page.getByRole('option', { name: /action$/ }).allTextContents();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    return options.map((text) => text.replace(/action$/, ''));
  };
  const choose = async (page: Page, typed: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Page, type, or id' }).fill(typed);
    await page.getByRole('option', { name: typed }).first().waitFor();
    await page.keyboard.press('Enter');
  };

  test('entities and keys are made, triggers run, time, project and colours chosen, by keyboard', async () => {
    const { page, context, complaints } = await signedIn(browser, server, server.key);
    await choose(page, 'New Biopsy');
    await page.getByRole('heading', { name: 'New Biopsy' }).waitFor();
    await choose(page, 'New API key');
    await page.getByRole('dialog').getByLabel('Label').waitFor();
    await page.keyboard.press('Escape');
    await choose(page, 'Choose the time');
    await page.getByLabel('Date and time').waitFor();
    await page.getByRole('button', { name: 'An hour ago' }).press('Enter');
    await page.getByRole('button', { name: 'Back to the present' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Page, type, or id' }).fill('New');
    await page.getByRole('option', { name: 'New in Biopsy' }).waitFor();
    expect(await page.getByRole('option', { name: /action$/ }).count()).toBe(0); // the past is not written
    await page.keyboard.press('Escape');
    await choose(page, 'Back to the present');
    await expect.poll(() => new URL(page.url()).searchParams.has('at')).toBe(false);
    await choose(page, 'Choose the project');
    await page.getByLabel('Project', { exact: true }).fill('lab');
    await page.keyboard.press('Enter');
    await choose(page, 'Show all projects');
    await expect.poll(() => new URL(page.url()).searchParams.has('project')).toBe(false);
    const scheme = (): Promise<string> => page.evaluate<string>('document.documentElement.dataset.scheme');
    const before = await scheme();
    await choose(page, `Use the ${before === 'dark' ? 'light' : 'dark'} colours`);
    await expect.poll(scheme).not.toBe(before);
    await choose(page, 'Copy request');
    await page.getByRole('heading', { name: 'Requests of this view' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Page, type, or id' }).fill('on-re');
    await expect
      .poll(async () => (await page.getByRole('option').allInnerTexts()).slice(0, 2))
      .toEqual([
        expect.stringMatching(/^on-request\s*trigger/), // what begins so comes first
        expect.stringMatching(/^Run on-request/),
      ]);
    await page.keyboard.press('Escape');
    await choose(page, 'Run on-request');
    await page.getByText('The trigger on-request begins a run now.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Copy request' }).click();
    await expect.poll(() => page.getByTestId('snippet').textContent()).toContain('mutation RunTrigger');
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Run it' }).press('Enter');
    await page.waitForURL(/\/console\/run\?id=/);
    for (const [typed, kind] of [
      [new URL(page.url()).searchParams.get('id') ?? '', 'run'],
      ['copy-bio', 'rule'],
      ['on-change', 'trigger'],
    ] as const) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Page, type, or id' }).fill(typed);
      await page.getByRole('option', { name: new RegExp(` ?${kind}$`) }).waitFor();
      await page.keyboard.press('Escape');
    }
    await choose(page, 'Sign out');
    await page.getByLabel('User name').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('the chosen one is in sight', async () => {
    const { page, context } = await signedIn(browser, server, server.key);
    await page.keyboard.press('Control+k');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('ArrowUp'); // the last one
    const box = await page.getByRole('listbox').boundingBox();
    const chosen = await page.getByRole('option', { selected: true }).boundingBox();
    expect(await page.getByRole('option').count()).toBeGreaterThan(12);
    expect((chosen?.y ?? Infinity) + (chosen?.height ?? 0)).toBeLessThanOrEqual(
      (box?.y ?? 0) + (box?.height ?? 0) + 1,
    );
    await context.close();
  });

  test('what a viewer may not do is not offered', async () => {
    const { page, context } = await signedIn(browser, server, await server.newKey({ role: 'viewer' }));
    expect(await offered(page, '')).toContain('See how an artifact is made');
    const actions = await offered(page, 'o');
    expect(actions.filter((text) => /^(?:New|Run) /.test(text))).toEqual([]);
    expect(actions).toContain('Choose the project …');
    await context.close();
  });
});
