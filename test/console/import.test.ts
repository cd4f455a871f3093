// Sheets that are imported in a real browser: matched, checked, corrected, loaded; types proposed for them.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../portal/find-chromium.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { launch, signedIn, violationsInBothSchemes, type Visit } from './browser.ts';
import { buildConsole, MARKUP } from './console-testkit.ts';

const executablePath = findChromium();
const SCHEMAS = [
  { name: 'Donor', version: '1', fields: [{ name: 'born', field_type: 'int' }] },
  {
    name: 'Biopsy',
    version: '1',
    fields: [
      { name: 'barcode', field_type: 'string', required: true, unique: true },
      { name: 'donor', field_type: 'ref', references: 'Donor' },
      { name: 'tissue', field_type: 'enum', values: ['blood', 'liver'], required: true },
      { name: 'age', field_type: 'int' },
      { name: 'labels', field_type: 'string', many: true },
      { name: 'notes', field_type: 'string' },
    ],
  },
];
const CSV = `Barcode;Donor;Tissue;AGE;Labels;Remark
B1;d1;blood;31;"a;b";x
B2;d1;lung;old;;"${MARKUP.replaceAll('"', '""')}"
B3;d2;liver;007;;
B4;;blood;40;;
`;
const REGION = { name: 'Rows of the sheet' };

describe.skipIf(executablePath === undefined)('in Chromium', () => {
  let server: TestServer;
  let browser: Browser;
  let visit: Visit;
  let page: Page;
  beforeAll(async () => {
    buildConsole();
    server = await startServer();
    for (const body of SCHEMAS)
      expect((await server.rest('POST', '/api/v1/metadata/schemas', { body })).status).toBe(200);
    const data = { barcode: 'B4', tissue: 'blood', age: 39 };
    for (const body of [
      { id: 'biopsy:B4', entity_type: 'Biopsy', data },
      { id: 'donor:d1', entity_type: 'Donor', data: {} },
      { id: 'donor:d2', entity_type: 'Donor', data: {} },
    ])
      expect((await server.rest('POST', '/api/v1/metadata/ingest', { body })).status).toBeOneOf([200, 201]);
    browser = await launch(executablePath);
    visit = await signedIn(browser, server, server.key);
    ({ page } = visit);
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });
  const choose = async (name: string, content: string | Buffer, search = ''): Promise<void> => {
    await page.goto(`${server.url}/console/import${search}`);
    const buffer = Buffer.from(content);
    await page.getByLabel('Drop a sheet here').setInputFiles({ name, mimeType: '', buffer });
  };
  const actor = async (): Promise<string> => (await server.graphql('{ me { actor } }')).body.data.me.actor;
  const stored = async (id: string): Promise<unknown> =>
    (await server.graphql('query ($id: ID!) { entity(id: $id) { version data } }', { id })).body.data.entity;

  test('columns are guessed; bad cells have their reasons, changes what is stored; corrected in place, then loaded', async () => {
    await choose('biopsies.csv', CSV);
    await page.waitForURL(/type=Biopsy/);
    const columns = page.getByRole('region', { name: 'Columns of the sheet' });
    await expect.poll(() => columns.getByLabel('What column AGE becomes').inputValue()).toBe('age');
    expect(await columns.getByLabel('What column Remark becomes').inputValue()).toBe('');
    await page.getByText('No column has the ids').waitFor();
    await page.getByLabel('The id of each entity is in').selectOption('Barcode');
    await page.getByLabel('with, before it').fill('biopsy:');
    await columns.getByLabel('Text before each value of column Donor').fill('donor:');
    await page.getByRole('button', { name: 'Check' }).click();
    const rows = page.getByRole('region', REGION);
    await rows.getByRole('button', { name: 'lung field tissue must be one of blood, liver' }).waitFor();
    await rows.getByRole('button', { name: /^old field age must be/ }).waitFor();
    await rows.getByRole('button', { name: /^007 field age must be/ }).waitFor();
    await rows.getByRole('button', { name: '39 40' }).waitFor(); // what is stored, what it becomes
    await page.getByText('2 refused rows stay out').waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    // by keyboard: the cell below the one above it, corrected
    await rows.getByRole('button', { name: 'blood' }).first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Tissue, line 3' }).fill('liver');
    await page.keyboard.press('Enter');
    await rows.getByText('corrected').waitFor();
    expect(await page.getByRole('button', { name: 'Load 2 rows' }).isDisabled()).toBe(true);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('54');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByRole('button', { name: 'refused 1' }).click();
    await page.waitForURL(/show=refused/);
    await expect.poll(() => rows.getByRole('row').count()).toBe(2);
    await page.getByLabel('Reason').fill('from the freezer');
    await page.getByRole('button', { name: 'Load 3 rows' }).click();
    await page.getByText('2 created, 1 updated, 0 unchanged, 1 refused.').waitFor();
    expect(await stored('biopsy:B2')).toEqual({
      version: 1,
      data: { barcode: 'B2', donor: 'donor:d1', tissue: 'liver', age: 54 },
    });
    expect(await stored('biopsy:B4')).toMatchObject({ version: 2, data: { age: 40 } });
    expect(await stored('biopsy:B3')).toBeNull();
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the refused rows' }).click();
    const refused = await readFile(await (await waiting).path(), 'utf8');
    expect(refused).toMatch(/cairn:reason\r\nB3,d2,liver,007,,,field age must be/);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(visit.complaints).toEqual([]);
  });

  test('a load that was left goes on and is found again; it is closed when it has ended', async () => {
    await page.getByRole('button', { name: 'Close' }).click();
    const rows = Array.from({ length: 1300 }, (_, i) => `L${i},liver,${i % 90}`);
    await choose('long.csv', `barcode,tissue,age\n${rows.join('\n')}\n`);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('button', { name: 'Copy request' }).click();
    await page.getByRole('button', { name: 'CheckSheet' }).waitFor(); // the dry run, as a request
    await page.keyboard.press('Escape');
    // the second part waits until the view was left
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let sent = 0;
    await page.route('**/graphql', async (route) => {
      if ((route.request().postData() ?? '').includes('LoadSheet') && ++sent > 1) await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Load 1,300 rows' }).click();
    await page.getByText('It goes on in this tab').waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await page.getByRole('link', { name: 'Types' }).first().click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByText(/is being loaded: 500 of 1,300 rows/).waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    release();
    await page.getByText('long.csv was loaded.').waitFor();
    await page.getByRole('link', { name: 'Look at it' }).click();
    await page.getByText('Done. 1,300 created, 0 updated, 0 unchanged, 0 refused.').waitFor();
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByLabel('Drop a sheet here').waitFor();
    expect(visit.complaints).toEqual([]);
  });

  test('a large workbook, NDJSON, and what is no sheet', async () => {
    const entities = Array.from({ length: 1200 }, (_, i) => ({
      entityType: 'Biopsy',
      id: `wide:${i}`,
      data: { barcode: `W${i}`, tissue: 'liver', age: i, notes: randomBytes(700).toString('hex') },
    }));
    const write = 'mutation ($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created } }';
    expect((await server.graphql(write, { e: entities })).body.data.ingestEntities.created).toBe(1200);
    const key = { 'x-api-key': server.key };
    const book = await fetch(`${server.url}/api/v1/metadata/export/Biopsy.xlsx`, { headers: key });
    await choose('biopsies.xlsx', Buffer.from(await book.arrayBuffer()));
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('button', { name: 'unchanged 2,503' }).waitFor(); // as they are stored
    await choose(
      'more.ndjson',
      '{"id":"n:1","barcode":"N1","tissue":"blood","labels":["x"]}\n{"id":"n:2"}\n',
    );
    await page.getByRole('region', { name: 'Columns of the sheet' }).waitFor();
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('button', { name: 'created 1' }).waitFor();
    await page.getByRole('button', { name: 'refused 1' }).waitFor();
    await choose('broken.ndjson', '{"id":"n:1"}\n{');
    await page.getByText('broken.ndjson, line 2 is no JSON.').waitFor();
    await choose('sheet.xlsx', 'no workbook');
    await page.getByText('sheet.xlsx cannot be read as a workbook').waitFor();
    await choose('photo.png', 'x');
    await page.getByText('photo.png is no sheet that can be read here').waitFor();
    expect(visit.complaints).toEqual([]);
  });

  test('before a sheet is loaded, it is said that rows have the id of an earlier one, until each has its own', async () => {
    await choose(
      'twice.csv',
      'key,donor,tissue\nt1,D,liver\nt2,D,liver\nt1,E,liver\nt1,F,liver\n',
      '?type=Biopsy',
    );
    await page.getByLabel('The id of each entity is in').selectOption('key');
    await page.getByLabel('with, before it').fill('twice:');
    const warning = page.getByText(/2 rows have an id .* such as twice:t1 in lines 2 and 4/);
    await warning.waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await page.getByLabel('The id of each entity is in').selectOption({ index: 0 });
    await warning.waitFor({ state: 'detached' });
    await page.goto(`${server.url}/console/types`); // what is chosen here is not asked about
  });

  test('a template has the columns of its type', async () => {
    await page.goto(`${server.url}/console/import?type=Biopsy`);
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Template of Biopsy' }).click();
    expect(await readFile(await (await waiting).path(), 'utf8')).toBe(
      '\uFEFFid,barcode,donor,tissue,age,labels,notes\r\n',
    );
  });

  test('for a sheet that fits no type one is proposed, edited and registered', async () => {
    const lines = Array.from(
      { length: 20 },
      (_, i) => `P${i},donor:d${(i % 2) + 1},${i % 2 ? 'low' : 'high'},${i}`,
    );
    await choose('plate_reads.csv', `well,source,level,count\n${lines.join('\n')}\n`);
    await page.getByText('No type has the columns of this sheet').waitFor();
    await page.getByRole('button', { name: 'Propose a new type' }).click();
    expect(await page.getByLabel('Name of the type').inputValue()).toBe('PlateReads');
    await page.getByRole('button', { name: 'Propose a schema' }).click();
    const proposed = page.getByRole('region', { name: 'Proposed fields' });
    await proposed.getByRole('row', { name: /source: reference to Donor, required/ }).waitFor();
    await proposed.getByRole('row', { name: /well no field .*: the id/ }).waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    const text = await page.getByRole('textbox', { name: 'Definition' }).inputValue();
    await page.getByRole('textbox', { name: 'Definition' }).fill(text.replace('"count"', '"reads"'));
    await page.getByRole('button', { name: 'Register this type' }).click();
    await page.waitForURL(/type=PlateReads/);
    await expect.poll(() => page.getByLabel('The id of each entity is in').inputValue()).toBe('well');
    await page.getByLabel('What column count becomes').selectOption('reads');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('button', { name: 'Load 20 rows' }).click();
    await page.getByText('20 created').waitFor();
    expect(await stored('P3')).toMatchObject({ data: { source: 'donor:d2', level: 'low', reads: 3 } });
    expect(visit.complaints).toEqual([]);
  });

  test('a viewer imports nothing, and nobody imports into the past', async () => {
    const viewer = await signedIn(browser, server, await server.newKey({ role: 'viewer' }));
    await viewer.page.goto(`${server.url}/console/import`);
    await viewer.page.getByText('Importing needs the role analyst').waitFor();
    expect(await viewer.page.locator('input[type=file]').count()).toBe(0);
    await viewer.context.close();
    await page.goto(`${server.url}/console/import?at=2020-01-01T00:00:00Z`);
    await page.getByRole('button', { name: 'Go to the present' }).click();
    await page.getByLabel('Drop a sheet here').waitFor();
  });

  test('a load is told to other tabs; after its tab was closed, it goes on with the same file from where it ended', async () => {
    const loading = await visit.context.newPage();
    let parts = 0;
    await loading.route('**/graphql', async (route) => {
      if (!(route.request().postData() ?? '').includes('mutation LoadSheet')) return route.fallback();
      if (++parts > 1) return undefined; // the second part is never answered
      return route.fallback();
    });
    const lines = Array.from({ length: 1200 }, (_, i) => `T${i},blood`);
    await loading.goto(`${server.url}/console/import?type=Biopsy`);
    const buffer = Buffer.from(`barcode,tissue\n${lines.join('\n')}\n`);
    await loading.getByLabel('Drop a sheet here').setInputFiles({ name: 'many.csv', mimeType: '', buffer });
    await loading.getByLabel('The id of each entity is in').selectOption('barcode');
    await loading.getByRole('button', { name: 'Check' }).click();
    await loading.getByRole('button', { name: 'Load 1,200 rows' }).click();
    await page.goto(`${server.url}/console/types`);
    await page.getByText('many.csv is being loaded in another tab: 500 of 1,200 rows').waitFor();
    await loading.close();
    const said = 'The load of many.csv ended before its time: 500 of 1,200 rows are there';
    await page.getByText(said).waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await page.getByRole('link', { name: 'Go on with the same file' }).click();
    const again = async (text: string): Promise<void> => {
      await page
        .getByLabel('Drop a sheet here')
        .setInputFiles({ name: 'many.csv', mimeType: '', buffer: Buffer.from(text) });
      await page.getByLabel('The id of each entity is in').selectOption('barcode');
      await page.getByRole('button', { name: 'Check' }).click();
    };
    await again(buffer.toString().replace('T7,blood', 'T7,liver')); // not the same
    await page.getByRole('button', { name: 'Load 1,200 rows' }).waitFor();
    await page.getByRole('button', { name: 'Choose another' }).click();
    await again(buffer.toString());
    await page.getByText('The first 500 of these 1,200 rows were loaded before').waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    const sizes: number[] = [];
    page.on('request', (request) => {
      if ((request.postData() ?? '').includes('mutation LoadSheet'))
        sizes.push((request.postDataJSON() as { variables: { entities: [] } }).variables.entities.length);
    });
    await page.getByRole('button', { name: 'Load the other 700 rows' }).click();
    // what was on its way when the tab was closed may have come
    await page
      .getByText(/^Done\. (?:700|200) created, 0 updated, (?:0|500) unchanged, 0 refused\.$/)
      .waitFor();
    expect(sizes).toEqual([500, 200]);
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await page.getByText('The load of many.csv').count()).toBe(0);
    // another one, which nobody goes on with
    await page.evaluate(`localStorage.setItem('cairn-load-1', JSON.stringify({
      id: '1', actor: ${JSON.stringify(await actor())}, sheetName: 'many.csv', type: 'Biopsy', count: 9, done: 5, hasIds: false, at: 0 }))`);
    await page.goto(`${server.url}/console/types`);
    await page.getByText('The load of many.csv ended').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => page.getByText('many.csv').count()).toBe(0);
    await page.reload();
    await page.getByRole('heading', { name: 'Types', level: 1 }).waitFor();
    expect(await page.getByText('many.csv').count()).toBe(0);
  });
});
