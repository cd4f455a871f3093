// The console in a real browser, over the real server: by keyboard, its requests, its session, below a proxy's prefix.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { createProxyMiddleware } from 'http-proxy-middleware';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';
import { findChromium } from '../portal/find-chromium.ts';
import { launch, signedIn, tabTo, violations } from './browser.ts';
import { server, setUp } from './console-testkit.ts';

const executablePath = findChromium();

const skipped =
  executablePath === undefined
    ? ' (skipped: no Chromium on the path; Debian has it as the package chromium, CHROMIUM names another)'
    : '';

setUp();

const copied = async (page: Page): Promise<string> => (await page.getByTestId('snippet').textContent()) ?? '';

/** Starts what was copied, with a key. */
const sent = (form: 'curl' | 'CLI' | 'Python', command: string) =>
  spawn(
    form === 'Python' ? 'python3' : 'bash',
    ['-c', command.replace(/^npx cairn/, 'exec node cli/cairn.mjs').replace(/^curl/, 'exec curl')],
    {
      cwd: projectRoot,
      env: { ...process.env, CAIRN_KEY: server.key },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );

describe.skipIf(executablePath === undefined)(`in Chromium${skipped}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch(executablePath);
  });
  afterAll(() => browser.close());

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

  test('of two tabs that change one entity the second is refused, reads what the first made, and keeps what was typed', async () => {
    const { page: first, context, complaints } = await signedIn(browser, server, server.key);
    const second = await context.newPage();
    for (const page of [first, second]) {
      await page.goto(`${server.url}/console/entity?id=biopsy:40&edit=1`);
      await page.getByLabel('donor').waitFor();
    }
    await second.getByLabel('age').fill('77');
    await second.getByLabel('donor').fill('typed and typed back');
    await second.getByLabel('donor').fill('D-40');
    await second.route('**/graphql', (route) =>
      /"subscription /.test(route.request().postData() ?? '') ? route.abort() : route.fallback(),
    );
    await first.getByLabel('age').fill('51');
    await first.getByLabel('donor').fill('D-first');
    await first.getByRole('button', { name: 'Save' }).click();
    await first.getByText('D-first').waitFor();
    await second.getByRole('button', { name: 'Save' }).click();
    const refused = second.getByRole('alert');
    await refused.getByText('entity biopsy:40 is at version 2, not 1').waitFor();
    expect(await violations(second)).toEqual([]);
    await refused.getByRole('button', { name: 'Read it again, and keep what I typed' }).click();
    await second.getByText('somebody else has made it 51').waitFor();
    expect(await refused.count()).toBe(0);
    expect(await second.getByLabel('donor').inputValue()).toBe('D-first');
    expect(await second.getByLabel('age').inputValue()).toBe('77');
    await second.getByRole('button', { name: 'Save' }).click();
    await second.getByText('77', { exact: true }).waitFor();
    const { body } = await server.graphql(
      '{ entity(id: "biopsy:40") { version data history { requestId } } }',
    );
    expect(body.data.entity).toMatchObject({ version: 3, data: { donor: 'D-first', age: 77 } });
    // each event names its request
    await second
      .getByRole('tab', { name: 'History' })
      .or(second.getByRole('link', { name: 'History' }))
      .click();
    await second.getByText(body.data.entity.history[2].requestId).waitFor();
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
    for (const form of ['CLI', 'Python'] as const) {
      await page.getByRole('button', { name: form, exact: true }).click();
      expect(await text(sent(form, await copied(page)).stdout)).toMatch(/["']total["']: 30/);
    }
    await page.getByRole('button', { name: 'curl' }).click();
    // as a request, in the same form
    await page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click();
    const exporting = (await page.getByTestId('snippet').textContent()) ?? '';
    const folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-copied-'));
    await promisify(execFile)('bash', ['-c', exporting], {
      cwd: folder,
      env: { ...process.env, CAIRN_KEY: server.key },
    });
    expect(readFileSync(path.join(folder, 'Biopsy.csv'), 'utf8').trim().split('\n')).toHaveLength(31);
    await rm(folder, { recursive: true });
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

  test.each(['curl', 'CLI', 'Python'] as const)('what a view follows can be followed by %s', async (form) => {
    const { page, context } = await signedIn(browser, server, server.key);
    await page.getByText('live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Copy request' }).click();
    await page.getByRole('button', { name: 'Changes', exact: true }).click();
    await page.getByRole('button', { name: form, exact: true }).click();
    const child = sent(form, await copied(page));
    const told: string[] = [];
    child.stdout.on('data', (data: Buffer) => told.push(String(data)));
    let age = 20;
    const changed = async (): Promise<string> => {
      const body = { id: 'biopsy:59', entity_type: 'Biopsy', data: { age: (age += 1) } };
      await server.rest('POST', '/api/v1/metadata/ingest', { body });
      return told.join('');
    };
    await expect.poll(changed, { interval: 200 }).toContain('biopsy:59');
    child.kill();
    await context.close();
  });

  test('what the server refuses fails in Python with its reason, as in the shell', async () => {
    const { page, context } = await signedIn(browser, server, server.key);
    await page.goto(`${server.url}/console/rule?new=1`);
    await page.getByRole('button', { name: 'Copy request' }).click();
    await page.getByRole('button', { name: 'RegisterRule', exact: true }).click();
    for (const form of ['CLI', 'Python'] as const) {
      await page.getByRole('button', { name: form, exact: true }).click();
      const child = sent(form, await copied(page));
      const told: string[] = [];
      child.stderr.on('data', (data: Buffer) => told.push(String(data)));
      const [status] = await once(child, 'close');
      expect([form, status, told.join('')]).toEqual([
        form,
        1,
        expect.stringContaining('the rule is not valid'),
      ]);
    }
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

  test('a sign-in as another in one tab is that of all: no tab offers what only the one before could do', async () => {
    const { page, context } = await signedIn(browser, server, server.key);
    await page.goto(`${server.url}/console/entities?type=Biopsy`);
    await page.getByRole('link', { name: 'New', exact: true }).waitFor();
    const reader = await server.rest('POST', '/api/v1/gateway/auth/sign-in-link', {
      key: await server.newKey({ role: 'viewer' }),
    });
    const other = await context.newPage();
    await other.goto((reader.body as { url: string }).url);
    await other.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('link', { name: 'New', exact: true }).waitFor({ state: 'detached' });
    expect(await page.getByText('64 entities').count()).toBe(1);
    await context.close();
  });

  test('console, explorer and documentation work below the prefix of a proxy, by one session', async () => {
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
    for (const address of ['/api/v1/docs', '/api/v1/docs/']) {
      await page.goto(base + address);
      await page
        .getByRole('button', { name: /\/api\/v1\/metadata\/schemas/ })
        .first()
        .click();
      await page.getByRole('button', { name: 'Execute', exact: true }).click();
      await page
        .locator('.responses-table.live-responses-table .response-col_status')
        .getByText('200')
        .waitFor();
    }
    expect(complaints).toEqual([]);
    await context.close();
    proxy.closeAllConnections();
    proxy.close();
  });
});
