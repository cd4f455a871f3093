// Many entities at once: all of a list selected and changed, their projects, and types with long words.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../portal/find-chromium.ts';
import { createUsers } from '../../router/users/users.service.ts';
import { createUserStore } from '../../router/users/users.store.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { launch, signedIn, type Visit, violations } from './browser.ts';
import { buildConsole, ingestNew, MARKUP, SCHEMA } from './console-testkit.ts';

const executablePath = findChromium();
const COUNT = 1200;

describe.skipIf(executablePath === undefined)('in Chromium', () => {
  let server: TestServer;
  let browser: Browser;
  let visit: Visit;
  beforeAll(async () => {
    buildConsole();
    server = await startServer();
    const body = { ...SCHEMA, description: `${MARKUP}${'word'.repeat(30)}` };
    expect((await server.rest('POST', '/api/v1/metadata/schemas', { body })).status).toBe(200);
    const entities = Array.from({ length: COUNT }, (_, i) => ({
      id: `biopsy:${i + 1}`,
      entityType: 'Biopsy',
      data: { donor: 'D-1', tissue: ['liver', 'skin', 'blood'][i % 3] },
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
    await visit.page.getByRole('region', { name: 'Entities of type Biopsy' }).waitFor();
    return visit.page;
  };

  test('all that a list has are selected at once, and what the change of each would be is asked of the server', async () => {
    const page = await open('&f=tissue:eq:liver');
    await page.getByLabel('Select all').check();
    await page.getByText('400 entities selected').waitFor();
    const raced = { entityType: 'Biopsy', id: 'biopsy:1198', data: { donor: 'D-raced' } };
    const write = 'mutation ($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { updated } }';
    expect((await server.graphql(write, { e: [raced] })).body.data.ingestEntities.updated).toBe(1);
    await page.getByRole('button', { name: 'Edit …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit 400 entities' });
    await dialog.getByLabel('Field').selectOption('tissue');
    await dialog.getByLabel('tissue').selectOption('liver');
    await dialog.getByRole('button', { name: 'Show what would change' }).click();
    await dialog.getByText('0 would change, 399 have this value already, 1 would be refused.').waitFor();
    // the refused one is the first of the preview
    await dialog
      .getByRole('row')
      .nth(1)
      .getByText(/biopsy:1198 is at version/)
      .waitFor();
    expect(await dialog.getByRole('button', { name: 'Change 400 entities' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Leave out the refused' }).click();
    const others = page.getByRole('dialog', { name: 'Edit 399 entities' });
    await others.getByText('0 would change, 399 have this value already, 0 would be refused.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Select all').check();
    await page.getByText('400 entities selected').waitFor();
    await page.getByLabel('Select all').uncheck();
    await page.getByText('entities selected').waitFor({ state: 'detached' });
    await open('');
    await page.getByLabel('Select the first 1,000').check();
    await page.getByText(/^1,?000 entities selected, the most at once$/).waitFor();
    await open('&q=skin');
    // a search has more than its first page
    await page.getByLabel('Select the first 1,000', { exact: true }).check();
    await page.getByText('400 entities selected').waitFor();
    await open('&q=D-1');
    await page.getByLabel('Select the first 1,000', { exact: true }).check();
    await page.getByText(/^1,?000 entities selected, the most at once$/).waitFor();
    expect(visit.complaints).toEqual([]);
  });

  /** Another listing in the same page, as by Back and Forward. */
  const move = (page: Page, search: string): Promise<void> =>
    page.evaluate(
      `history.pushState(null, '', '?type=Biopsy${search}'); dispatchEvent(new PopStateEvent('popstate'))`,
    );

  /** Keeps back the requests that contain a text; returns what lets them go on. */
  async function hold(page: Page, text: string): Promise<() => Promise<void>> {
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes(text) === true) await held;
      await route.continue();
    });
    return () => {
      letGo();
      return page.unrouteAll({ behavior: 'wait' });
    };
  }

  test('the box above is ticked only where what the list has is selected, and selects nothing of an earlier list', async () => {
    const page = await open('&f=tissue:eq:liver');
    const box = page.getByLabel('Select all', { exact: true });
    await box.check();
    await page.getByText('400 entities selected').waitFor();
    await move(page, '&f=tissue:eq:skin');
    await page.getByLabel('Select biopsy:2', { exact: true }).waitFor();
    expect(await box.isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Clear' }).click();

    let release = await hold(page, 'blood');
    await move(page, '&f=tissue:eq:blood');
    await page.getByRole('table', { includeHidden: true }).and(page.locator('[aria-busy=true]')).waitFor();
    await box.click({ force: true });
    await release();
    await page.getByLabel('Select biopsy:3', { exact: true }).waitFor();
    expect(await page.getByText('entities selected').count()).toBe(0);
    expect(await box.isChecked()).toBe(false);
    await box.check();
    await page.getByText('400 entities selected').waitFor();
    await page.getByLabel('Select biopsy:3', { exact: true }).uncheck();
    await page.getByText('399 entities selected').waitFor();
    expect(await box.isChecked()).toBe(false);

    // what is read to be selected does not go on into another list, and the box keeps the focus meanwhile
    await page.getByRole('button', { name: 'Clear' }).click();
    release = await hold(page, '"count":"NONE"');
    await box.check();
    await page.getByText('Loading what is selected …').waitFor();
    expect(await box.evaluate('document.activeElement.type')).toBe('checkbox');
    await move(page, '&f=tissue:eq:skin');
    await page.getByLabel('Select biopsy:2', { exact: true }).waitFor();
    await release();
    await page.getByText('Loading what is selected …').waitFor({ state: 'detached' });
    expect(await page.getByText('entities selected').count()).toBe(0);
    expect(await box.isChecked()).toBe(false);
    expect(visit.complaints).toEqual([]);
  });

  test('a value whose check fails has no preview of another value, and is checked again', async () => {
    const page = await open('&f=tissue:eq:liver');
    await page.getByLabel('Select biopsy:1', { exact: true }).check();
    await page.getByRole('button', { name: 'Edit …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit 1 entity' });
    await dialog.getByLabel('donor').fill('D-2');
    await dialog.getByRole('button', { name: 'Show what would change' }).click();
    const told = dialog.getByText('1 would change, 0 have this value already, 0 would be refused.');
    await told.waitFor();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('CheckBulkEdit') !== true) return route.continue();
      await route.fulfill({
        contentType: 'application/json',
        body: JSON.stringify({ errors: [{ message: 'no answer in time' }] }),
      });
    });
    await dialog.getByLabel('donor').fill('D-3');
    await dialog.getByRole('button', { name: 'Show what would change' }).click();
    await dialog.getByText('no answer in time').waitFor();
    expect(await told.count()).toBe(0);
    expect(await dialog.getByRole('button', { name: 'Change 1 entity' }).isDisabled()).toBe(true);
    await page.unroute('**/graphql');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await told.waitFor();
    expect(visit.complaints).toEqual([]);
  });

  test('a project has its entities by type, and who is restricted to it', async () => {
    const fields = [{ name: 'project', field_type: 'string' }];
    await server.rest('POST', '/api/v1/metadata/schemas', { body: { name: 'Tube', version: '1', fields } });
    for (const [id, project] of Object.entries({ 'tube:1': 'lab', 'tube:2': 'lab', 'tube:3': MARKUP }))
      await server.rest('POST', '/api/v1/metadata/ingest', {
        body: { entity_type: 'Tube', id, data: { project } },
      });
    await server.newKey({ role: 'analyst', label: 'of the lab', project: 'lab' });
    await server.newKey({ role: 'analyst', label: 'of another', project: 'elsewhere' });
    // a key has the projects of its owner; one that has ended, and one of a disabled account, has none
    const users = createUsers(createUserStore(server.database.pool));
    for (const name of ['ada', 'bob'])
      await users.add({ name, password: 'correct horse battery', roles: ['analyst'], projects: ['away'] });
    for (const owner of ['user:ada', 'user:bob'])
      await server.newKey({ role: 'analyst', label: `key of ${owner}`, owner });
    await users.disable('bob');
    await server.newKey({ role: 'analyst', label: 'expired', project: 'away' });
    await server.database.pool.query(
      `UPDATE gateway.api_key SET expires_at = now() - interval '1 hour' WHERE label = 'expired'`,
    );
    const { page, complaints } = visit;
    await page.goto(`${server.url}/console/admin?tab=projects`);
    const table = page.getByRole('region', { name: 'Projects' });
    await table.getByRole('row', { name: /^elsewhere none – of another –$/ }).waitFor();
    await table.getByRole('row', { name: /^away none user:ada key of user:ada –$/ }).waitFor();
    await table.getByRole('row', { name: /^lab 2 Tube – of the lab –$/ }).waitFor();
    await table.getByRole('row', { name: `${MARKUP} 1 Tube` }).waitFor();
    expect(await violations(page)).toEqual([]);
    await table.getByRole('link', { name: '2 Tube' }).press('Enter');
    await page.getByText('2 entities').waitFor();
    expect(complaints).toEqual([]);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  });

  test('a long word of a description does not widen its card', async () => {
    const { page } = visit;
    for (const view of ['', '/types']) {
      await page.goto(`${server.url}/console${view}`);
      await page.locator('a.card').first().waitFor();
      const isWide =
        '[...document.querySelectorAll("a.card")].map((card) => card.scrollWidth > card.clientWidth)';
      expect(new Set(await page.evaluate<readonly boolean[]>(isWide))).toEqual(new Set([false]));
    }
  });
});
