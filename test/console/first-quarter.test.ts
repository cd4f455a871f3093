// The first quarter of an hour, by keyboard alone, in a real browser: its ten tasks, each to its end. And what a browser
// meets besides: sessions that end, many columns, characters that mean something elsewhere.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../portal/find-chromium.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { launch, signedIn, tabTo, violationsInBothSchemes, type Visit } from './browser.ts';
import { buildConsole } from './console-testkit.ts';

const executablePath = findChromium();
const COLUMNS = 500;
/** Controls, line separators, a joiner, half of a pair: what a text may hold besides U+0000. */
const ODD = 'a\u0001b\u0008c\u001bd\u007fe\u0085f\u2028g\u2029h\u200di\ufeffj\ufffek';
const SCHEMAS = [
  {
    name: 'Population',
    version: '1',
    fields: [
      { name: 'code', field_type: 'string', required: true },
      { name: 'name', field_type: 'string' },
    ],
  },
  {
    name: 'Sample',
    version: '1',
    fields: [
      { name: 'accession', field_type: 'string', required: true },
      { name: 'sex', field_type: 'enum', values: ['female', 'male'] },
      { name: 'population', field_type: 'ref', references: 'Population' },
      { name: 'family', field_type: 'string' },
    ],
  },
  {
    name: 'Wide',
    version: '1',
    fields: Array.from({ length: COLUMNS }, (_, i) => ({ name: `f${i}`, field_type: 'string' })),
  },
];

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
    const entities = [
      ...['GBR', 'FIN'].map((code) => ({
        entityType: 'Population',
        id: `population:${code}`,
        data: { code, name: code },
      })),
      ...Array.from({ length: 40 }, (_, i) => ({
        entityType: 'Sample',
        id: `sample:HG${String(96 + i).padStart(5, '0')}`,
        data: {
          accession: `HG${String(96 + i).padStart(5, '0')}`,
          sex: i % 4 === 0 ? 'male' : 'female',
          population: i % 2 === 0 ? 'population:GBR' : 'population:FIN',
        },
      })),
      ...Array.from({ length: 30 }, (_, n) => ({
        entityType: 'Wide',
        id: `wide:${n}`,
        data: Object.fromEntries(
          Array.from({ length: COLUMNS }, (_, i) => [`f${i}`, i === 3 ? ODD : `${n}.${i}`]),
        ),
      })),
    ];
    const { body } = await server.graphql(
      'mutation ($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created errors { message } } }',
      { e: entities },
    );
    expect(body.data.ingestEntities).toEqual({ created: entities.length, errors: [] });
    browser = await launch(executablePath);
    visit = await signedIn(browser, server, server.key);
    ({ page } = visit);
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  /** From anywhere to Home, and to the task of this name, without a pointer. */
  const begin = async (task: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Page, type, or id' }).waitFor();
    await page.keyboard.type('Home');
    await page.getByRole('option', { name: 'Home page' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: task }).waitFor();
    await tabTo(page, task);
    await page.keyboard.press('Enter');
  };
  const press = async (name: string | RegExp): Promise<void> => {
    await tabTo(page, name);
    await page.keyboard.press('Enter');
  };

  test('the ten tasks, by keyboard alone', async () => {
    const { keyboard } = page;
    await page.getByRole('heading', { name: 'The first quarter of an hour' }).waitFor();
    expect(
      await page.getByRole('list').filter({ hasText: 'See what a type is' }).getByRole('listitem').count(),
    ).toBe(10);
    expect(await violationsInBothSchemes(page)).toEqual([]);

    await begin('See what a type is');
    await page.getByRole('heading', { name: 'Sample' }).waitFor();
    await page.getByRole('cell', { name: 'accession' }).or(page.getByText('accession')).first().waitFor();

    await begin('Look through its entities');
    await page.getByText('40 entities').waitFor();
    await press('accession'); // sorts
    await page.waitForURL(/sort=/);

    await begin('Filter them');
    await page.getByText('30 entities').waitFor();

    await begin('Write an expression');
    await page.getByText('4 entities').waitFor();
    await tabTo(page, 'Expression (CEL)');
    await keyboard.press('Control+End');
    await keyboard.type(' && data.sex == "male"');
    await keyboard.press('Escape'); // what is offered
    await keyboard.press('Enter');
    await page.getByText('1 entity', { exact: true }).waitFor();
    await press('Explain');
    await page.getByText('By the database').waitFor();

    await begin('Draw a chart');
    await page.getByRole('table', { name: 'how many' }).waitFor();
    await press('population:GBR');
    await page.getByText('20 entities').waitFor();

    await begin('Open one entity, and change it');
    await page.getByRole('heading', { name: 'sample:HG00096' }).waitFor();
    await press('Edit');
    await tabTo(page, 'family');
    await keyboard.type('GBR001');
    await tabTo(page, 'Reason');
    await keyboard.type('from the pedigree');
    await keyboard.press('Enter');
    await page.getByText('GBR001').waitFor();

    await begin('See what has become of it');
    await page.getByText('from the pedigree').waitFor();
    await press('See it then');
    await page.getByText('You see').waitFor();
    await press('Back to the present');
    // the line of versions: one to the left is the creation
    await tabTo(page, 'Versions');
    await keyboard.press('ArrowLeft');
    await page.getByText('You see').waitFor();
    await expect.poll(() => page.getByText('GBR001').count()).toBe(0);
    await keyboard.press('ArrowRight');
    await page.getByText('GBR001').waitFor();
    expect(new URL(page.url()).searchParams.get('at')).toBeNull();
    expect(await violationsInBothSchemes(page)).toEqual([]);

    await begin('Follow where it comes from');
    await page.getByRole('link', { name: /Population\s?population:GBR/ }).waitFor();

    await begin('Load a sheet of your own');
    await tabTo(page, 'Template of Sample');
    const waiting = page.waitForEvent('download');
    await keyboard.press('Enter');
    expect((await waiting).suggestedFilename()).toBe('Sample.csv');

    await begin('Take a request with you');
    await page.getByText('2 entities').waitFor();
    await press(/^Copy request/);
    await page.getByRole('dialog').waitFor();
    await press('curl');
    await expect.poll(() => page.getByTestId('snippet').textContent()).toContain('curl -s');
    await keyboard.press('Escape');
    expect(visit.complaints).toEqual([]);
  });

  test('five hundred columns, and characters that mean something elsewhere, are shown; few are in the page at first', async () => {
    const all = SCHEMAS[2]?.fields.map(({ name }) => name).join(',') ?? '';
    await page.goto(`${server.url}/console/entities?type=Wide`);
    await page.getByText('30 entities').waitFor();
    expect(await page.getByRole('columnheader').count()).toBeLessThan(20);
    await page.goto(`${server.url}/console/entities?type=Wide&sort=id&cols=${all}`);
    await page.getByRole('columnheader', { name: 'f499' }).waitFor();
    await page.getByRole('cell', { name: '0.499', exact: true }).waitFor();
    await page.evaluate("document.querySelector('.tablebox.tall').scrollTo(100000, 300)");
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await page.goto(`${server.url}/console/entity?id=wide:0`);
    await page.getByText('0.499').waitFor();
    const shown = await page.getByText('kl').or(page.getByText('i\ufeffj')).first().textContent();
    expect(shown).toContain('g\u2029h');
    await page.goto(`${server.url}/console/entity?id=a%00b`);
    await page.getByRole('alert').waitFor(); // no text has U+0000
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(visit.complaints).toEqual([]);
  });

  test('a session that the server has ended ends each tab at its next request, and comes back to its view', async () => {
    const { context, page: first } = await signedIn(browser, server, server.key);
    const second = await context.newPage();
    await second.goto(`${server.url}/console/types?name=Sample`);
    await second.getByRole('heading', { name: 'Sample' }).waitFor();
    await server.database.pool.query(
      "UPDATE gateway.portal_session SET expires_at = now() - interval '1 second'",
    );
    await first.getByRole('link', { name: 'Types' }).first().click();
    await first.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await second.reload();
    await second.getByRole('heading', { name: 'Sign in to Cairn' }).waitFor();
    expect(await second.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toContain(
      encodeURIComponent('/console/types?name=Sample'),
    );
    await context.close();
  });
});
