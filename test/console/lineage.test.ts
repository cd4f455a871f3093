// Lineage in a real browser: ten thousand entities in one picture, types in one box, two times, files of it.
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../portal/find-chromium.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { launch, signedIn, violationsInBothSchemes, type Visit } from './browser.ts';
import { buildConsole } from './console-testkit.ts';

const executablePath = findChromium();
const TUBES = 10_000;
/** An id has neither slash nor blank. */
const HOSTILE = 'few:<b>&"';
const SCHEMAS = [
  { name: 'Donor', version: '1', fields: [{ name: 'born', field_type: 'int' }] },
  { name: 'Tube', version: '1', fields: [{ name: 'donor', field_type: 'ref', references: 'Donor' }] },
];

describe.skipIf(executablePath === undefined)('in Chromium', () => {
  let server: TestServer;
  let browser: Browser;
  let visit: Visit;
  let page: Page;
  const ingest = async (entities: readonly object[]): Promise<void> => {
    const write = 'mutation ($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { errors { message } } }';
    for (let from = 0; from < entities.length; from += 2500)
      expect(
        (await server.graphql(write, { e: entities.slice(from, from + 2500) })).body.data.ingestEntities
          .errors,
      ).toEqual([]);
  };
  beforeAll(async () => {
    buildConsole();
    server = await startServer();
    for (const body of SCHEMAS)
      expect((await server.rest('POST', '/api/v1/metadata/schemas', { body })).status).toBe(200);
    await ingest([
      ...['donor:1', 'donor:2', 'donor:3'].map((id) => ({ entityType: 'Donor', id, data: {} })),
      { entityType: 'Tube', id: HOSTILE, data: { donor: 'donor:2' } },
      { entityType: 'Tube', id: 'few:2', data: { donor: 'donor:2' } },
      ...Array.from({ length: TUBES }, (_, i) => ({
        entityType: 'Tube',
        id: `tube:${String(i).padStart(5, '0')}`,
        data: { donor: 'donor:1' },
      })),
    ]);
    browser = await launch(executablePath);
    visit = await signedIn(browser, server, server.key);
    ({ page } = visit);
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });
  const open = async (id: string, more = ''): Promise<void> => {
    await page.goto(`${server.url}/console/lineage?id=${encodeURIComponent(id)}${more}`);
    await page.getByRole('region', { name: 'Lineage' }).waitFor();
  };

  test('ten thousand entities are one picture, of which what is in sight is drawn, wherever that is', async () => {
    await open('donor:1');
    await page.getByText('9,992 more Tube refer to donor:1 by donor').waitFor();
    await page.getByRole('button', { name: /^Show them.*Tube by donor of donor:1$/ }).click();
    await page.getByText('10,001 entities').waitFor();
    const drawn = (): Promise<number> => page.evaluate<number>('document.querySelectorAll(".box").length');
    const first = await drawn();
    expect(first).toBeLessThan(500);
    const box = 'document.querySelector(".lineage .diagram")';
    await page.evaluate(`${box}.scrollTo(${box}.scrollWidth, ${box}.scrollHeight)`);
    await page.getByRole('link', { name: 'Tube tube:09999' }).waitFor();
    expect(await drawn()).toBeLessThan(500);
    const small = page.locator('.small-map');
    await small.waitFor();
    await small.click({ position: { x: 2, y: 60 } });
    await page.getByRole('link', { name: 'Donor donor:1' }).waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    // by its background, such as between two rows, it is dragged
    const left = (): Promise<number> => page.evaluate<number>(`${box}.scrollLeft`);
    await page.evaluate(`${box}.scrollTo(3000, 2995)`);
    const place = await page.getByRole('region', { name: 'Lineage' }).boundingBox();
    expect(place).not.toBeNull();
    const { x = 0, y = 0 } = place ?? {};
    await page.mouse.move(x + 5, y + 5);
    const before = await left();
    await page.mouse.down();
    await page.mouse.move(x + 105, y + 5);
    await page.mouse.up();
    expect(await left()).toBe(before - 100);
    await page.getByLabel('Tube (10,000)').check();
    await page.getByText('10,000 entities', { exact: true }).waitFor();
    await page.waitForURL(/one=Tube/);
    expect(await drawn()).toBe(2);
    await page.goBack(); // what was read is in the address: the picture is as it was before, and so when sent to others
    await page.getByText('9,992 more Tube refer to donor:1 by donor').waitFor();
    await page.goForward();
    await page.getByText('10,001 entities').waitFor();
    await page.reload();
    await page.getByText('10,001 entities').waitFor();
    expect(visit.complaints).toEqual([]);
  });

  test('two times are compared: what came, and what went', async () => {
    const { body } = await server.graphql('{ entity(id: "few:2") { updatedAt } }');
    const then = body.data.entity.updatedAt as string;
    await ingest([
      { entityType: 'Tube', id: 'few:2', data: { donor: 'donor:3' } },
      { entityType: 'Tube', id: 'few:3', data: { donor: 'donor:2' } },
    ]);
    await open('donor:2', `&compare=${encodeURIComponent(then)}`);
    await page.getByRole('link', { name: 'Tube few:3' }).waitFor();
    await page.getByRole('link', { name: 'Tube few:2' }).waitFor();
    expect(await page.locator('.diagram .added').count()).toBe(1);
    expect(await page.locator('.diagram .removed').count()).toBe(1);
    await page.getByText('Green is not there at that time').waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    // as of that time there is no third
    await open('donor:2', `&at=${encodeURIComponent(then)}`);
    await page.getByRole('link', { name: 'Tube few:2' }).waitFor();
    expect(await page.getByRole('link', { name: 'Tube few:3' }).count()).toBe(0);
    expect(visit.complaints).toEqual([]);
  });

  test('it is saved as SVG, as PNG and as PROV-JSON', async () => {
    await open('donor:2');
    const save = async (name: string): Promise<Buffer> => {
      await page.getByRole('button', { name: 'Save as' }).click();
      const waiting = page.waitForEvent('download');
      await page.getByRole('menuitem', { name }).click();
      return readFile(await (await waiting).path());
    };
    const svg = (await save('SVG')).toString();
    expect(svg).toContain('few:&lt;b&gt;&amp;&quot;');
    const faults = `(() => new DOMParser().parseFromString(arguments[0], 'image/svg+xml').querySelectorAll('parsererror').length)`;
    const other = await browser.newPage(); // without the policy of the console
    expect(
      await other.evaluate(`((text) => ${faults.replace('arguments[0]', 'text')}())(${JSON.stringify(svg)})`),
    ).toBe(0);
    await other.close();
    expect((await save('PNG')).subarray(1, 4).toString()).toBe('PNG');
    const prov = JSON.parse((await save('PROV-JSON')).toString()) as Record<string, object>;
    expect(JSON.stringify(prov['entity'])).toContain('donor:2');
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(visit.complaints).toEqual([]);
  });
});
