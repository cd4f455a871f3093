// Causal chains in a real browser: of an entity, a run, a file and a request, in both directions, as levels and as a picture.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addFileEntity, putContent, SAMPLE_FILE } from '../artifact/stored-files.ts';
import { findChromium } from '../portal/find-chromium.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { eventually } from '../workflow/workflow-server.ts';
import { launch, signedIn, violationsInBothSchemes, type Visit } from './browser.ts';
import { buildConsole, SCHEMA } from './console-testkit.ts';

const executablePath = findChromium();
const CONFIG = `observability: {audit_log: {backend: postgres}}
workflow:
  triggers:
    - {name: by-hand, type: manual, action: {type: ingest, adapter: sheet}}
  adapters:
    - {name: sheet, type: csv, source: none.csv, entity_type: Biopsy, map: {id: 'row["id"]'}}
`;
const INGEST = 'POST /api/v1/metadata/ingest';

describe.skipIf(executablePath === undefined)('in Chromium', () => {
  let server: TestServer;
  let browser: Browser;
  let visit: Visit;
  let page: Page;
  let run = '';
  let request = '';
  beforeAll(async () => {
    buildConsole();
    server = await startServer({ config: CONFIG });
    for (const body of [SCHEMA, SAMPLE_FILE])
      expect((await server.rest('POST', '/api/v1/metadata/schemas', { body })).status).toBe(200);
    for (const age of [41, 42]) {
      const body = { id: 'biopsy:1', entity_type: 'Biopsy', data: { donor: 'D-1', tissue: 'liver', age } };
      const { headers } = await server.rest('POST', '/api/v1/metadata/ingest', { body });
      request = headers.get('x-request-id') ?? '';
    }
    await addFileEntity(server, { id: 'file:1', hex: await putContent(server, 'content'), name: 'a.txt' });
    const { body } = await server.graphql('mutation Fire { runTrigger(name: "by-hand") { runId } }');
    run = body.data.runTrigger.runId;
    await server.database.pool.query(
      `INSERT INTO gateway.audit_record (timestamp, request_id, actor, method, path, status, latency_ms, ip, cause)
       VALUES (now(), gen_random_uuid(), 'service:x', 'POST', '/graphql', 200, 1, '127.0.0.1', $1)`,
      [`run:${run}`],
    );
    await eventually(
      async () =>
        (await server.graphql(`{ auditRecords(filter: { requestId: "${request}" }) { records { path } } }`))
          .body.data.auditRecords.records.length as number,
      (count) => count === 1,
    );
    browser = await launch(executablePath);
    visit = await signedIn(browser, server, server.key);
    ({ page } = visit);
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });
  const open = async (at: string): Promise<void> => {
    await page.goto(`${server.url}/console${at}`);
  };
  const level = (name: string) => page.getByRole('region', { name, exact: true });
  const isIn = (at: string): Promise<boolean> =>
    page.evaluate(`location.search.includes(${JSON.stringify(at)})`);

  test('from an entity to the request that made it, its audit record, and back to what that led to', async () => {
    await open('/entity?id=biopsy:1');
    await page.getByRole('link', { name: 'Why it exists', exact: true }).click();
    await level('Its causes').getByRole('link', { name: 'biopsy:1', exact: true }).first().waitFor();
    expect(await level('Level 2 of causes').getByText('version', { exact: true }).count()).toBe(0);
    const asked = level('Level 3 of causes').getByRole('link', { name: INGEST, exact: true });
    await asked.first().waitFor();
    expect(await page.getByText('wrote EntityUpdated').count()).toBe(1);
    await page.getByLabel('levels').selectOption('1');
    await asked.first().waitFor({ state: 'detached' });
    expect(await isIn('depth=1')).toBe(true);
    await page.getByLabel('levels').selectOption('5');
    await page.locator(`a[href*="${request}"]`).first().click();
    await page.getByRole('heading', { name: `Request ${request}` }).waitFor();
    const led = level('What it led to');
    await led.getByRole('link', { name: 'EntityUpdated', exact: true }).waitFor();
    await led.getByRole('link', { name: 'biopsy:1', exact: true }).first().waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
  });

  test('as a picture, in either direction, by an address that is the whole choice', async () => {
    await open('/entity?id=biopsy:1&tab=why');
    await page.getByRole('button', { name: 'Picture', exact: true }).click();
    const picture = page.getByRole('region', { name: 'Causal chain', exact: true });
    await picture
      .getByRole('link', { name: `request ${INGEST.slice(0, 20)}` })
      .first()
      .waitFor();
    expect(await picture.locator('.edge-label').count()).toBeGreaterThan(4);
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'What it led to', exact: true }).click();
    await picture
      .getByRole('link', { name: /^request/ })
      .first()
      .waitFor({ state: 'detached' });
    await page.reload();
    const pressed = page.getByRole('button', { pressed: true });
    await pressed.first().waitFor();
    expect(await pressed.allTextContents()).toEqual(['What it led to', 'Picture']);
  });

  test('of a run, a file, and what nobody knows', async () => {
    await open(`/run?id=${run}`);
    await level('Why it ran').getByRole('link', { name: 'POST /graphql', exact: true }).waitFor();
    await open('/entity?id=file:1&tab=files');
    await page.getByRole('link', { name: 'Why a.txt exists' }).click();
    await page
      .getByText(/^file:sha256:[0-9a-f]{64}$/)
      .first()
      .waitFor();
    await level('Subject').waitFor();
    await open('/why?subject=entity:nobody');
    await page.getByText('There is no chain of this').waitFor();
  });

  test('an audit record leads to the run on whose behalf a service asked', async () => {
    await open('/admin?tab=audit&actor=service:x');
    await page
      .getByRole('region', { name: 'Audit records' })
      .getByRole('link', { name: `run ${run}` })
      .click();
    await page.getByText('Why it ran').waitFor();
    expect(visit.complaints).toEqual([]);
  });

  test('what is no longer what would be made says so, and why', async () => {
    const reason = { kind: 'INPUT_CHANGED', message: 'age was 41 and is <b>42</b>', entityId: 'biopsy:1' };
    const unknown = 'image <i>x</i>: no machine tells which content it has now';
    const notKnown: string[] = [];
    let staleness = { isStale: true, isComplete: true, notKnown, reasons: [reason] };
    await page.route('**/graphql', async (route) => {
      if (!/query MadeBy\(/.test(route.request().postData() ?? '')) return route.fallback();
      const response = await route.fetch();
      const body = (await response.json()) as { data: { entity: Record<string, unknown> } }; // an entity that is there
      body.data.entity['producedBy'] = {
        id: 'p',
        status: 'completed',
        rule: null,
        requestedBy: 'user:x',
        finishedAt: null,
        inputs: {},
      };
      body.data.entity['staleness'] = staleness;
      return route.fulfill({ response, json: body });
    });
    await open('/entity?id=biopsy:1&tab=made-by');
    const notice = level('It is no longer what would be made now');
    await notice.getByText(reason.message).waitFor();
    await notice.getByRole('link', { name: 'biopsy:1' }).waitFor();
    expect(await notice.getByText('Not compared:').count()).toBe(0);
    expect(await violationsInBothSchemes(page)).toEqual([]);
    staleness = { ...staleness, notKnown: [unknown] };
    await page.reload();
    await notice.getByRole('list', { name: 'Not compared' }).getByText(unknown).waitFor();
    staleness = { ...staleness, isStale: false, reasons: [] };
    await page.reload();
    // what is not compared is not said to be as it was
    await page.getByText('Nothing that is compared has changed.').waitFor();
    await page.getByRole('list', { name: 'Not compared' }).getByText(unknown).waitFor();
    expect(await page.getByText('still true').count()).toBe(0);
    expect(await violationsInBothSchemes(page)).toEqual([]);
    staleness = { ...staleness, notKnown: [] };
    await page.reload();
    await page.getByText('It is still true: the same would be made now.').waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('the page of a file says whether what stored it would be made the same', async () => {
    const reason = { kind: 'RULE_CHANGED', message: 'rule x@1 -> x@2', entityId: null };
    const staleness = { isStale: true, isComplete: true, notKnown: [], reasons: [reason] };
    await page.route('**/graphql', async (route) => {
      const asked = route.request().postData() ?? '';
      if (asked.includes('query StaleOfProduction('))
        return route.fulfill({ json: { data: { production: { entityIds: ['biopsy:1'], staleness } } } });
      if (!asked.includes('query Why(') || !asked.includes('"direction":"BACKWARD","depth":1,'))
        return route.fallback();
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: { why: { nodes: Record<string, unknown>[] } } }; // a chain that is there
      const [first = {}] = data.why.nodes;
      data.why.nodes.push({ ...first, key: 'production:p', kind: 'PRODUCTION', name: 'x@1', depth: 1 });
      return route.fulfill({ response, json: { data } });
    });
    await open('/entity?id=file:1&tab=files');
    await page.getByRole('link', { name: 'Why a.txt exists' }).click();
    const notice = level('It is no longer what would be made now');
    await notice.getByText(reason.message).waitFor();
    await notice.getByRole('link', { name: 'See how it is made anew' }).waitFor();
    expect(await page.getByRole('link', { name: 'the production' }).getAttribute('href')).toContain('id=p');
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
});
