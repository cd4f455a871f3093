// Every view of the console in a real browser, at the width of a phone, with hostile data.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../portal/find-chromium.ts';
import { launch, signedIn } from './browser.ts';
import { HIDDEN, startWorld, type World } from './every-view-world.ts';
import { namedActions, namedViews, SHOWN_ACTIONS, SHOWN_VIEWS } from './every-view.ts';
import { settled } from './walk.ts';

const executablePath = findChromium();
const skipped = executablePath === undefined ? ' (skipped: no Chromium on the path)' : '';
const PHONE = { width: 360, height: 780 };
const FITS = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';

test('every view, every tab and every mutation of the source is in the table', () => {
  const shown = SHOWN_VIEWS.map(({ at }) => at({ run: '', production: '', request: '' } as World)).map(
    (at) => new URL(at, 'http://console'),
  );
  const reached = shown.flatMap(({ pathname, searchParams }) => [
    pathname.slice(1),
    `${pathname.slice(1)}?${searchParams.get('tab')}`,
  ]);
  expect(namedViews().length).toBeGreaterThan(30);
  expect(namedViews().filter((name) => !reached.includes(name))).toEqual([]);
  expect(Object.keys(SHOWN_ACTIONS).sort()).toEqual([...namedActions()].sort());
});

describe.skipIf(executablePath === undefined)(`in Chromium${skipped}`, () => {
  let world: World;
  let browser: Browser;
  beforeAll(async () => {
    world = await startWorld();
    browser = await launch(executablePath);
  });
  afterAll(async () => {
    await browser.close();
    await world.server[Symbol.asyncDispose]();
  });

  test('hostile data run nothing, ask no other host, and fit a phone on every view', async () => {
    const { page, context, complaints } = await signedIn(browser, world.server, world.server.key, {
      size: PHONE,
    });
    const wrong: string[] = [];
    for (const name of [
      'Go to …',
      'Project shown by all views',
      'Time shown by all views',
      'Copy request of this view',
    ])
      await page.getByRole('button', { name, exact: true }).waitFor(); // only icons are seen
    for (const { at } of SHOWN_VIEWS) {
      await page.goto(`${world.server.url}/console${at(world)}`);
      await settled(page);
      if (!(await page.evaluate<boolean>(FITS))) wrong.push(`${at(world)} is wider than a phone`);
      const text = await page.evaluate<string>('document.body.innerText');
      if (text.length > 200_000) wrong.push(`${at(world)} shows ${text.length} characters`);
      if (text.includes(HIDDEN)) wrong.push(`${at(world)} shows a secret`);
      if (await page.evaluate<boolean>('"hacked" in window')) wrong.push(`${at(world)} ran what it shows`);
    }
    expect(wrong).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
