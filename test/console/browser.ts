// A browser that is signed in to the console, and notes what it should not have seen.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { FLAGS } from '../../scripts/chromium.mjs';
import type { TestServer } from '../testkit/server.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** With a profile of its own, which ends with it. */
export const launch = (executablePath: string | undefined): Promise<Browser> =>
  chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    chromiumSandbox: false,
    args: FLAGS,
  });

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of the console, failed requests, and requests to other hosts. */
  readonly complaints: readonly string[];
}

function watch(page: Page, origin: string, complaints: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text()))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !/^(?:data|blob):/.test(request.url()))
      complaints.push(`another host: ${request.url()}`);
  });
}

/** Opens a sign-in link; `base` is where the browser reaches the server. */
export async function signedIn(
  browser: Browser,
  server: TestServer,
  key: string,
  options: {
    readonly base?: string;
    readonly size?: { readonly width: number; readonly height: number };
  } = {},
): Promise<Visit> {
  const { base = server.url, size = { width: 1280, height: 800 } } = options;
  const { body } = await server.rest('POST', '/api/v1/gateway/auth/sign-in-link', { key });
  const { pathname, search } = new URL((body as { url: string }).url);
  const context = await browser.newContext({
    viewport: size,
    reducedMotion: 'reduce',
    acceptDownloads: true,
  });
  context.setDefaultTimeout(90_000); // a machine that others use may take many times as long
  const page = await context.newPage();
  const complaints: string[] = [];
  watch(page, new URL(base).origin, complaints);
  context.on('page', (other) => {
    watch(other, new URL(base).origin, complaints);
  });
  await page.goto(base + pathname + search);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return { page, context, complaints };
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** The rules of axe that look at colours: what all others look at is the same in both schemes. */
export const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** What axe finds: WCAG 2.2 A and AA, and its best practices; `rules` restricts it. */
export async function violations(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE);
  // without `resultTypes` it also describes every element that passes, of which nothing is read
  const options = JSON.stringify({
    resultTypes: ['violations'],
    ...(rules !== undefined && { runOnly: { type: 'rule', values: rules } }),
  });
  const found = await page.evaluate<readonly Violation[]>(
    `axe.run(document, ${options}).then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })) })))`,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}

/**
 * The same where the page is light, then with its colours where it is dark. The scheme is chosen when the page is
 * loaded (console/scheme.ts): what the system prefers later changes nothing.
 */
export async function violationsInBothSchemes(page: Page): Promise<readonly string[]> {
  const setScheme = (scheme: 'light' | 'dark'): Promise<void> =>
    page.evaluate(`document.documentElement.dataset.scheme = '${scheme}'`);
  await setScheme('light');
  const light = await violations(page);
  await setScheme('dark');
  const dark = await violations(page, OF_COLOURS);
  await setScheme('light');
  return [...light.map((one) => `light: ${one}`), ...dark.map((one) => `dark: ${one}`)];
}

/** Presses Tab until something with this name has the focus. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const seen: string[] = [];
  for (let i = 0; i < 150; i++) {
    const text = await page.evaluate<string>(`(() => {
      const at = document.activeElement;
      const label = at.labels?.[0]?.textContent;
      return (at.getAttribute('aria-label') ?? label ?? at.textContent ?? '').replace(/\\s+/g, ' ').trim();
    })()`);
    seen.push(text.slice(0, 40));
    if (typeof name === 'string' ? text === name : name.test(text)) return;
    await page.keyboard.press('Tab');
  }
  expect(seen).toContain(name);
}
