// The client in a real browser, on a page of another origin than the platform's.
import { readFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../client/src/index.ts';
import { projectRoot } from '../../platform/project-root.ts';
import { startServer } from '../testkit/server.ts';
import { findChromium } from '../portal/find-chromium.ts';
import { type BuiltClient, buildClient } from './built-client.ts';

const executablePath = findChromium();
const there = executablePath !== undefined;

let built: BuiltClient;
let browser: Browser;
beforeAll(async () => {
  if (executablePath === undefined) return;
  built = await buildClient();
  // root in a container needs it; the page is our own
  browser = await chromium.launch({ executablePath, chromiumSandbox: false });
});
afterAll(async () => {
  if (!there) return;
  await browser.close();
  await built[Symbol.asyncDispose]();
});

/** A site with one page, by default an empty one, and the package's module. */
async function site(
  html = (): string => '<!doctype html><title>A page</title>',
): Promise<{ origin: string } & AsyncDisposable> {
  const module = await readFile(path.join(built.packageFolder, 'dist/index.js'));
  const server = createServer((req, res) => {
    if (req.url === '/cairn-client.js')
      return void res.writeHead(200, { 'content-type': 'text/javascript' }).end(module);
    res.writeHead(200, { 'content-type': 'text/html' }).end(html());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A page's output after running the script, as a visitor sees it. */
async function inPage(origin: string, script: string): Promise<unknown> {
  const page = await browser.newPage();
  try {
    await page.goto(origin);
    return await page.evaluate(script);
  } finally {
    await page.close();
  }
}

const skipped = there
  ? ''
  : ' (skipped: no Chromium on the path; Debian has it as the package chromium, CHROMIUM names another)';

test.skipIf(!there)(
  `a page creates, finds, follows and fails as any client does${skipped}`,
  { timeout: 120_000 },
  async () => {
    await using page = await site();
    await using server = await startServer({ config: `cors: {allowed_origins: ["${page.origin}"]}` });
    const told = await inPage(
      page.origin,
      `(async () => {
    const { createClient, EntityNotFoundError } = await import('/cairn-client.js');
    const client = createClient({ url: ${JSON.stringify(server.url)}, apiKey: ${JSON.stringify(server.key)} });
    await client.schemas.create({ name: 'Sample', version: '1', fields: [{ name: 'name', fieldType: 'string' }] });
    await client.create('Sample', { name: 'é𝄞' }, { id: 's1' });
    const summary = await client.ingestAll(Array.from({ length: 30 }, (_, i) => ({ entityType: 'Sample', data: { name: 'n' + i } })), { batchSize: 10 }).summary();
    const names = [];
    for await (const { data } of client.query('Sample', {}, { pageSize: 7 })) names.push(data.name);
    const feed = client.events({ after: 'start', filter: 'entity_id == "s1"' });
    let event;
    for await (const item of feed) { event = item.event.eventType; break; }
    const missing = await client.get('Sample', 'nobody').catch((error) => error instanceof EntityNotFoundError && error.requestId === null && error.name);
    const refused = await createClient({ url: ${JSON.stringify(server.url)}, apiKey: 'sk_wrong' }).me().catch((error) => error.name);
    const away = await createClient({ url: 'http://127.0.0.1:1', retries: 0 }).me().catch((error) => error.name + ' ' + error.reached);
    return { created: summary.created, first: names[0], count: names.length, event, missing, refused, away };
  })()`,
    );
    expect(told).toEqual({
      created: 30,
      first: 'é𝄞',
      count: 31,
      event: 'EntityCreated',
      missing: 'EntityNotFoundError',
      refused: 'UnauthorizedError',
      away: 'UnavailableError unknown',
    });
  },
);

test.skipIf(!there)(
  `a page of an origin that the platform does not allow is blocked by the browser${skipped}`,
  { timeout: 120_000 },
  async () => {
    await using page = await site();
    await using server = await startServer();
    const told = await inPage(
      page.origin,
      `(async () => {
    const { createClient } = await import('/cairn-client.js');
    return createClient({ url: ${JSON.stringify(server.url)}, apiKey: ${JSON.stringify(server.key)}, retries: 0 }).me().catch((error) => error.name);
  })()`,
    );
    expect(told).toBe('UnavailableError');
  },
);

test.skipIf(!there)(`the README's page shows what it finds${skipped}`, async () => {
  const [, block = ''] =
    /^```html\n([\s\S]*?)^```$/m.exec(await readFile(path.join(projectRoot, 'client/README.md'), 'utf8')) ??
    [];
  let html = '';
  await using home = await site(() => html);
  await using server = await startServer({ config: `cors: {allowed_origins: ["${home.origin}"]}` });
  html = `<!doctype html><title>A page</title><body>${block.replace('CAIRN_URL', JSON.stringify(server.url)).replace('USER_TOKEN', JSON.stringify(server.key))}`;
  const client = createClient({ url: server.url, apiKey: server.key });
  await client.schemas.create({
    name: 'Sample',
    version: '1',
    fields: [{ name: 'tissue', fieldType: 'string' }],
  });
  await client.create('Sample', { tissue: 'liver' }, { id: 'sample:found' });
  const page = await browser.newPage();
  try {
    await page.goto(home.origin);
    await page.waitForFunction('document.body.lastChild.textContent === "sample:found"');
  } finally {
    await page.close();
  }
});
