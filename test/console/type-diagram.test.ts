// The diagram of types in a real browser: fields with their types, what they refer to, and many types with many fields.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../portal/find-chromium.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { launch, signedIn, violationsInBothSchemes, type Visit } from './browser.ts';
import { buildConsole } from './console-testkit.ts';

const executablePath = findChromium();
const TYPES = 40;
const FIELDS = 60;

const FEW = [
  {
    name: 'Donor',
    version: '1',
    fields: [{ name: 'code', field_type: 'string', required: true, unique: true }],
  },
  {
    name: 'Biopsy',
    version: '1',
    fields: [
      { name: 'donor', field_type: 'ref', references: 'Donor', required: true },
      { name: 'twins', field_type: 'ref', references: 'Biopsy', many: true },
      { name: 'a_name_that_is_longer_than_any_box_of_a_diagram_is_wide', field_type: 'float' },
    ],
  },
  { name: 'Slice', version: '1', parent: 'Biopsy', fields: [{ name: 'depth', field_type: 'int' }] },
];
/** Each refers to the one before it. */
const MANY = Array.from({ length: TYPES }, (_, i) => ({
  name: `Type${i}`,
  version: '1',
  fields: Array.from({ length: FIELDS }, (_, j) =>
    j === 30 && i > 0
      ? { name: 'earlier', field_type: 'ref', references: `Type${Math.floor((i - 1) / 3)}` }
      : { name: `field_${j}`, field_type: 'string', required: j === 0 },
  ),
}));

describe.skipIf(executablePath === undefined)('in Chromium', () => {
  let server: TestServer;
  let browser: Browser;
  let visit: Visit;
  let page: Page;
  const define = async (schemas: readonly object[]): Promise<void> => {
    for (const body of schemas)
      expect((await server.rest('POST', '/api/v1/metadata/schemas', { body })).status).toBe(200);
  };
  const open = async (search = ''): Promise<void> => {
    await page.goto(`${server.url}/console/types?tab=diagram${search}`);
    await page.getByRole('region', { name: 'Types and their references' }).waitFor();
  };
  beforeAll(async () => {
    buildConsole();
    server = await startServer();
    await define(FEW);
    browser = await launch(executablePath);
    visit = await signedIn(browser, server, server.key);
    ({ page } = visit);
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });
  const box = (name: string) => page.getByRole('region', { name, exact: true });

  test('a type lists its own fields: name, type, whether required, what it refers to', async () => {
    await open();
    expect(await box('Donor').getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/code.*required, unique\s+string/s),
    ]);
    const biopsy = await box('Biopsy').getByRole('listitem').allInnerTexts();
    expect(biopsy).toHaveLength(3);
    expect(biopsy[0]).toMatch(/donor.*required\s.*refers to\s*Donor/s);
    expect(biopsy[1]).toMatch(/twins.*refers to\s*Biopsy\[\]/s);
    await box('Slice').getByText('1 field, 3 of Biopsy').waitFor();
    expect(await page.locator('.types-diagram path.edge').count()).toBe(2); // donor, and the parent
    expect(await page.locator('.types-diagram path.edge.parent').count()).toBe(1);
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await box('Biopsy').getByRole('button', { name: 'Fields of Biopsy' }).press('Enter');
    await page.waitForURL(/box=none%3ABiopsy/);
    expect(await box('Biopsy').getByRole('listitem').count()).toBe(0);
    await page.locator('.types-diagram').getByText('donor', { exact: true }).waitFor(); // the arrow says it now
    await page.goBack();
    await expect.poll(() => box('Biopsy').getByRole('listitem').count()).toBe(3);
  });

  test('of 40 types with 60 fields the names are shown, and each is opened by itself; boxes never overlap', async () => {
    await define(MANY);
    await open();
    await box('Type39').waitFor();
    expect(await page.locator('.type-box li').count()).toBe(0);
    await box('Type3').getByRole('button', { name: 'Fields of Type3' }).click();
    await expect.poll(() => box('Type3').getByRole('listitem').count()).toBe(12);
    expect(await page.locator('.type-box li').count()).toBe(12);
    await box('Type3').getByRole('button', { name: '48 fields more of Type3' }).click();
    await expect.poll(() => box('Type3').getByRole('listitem').count()).toBe(FIELDS);
    expect(await violationsInBothSchemes(page)).toEqual([]);
    const begun = Date.now();
    await page.getByLabel('Fields', { exact: true }).selectOption('all');
    await expect.poll(() => page.locator('.type-box li').count()).toBe(TYPES * FIELDS + 5);
    expect(Date.now() - begun).toBeLessThan(10_000);
    expect(new URL(page.url()).searchParams.get('fields')).toBe('whole');
    const overlaps = await page.evaluate<number>(`(() => {
      const boxes = [...document.querySelectorAll('.type-box')].map((one) => one.getBoundingClientRect());
      return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) =>
        a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)).length;
    })()`);
    expect(overlaps).toBe(0);
    // nothing is cut off below in any box
    const cut = await page.evaluate<number>(
      `[...document.querySelectorAll('.type-box')].filter((one) => one.scrollHeight > one.clientHeight + 1).length`,
    );
    expect(cut).toBe(0);
    expect(visit.complaints).toEqual([]);
  });
});
