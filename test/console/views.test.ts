// Views of the console in a real browser: two times compared, previews of files, trials and deliveries, types.
import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addFileEntity, putContent, SAMPLE_FILE } from '../artifact/stored-files.ts';
import { findChromium } from '../portal/find-chromium.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { eventually } from '../workflow/workflow-server.ts';
import { launch, signedIn, violations, type Visit } from './browser.ts';
import { buildConsole } from './console-testkit.ts';

const executablePath = findChromium();
const SECRET = 'hush-hush';
const CONFIG = `workflow:
  triggers:
    - {name: lab, type: webhook, path: hooks/lab, secret_env: LAB_SECRET, when: 'event.kind == "done"', action: {type: ingest, adapter: none}}
  adapters:
    - {name: none, type: csv, entity_type: Biopsy, source: /nowhere.csv, map: {id: row.id}}
`;
const SCHEMAS = [
  SAMPLE_FILE,
  { name: 'Donor', version: '1', fields: [{ name: 'born', field_type: 'int' }] },
  {
    name: 'Biopsy',
    version: '1',
    fields: [
      { name: 'donor', field_type: 'ref', references: 'Donor' },
      { name: 'part_of', field_type: 'ref', references: 'Biopsy' },
      { name: 'tissue', field_type: 'string' },
      { name: 'age', field_type: 'int' },
    ],
  },
  { name: 'LiverBiopsy', version: '1', parent: 'Biopsy', fields: [{ name: 'lobe', field_type: 'string' }] },
];

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" onload="parent.hacked=1">
  <script>parent.hacked=1</script><image href="http://127.0.0.1:9/elsewhere.png"/><rect width="40" height="20"/></svg>`;
const VCF = `##fileformat=VCFv4.2\n#CHROM\tPOS\tID\n${'22\t100\t<b>rs1</b>\n'.repeat(40_000)}`;
/** Pages of text; opening it runs a script, and asks for another host. */
const pdf = (texts: readonly string[], box = '0 0 300 200'): string => `%PDF-1.7
1 0 obj <</Type /Catalog /Pages 2 0 R /OpenAction <</S /JavaScript /JS (app.alert\\("hacked"\\); app.launchURL\\("http://127.0.0.1:9/"\\);)>>>> endobj
2 0 obj <</Type /Pages /Count ${texts.length} /Kids [${texts.map((_, i) => `${10 + 2 * i} 0 R`).join(' ')}]>> endobj
3 0 obj <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>> endobj
${texts
  .map((text, i) => {
    const drawn = `BT /F1 24 Tf 20 100 Td (${text}) Tj ET`;
    return `${10 + 2 * i} 0 obj <</Type /Page /Parent 2 0 R /MediaBox [${box}] /Contents ${11 + 2 * i} 0 R /Resources <</Font <</F1 3 0 R>>>>
/Annots [<</Type /Annot /Subtype /Link /Rect [0 0 300 200] /A <</S /URI /URI (http://127.0.0.1:9/)>>>>]>> endobj
${11 + 2 * i} 0 obj <</Length ${drawn.length}>> stream\n${drawn}\nendstream endobj`;
  })
  .join('\n')}
trailer <</Root 1 0 R>>
%%EOF`;
/** Draws a form that draws the next one ten times, and so on: billions of them. */
const endless = (): string => {
  const forms = Array.from(
    { length: 12 },
    (
      _,
      i,
    ) => `${20 + i} 0 obj <</Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources <</XObject <</F ${21 + i} 0 R>>>> /Length 60>> stream
${'/F Do '.repeat(10)}
endstream endobj`,
  );
  return `%PDF-1.7
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Count 1 /Kids [3 0 R]>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources <</XObject <</F 20 0 R>>>>>> endobj
4 0 obj <</Length 6>> stream\n/F Do \nendstream endobj
${forms.join('\n')}
32 0 obj <</Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 11>> stream\n0 0 9 9 re f\nendstream endobj
trailer <</Root 1 0 R>>
%%EOF`;
};
const FILES: readonly (readonly [string, string | Buffer])[] = [
  ['pixel.png', PNG],
  ['drawing.svg', SVG],
  ['sheet.csv', `id,name\n1,"a, b"\n2,<img src=x onerror=hacked=1>\n${'3,more\n'.repeat(30_000)}`],
  ['calls.vcf.gz', gzipSync(VCF)],
  ['report.pdf', pdf(['Coverage', 'Contamination'])],
  ['vast.pdf', pdf(['Vast'], '0 0 2000000000 2000000000')],
  ['broken.pdf', '%PDF-1.4'],
  ['endless.pdf', endless()],
  ['broken.png', 'no image'],
];

describe.skipIf(executablePath === undefined)('in Chromium', () => {
  let server: TestServer;
  let browser: Browser;
  let visit: Visit;
  let page: Page;
  const ingest = async (entity: object): Promise<void> => {
    const { status, text } = await server.rest('POST', '/api/v1/metadata/ingest', { body: entity });
    expect([status, text]).toEqual([expect.toBeOneOf([200, 201]), text]);
  };
  beforeAll(async () => {
    buildConsole();
    server = await startServer({ config: CONFIG, env: { LAB_SECRET: SECRET } });
    for (const body of SCHEMAS)
      expect((await server.rest('POST', '/api/v1/metadata/schemas', { body })).status).toBe(200);
    await ingest({ id: 'biopsy:1', entity_type: 'Biopsy', data: { tissue: 'liver', age: 30 } });
    await ingest({ id: 'biopsy:1', entity_type: 'Biopsy', data: { age: 31 } });
    await ingest({ id: 'biopsy:1', entity_type: 'Biopsy', data: { tissue: 'skin' } });
    await ingest({ id: 'biopsy:2', entity_type: 'Biopsy', data: { tissue: 'skin' } });
    const { body } = await server.graphql(
      'mutation ($entities: [IngestedEntity!]!) { ingestEntities(entities: $entities) { created } }',
      {
        entities: Array.from({ length: 60 }, (_, i) => ({
          id: `many:${i}`,
          entityType: 'Biopsy',
          data: { tissue: 'skin' },
        })),
      },
    );
    expect(body.data.ingestEntities.created).toBe(60);
    for (const [name, content] of FILES)
      await addFileEntity(server, { id: `file:${name}`, hex: await putContent(server, content), name });
    browser = await launch(executablePath);
    visit = await signedIn(browser, server, server.key);
    ({ page } = visit);
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });
  const open = async (view: string): Promise<void> => {
    await page.goto(`${server.url}/console/${view}`);
    await page.locator('main h1').waitFor();
    await page.locator('.loading').first().waitFor({ state: 'detached' });
  };

  test('an entity at two times: the fields that differ, from a time of its history or of choice', async () => {
    await open('entity?id=biopsy:1&tab=history');
    expect(await page.title()).toBe('biopsy:1 · Entity · Cairn');
    await page.getByRole('link', { name: 'Compare with now' }).nth(1).click(); // after the second write
    const rows = page.getByRole('region', { name: 'Differences' }).getByRole('row');
    await page.getByRole('row', { name: 'tissue liver skin' }).waitFor();
    expect(await rows.count()).toBe(2);
    await page.getByText('version 2,').waitFor();
    await page.getByText('As a JSON Patch').click();
    await page.getByText('"path": "/tissue"').waitFor();
    await page.getByLabel('Before').fill('2001-01-01T00:00:00');
    await page.getByText('it did not exist').waitFor();
    await page.getByRole('row', { name: 'age – 31' }).waitFor();
    await open('entity?id=biopsy:1&tab=compare'); // since its creation
    await page.getByRole('row', { name: 'age 30 31' }).waitFor();
    await page.getByLabel('With another entity').fill('biopsy:2');
    await page.keyboard.press('Enter');
    await page.waitForURL(/other=biopsy%3A2/);
    await page.getByRole('row', { name: 'age 31 –' }).waitFor(); // as they are
    expect(await violations(page)).toEqual([]);
    expect(visit.complaints).toEqual([]);
  });

  test('a listing at two times: what was added to it, removed from it and changed in it, page by page', async () => {
    const { body } = await server.graphql('{ entity(id: "biopsy:1") { history { timestamp } } }');
    const [{ timestamp: first }] = body.data.entity.history as [{ timestamp: string }];
    await open('entities?type=Biopsy&f=tissue:eq:liver');
    await page.getByRole('link', { name: 'What changed' }).click();
    await page.waitForURL(/from=/); // a day before, in the address
    await page.getByText('Nothing differs').waitFor(); // there was no liver before, and there is none now
    await open(`differences?type=Biopsy&f=tissue:eq:liver&from=${encodeURIComponent(first)}`);
    await page.getByRole('row', { name: 'removed biopsy:1 2 fields' }).waitFor();
    await page.getByRole('button', { name: /^Remove: tissue/ }).click();
    await open(`differences?type=Biopsy&q=liver&from=${encodeURIComponent(first)}`);
    await page.getByRole('row', { name: 'removed biopsy:1 2 fields' }).waitFor();
    await page.getByRole('button', { name: 'Remove: words: liver' }).click();
    await page.getByRole('row', { name: /^changed biopsy:1 .* age 30 31 tissue liver skin$/ }).waitFor();
    await page.getByRole('row', { name: 'added biopsy:2 1 field' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.waitForURL(/cursor=/);
    await page.getByRole('row', { name: 'added many:59 1 field' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'biopsy:1' }).click();
    await page.getByRole('row', { name: 'tissue liver skin' }).waitFor();
    expect(visit.complaints).toEqual([]);
  });

  test('files are shown by their type, and hostile content runs nothing', async () => {
    const show = async (name: string): Promise<void> => {
      await open(`entity?id=file:${name}&tab=files`);
      await page.getByRole('button', { name: `Show ${name}` }).click();
    };
    await show('pixel.png');
    await page.getByRole('img', { name: 'pixel.png' }).waitFor();
    const width = 'document.querySelector("img.preview").naturalWidth';
    await expect.poll(() => page.evaluate<number>(width)).toBe(1);
    await show('drawing.svg');
    await page.getByRole('img', { name: 'drawing.svg' }).waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    await show('sheet.csv');
    await page.getByRole('columnheader', { name: 'name' }).waitFor();
    await page.getByRole('cell', { name: 'a, b' }).waitFor();
    await page.getByRole('cell', { name: '<img src=x' }).waitFor();
    await page.getByText('The first 100 rows of').waitFor();
    expect(await violations(page)).toEqual([]);
    await show('calls.vcf.gz');
    await page.getByText('##fileformat=VCFv4.2').waitFor();
    await page.getByText('The beginning of').waitFor();
    await show('broken.png');
    await page.getByText('This browser cannot show it').waitFor();
    expect(visit.complaints).toEqual([]);
  });

  test('a PDF is drawn page by page in the page; nothing in it is run, and none can ask for too much', async () => {
    const show = async (name: string): Promise<void> => {
      await open(`entity?id=file:${name}&tab=files`);
      await page.getByRole('button', { name: `Show ${name}` }).click();
    };
    const drawn = (number: number, name: string) =>
      page.getByRole('img', { name: `Page ${number} of ${name}`, exact: true });
    const inked = `(() => {
      const canvas = document.querySelector('canvas.preview');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return data.some((value, i) => i % 4 === 0 && value < 100 && data[i + 3] > 200);
    })()`;
    await show('report.pdf');
    await page.getByText('Page 1 of 2').waitFor();
    await page.getByText('Text of this page').click();
    await page.getByText('Coverage', { exact: true }).waitFor();
    expect(await page.evaluate<boolean>(inked)).toBe(true);
    await page.getByRole('button', { name: 'Next' }).click();
    await drawn(2, 'report.pdf').waitFor();
    await page.getByText('Text of this page').click();
    await page.getByText('Contamination', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.reload();
    await drawn(2, 'report.pdf').waitFor();
    await page.goBack();
    await drawn(1, 'report.pdf').waitFor();
    await page.getByRole('button', { name: 'Hide report.pdf' }).click();
    expect(page.url()).not.toContain('pdf=');
    await show('vast.pdf');
    await page.getByText('Text of this page').waitFor();
    await drawn(1, 'vast.pdf').waitFor();
    const pixels = '(({ width, height }) => width * height)(document.querySelector("canvas.preview"))';
    expect(await page.evaluate<number>(pixels)).toBeLessThanOrEqual(4_000_000);
    await show('broken.pdf');
    await page.getByText('It cannot be read as a PDF.').waitFor();
    await expect.poll(() => page.workers().length).toBe(0);
    await page.clock.install();
    await show('endless.pdf');
    await page.getByText('Page 1 of 1').waitFor();
    await page.clock.fastForward(20_001);
    await page.getByText('It takes more than 20 seconds.').waitFor();
    await expect.poll(() => page.workers().length).toBe(0);
    expect(visit.complaints).toEqual([]);
  });

  test('a trigger is tested against stored deliveries, with another condition too; a delivery is repeated', async () => {
    for (const kind of ['done', 'begun']) {
      const body = JSON.stringify({ kind });
      const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
      const headers = { 'x-signature': signature };
      await server.rest('POST', '/api/v1/workflow/hooks/lab', { key: null, body, headers });
    }
    await open('trigger?name=lab&tab=trial');
    await page.getByText('It would have fired 1 time, of 2 cases.').waitFor();
    await page.getByLabel('Condition').fill('event.kind != "never"');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('It would have fired 2 times, of 2 cases.').waitFor();
    await page.getByLabel('Condition').fill('event.kind ==');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByRole('alert').waitFor();
    expect(await violations(page)).toEqual([]);
    // its run failed: there is no such file
    const failed = async (): Promise<number> =>
      (await server.graphql('{ failedDeliveries { deliveries { id } } }')).body.data.failedDeliveries
        .deliveries.length;
    await eventually(failed, (count) => count === 1);
    await open('runs');
    await page
      .getByRole('region', { name: 'Failed deliveries' })
      .getByRole('button', { name: /^Deliver again/ })
      .click();
    await page.getByRole('heading', { name: /^lab/ }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/run');
    await open('trigger?name=lab&tab=observations');
    expect(await page.getByRole('button', { name: /^Deliver again/ }).count()).toBeGreaterThan(0);
    const viewer = await signedIn(browser, server, await server.newKey({ role: 'viewer' }));
    await viewer.page.goto(`${server.url}/console/runs`);
    await viewer.page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
    expect(await viewer.page.getByRole('button', { name: /^Deliver again/ }).count()).toBe(0);
    await viewer.context.close();
    expect(visit.complaints).toEqual([]);
  });

  test('types are drawn with their references; a box leads to its type', async () => {
    await open('types');
    await page.getByRole('link', { name: 'Diagram' }).click();
    const drawn = page.getByRole('region', { name: 'Types and their references' });
    for (const text of ['donor', 'is a', 'part_of']) await drawn.getByText(text, { exact: true }).waitFor();
    expect(await drawn.getByRole('link').count()).toBe(SCHEMAS.length);
    expect(await violations(page)).toEqual([]);
    await drawn.getByRole('link', { name: /^LiverBiopsy/ }).click();
    await page.getByRole('heading', { name: 'LiverBiopsy' }).waitFor();
    expect(visit.complaints).toEqual([]);
  });
});
