// The console in a real browser, over the real server: by keyboard, with axe, by role, with hostile data.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { createProxyMiddleware } from 'http-proxy-middleware';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../portal/find-chromium.ts';
import { launch, signedIn, tabTo, violations } from './browser.ts';
import { HEBREW, MARKUP, server, setUp } from './console-testkit.ts';

const executablePath = findChromium();

const skipped =
  executablePath === undefined
    ? ' (skipped: no Chromium on the path; Debian has it as the package chromium, CHROMIUM names another)'
    : '';

setUp();

describe.skipIf(executablePath === undefined)(`in Chromium${skipped}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch(executablePath);
  });
  afterAll(() => browser.close());

  const VIEWS = [
    '',
    '/entities?type=Biopsy&f=tissue:eq:liver&filter=data.age%20%3C%2060',
    '/entity?id=biopsy:child',
    '/entities?type=Biopsy&by=tissue&of=avg.age&project=lab',
    '/entity?id=biopsy:1&tab=history',
    '/entity?id=biopsy:1&tab=compare',
    '/entity?id=biopsy:1&tab=relationships',
    '/entity?new=Biopsy',
    '/types',
    '/types?name=Biopsy',
    '/types?name=Biopsy&tab=change',
    '/types?tab=diagram',
    '/import',
    '/lineage?id=biopsy:1',
    '/runs',
    '/trigger?name=on-request&tab=definition',
    '/trigger?name=on-change&tab=trial',
    '/rules',
    '/rule?name=copy-biopsy',
    '/rule?name=copy-biopsy&tab=versions',
    '/ask?type=Biopsy',
    '/admin?tab=keys',
    '/admin?tab=consistency',
    '/nowhere',
  ];

  test('axe finds nothing on any view, light or dark, and no other host is asked', async () => {
    const { page, context, complaints } = await signedIn(browser, server, server.key);
    const found: string[] = [];
    for (const view of VIEWS) {
      await page.goto(`${server.url}/console${view}`);
      await page.locator('main h1, main h2').first().waitFor();
      await page.locator('.loading').first().waitFor({ state: 'detached' });
      found.push(...(await violations(page)).map((one) => `${view} ${one}`));
      await page.evaluate("document.documentElement.dataset.scheme = 'dark'");
      found.push(...(await violations(page, ['color-contrast'])).map((one) => `${view} dark ${one}`));
    }
    expect(found).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('by keyboard alone: find a type, filter it, open an entity, change it, see its past', async () => {
    const { page, context, complaints } = await signedIn(browser, server, server.key);
    const { keyboard } = page;
    await keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Page, type, or id' }).waitFor();
    await keyboard.type('Biopsy');
    await page.getByRole('option', { name: 'Biopsy entities' }).waitFor();
    await keyboard.press('Enter');
    await page.getByText('64 entities').waitFor();
    await tabTo(page, 'Expression');
    await keyboard.press('Enter');
    await tabTo(page, 'Expression (CEL)');
    await keyboard.type('data.age == 42');
    await keyboard.press('Enter');
    await page.getByText('1 entity', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('filter')).toBe('data.age == 42');
    await tabTo(page, 'biopsy:23');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'biopsy:23' }).waitFor();
    await tabTo(page, 'Edit');
    await keyboard.press('Enter');
    await tabTo(page, 'age');
    await keyboard.press('Control+a');
    await keyboard.type('forty');
    await page.getByText(/field age must be/).waitFor(); // the server's word, while it is filled in
    await keyboard.press('Control+a');
    await keyboard.type('43');
    await tabTo(page, 'Reason');
    await keyboard.type('mistyped');
    await keyboard.press('Enter');
    await page.getByText('43', { exact: true }).waitFor();
    await tabTo(page, 'History');
    await keyboard.press('Enter');
    await page.getByRole('row', { name: 'age 42 43' }).waitFor();
    await page.getByText('mistyped').waitFor();
    await tabTo(page, 'See it then'); // the newest
    await keyboard.press('Tab');
    await tabTo(page, 'See it then'); // the creation
    await keyboard.press('Enter');
    await page.getByText('You see').waitFor();
    await page.getByText('42', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
    await tabTo(page, 'Back to the present');
    await keyboard.press('Enter');
    await page.getByText('43', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('requests are copied, tables exported, lineage opened', async () => {
    const { page, context, complaints } = await signedIn(browser, server, server.key);
    await page.goto(`${server.url}/console/entities?type=Biopsy&f=tissue:eq:liver`);
    await page.getByText('30 entities').waitFor();
    await page.getByRole('button', { name: 'Copy request' }).click();
    await page.getByRole('button', { name: 'Entities', exact: true }).click();
    await page.getByRole('button', { name: 'curl' }).click();
    const snippet = (await page.getByTestId('snippet').textContent()) ?? '';
    const shown = await promisify(execFile)('bash', ['-c', snippet], {
      env: { ...process.env, CAIRN_KEY: server.key },
    });
    expect(JSON.parse(shown.stdout)).toMatchObject({ data: { entities: { total: 30 } } });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Export' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'CSV' }).click();
    const table = readFileSync(await (await downloading).path(), 'utf8');
    expect(table.trim().split('\n')).toHaveLength(31);
    await page.goto(`${server.url}/console/entities?type=Biopsy`);
    await page.getByText('64 entities').waitFor();
    await page.goto(`${server.url}/console/lineage?id=biopsy:child`);
    await page.getByRole('link', { name: /^Biopsy\s?biopsy:1$/ }).waitFor();
    await page.goto(`${server.url}/console/lineage?id=biopsy:1`);
    await page.getByRole('button', { name: 'Show what comes from biopsy:child' }).press('Enter');
    await page.getByText('2 entities.').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('hostile data are shown harmlessly, on a phone too', async () => {
    const size = { width: 390, height: 780 };
    const { page, context, complaints } = await signedIn(browser, server, server.key, { size });
    for (const view of [
      '/entities?type=Biopsy&f=tissue:eq:skin&page=1&sort=-id&cols=donor,labels,more',
      '/entity?id=hostile:markup',
      '/entity?id=hostile:markup&tab=history',
      `/entity?id=${encodeURIComponent(`hostile:${HEBREW}`)}`,
      '/entity?id=hostile:huge',
      '/entity?id=hostile:huge&tab=history',
    ]) {
      await page.goto(`${server.url}/console${view}`);
      await page.locator('main h1').waitFor();
      await page.locator('.loading').first().waitFor({ state: 'detached' });
      const fits = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';
      expect([view, await page.evaluate(fits)]).toEqual([view, true]);
      expect(await page.evaluate<number>('document.body.innerText.length')).toBeLessThan(200_000);
    }
    await page.goto(`${server.url}/console/entity?id=hostile:markup`);
    await page.getByText(MARKUP).first().waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('a viewer is offered no action that a viewer may not perform, and is refused each of them', async () => {
    const { page, context } = await signedIn(browser, server, await server.newKey({ role: 'viewer' }));
    const offered = async (view: string, name: string | RegExp): Promise<number> => {
      await page.goto(`${server.url}/console${view}`);
      await page.locator('main h1').waitFor();
      await page.locator('.loading').first().waitFor({ state: 'detached' });
      return page.getByRole('button', { name }).or(page.getByRole('link', { name })).count();
    };
    expect(await offered('/entities?type=Biopsy', 'New')).toBe(0);
    expect(await offered('/entity?id=biopsy:1', 'Edit')).toBe(0);
    expect(await offered('/entity?id=biopsy:1', 'Make unavailable')).toBe(0);
    expect(await offered('/runs', /^Run /)).toBe(0);
    expect(await offered('/admin?tab=keys', 'New key')).toBe(0);
    await page.getByText('This needs the role analyst').waitFor();
    await page.goto(`${server.url}/console/entity?new=Biopsy`); // by hand
    await page.getByLabel('donor').fill('D-99');
    await page.getByLabel('tissue').selectOption('skin');
    await page.getByRole('button', { name: 'Create' }).click();
    await page
      .getByRole('alert')
      .getByText(/analyst/)
      .waitFor();
    await context.close();
  });

  test('signing out ends every tab', async () => {
    const { page, context } = await signedIn(browser, server, server.key);
    const other = await context.newPage();
    await other.goto(`${server.url}/console/types`);
    await other.getByRole('link', { name: /Biopsy/ }).waitFor();
    await page.getByRole('button', { name: 'Account of user:admin' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('User name').waitFor();
    await other.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await other.reload();
    await other.getByRole('heading', { name: 'Sign in to Cairn' }).waitFor();
    expect(await violations(other)).toEqual([]);
    await context.close();
  });

  test('the console works below the prefix of a proxy; the explorer uses its session', async () => {
    const forward = createProxyMiddleware({ target: server.url, pathRewrite: { '^/lab': '' } });
    const proxy = http.createServer((req, res) => void forward(req, res)).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const base = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/lab`; // it listens on TCP
    const { page, context, complaints } = await signedIn(browser, server, server.key, { base });
    await page.getByRole('link', { name: 'Types' }).click();
    await page.getByRole('link', { name: /Biopsy/ }).click();
    await page.getByRole('heading', { name: 'Biopsy' }).waitFor();
    expect(page.url()).toBe(`${base}/console/types?name=Biopsy`);
    await page.reload();
    await page.getByRole('heading', { name: 'Biopsy' }).waitFor();
    await page.getByRole('link', { name: 'GraphQL explorer' }).click();
    await page.getByText('Requests are made as user:admin.').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
    proxy.closeAllConnections();
    proxy.close();
  });
});
