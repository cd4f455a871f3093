// The box for CEL in a real browser: completed from the schema, checked by the server while it is typed, explained.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completionsOf } from '../../console/views/entities/cel-completion.ts';
import { findChromium } from '../portal/find-chromium.ts';
import { launch, signedIn, violationsInBothSchemes, type Visit } from './browser.ts';
import { server, setUp } from './console-testkit.ts';

const FIELDS = [
  { name: 'donor', type: 'string', description: 'Who gave it.' },
  { name: 'tissue', type: 'enum', values: ['blood', 'liver'] },
  { name: 'age', type: 'int' },
  { name: 'fresh', type: 'bool' },
  { name: 'labels', type: 'string', many: true },
];
const labels = (before: string): readonly string[] | undefined =>
  completionsOf(before, FIELDS)?.options.map(({ label }) => label);

test.each([
  ['data.', ['donor', 'tissue', 'age', 'fresh', 'labels'], 5],
  ['data.age > 3 && data.do', ['donor', 'tissue', 'age', 'fresh', 'labels'], 21],
  ['data.tissue == ', ['"blood"', '"liver"'], 15],
  ['data.tissue == "bl', ['"blood"', '"liver"'], 15],
  ['data.tissue in ["blood", ', ['"blood"', '"liver"'], 25],
  ['data.fresh != ', ['true', 'false'], 14],
  ['data.age.', [], 9],
] as const)('after %s', (before, expected, from) => {
  expect(labels(before)).toEqual(expected);
  expect(completionsOf(before, FIELDS)?.from).toBe(from);
});

test('functions and own names begin an expression; a text within quotes is left alone', () => {
  expect(labels('')).toContain('created_at');
  expect(labels('ha')).toContain('has(');
  expect(labels('data.donor.st')).toContain('startsWith(');
  expect(labels('data.labels.')).toContain('exists(x, ');
  expect(labels('data.donor == "data.')).toBeUndefined();
});

const executablePath = findChromium();

describe.skipIf(executablePath === undefined)('in Chromium', () => {
  setUp();
  let browser: Browser;
  let visit: Visit;
  beforeAll(async () => {
    browser = await launch(executablePath);
    visit = await signedIn(browser, server, server.key);
  });
  afterAll(() => browser.close());

  test('by keyboard: completed from the schema, checked, applied with the focus kept, explained; a fault is told where it is', async () => {
    const { page, complaints } = visit;
    const { keyboard } = page;
    await page.goto(`${server.url}/console/entities?type=Biopsy`);
    await page.getByRole('button', { name: 'Expression' }).click();
    const box = page.getByRole('textbox', { name: 'Expression (CEL)' });
    await box.click();
    await keyboard.type('data.ti');
    await page.getByRole('option', { name: 'tissue' }).waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await keyboard.press('Enter'); // completes, and does not apply
    expect(await box.textContent()).toBe('data.tissue');
    await keyboard.type(' == "');
    await page.getByRole('option', { name: '"liver"' }).waitFor();
    await sleep(200); // the editor takes no key for a list that has just opened
    await keyboard.press('ArrowDown');
    await page.getByRole('option', { name: '"liver"', selected: true }).waitFor();
    await keyboard.press('Enter');
    await expect.poll(() => box.textContent()).toBe('data.tissue == "liver"');
    await keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('filter') === 'data.tissue == "liver"');
    await page.getByText('30 entities').waitFor();
    expect(await box.evaluate('document.activeElement.id')).toBe('expression');
    await keyboard.type(' && nothing > 2');
    await page.getByText("unknown name 'nothing'").first().waitFor();
    await page.locator('.cm-lintRange-error').waitFor();
    expect(await page.locator('.cm-lintRange-error').textContent()).toBe('nothing');
    for (let i = 0; i < ' && nothing > 2'.length; i++) await keyboard.press('Backspace');
    // a field that no entity has matches nothing, without a fault: it is said, with the one that was meant
    await keyboard.type(' || data.tisue == 2');
    await page.getByText('have no field tisue; did you mean tissue?').first().waitFor();
    expect(await page.locator('.cm-lintRange-warning').textContent()).toBe('tisue');
    await page.goBack(); // what is in force replaces what was typed
    await expect.poll(() => box.textContent()).not.toContain('tisue');
    await page.goto(`${server.url}/console/entities?type=Biopsy&filter=data.age%20%3C%2030`); // it is open, as there is one
    await expect.poll(() => box.textContent()).toBe('data.age < 30');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('By the database').waitFor();
    // the key that leaves the box is not the box's
    await box.click();
    await keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.id')).not.toBe('expression');
    expect(complaints).toEqual([]);
  });
});
