// What a view shows before anything was chosen, and how it stands on a screen of 1280 pixels and on a phone.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../portal/find-chromium.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { launch, signedIn, type Visit } from './browser.ts';
import { buildConsole, RULE } from './console-testkit.ts';

const executablePath = findChromium();
/** As a trigger that polls declares it, before anybody has declared a type of theirs. */
const CURSOR = { name: 'PollCursor', version: '1', fields: [{ name: 'trigger_name', field_type: 'string' }] };
const typeOf = (name: string): object => ({
  name,
  version: '1',
  fields: [
    { name: 'donor', field_type: 'string', required: true },
    { name: 'origin', field_type: 'ref', references: 'Sample' },
  ],
});
const NO_FIELD_REQUIRED = { name: 'Tube', version: '1', fields: [{ name: 'note', field_type: 'string' }] };

describe.skipIf(executablePath === undefined)('What is seen first', () => {
  let browser: Browser;
  let server: TestServer;
  let visit: Visit;
  beforeAll(async () => {
    buildConsole();
    server = await startServer();
    for (const schema of [CURSOR, typeOf('Zygote'), typeOf('Sample'), typeOf('Rna'), NO_FIELD_REQUIRED])
      expect((await server.rest('POST', '/api/v1/metadata/schemas', { body: schema })).status).toBe(200);
    const rule = { ...RULE, produces: { entity_type: 'Zygote', match: { donor: '{donor}' } } };
    const { body } = await server.graphql(
      'mutation ($d: JSON!) { registerRule(definition: $d) { isValid } }',
      {
        d: rule,
      },
    );
    expect(body.data.registerRule.isValid).toBe(true);
    browser = await launch(executablePath);
    visit = await signedIn(browser, server, server.key);
  });
  afterAll(async () => {
    expect(visit.complaints).toEqual([]);
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  test('entities are those of a type of people, an artifact one that a rule makes', async () => {
    const { page } = visit;
    await page.goto(`${server.url}/console/entities`);
    await page.getByRole('heading', { level: 1, name: 'Rna' }).waitFor();
    await page.goto(`${server.url}/console/ask`);
    await page.getByLabel('donor').waitFor();
    expect(await page.getByLabel('Type', { exact: true }).inputValue()).toBe('Zygote');
    // the platform's own come last where one is chosen
    for (const view of ['ask', 'entities']) {
      await page.goto(`${server.url}/console/${view}`);
      const choices = page.getByLabel('Type', { exact: true }).locator('option');
      await choices.nth(1).waitFor({ state: 'attached' });
      expect((await choices.allInnerTexts()).at(-1)).toBe('PollCursor');
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Page, type, or id' }).fill('words');
    const offered = page.getByRole('listbox').getByRole('option');
    await offered.filter({ hasText: 'PollCursor' }).waitFor();
    expect((await offered.allInnerTexts()).at(-1)).toContain('PollCursor');
    await page.keyboard.press('Escape');
  });

  test('the parts of the administration stand in one line, and before a scan there is no word of its outcome', async () => {
    const { page } = visit;
    await page.goto(`${server.url}/console/admin?tab=consistency`);
    await page.getByText('None yet').waitFor();
    expect(await page.getByText('No mismatch').count()).toBe(0);
    const parts = page.getByRole('navigation', { name: 'Parts of this view' }).getByRole('link');
    const tops = await Promise.all((await parts.all()).map(async (part) => (await part.boundingBox())?.y));
    expect(tops).toHaveLength(12);
    expect(new Set(tops).size).toBe(1);
    await page.getByRole('button', { name: 'Scan now' }).click();
    await page.getByText('No mismatch was found').waitFor();
  });

  test('the tools of a table stand in one line, beside or below its search', async () => {
    const { page } = visit;
    await page.goto(`${server.url}/console/entities?type=Rna`);
    await page.getByRole('button', { name: 'References' }).waitFor();
    const tools = page.locator('.toolbar .toolbar > *');
    const middles = await Promise.all(
      (await tools.all()).map(async (tool) => {
        const box = await tool.boundingBox();
        return Math.round((box?.y ?? 0) + (box?.height ?? 0) / 2);
      }),
    );
    expect(middles).toHaveLength(8);
    expect(new Set(middles).size).toBe(1);
  });

  test('a type without entities teaches what can be done: now, then, and by whom', async () => {
    const { page } = visit;
    const empty = `${server.url}/console/entities?type=Rna`;
    await page.goto(empty);
    await page.getByRole('link', { name: 'Import a sheet' }).waitFor();
    await page.getByText('npx cairn ingest table.csv --type Rna').waitFor();
    await page.goto(`${empty}&at=${new Date().toISOString()}`);
    await page.getByText('There was no Rna then').waitFor();
    expect(await page.getByRole('link', { name: 'Import a sheet' }).count()).toBe(0);
    await page.goto(`${empty}&project=alpha`);
    await page.getByText('No Rna in this project').waitFor();
    await page.getByRole('button', { name: 'Show all projects' }).click();
    await page.getByRole('link', { name: 'Import a sheet' }).waitFor();
    const reader = await signedIn(browser, server, await server.newKey({ role: 'viewer' }));
    await reader.page.goto(empty);
    await reader.page.getByText('Who has the role analyst').waitFor();
    expect(await reader.page.getByRole('link', { name: 'Import a sheet' }).count()).toBe(0);
    await reader.context.close();
  });

  test('an installation from an archive names commands that are there, not npx and the examples', async () => {
    const { page } = visit;
    const pages = /\/console\?|\/console\/(?!assets)/;
    await page.route(pages, async (route) => {
      const answer = await route.fetch();
      const text = await answer.text();
      await route.fulfill({
        response: answer,
        body: text.replace(
          'data-built="false" data-command="npx cairn"',
          'data-built="true" data-command="cairn"',
        ),
      });
    });
    await page.goto(`${server.url}/console/entities?type=Rna`);
    await page.getByText('cairn ingest table.csv --type Rna').waitFor();
    await page.getByRole('button', { name: 'Copy request' }).click();
    await page.getByRole('button', { name: 'CLI', exact: true }).click();
    const snippet = page.getByTestId('snippet');
    expect(await snippet.textContent()).toMatch(/^cairn query /);
    expect(await page.evaluate('document.body.innerText')).not.toContain('npx');
    await page.unroute(pages);
  });

  test('a time in an address that is none is said to be none, and leads on', async () => {
    const { page } = visit;
    await page.goto(`${server.url}/console/entities?type=Rna&at=yesterday`);
    await page.getByRole('heading', { name: 'There is no such time' }).waitFor();
    await page.getByRole('button', { name: 'Go to the present' }).click();
    await page.getByRole('heading', { level: 1, name: 'Rna' }).waitFor();
    expect(page.url()).toBe(`${server.url}/console/entities?type=Rna`);
    await page.goto(`${server.url}/console/differences?type=Rna&from=yesterday`);
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'The last hour' }).click();
    await page.getByText('Nothing differs').waitFor();
  });

  test('a time that is chosen again unchanged is the same to the microsecond', async () => {
    const { page } = visit;
    const instant = '2026-11-01T12:30:45.987654Z';
    for (const [at, open, confirm] of [
      ['entities?type=Rna&at=', 'Time', 'Show this moment'],
      ['admin?tab=audit&until=', undefined, 'Search'],
    ] as const) {
      await page.goto(`${server.url}/console/${at}${instant}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      if (open !== undefined) await page.getByRole('button', { name: open }).click();
      await page.getByRole('button', { name: confirm }).click();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      expect(decodeURIComponent(await page.evaluate<string>('location.href'))).toContain(instant);
    }
  });

  test('an entity of which nothing but its id is known is made', async () => {
    const { page } = visit;
    await page.goto(`${server.url}/console/entity?new=Tube`);
    await page.getByLabel('id', { exact: true }).fill('tube:1');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'tube:1' }).waitFor();
  });

  test('on a phone, long names and values stay within their cells, of differences, too', async () => {
    const { page } = visit;
    await page.setViewportSize({ width: 360, height: 740 });
    const donor = Array.from({ length: 16 }, (_, i) => `chr${i}`).join(',');
    const { body: asked } = await server.graphql(
      'mutation ($c: JSON!) { produceArtifact(entityType: "Zygote", criteria: $c) { production { id } } }',
      { c: { donor } },
    );
    expect(asked.errors).toBeUndefined();
    await page.goto(`${server.url}/console/rules?tab=productions`);
    const value = page.getByText(/chr0,/);
    await value.waitFor();
    const [text, cell] = await Promise.all([value.boundingBox(), page.locator('.rowcards').boundingBox()]);
    expect((text?.x ?? 0) + (text?.width ?? 0)).toBeLessThan((cell?.x ?? 0) + (cell?.width ?? 0));
    const long = `${'very'.repeat(20)}long`;
    for (const [version, name] of [
      ['1', 'donor'],
      ['2', long],
    ] as const) {
      const fields = [
        { name: 'donor', field_type: 'string' },
        { name, field_type: 'string' },
      ].slice(0, Number(version));
      const { status } = await server.rest('POST', '/api/v1/metadata/schemas', {
        body: { name: 'Long', version, fields },
      });
      expect(status).toBe(200);
    }
    await page.goto(`${server.url}/console/compare?of=type&one=Long@1&other=Long@2`);
    const heading = page.getByRole('rowheader', { name: long });
    await heading.waitFor();
    const fits = await page.evaluate(
      "[...document.querySelectorAll('.diff tbody th')].every((cell) => cell.scrollWidth <= cell.clientWidth)",
    );
    expect(fits).toBe(true);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });
});
