// The administration of the console in a real browser: who did what, and what is not offered to others.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUsers } from '../../router/users/users.service.ts';
import { createUserStore } from '../../router/users/users.store.ts';
import { findChromium } from '../portal/find-chromium.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { launch, OF_COLOURS, signedIn, tabTo, type Visit, violations } from './browser.ts';
import { addFileEntity, putContent, SAMPLE_FILE } from '../artifact/stored-files.ts';
import { buildConsole, MARKUP } from './console-testkit.ts';

const executablePath = findChromium();
const skipped = executablePath === undefined ? ' (skipped: no Chromium on the path)' : '';

/** A secret of the configuration. */
const MARK = 'Hidden-9f3';

let server: TestServer;
/** Of the request that wrote the entity with markup. */
let written: string;

beforeAll(async () => {
  buildConsole();
  server = await startServer({
    config: `observability: {audit_log: {backend: postgres}, tracing: {otlp_url: "http://127.0.0.1:9/${MARK}"}}\n`,
  });
  const fields = [{ name: 'note', field_type: 'string' }];
  await server.rest('POST', '/api/v1/metadata/schemas', { body: { name: 'Note', version: '1', fields } });
  const { headers } = await server.rest('POST', '/api/v1/metadata/ingest', {
    body: { entity_type: 'Note', id: 'note:1', data: { note: MARKUP } },
  });
  written = headers.get('x-request-id') ?? '';
  await server.rest('GET', '/api/v1/metadata/entities/none', {});
  await server.graphql(`query Named { me { actor } }`);
  await server.newKey({ role: 'viewer', label: MARKUP });
});
afterAll(() => server[Symbol.asyncDispose]());

describe.skipIf(executablePath === undefined)(`in Chromium${skipped}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch(executablePath);
  });
  afterAll(() => browser.close());

  test('axe finds nothing, light or dark, and everything fits a phone', async () => {
    const size = { width: 390, height: 780 };
    const { page, context, complaints } = await signedIn(browser, server, server.key, { size });
    const found: string[] = [];
    for (const view of [
      'tab=audit',
      `tab=audit&request=${written}`,
      'tab=audit&action=none',
      'tab=configuration',
      'tab=users',
      'tab=sign-ins',
      'tab=clients',
      'tab=projects',
      'tab=store',
      'tab=health',
      'tab=measurements',
      'tab=backups',
    ]) {
      await page.goto(`${server.url}/console/admin?${view}`);
      await page.locator('main h1').waitFor();
      await page.locator('.loading').first().waitFor({ state: 'detached' });
      const fits = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';
      expect([view, await page.evaluate(fits)]).toEqual([view, true]);
      found.push(...(await violations(page)).map((one) => `${view} ${one}`));
      await page.evaluate("document.documentElement.dataset.scheme = 'dark'");
      found.push(...(await violations(page, OF_COLOURS)).map((one) => `${view} dark ${one}`));
    }
    expect(found).toEqual([]);
    expect(complaints).toEqual([]);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    await context.close();
  });

  test('health says what is wrong beside the components, and what to do, there and on the home page', async () => {
    const { page, context, complaints } = await signedIn(browser, server, server.key);
    const problems = [{ code: 'archive_failing', detail: `nothing ${MARKUP}` }];
    await page.route('**/graphql', async (route) => {
      if (!/query (?:Health|Troubles) /.test(route.request().postData() ?? '')) return route.fallback();
      const response = await route.fetch();
      const body = (await response.json()) as { data: { health: Record<string, unknown> } }; // as it is asked
      Object.assign(body.data.health, { status: 'degraded', problems });
      return route.fulfill({ response, json: body });
    });
    await page.goto(`${server.url}/console/admin`);
    const beside = page.getByRole('region', { name: 'Beside the components' });
    await beside.getByText('look at the directory or bucket of database.archive').waitFor();
    await beside.getByText(MARKUP).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.goto(`${server.url}/console`);
    await page
      .getByRole('region', { name: 'Needs attention' })
      .getByRole('listitem')
      .filter({ hasText: "the database's log is not archived" })
      .getByRole('link', { name: 'Look at it' })
      .click();
    await beside.waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('by keyboard: the audit log is searched, a request opened, and its entity reached', async () => {
    const { page, context, complaints } = await signedIn(browser, server, server.key);
    const { keyboard } = page;
    await page.goto(`${server.url}/console/admin`);
    await tabTo(page, 'Audit');
    await keyboard.press('Enter');
    await page.getByRole('region', { name: 'Audit records' }).waitFor();
    await tabTo(page, 'Path begins with');
    await keyboard.type('/api/v1/metadata/ingest');
    await keyboard.press('Enter');
    const rows = page.getByRole('region', { name: 'Audit records' }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(1);
    expect(new URL(page.url()).searchParams.get('path')).toBe('/api/v1/metadata/ingest');
    await rows.getByRole('link').focus();
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: `Request ${written}` }).waitFor();
    await page.getByText('EntityCreated').waitFor();
    await tabTo(page, 'note:1');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'note:1' }).waitFor();
    await page.goBack();
    await page.goBack();
    await expect.poll(() => rows.count()).toBe(1); // the search is in the address
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('records are told apart by their outcome, and name the changes that they made', async () => {
    const { page, context } = await signedIn(browser, server, server.key);
    await page.goto(`${server.url}/console/admin?tab=audit&outcome=refused`);
    await page.getByText('/api/v1/metadata/entities/none').first().waitFor();
    expect(await page.getByText('/api/v1/metadata/ingest').count()).toBe(0);
    await page.getByLabel('Outcome').selectOption('any');
    await page.getByLabel('Change').fill('api_key.create');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('/api/v1/gateway/auth/api-keys').first().waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    const rows = page.getByRole('region', { name: 'Audit records' }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(50); // a page, of the files of this view too
    await page.getByRole('button', { name: 'Next' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.has('cursor')).toBe(true);
    await context.close();
  });

  test('the configuration in force is filtered by key and source, and holds no secret', async () => {
    const { page, context, complaints } = await signedIn(browser, server, server.key);
    await page.goto(`${server.url}/console/admin?tab=configuration`);
    const rows = page.getByRole('region', { name: 'Keys in force' }).locator('tbody tr');
    await page.getByText('observability.tracing.otlp_url').waitFor();
    expect(await page.getByText(MARK).count()).toBe(0);
    await page.getByText('http://127.0.0.1:9/…').waitFor();
    await page.getByLabel('Key contains').fill('audit_log.backend');
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByText('gateway.yaml:').waitFor();
    await page.getByLabel('From').selectOption('default');
    await page.getByText('No such key').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('a user is signed out everywhere by an administrator, and by themselves', async () => {
    const users = createUsers(createUserStore(server.database.pool));
    await users.add({ name: 'ada', password: 'correct horse battery', roles: ['viewer'], projects: '*' });
    const signIn = async (): Promise<Visit> => {
      const visit = await signedIn(browser, server, server.key);
      await visit.context.clearCookies();
      await visit.page.goto(`${server.url}/portal/sign-in?continue=/console`);
      await visit.page.getByLabel('User name').fill('ada');
      await visit.page.getByLabel('Password').fill('correct horse battery');
      await visit.page.keyboard.press('Enter');
      await visit.page.getByRole('link', { name: 'Types' }).waitFor();
      return visit;
    };
    const [ada, root] = [await signIn(), await signedIn(browser, server, server.key)];
    await root.page.goto(`${server.url}/console/admin?tab=users`);
    await root.page.getByRole('button', { name: 'Sign out everywhere user:ada' }).click();
    await root.page.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true }).click();
    await root.page.getByRole('dialog').waitFor({ state: 'detached' });
    await ada.page.getByRole('link', { name: 'Types' }).click();
    await ada.page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await ada.context.close();
    const again = await signIn();
    await again.page.goto(`${server.url}/console/admin?tab=sign-ins`);
    await tabTo(again.page, 'Sign out everywhere');
    await again.page.keyboard.press('Enter');
    await again.page
      .getByRole('dialog')
      .getByRole('button', { name: 'Sign out', exact: true })
      .press('Enter');
    await again.page.getByLabel('User name').waitFor();
    await again.context.close();
    expect(root.complaints).toEqual([]);
    await root.context.close();
  });

  test('the store is verified with progress, and files are evicted after a question', async () => {
    await server.rest('POST', '/api/v1/metadata/schemas', { body: SAMPLE_FILE });
    const sound = await putContent(server, 'as it was');
    await addFileEntity(server, { id: 'file:1', hex: sound });
    const { page, context, complaints } = await signedIn(browser, server, server.key);
    await page.goto(`${server.url}/console/admin?tab=store`);
    await page.getByRole('button', { name: 'Verify all files' }).press('Enter');
    await page.getByText('1 file verified, 0 missing, 0 damaged.').waitFor();
    // left in the middle: it goes on, and is found again; after the tab was closed, it goes on where it was
    const answers: Promise<string>[] = [];
    let release = (_: string): void => undefined;
    const asked: unknown[] = [];
    await page.route('**/graphql', async (route) => {
      const body = route.request().postDataJSON() as { operationName: string; variables: { after: unknown } };
      if (body.operationName !== 'VerifyStore') return route.fallback();
      asked.push(body.variables.after);
      const answer = new Promise<string>((resolve) => {
        release = resolve;
      });
      answers.push(answer);
      return route.fulfill({ contentType: 'application/json', body: await answer });
    });
    const read = (last: string | null): string =>
      JSON.stringify({ data: { verifyFiles: { checked: 50, missing: [], damaged: [], last } } });
    await page.getByRole('button', { name: 'Verify all files' }).press('Enter');
    await page.getByRole('link', { name: 'Types' }).first().click();
    await page.getByText('The stored files are being verified: 0 of 1 file').waitFor();
    release(read('sha256:aa'));
    await page.getByText('The stored files are being verified: 50 of 50 files').waitFor();
    await expect.poll(() => answers.length).toBe(2);
    await page.reload();
    await page.getByText('The verification of stored files stopped: 50 of 50 files').waitFor();
    await page.getByRole('heading', { level: 1 }).waitFor(); // the view comes after its frame
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Look at it' }).click();
    await page.getByRole('button', { name: 'Go on' }).click();
    await expect.poll(() => asked).toEqual([null, 'sha256:aa', 'sha256:aa']);
    release(read(null));
    await page.getByText('100 files verified, 0 missing, 0 damaged.').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.unroute('**/graphql');
    await page.getByLabel('Not used for').selectOption('90d');
    await page.getByText('It would take 0 files, 0 B.').waitFor();
    expect(await page.getByRole('button', { name: 'Evict …' }).isDisabled()).toBe(true);
    await page.getByLabel('Not used for').selectOption('any time');
    await page.getByText('It would take 1 file, 9 B.').waitFor();
    await page.getByRole('button', { name: 'Evict …' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Evict them' }).press('Enter');
    await page.getByText('1 file evicted, 9 B.').waitFor();
    await page.getByText('It would take 0 files, 0 B.').waitFor();
    await page.goto(`${server.url}/console/entities?type=SampleFile`);
    await page.getByRole('heading', { name: 'None of 1 entity is available' }).waitFor();
    await page.getByRole('button', { name: 'Show unavailable ones, too' }).press('Enter');
    await page.getByRole('link', { name: 'file:1' }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('measurements are charts with their values, over a range that the address keeps', async () => {
    const { page, context, complaints } = await signedIn(browser, server, server.key);
    await page.goto(`${server.url}/console/admin?tab=measurements`);
    const memory = page.locator('figure', { hasText: 'Memory' });
    await memory.getByText(/now \d+ MB/).waitFor({ timeout: 120_000 });
    await memory.locator('summary').focus();
    await page.keyboard.press('Enter');
    await memory.getByRole('region', { name: 'Values of Memory' }).getByText(/MB$/).first().waitFor();
    await page
      .getByRole('region', { name: 'Processes', exact: true })
      .getByText(String(process.pid))
      .first()
      .waitFor();
    await page.getByLabel('Time', { exact: true }).selectOption('week');
    await expect.poll(() => new URL(page.url()).searchParams.get('range')).toBe('week');
    await memory.getByText(/now \d+ MB/).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('audit log and configuration are not offered to who may not read them, and say what they need', async () => {
    for (const rights of [{ role: 'project_lead' }, { role: 'admin', project: 'alpha' }] as const) {
      const { page, context } = await signedIn(browser, server, await server.newKey(rights));
      await page.goto(`${server.url}/console/admin`);
      await page.getByRole('navigation', { name: 'Parts of this view' }).waitFor();
      for (const [name, tab] of [
        ['Audit', 'audit'],
        ['Configuration', 'configuration'],
        ['Users', 'users'],
        ['Clients', 'clients'],
        ['Backups', 'backups'],
      ]) {
        expect(await page.getByRole('link', { name: name ?? '', exact: true }).count()).toBe(0);
        await page.goto(`${server.url}/console/admin?tab=${tab}`);
        await page.getByText('This needs the role admin in all projects').waitFor();
      }
      await context.close();
    }
  });
});
