// Definitions in a real browser: the workflow of a rule as a picture, versions compared, a schema changed.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lineDifferences } from '../../console/parts/line-differences.ts';
import { findChromium } from '../portal/find-chromium.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { launch, signedIn, violationsInBothSchemes, type Visit } from './browser.ts';
import { buildConsole, MARKUP } from './console-testkit.ts';

const executablePath = findChromium();
const REPORT = {
  name: 'Report',
  version: '1.0.0',
  fields: [
    { name: 'sample', field_type: 'string' },
    { name: 'files', field_type: 'uri', many: true },
  ],
};
const TOOL = (label: string, input: string): string =>
  `{class: CommandLineTool, label: ${label}, baseCommand: cat, inputs: {${input}: File}, outputs: {out: {type: File, outputBinding: {glob: "*"}}}}`;
const FLOW = (label: string): string => `cwlVersion: v1.2
class: Workflow
requirements: {ScatterFeatureRequirement: {}}
inputs: {reads: "File[]", sample: string}
outputs:
  sample: {type: string, outputSource: sample}
  files: {type: "File[]", outputSource: sort/out}
steps:
  align: {scatter: read, in: {read: reads}, out: [out], run: ${TOOL('bwa', 'read')}}
  sort: {scatter: bam, in: {bam: align/out}, out: [out], run: ${TOOL(label, 'bam')}}
`;
const rule = (label: string, description: string) => ({
  name: 'make-report',
  description,
  produces: { entity_type: 'Report', match: { sample: '{sample}' } },
  execute: { cwl_content: Buffer.from(FLOW(label)).toString('base64') },
});

test('lines that two texts have in common stay', () => {
  const told = lineDifferences('a\nb\nc', 'a\nx\nc\nd')?.map(({ kind, text }) => `${kind} ${text}`);
  expect(told).toEqual(['same a', 'removed b', 'added x', 'same c', 'added d']);
  expect(lineDifferences('', 'a\n'.repeat(3000))).toBeUndefined();
});

describe.skipIf(executablePath === undefined)('in Chromium', () => {
  let server: TestServer;
  let browser: Browser;
  let visit: Visit;
  let page: Page;
  beforeAll(async () => {
    buildConsole();
    server = await startServer();
    expect((await server.rest('POST', '/api/v1/metadata/schemas', { body: REPORT })).status).toBe(200);
    for (const sample of ['S1', 'S1', MARKUP]) {
      const body = { entity_type: 'Report', data: { sample } };
      expect((await server.rest('POST', '/api/v1/metadata/ingest', { body })).status).toBe(200);
    }
    const register = 'mutation ($d: JSON!) { registerRule(definition: $d) { isValid } }';
    for (const d of [rule('samtools', 'Sorts.'), rule('picard', MARKUP)])
      expect((await server.graphql(register, { d })).body.data.registerRule.isValid).toBe(true);
    browser = await launch(executablePath);
    visit = await signedIn(browser, server, server.key);
    ({ page } = visit);
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });
  const open = async (view: string): Promise<void> => {
    await page.goto(`${server.url}/console/${view}`);
    await page.locator('main h1').waitFor();
  };

  test('the workflow of a rule is drawn with what each step gets, and its versions are compared', async () => {
    await open('rules');
    await page.getByRole('link', { name: 'make-report@2' }).click();
    const drawn = page.getByRole('region', { name: 'Steps of the workflow' });
    await drawn.getByRole('img', { name: '2 inputs, 2 steps, 2 outputs, 4 connections' }).waitFor();
    for (const text of ['align', 'bwa, for each', 'out → bam', 'files', 'File[]'])
      await drawn.getByText(text, { exact: true }).first().waitFor();
    expect(await page.locator('.diagram path.edge').count()).toBe(4);
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await page.getByRole('link', { name: 'Versions' }).click();
    const compared = page.getByRole('region', { name: 'Version 1 and 2' });
    await compared.getByRole('row', { name: /^description Sorts\. <img/ }).waitFor();
    expect(await compared.getByRole('row', { name: /^workflow\.steps/ }).count()).toBe(0); // labels do nothing
    const text = page.getByRole('region', { name: 'The text of the workflow' });
    expect(await text.locator('.removed, .added').allInnerTexts()).toEqual([
      expect.stringContaining('samtools'),
      expect.stringContaining('picard'),
    ]);
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await page.getByLabel('with version').selectOption('1');
    await page.waitForURL(/to=1/);
    await page.getByText('They are the same').waitFor();
    await page.getByRole('link', { name: 'Compare with another rule' }).click();
    await page.getByRole('link', { name: 'make-report@2' }).click();
    await page.waitForURL(/one=make-report%401&other=make-report%402/);
    const both = page.getByRole('region', { name: 'Differences of the rules' });
    await both.getByRole('row', { name: /^description Sorts\. <img/ }).waitFor();
    await page.getByRole('link', { name: 'The other way round' }).click();
    await both.getByRole('row', { name: /^description <img.* Sorts\.$/ }).waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(visit.complaints).toEqual([]);
  });

  test('a rule is registered by form: its faults are told, its workflow is drawn; so is its next version', async () => {
    await page.goto(`${server.url}/console/rules`);
    await page.getByRole('link', { name: 'New rule' }).click();
    await page.getByLabel('Name').fill('by-form');
    await page.getByLabel('Entities of type').selectOption('Report');
    await page.getByLabel('Known by').fill('sample = {sample}');
    await page.getByLabel('Workflow (CWL)', { exact: true }).fill(FLOW('x').replace('sort/out', 'sort/none'));
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('The server would refuse it.').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'sort/none' }).waitFor();
    expect(await page.getByRole('button', { name: 'Register' }).isDisabled()).toBe(true);
    await page.getByLabel('Workflow (CWL)', { exact: true }).fill(FLOW('x'));
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('img', { name: '2 inputs, 2 steps, 2 outputs, 4 connections' }).waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('heading', { name: 'by-form@1' }).waitFor();
    await page.getByRole('link', { name: 'New version' }).click();
    await page.getByLabel('Description').fill(MARKUP);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('The server would accept it.').waitFor();
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('heading', { name: 'by-form@2' }).waitFor();
    await page.getByText(MARKUP).waitFor();
    expect(visit.complaints).toEqual([]);
  });

  test('a single tool is drawn as the one step that it is', async () => {
    const tool = `cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: cat\ninputs: {sample: string}\noutputs: {sample: {type: string, outputBinding: {outputEval: $(inputs.sample)}}}\n`;
    const d = {
      ...rule('', ''),
      name: 'one-tool',
      execute: { cwl_content: Buffer.from(tool).toString('base64') },
    };
    const register = 'mutation ($d: JSON!) { registerRule(definition: $d) { isValid } }';
    expect((await server.graphql(register, { d })).body.data.registerRule.isValid).toBe(true);
    await open('rule?name=one-tool');
    await page.getByRole('img', { name: '1 input, 1 step, 1 output, 2 connections' }).waitFor();
    await open('rule?name=nothing');
    await page.getByText('There is no rule nothing').waitFor();
  });

  test('a changed definition is held against stored data, then registered; its versions are compared', async () => {
    await open('types?name=Report&tab=change');
    const definition = page.getByRole('textbox', { name: 'Definition' });
    const changed = JSON.parse(await definition.inputValue()) as typeof REPORT;
    expect(changed.version).toBe('1.1.0');
    const [sample, ...others] = changed.fields;
    const unique = { ...changed, fields: [{ ...sample, unique: true }, ...others] };
    await definition.fill(JSON.stringify(unique));
    await page.getByRole('button', { name: 'Check against stored data' }).click();
    await page.getByText('1 stored entity contradicts it.').waitFor();
    await page.getByRole('row', { name: /cannot be unique/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Register this version' }).isDisabled()).toBe(true);
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await definition.fill('{');
    await page.getByRole('button', { name: 'Check against stored data' }).click();
    await page.getByText('The definition is no JSON').waitFor();
    await definition.fill(JSON.stringify({ ...changed, description: MARKUP }));
    await page.getByRole('button', { name: 'Check against stored data' }).click();
    await page.getByText('Nothing that is stored contradicts it.').waitFor();
    await page.getByRole('button', { name: 'Register this version' }).click();
    await page.waitForURL(/tab=versions/);
    await page
      .getByRole('region', { name: 'Version 1.0.0 and 1.1.0' })
      .getByRole('row', { name: /^description – <img/ })
      .waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(visit.complaints).toEqual([]);
  });

  test('a plan leads to the nearest that is stored and to its rule; so does what says that there is none', async () => {
    // an id that is a part of words of the reason, too
    for (const [name, id] of Object.entries({ Made: 're', Unmade: 'Unmade:1' })) {
      const schema = { name, version: '1', fields: [{ name: 'of', field_type: 'string' }] };
      await server.rest('POST', '/api/v1/metadata/schemas', { body: schema });
      const body = { entity_type: name, id, data: { of: 'a' } };
      expect((await server.rest('POST', '/api/v1/metadata/ingest', { body })).status).toBe(200);
    }
    const tool = `cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: cat\ninputs: {of: string}\noutputs: {of: {type: string, outputBinding: {outputEval: $(inputs.of)}}}\n`;
    const d = {
      name: 'make-made',
      produces: { entity_type: 'Made', match: { of: '{of}' } },
      execute: { cwl_content: Buffer.from(tool).toString('base64') },
    };
    const register = 'mutation ($d: JSON!) { registerRule(definition: $d) { isValid } }';
    expect((await server.graphql(register, { d })).body.data.registerRule.isValid).toBe(true);
    await open('ask?type=Made&c.of=b&plan=1');
    const plan = page.getByRole('list', { name: 'Plan' });
    await plan.getByText('nothing stored matches; nearest is').waitFor();
    expect(await plan.getByRole('link', { name: 'make-made@1' }).count()).toBe(2); // by it, and in the reason
    await plan.locator('bdi', { hasText: /^nothing stored matches; nearest is $/ }).waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await plan.getByRole('link', { name: 'How the nearest was made' }).click();
    await page.waitForURL(/\/console\/entity\?id=re&tab=made-by/);
    await open('ask?type=Made&c.of=b&plan=1');
    // a wish that nothing makes has no plan, and not that of the wish before
    await page.getByRole('button', { name: 'Produce it' }).waitFor();
    const details = { rules_considered: [] };
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('query Plan(') !== true) return route.continue();
      const errors = [{ message: 'nothing makes it', extensions: { code: 'UNRESOLVABLE', details } }];
      await route.fulfill({ contentType: 'application/json', body: JSON.stringify({ errors }) });
    });
    await page.getByLabel('of', { exact: true }).fill('c');
    await page.getByRole('button', { name: 'Show the plan' }).click();
    await page.getByRole('alert').getByText('nothing makes it').waitFor();
    expect(await page.getByRole('region', { name: 'Why there is no plan' }).count()).toBe(0); // nothing is known beside it
    expect(await plan.count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Produce it' }).count()).toBe(0);
    await page.unroute('**/graphql');
    await open('ask?type=Made&c.of=b&plan=1');
    await plan.getByRole('link', { name: 'make-made@1' }).first().click();
    await page.getByRole('heading', { name: 'make-made@1' }).waitFor();
    await open('ask?type=Unmade&c.of=b&plan=1');
    await page.getByRole('alert').waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    const none = page.getByRole('region', { name: 'Why there is no plan' });
    await none.getByRole('link', { name: 'Unmade:1' }).click();
    await page.waitForURL(/\/console\/entity\?id=Unmade%3A1/);
    expect(visit.complaints).toEqual([]);
  });

  test('who may not register schemas is not offered to', async () => {
    const lead = await signedIn(browser, server, await server.newKey({ role: 'project_lead' }));
    await lead.page.goto(`${server.url}/console/types?name=Report&tab=change`);
    await lead.page.getByRole('region', { name: 'Fields' }).waitFor();
    expect(await lead.page.getByRole('link', { name: 'Change' }).count()).toBe(0);
    await lead.page.getByRole('link', { name: 'Versions' }).click();
    await lead.page.getByRole('region', { name: 'Versions' }).waitFor();
    await lead.context.close();
  });
});
