// Listings of the console in a real browser: long ones, charts, changes of many, one project.
import { readFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../portal/find-chromium.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { launch, signedIn, violations, type Visit } from './browser.ts';
import { buildConsole, ingestNew } from './console-testkit.ts';

const executablePath = findChromium();
const COUNT = 1200;
const SCHEMA = {
  name: 'Biopsy',
  version: '1.0.0',
  fields: [
    { name: 'donor', field_type: 'string', required: true },
    { name: 'tissue', field_type: 'enum', values: ['blood', 'liver', 'skin'] },
    { name: 'age', field_type: 'int' },
    { name: 'project', field_type: 'string' },
  ],
};

/** The variables of the requests for a page of the listing. */
interface Asked {
  readonly offset?: number;
  readonly cursor?: string;
  readonly count?: string;
}

function askedPages(page: Page): readonly Asked[] {
  const asked: Asked[] = [];
  page.on('request', (request) => {
    const body = request.postData() ?? '{}';
    if (!body.startsWith('{')) return;
    const { operationName, variables } = JSON.parse(body) as { operationName?: string; variables?: Asked };
    if (operationName === 'Entities' && variables) asked.push(variables);
  });
  return asked;
}

const REGION = { name: 'Entities of type Biopsy' };
const scrollTo = (page: Page, row: number): Promise<unknown> =>
  page.evaluate(`document.querySelector('.tall').scrollTop = ${row * 36}`);

describe.skipIf(executablePath === undefined)('in Chromium', () => {
  let server: TestServer;
  let browser: Browser;
  let visit: Visit;
  beforeAll(async () => {
    buildConsole();
    server = await startServer();
    expect((await server.rest('POST', '/api/v1/metadata/schemas', { body: SCHEMA })).status).toBe(200);
    const entities = Array.from({ length: COUNT }, (_, i) => ({
      id: `biopsy:${String(i + 1).padStart(4, '0')}`,
      entityType: 'Biopsy',
      data: {
        donor: `D-${i % 40}`,
        age: 20 + (i % 50),
        ...(i % 3 === 2 ? {} : { tissue: i % 3 === 0 ? 'liver' : 'skin' }),
        ...(i < 7 ? { project: 'lab' } : {}),
      },
    }));
    await ingestNew(server, entities);
    browser = await launch(executablePath);
    visit = await signedIn(browser, server, server.key);
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });
  const open = async (search: string): Promise<Page> => {
    await visit.page.goto(`${server.url}/console/entities?type=Biopsy${search}`);
    await visit.page.getByRole('region', REGION).waitFor();
    return visit.page;
  };

  test('the table scrolls through all entities by cursor with few rows in the document; back returns to the same row', async () => {
    const page = await open('&sort=id');
    const asked = askedPages(page);
    await page.getByText('1,200 entities').waitFor();
    for (const row of [60, 150, 250]) {
      await scrollTo(page, row);
      await page.getByText(`biopsy:${String(row + 5).padStart(4, '0')}`).waitFor();
    }
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter(({ cursor, count }) => cursor === undefined || count !== 'NONE')).toEqual([]);
    await scrollTo(page, COUNT); // far from what has been read
    await page.getByText('biopsy:1200').waitFor();
    expect(asked.at(-1)).toMatchObject({ offset: 1100, count: 'NONE' });
    expect(await page.locator('tbody tr').count()).toBeLessThan(80);
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('1201');
    await scrollTo(page, 700);
    await page.waitForURL(/row=700/);
    await page.getByRole('link', { name: 'biopsy:0705' }).click();
    await page.getByRole('heading', { name: 'biopsy:0705' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'biopsy:0705' }).waitFor();
    expect(await page.getByText('biopsy:0001').count()).toBe(0);
    // another order begins at its first row
    await page.getByRole('button', { name: 'age' }).click();
    await page.waitForURL((url) => !url.searchParams.has('row'));
    await page.getByText('biopsy:0001').waitFor();
    expect(visit.complaints).toEqual([]);
  });

  test('a search loads further pages while there are matches', async () => {
    const page = await open('&q=D-1');
    await page.getByText(/entities, the best matches first/).waitFor();
    const ids = async (): Promise<number> =>
      Number(await page.getByRole('table').getAttribute('aria-rowcount'));
    const before = await ids();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.postData() ?? ''));
    await scrollTo(page, 110);
    await expect.poll(ids).toBeGreaterThan(before);
    const hits = asked.filter((text) => text.includes('"D-1"'));
    expect(hits.length).toBeGreaterThan(0);
    expect(hits.filter((text) => /(?:entities|aggregate)\(/.test(text))).toEqual([]); // which count them
    expect(visit.complaints).toEqual([]);
  });

  test('words and conditions go together: in order, ranked, as a chart, with facets and in exports', async () => {
    const page = await open('&f=tissue:eq:skin');
    await page.getByText('400 entities').waitFor();
    await page.getByRole('searchbox', { name: 'Search Biopsy' }).fill('D-1');
    await page.keyboard.press('Enter');
    const ranked = page.getByText(/^(\d+) entities, the best matches first$/);
    await ranked.waitFor();
    const found = Number(/\d+/.exec(await ranked.innerText())?.[0]);
    expect(found).toBeGreaterThan(1);
    expect(found).toBeLessThan(400);
    await page.getByRole('button', { name: 'age' }).click();
    await page.getByText(`${found} entities`, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'NDJSON' }).click();
    const lines = readFileSync(await (await downloading).path(), 'utf8')
      .trim()
      .split('\n');
    expect(lines).toHaveLength(found);
    const ages = lines.map((line) => (JSON.parse(line) as { data: { age: number } }).data.age);
    expect(ages).toEqual(ages.toSorted((one, other) => one - other));
    await page.getByRole('button', { name: 'Chart' }).click();
    await page.getByLabel('By').selectOption('tissue');
    await page.getByRole('row', { name: new RegExp(`skin ${found}`) }).waitFor();
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByLabel('Field', { exact: true }).selectOption('tissue');
    await page.getByRole('dialog').getByText(String(found)).waitFor();
    await page.keyboard.press('Escape');
    // an expression that is checked entity by entity, which a ranking cannot take
    await open('&q=D-1&filter=' + encodeURIComponent('[data.donor].exists(d, d.size() == 3)'));
    await page.getByText(/^\d+ entit(y|ies)$/).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(visit.complaints).toEqual([]);
  });

  test('a chart counts and measures the groups, and narrows the listing', async () => {
    const page = await open('');
    await page.getByRole('button', { name: 'Chart' }).click();
    await page.getByLabel('By').selectOption('tissue');
    const rows = page.getByRole('table', { name: 'how many' }).getByRole('row');
    await expect
      .poll(() => rows.allInnerTexts())
      .toEqual([
        expect.anything(),
        expect.stringMatching(/liver\s+400/),
        expect.stringMatching(/skin\s+400/),
        expect.stringMatching(/no value\s+400/),
      ]);
    await page.getByLabel('show').selectOption('avg.age');
    await page.getByRole('table', { name: 'average of age' }).waitFor();
    expect(new URL(page.url()).searchParams.get('of')).toBe('avg.age');
    await page.getByRole('button', { name: 'no value' }).click();
    await page.getByText('400 entities').waitFor();
    await page.getByLabel('By').selectOption('age');
    expect(await violations(page)).toEqual([]);
    expect(visit.complaints).toEqual([]);
  });

  test('selected entities get a value: shown first, checked, then all or none', async () => {
    const page = await open('&sort=id');
    for (const id of ['biopsy:0011', 'biopsy:0013']) await page.getByLabel(`Select ${id}`).check();
    await page.getByText('2 entities selected').waitFor();
    await page.getByRole('button', { name: 'Edit …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit 2 entities' });
    await dialog.getByLabel('Field').selectOption('age');
    await dialog.getByLabel('age').fill('old');
    await dialog.getByRole('button', { name: 'Show what would change' }).click();
    await dialog
      .getByText(/field age must be/)
      .first()
      .waitFor();
    expect(await dialog.getByRole('button', { name: 'Change 2 entities' }).isDisabled()).toBe(true);
    await dialog.getByLabel('age').fill('99');
    await dialog.getByLabel('Reason').fill('measured again');
    await dialog.getByRole('button', { name: 'Show what would change' }).click();
    await dialog.getByRole('row', { name: 'biopsy:0011 30 99' }).waitFor();
    expect(await violations(page)).toEqual([]);
    // somebody else is faster
    const raced = { entityType: 'Biopsy', id: 'biopsy:0013', data: { donor: 'D-other' } };
    const write = 'mutation ($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { updated } }';
    expect((await server.graphql(write, { e: [raced] })).body.data.ingestEntities.updated).toBe(1);
    await dialog.getByRole('button', { name: 'Change 2 entities' }).click();
    await dialog.getByText('Nothing was written.').waitFor();
    const ages = async (): Promise<unknown> =>
      (
        await server.graphql(
          '{ a: entity(id: "biopsy:0011") { data } b: entity(id: "biopsy:0013") { data history { context } } }',
        )
      ).body.data;
    expect(await ages()).toMatchObject({ a: { data: { age: 30 } }, b: { data: { age: 32 } } });
    await page.keyboard.press('Escape');
    await page.reload();
    for (const id of ['biopsy:0011', 'biopsy:0013']) await page.getByLabel(`Select ${id}`).check();
    await page.getByRole('button', { name: 'Edit …' }).click();
    await dialog.getByLabel('Field').selectOption('age');
    await dialog.getByLabel('age').fill('99');
    await dialog.getByLabel('Reason').fill('measured again');
    await dialog.getByRole('button', { name: 'Show what would change' }).click();
    await dialog.getByRole('button', { name: 'Change 2 entities' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /biopsy:0013.*99/ }).waitFor(); // read again
    expect(await page.getByText('just now').count()).toBe(0); // of one's own
    for (const id of ['biopsy:0011', 'biopsy:0013']) await page.getByLabel(`Select ${id}`).check();
    await page.getByRole('button', { name: 'Show only these' }).click();
    await page.getByText('2 entities', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'CSV' }).click();
    const exported = await readFile(await (await downloading).path(), 'utf8');
    expect(exported.trim().split('\n')).toHaveLength(3);
    await page.goBack();
    expect(await ages()).toMatchObject({ a: { data: { age: 99 } }, b: { data: { age: 99 } } });
    expect(JSON.stringify(await ages())).toContain('measured again');
    await page.getByLabel('Select biopsy:0012').check();
    await page.getByRole('button', { name: 'Make unavailable' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make unavailable' }).click();
    await page.getByText('1,199 entities').waitFor();
    expect(visit.complaints).toEqual([]);
  });

  test('a project is chosen once and kept by every link; a viewer selects nothing', async () => {
    const page = await open('');
    await page.getByRole('button', { name: 'Project shown by all views' }).click();
    await page.getByRole('button', { name: 'lab', exact: true }).click();
    await page.getByText('You see the project lab').waitFor();
    await page.getByText('7 entities').waitFor();
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('link', { name: /^Biopsy\s*7/ }).click();
    await page.getByText('7 entities').waitFor();
    await page.getByRole('button', { name: 'All projects' }).click();
    await page.getByText(/1,\d\d\d entities/).waitFor();
    const viewer = await signedIn(browser, server, await server.newKey({ role: 'viewer' }));
    await viewer.page.goto(`${server.url}/console/entities?type=Biopsy`);
    await viewer.page.getByRole('region', REGION).waitFor();
    expect(await viewer.page.getByRole('checkbox').count()).toBe(0);
    await viewer.context.close();
    expect(visit.complaints).toEqual([]);
  });

  test('what others write meanwhile is told and marked in a list and in an entity; a tab that is not seen follows nothing', async () => {
    const other = await server.newKey({ role: 'analyst' });
    const write = async (id: string, age: number): Promise<void> => {
      const body = { id, entity_type: 'Biopsy', data: { age } };
      expect((await server.rest('POST', '/api/v1/metadata/ingest', { key: other, body })).status).toBe(200);
    };
    const page = await open('&sort=id');
    const follows = (name: string): Promise<unknown> =>
      page.waitForResponse(
        (response) => response.request().postData()?.includes(`subscription ${name}`) === true,
      );
    const following = follows('TypeChanges');
    await page.reload();
    await following;
    await write('biopsy:0002', 91);
    await page.getByText('1 change just now').waitFor();
    await page.getByRole('button', { name: 'Read the list anew' }).click();
    await page.getByRole('row', { name: /biopsy:0002 new .* 91 / }).waitFor();
    expect(await page.getByText('just now').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    const beginning = follows('EntityChanges');
    await page.getByRole('link', { name: 'biopsy:0002' }).click();
    await beginning;
    await write('biopsy:0002', 92);
    await page.getByText('Changed just now by').waitFor();
    await page.getByText('92', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.waitForURL(/edit=1/);
    await page.getByLabel('donor').fill('mine');
    await write('biopsy:0002', 93);
    await page.getByText(/as it is shown, it cannot be saved/).waitFor();
    expect(await page.getByLabel('donor').inputValue()).toBe('mine'); // it stays
    await page.goBack();
    await page.getByText('93', { exact: true }).waitFor();
    const hide = (isHidden: boolean): Promise<unknown> =>
      page.evaluate(
        `Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
         document.dispatchEvent(new Event('visibilitychange'))`,
      );
    const ended = page.waitForEvent('requestfailed');
    await hide(true); // a browser has six connections to one server, for all of its tabs
    await ended;
    await write('biopsy:0002', 94);
    expect(await page.getByText('93', { exact: true }).count()).toBe(1);
    await hide(false);
    await page.getByText('94', { exact: true }).waitFor();
    expect(visit.complaints).toEqual([]);
  });
});
