// From view to view of the console, as its links lead: within a page that is open.
import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';

/** A view is there, and has what it asked for first. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await page.locator('.loading').first().waitFor({ state: 'detached' });
}

/** @param at an address below /console */
export const show = (page: Page, at: string): Promise<unknown> =>
  page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(`/console${at}`)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );

/**
 * Goes on in a page that is open, for a third of the time that loading it anew takes. No view keeps what it held for
 * another address, and whatever it asks for has been answered.
 */
export function walker(page: Page): (at: string) => Promise<void> {
  const asked = new Set<Request>();
  page.on('request', (request) => {
    if (request.url().endsWith('/graphql') && !/"subscription /.test(request.postData() ?? ''))
      asked.add(request);
  });
  const ended = (request: Request): boolean => asked.delete(request);
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  return async (at) => {
    await show(page, '/nowhere');
    await show(page, at);
    await settled(page);
    await expect.poll(() => asked.size, { interval: 5 }).toBe(0);
    await settled(page);
  };
}
