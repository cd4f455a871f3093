// The backups of an instance in the console: what teaches to make the first, what became of each, and how old the last is;
// and tables of administration on a phone.
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../portal/find-chromium.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { launch, OF_COLOURS, signedIn, violations } from './browser.ts';
import { buildConsole, MARKUP } from './console-testkit.ts';

const executablePath = findChromium();
const skipped = executablePath === undefined ? ' (skipped: no Chromium on the path)' : '';

let server: TestServer & AsyncDisposable;
beforeAll(async () => {
  buildConsole();
  server = await startServer({});
});
afterAll(() => server[Symbol.asyncDispose]());

const add = (id: string, status: string, hoursAgo: number, more: Record<string, unknown> = {}) =>
  server.database.pool.query(
    `INSERT INTO gateway.backup (id, kind, destination, encrypted, host, actor, status, started_at, finished_at, bytes, position, error, lost_files, restored_at)
     SELECT $1, 'directory', coalesce(m.destination, '/mnt/backups'), true, 'host-1', 'os:cairn', $2, now() - $3 * interval '1 hour',
       now() - $3 * interval '1 hour' + interval '90 s', m.bytes, 4711, m.error, m.lost_files, m.restored_at
     FROM json_to_record($4) AS m (destination text, bytes bigint, error text, lost_files int, restored_at timestamptz)`,
    [id, status, hoursAgo, JSON.stringify(more)],
  );

describe.skipIf(executablePath === undefined)(`in Chromium${skipped}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch(executablePath);
  });
  afterAll(() => browser.close());

  test('without one it says how the first is made; then what became of each, and that the last is old', async () => {
    const { page, context, complaints } = await signedIn(browser, server, server.key, {
      size: { width: 390, height: 780 },
    });
    const look = async (): Promise<void> => {
      await page.goto(`${server.url}/console/admin?tab=backups`);
      await page.getByRole('heading', { name: 'How one is made, and restored' }).waitFor();
      await page.locator('.loading').first().waitFor({ state: 'detached' });
    };
    await look();
    await page.getByText('No backup was made').waitFor();
    await page.getByText('cairn backup --encrypt /mnt/backups').waitFor();
    await page.getByText('database.archive').waitFor();
    expect(await violations(page)).toEqual([]);

    await add('b-1', 'completed', 50, { bytes: 73_400_320, restored_at: '2026-01-31T09:30:00Z' });
    await look();
    const last = page.locator('dl.facts').first();
    await last.getByText('old', { exact: true }).waitFor();
    await last.getByText('2 days ago').waitFor();
    await page.getByText('this instance was restored from it').waitFor();
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await page.goto(`${server.url}/console/`);
    await attention
      .getByRole('listitem')
      .filter({ hasText: 'The last backup that completed was begun 2 days ago' })
      .getByRole('link')
      .click();
    await page.getByRole('heading', { name: 'How one is made, and restored' }).waitFor();

    await add('b-2', 'completed', 3, { bytes: 1_500_000_000, lost_files: 2 });
    await add('b-3', 'failed', 2, { error: `no room left ${MARKUP}`, destination: MARKUP });
    await add('b-4', 'running', 1);
    await look();
    await last.getByText('recent', { exact: true }).waitFor();
    await last.getByText('3 hours ago').waitFor();
    const row = (id: string) => page.getByRole('row').filter({ hasText: id });
    await row('b-2').getByText('2 files lost').waitFor();
    await row('b-2').getByText('1.5 GB').waitFor();
    await row('b-2').getByText('90.0 s').waitFor();
    await row('b-3').getByText(`no room left ${MARKUP}`).waitFor();
    await row('b-4').getByText('interrupted').waitFor(); // nobody has the lock of backups
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(await violations(page)).toEqual([]);
    await page.evaluate("document.documentElement.dataset.scheme = 'dark'");
    expect(await violations(page, OF_COLOURS)).toEqual([]);
    expect(
      await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth'),
    ).toBe(true);
    expect(complaints).toEqual([]);
    await page.goto(`${server.url}/console/`);
    await attention.getByText('The last backup failed: interrupted').waitFor();
    expect(await attention.getByText('was begun').count()).toBe(0);
    await context.close();
  });

  test('on a phone, rows are cards: what can be done with them, and the part that is shown, are in sight', async () => {
    const size = { width: 390, height: 780 };
    const { page, context, complaints } = await signedIn(browser, server, server.key, { size });
    await server.newKey({ role: 'viewer', label: MARKUP });
    await page.goto(`${server.url}/console/admin?tab=keys`);
    const revoke = page.getByRole('button', { name: /^Revoke/ }).first();
    await revoke.waitFor();
    const right = async (found: Locator): Promise<number> => {
      const box = await found.boundingBox();
      return box === null ? Infinity : box.x + box.width;
    };
    expect(await right(revoke)).toBeLessThan(size.width);
    expect(await right(page.getByRole('link', { name: 'API keys', exact: true }))).toBeLessThan(size.width);
    const titled = "getComputedStyle(document.querySelector('.rowcards td'), '::before').content";
    expect(await page.evaluate<string>(titled)).toBe('"label"');
    // they are rows and cells of a table for assistive technology all the same
    const probe = await context.newCDPSession(page);
    const { nodes } = await probe.send('Accessibility.getFullAXTree');
    const roles = new Set(nodes.map(({ role }) => role?.value as unknown));
    expect(['table', 'row', 'cell', 'columnheader'].filter((role) => !roles.has(role))).toEqual([]);
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
