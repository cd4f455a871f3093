// The GraphQL explorer and the REST documentation in a real browser, with axe in both colour schemes.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../portal/find-chromium.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { launch, signedIn, violations } from './browser.ts';

const executablePath = findChromium();

describe.skipIf(executablePath === undefined)('in Chromium', () => {
  let server: TestServer;
  let browser: Browser;
  beforeAll(async () => {
    server = await startServer();
    browser = await launch(executablePath);
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  test.each(['light', 'dark'] as const)('axe finds nothing in the %s explorer', async (colorScheme) => {
    const { page, context, complaints } = await signedIn(browser, server, server.key);
    await page.emulateMedia({ colorScheme });
    await page.getByRole('link', { name: 'GraphQL explorer' }).click();
    await page.getByText('Requests are made as user:admin.').waitFor();
    await page.getByRole('button', { name: /Execute query/ }).waitFor();
    await page.getByText('Ctrl-Space completes names').waitFor();
    expect(await violations(page)).toEqual([]);
    // a query is built by keyboard, too
    await page.getByRole('button', { name: 'Show Query builder' }).press('Enter');
    const description = page.locator('[role=button][data-field-name=description]').first();
    await description.press('Enter');
    await expect
      .poll(() => page.locator('.graphiql-query-editor').innerText())
      .toMatch(/required\W+\d+\s+\}\s+\d+\s+description/);
    expect(await page.getByLabel('limit', { exact: true }).inputValue()).toBe('10');
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test.each(['light', 'dark'] as const)('axe finds nothing in the %s documentation', async (colorScheme) => {
    const { page, context, complaints } = await signedIn(browser, server, server.key);
    await page.emulateMedia({ colorScheme });
    await page.getByRole('link', { name: 'REST reference' }).click();
    await page.getByRole('heading', { name: /^metadata/ }).waitFor();
    expect(await violations(page)).toEqual([]);
    const operation = page.getByRole('button', { name: /\/api\/v1\/metadata\/schemas/ }).first();
    await operation.click();
    await page.getByRole('button', { name: 'Execute', exact: true }).waitFor();
    expect(page.url()).toContain('#/metadata/'); // its link
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Execute', exact: true }).click();
    await page.getByText('Server response').waitFor();
    expect(await page.getByText('Unauthorized').count()).toBe(0);
    await page.getByRole('textbox', { name: 'Find operations by words' }).fill('pauses TRIGGER');
    const found = page.locator('.opblock-summary-path');
    await expect.poll(() => found.allInnerTexts()).toHaveLength(1);
    expect((await found.allInnerTexts())[0]).toContain('pause');
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
