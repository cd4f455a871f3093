// Files and charts of a listing, in a real browser: columns of referenced entities, intervals, explained groups.
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../portal/find-chromium.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { launch, signedIn, violations, type Visit } from './browser.ts';
import { buildConsole } from './console-testkit.ts';

const executablePath = findChromium();
const SCHEMAS = [
  { name: 'Site', version: '1', fields: [{ name: 'town', field_type: 'string' }] },
  {
    name: 'Biopsy',
    version: '1',
    fields: [
      { name: 'site', field_type: 'ref', references: 'Site' },
      { name: 'drawn', field_type: 'date' },
      { name: 'age', field_type: 'int' },
    ],
  },
  { name: 'Visit', version: '1', fields: [{ name: 'on', field_type: 'date' }] },
];
/** Visits of so many months in a row, two of each but one of the third. */
const visits = (months: number): readonly object[] =>
  Array.from({ length: months }, (_, i) => {
    const month = new Date(Date.UTC(2020, i)).toISOString().slice(0, 7);
    return ['01', ...(i === 2 ? [] : ['09'])].map((day) => ({
      entity_type: 'Visit',
      id: `${month}-${day}`,
      data: { on: `${month}-${day}` },
    }));
  }).flat();

describe.skipIf(executablePath === undefined)('in Chromium', () => {
  let server: TestServer;
  let browser: Browser;
  let visit: Visit;
  beforeAll(async () => {
    buildConsole();
    server = await startServer();
    for (const body of SCHEMAS)
      expect((await server.rest('POST', '/api/v1/metadata/schemas', { body })).status).toBe(200);
    const biopsy = (id: string, drawn: string, age: number): object => ({
      entity_type: 'Biopsy',
      id,
      data: { site: 's1', drawn, age },
    });
    const body = [
      { entity_type: 'Site', id: 's1', data: { town: 'Gotha' } },
      biopsy('b1', '2026-01-03', 21),
      biopsy('b2', '2026-01-28', 29),
      biopsy('b3', '2026-02-01', 30),
    ];
    expect((await server.rest('POST', '/api/v1/metadata/ingest/bulk', { body })).status).toBe(200);
    browser = await launch(executablePath);
    visit = await signedIn(browser, server, server.key);
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });
  const open = async (search: string): Promise<Page> => {
    await visit.page.goto(`${server.url}/console/entities?type=Biopsy${search}`);
    await visit.page.getByText('3 entities').waitFor();
    return visit.page;
  };

  test('an export has the fields of the chosen references as columns', async () => {
    const page = await open('');
    await page.getByRole('button', { name: 'References' }).click();
    await page.getByRole('checkbox', { name: 'site' }).check();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'References: 1' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Export' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'CSV' }).click();
    const [heading = '', ...rows] = readFileSync(await (await downloading).path(), 'utf8')
      .trim()
      .split(/\r?\n/);
    expect(heading.split(',').at(-1)).toBe('site.town');
    expect(rows.map((row) => row.split(',').at(-1))).toEqual(['Gotha', 'Gotha', 'Gotha']);
    await page.goto(`${server.url}/console/entities?type=Site`);
    await page.getByRole('button', { name: 'Export' }).waitFor();
    expect(await page.getByRole('button', { name: 'References' }).count()).toBe(0);
  });

  test('a chart puts times and numbers together in intervals, and says how its groups are computed', async () => {
    const page = await open('&by=drawn');
    const rows = page.getByRole('table', { name: 'how many' }).getByRole('row');
    await expect.poll(() => rows.count()).toBe(31); // the days from the first to the last, below the heading
    expect((await rows.allInnerTexts())[1]).toMatch(/Jan 3, 2026\s+1/);
    await page.getByLabel('in intervals of').selectOption('each value');
    await expect.poll(() => rows.count()).toBe(4);
    await page.getByLabel('in intervals of').selectOption('month');
    await expect
      .poll(() => rows.allInnerTexts())
      .toEqual([
        expect.anything(),
        expect.stringMatching(/Jan 2026\s+2/),
        expect.stringMatching(/Feb 2026\s+1/),
      ]);
    await page.getByRole('button', { name: 'Jan 2026' }).click();
    await page.getByText('2 entities').waitFor();
    await open('&by=drawn&per=month');
    await page.getByLabel('By', { exact: true }).selectOption('age');
    await expect.poll(() => rows.count()).toBe(11); // from 21 to 30, those of which there is none, too
    expect((await rows.allInnerTexts()).slice(1, 3)).toEqual([
      expect.stringMatching(/^21\s+1$/),
      expect.stringMatching(/^22\s+0$/),
    ]);
    await page
      .getByRole('combobox', { name: 'in intervals of' })
      .getByText('1, which suits them')
      .waitFor({ state: 'attached' });
    await page.getByLabel('in intervals of').selectOption('10');
    await expect
      .poll(() => rows.allInnerTexts())
      .toEqual([
        expect.anything(),
        expect.stringMatching(/20 to 29\s+2/),
        expect.stringMatching(/30 to 39\s+1/),
      ]);
    await page.getByRole('region', { name: 'Chart' }).getByRole('button', { name: 'Explain' }).click();
    await page.getByText('Index', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(visit.complaints).toEqual([]);
  });

  test('where there are more intervals than are drawn, none is drawn as empty', async () => {
    const load = async (body: readonly object[]): Promise<void> => {
      expect((await server.rest('POST', '/api/v1/metadata/ingest/bulk', { body })).status).toBe(200);
    };
    const { page } = visit;
    const rows = page.getByRole('table', { name: 'how many' }).getByRole('row');
    await load(visits(31));
    await page.goto(`${server.url}/console/entities?type=Visit&by=on&per=month`);
    await expect.poll(() => rows.count()).toBe(32); // all of them are known
    expect((await rows.allInnerTexts())[3]).toMatch(/Mar 2020\s+1/);
    await load(visits(33));
    await page.reload();
    await page
      .getByText(
        'The 30 most frequent of 33 intervals; the others, which may be at ⋮ or beyond, are not drawn.',
      )
      .waitFor();
    const texts = await rows.allInnerTexts();
    expect(texts[3]).toMatch(/others may be here/); // March has the fewest
    expect(texts.filter((text) => /\s0$/.test(text))).toEqual([]);
    expect(await violations(page)).toEqual([]);
    expect(visit.complaints).toEqual([]);
  });
});
