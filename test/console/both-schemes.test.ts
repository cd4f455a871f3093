// The console's tests see both schemes: a page whose faults one of them hides.
import { describe, expect, test } from 'vitest';
import { findChromium } from '../portal/find-chromium.ts';
import { launch, violationsInBothSchemes } from './browser.ts';

const executablePath = findChromium();

/** Grey on a ground that is almost the same grey. */
const pageWith = (
  faulty: 'light' | 'dark',
): string => `<html lang="en" data-scheme="light"><title>A page</title>
  <style>:root { background: white; color: black } :root[data-scheme='dark'] { background: black; color: white }
  :root[data-scheme='${faulty}'] p { background: #777; color: #888 }</style>
  <main><h1>A page</h1><p>Some words</p></main></html>`;

describe.skipIf(executablePath === undefined)('in Chromium', () => {
  test('a contrast that is too low in one scheme only is found there, and the page is light again', async () => {
    const browser = await launch(executablePath);
    try {
      const page = await browser.newPage();
      for (const scheme of ['light', 'dark'] as const) {
        await page.setContent(pageWith(scheme));
        expect(await violationsInBothSchemes(page)).toEqual([
          expect.stringMatching(new RegExp(`^${scheme}: color-contrast: <p>Some words`)),
        ]);
        expect(await page.evaluate('document.documentElement.dataset.scheme')).toBe('light');
      }
    } finally {
      await browser.close();
    }
  });
});
