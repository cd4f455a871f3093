// The pages in a real browser: the device flow, consent, keyboard operation, and the content security
// policies. CAIRN_SCREENSHOTS names a folder for screenshots.
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  AUTHORIZE,
  DEVICE,
  DEVICE_GRANT,
  type OAuthServer,
  PASSWORD,
  startOAuth,
  TOKEN,
} from '../gateway/oauth-testkit.ts';
import { findChromium } from './find-chromium.ts';

const executablePath = findChromium();
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

describe.skipIf(executablePath === undefined)(
  `in Chromium${executablePath === undefined ? ' (skipped: no Chromium on the path; Debian has it as the package chromium, CHROMIUM names another)' : ''}`,
  () => {
    let server: OAuthServer;
    let browser: Browser;
    let app: Server;
    let appUrl: string;
    const complaints: string[] = [];

    beforeAll(async () => {
      app = createServer((req, res) => {
        const start = `${server.url}${AUTHORIZE}?${new URLSearchParams({ response_type: 'code', client_id: 'app', redirect_uri: `${appUrl}/callback`, code_challenge: CHALLENGE, code_challenge_method: 'S256', state: 'the state' }).toString()}`;
        res
          .setHeader('content-type', 'text/html')
          .end(
            req.url === '/'
              ? `<a href="${start.replaceAll('&', '&amp;')}">Sign in with Cairn</a>`
              : `<p id="seen">${(req.url ?? '').replaceAll('&', '&amp;')}</p>`,
          );
      }).listen(0, '127.0.0.1');
      await once(app, 'listening');
      // Another site than the platform's 127.0.0.1, so that the browser treats it as one.
      appUrl = `http://localhost:${(app.address() as AddressInfo).port}`; // It listens on TCP.
      server = await startOAuth({
        config: `auth: {clients: [{client_id: app, grants: [authorization_code, refresh_token], redirect_uris: ["${appUrl}/callback"]}]}`,
      });
      browser = await chromium.launch({
        ...(executablePath === undefined ? {} : { executablePath }),
        chromiumSandbox: false,
        args: ['--host-resolver-rules=MAP localhost 127.0.0.1'],
      });
    });
    afterAll(async () => {
      await browser.close();
      await server[Symbol.asyncDispose]();
      app.closeAllConnections();
      app.close();
    });

    async function newPage(
      options: Parameters<Browser['newContext']>[0] = {},
    ): Promise<{ page: Page; context: BrowserContext }> {
      const context = await browser.newContext({ viewport: { width: 900, height: 700 }, ...options });
      const page = await context.newPage();
      page.on('console', (message) => {
        if (message.type() === 'error' && !/status of 4\d\d/.test(message.text()))
          complaints.push(message.text());
      });
      page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
      return { page, context };
    }
    async function picture(page: Page, name: string): Promise<void> {
      const folder = process.env['CAIRN_SCREENSHOTS'];
      if (folder) await page.screenshot({ path: path.join(folder, `${name}.png`) });
    }
    /** A page focuses its field once it is drawn: earlier keys are lost. */
    const focused = (page: Page, field: string): Promise<void> =>
      page.locator(`input[name="${field}"]:focus`).waitFor();
    const device = async (): Promise<Record<string, string>> =>
      (await server.rest('GET', DEVICE, { key: null })).body as Record<string, string>;

    test('a device is connected by keyboard alone', async () => {
      const { page, context } = await newPage();
      const { device_code: code = '', user_code: userCode = '', verification_uri: uri = '' } = await device();
      await page.goto(uri);
      await picture(page, 'sign-in');
      await focused(page, 'username');
      await page.keyboard.type('ada');
      await page.keyboard.press('Tab');
      await page.keyboard.type('wrong password');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
      await picture(page, 'sign-in-wrong');
      expect(await page.getByLabel('User name').inputValue()).toBe('ada');
      await focused(page, 'password'); // the first is already known
      await page.keyboard.type(PASSWORD);
      await page.keyboard.press('Enter');
      await page.getByLabel('Code shown by the device').waitFor();
      await focused(page, 'user_code');
      await page.keyboard.type(userCode.toLowerCase());
      await picture(page, 'enter-code');
      await page.keyboard.press('Enter');
      await page.getByText(userCode).waitFor();
      await picture(page, 'decide-device');
      await page.getByRole('button', { name: 'Approve' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'The device is connected' }).waitFor();
      await picture(page, 'connected');
      expect((await server.post(TOKEN, { grant_type: DEVICE_GRANT, device_code: code })).status).toBe(200);
      const [cookie] = await context.cookies();
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', secure: false });
      expect(await page.evaluate('document.cookie')).toBe('');
      await context.close();
    });

    test('an application of another site gets a code, and the session is still there the next time', async () => {
      const { page, context } = await newPage();
      await page.goto(appUrl);
      await page.getByRole('link').click();
      await page.getByLabel('User name').fill('ada');
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Allow access?' }).waitFor();
      await picture(page, 'consent');
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.locator('#seen').waitFor();
      const back = new URL(page.url());
      expect([
        back.origin,
        back.pathname,
        back.searchParams.get('state'),
        back.searchParams.get('iss'),
      ]).toEqual([appUrl, '/callback', 'the state', server.url]);
      const tokens = await server.post(TOKEN, {
        grant_type: 'authorization_code',
        client_id: 'app',
        code: back.searchParams.get('code'),
        redirect_uri: `${appUrl}/callback`,
        code_verifier: VERIFIER,
      });
      expect(tokens.status).toBe(200);

      // the cookie is Strict: it is only sent because the navigation passes a page of ours
      await page.goto(appUrl);
      await page.getByRole('link').click();
      await page.getByRole('heading', { name: 'Allow access?' }).waitFor();
      await page.getByRole('button', { name: 'Deny' }).click();
      await page.locator('#seen').waitFor();
      expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
      await context.close();
    });

    test('dark, narrow and with large text, nothing is cut off', async () => {
      const { page, context } = await newPage({ colorScheme: 'dark', viewport: { width: 320, height: 640 } });
      await page.goto(`${server.url}/device`);
      await page.getByLabel('User name').fill('ada');
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      const { user_code: userCode = '' } = await device();
      await page.getByLabel('Code shown by the device').fill(userCode);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText(userCode).waitFor();
      await picture(page, 'decide-device-dark-narrow');
      expect(
        await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth'),
      ).toBe(true);
      await context.close();
    });

    test.each(['light', 'dark'] as const)(
      'text has a contrast of at least 4.5 to 1: %s',
      async (colorScheme) => {
        const { page, context } = await newPage({ colorScheme });
        await page.goto(`${server.url}/portal/sign-in`);
        await page.getByLabel('User name').fill('nobody');
        await page.getByLabel('Password').fill('nothing');
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByRole('alert').waitFor();
        const pairs = await page.evaluate<
          [string, string, string][]
        >(`[...document.querySelectorAll('h1, label, input:not([type=hidden]), button, .alarm, header')].map((element) => {
      let ground = element;
      while (getComputedStyle(ground).backgroundColor === 'rgba(0, 0, 0, 0)') ground = ground.parentElement;
      return [element.tagName, getComputedStyle(element).color, getComputedStyle(ground).backgroundColor];
    })`);
        const luminance = (color: string): number => {
          const [r = 0, g = 0, b = 0] = (color.match(/\d+/g) ?? []).map((part) => {
            const c = Number(part) / 255;
            return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        expect(pairs.length).toBeGreaterThan(6);
        for (const [tag, ink, ground] of pairs) {
          const [light = 0, dark = 0] = [luminance(ink), luminance(ground)].sort((a, b) => b - a);
          expect([tag, (light + 0.05) / (dark + 0.05)]).toEqual([
            tag,
            expect.toSatisfy((ratio: number) => ratio >= 4.5),
          ]);
        }
        await context.close();
      },
    );

    test('a page elsewhere can neither frame ours nor send our forms', async () => {
      const { page, context } = await newPage();
      await page.goto(`${server.url}/portal`);
      await page.getByLabel('User name').fill('ada');
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Signed in as user:ada').waitFor();
      const before = complaints.length;
      await page.goto(appUrl);
      await page.setContent(
        `<iframe src="${server.url}/portal"></iframe><form method="post" action="${server.url}/portal/sign-out"><button>go</button></form>`,
      );
      await page.waitForTimeout(300);
      const frame = page.frames().find((f) => f !== page.mainFrame());
      // the browser shows its own error page
      expect((await frame?.getByText('Signed in as').count()) ?? 0).toBe(0);
      await page.getByRole('button').click();
      await page.getByRole('heading', { name: 'This page has expired' }).waitFor();
      complaints.length = before; // the browser reports the refusal, as it should
      await page.goto(`${server.url}/portal`);
      await page.getByText('Signed in as user:ada').waitFor();
      await context.close();
    });

    test('the browser reported no violation during these tests', () => {
      expect(complaints).toEqual([]);
    });
  },
);
