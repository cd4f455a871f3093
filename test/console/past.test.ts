// The console as of an earlier time in a real browser: every view shows that moment or says that it cannot, and nothing
// that changes something is offered.
import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../portal/find-chromium.ts';
import { asSuperuser } from '../testkit/database.ts';
import { launch, signedIn, violationsInBothSchemes, type Visit } from './browser.ts';
import { RULE, SCHEMA } from './console-testkit.ts';
import { startWorld, type World } from './every-view-world.ts';
import { SHOWN_ACTIONS, SHOWN_VIEWS } from './every-view.ts';
import { settled, show, walker } from './walk.ts';

const executablePath = findChromium();

describe.skipIf(executablePath === undefined)('in Chromium', () => {
  let world: World;
  let browser: Browser;
  let visit: Visit;
  /** After the world was made, and before it changed. */
  let then = '';
  let later = '';
  const tell = async (document: string, variables?: Record<string, unknown>) => {
    const { body } = await world.server.graphql(document, variables);
    if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
    return body.data;
  };
  const asOf = (address: string, instant = then): string =>
    `${address}${address.includes('?') ? '&' : '?'}at=${encodeURIComponent(instant)}`;
  const at = (address: string, instant = then): string =>
    `${world.server.url}/console${asOf(address, instant)}`;
  const open = async (address: string, instant = then): Promise<void> => {
    await visit.page.goto(at(address, instant));
    await settled(visit.page);
  };

  beforeAll(async () => {
    world = await startWorld();
    then = (await tell('{ basis { time } }')).basis.time;
    for (const schema of [
      { ...SCHEMA, version: '1.1.0', description: 'A piece of tissue, as it was called later.' },
      { name: 'Later', version: '1', fields: [] },
    ])
      await tell('mutation ($schema: JSON!) { createSchema(definition: $schema) { name } }', { schema });
    const changed = await tell(
      `mutation ($rule: JSON!) {
        registerRule(definition: $rule) { isValid }
        resumeTrigger(name: "on-change") { status }
        pauseTrigger(name: "lab", reason: "later") { status }
        runTrigger(name: "on-change") { runId }
        produceArtifact(entityType: "Biopsy", criteria: { donor: "later" }) { production { id } }
      }`,
      { rule: { ...RULE, version: 2, description: 'Copies it again.' } },
    );
    later = changed.produceArtifact.production.id;
    browser = await launch(executablePath);
    visit = await signedIn(browser, world.server, world.server.key);
  });
  afterAll(async () => {
    await browser.close();
    await world.server[Symbol.asyncDispose]();
  });

  test('triggers, runs, rules, productions and plans are those of then, on every page that shows them', async () => {
    const { page } = visit;
    const body = page.locator('main');
    await open('/runs');
    const runs = page.getByRole('region', { name: 'List of runs' }).locator('tbody tr');
    await runs.nth(2).waitFor();
    expect(await runs.count()).toBe(3);
    const triggers = page.getByRole('region', { name: 'Triggers' });
    await triggers
      .getByRole('row', { name: /^on-change/ })
      .getByText('paused')
      .waitFor();
    expect(await triggers.getByRole('row', { name: /^lab/ }).getByText('paused').count()).toBe(0);
    await page.getByRole('note').getByText('These deliveries are of the present').waitFor();
    await open('/trigger?name=on-change');
    await page.getByText('Paused by').waitFor();
    await open('/trigger?name=on-change&tab=observations');
    await page.getByRole('note').getByText('These observations are of the present').waitFor();
    await open('/rules');
    await body.getByRole('link', { name: 'copy-biopsy@1' }).waitFor();
    await open('/rule?name=copy-biopsy&tab=versions');
    expect(await page.getByRole('region', { name: 'Versions' }).locator('tbody tr').count()).toBe(1);
    await open('/rules?tab=productions');
    expect(await page.getByRole('region', { name: 'Productions' }).locator('tbody tr').count()).toBe(3);
    await open(`/production?id=${later}`);
    await page.getByRole('heading', { name: 'There was no such production then' }).waitFor();
    await open('/ask?type=Biopsy&c.donor=Nobody&plan=1');
    await page.getByRole('list', { name: 'Plan' }).getByText('copy-biopsy@1').first().waitFor();
    await open('/');
    await page.getByRole('link', { name: '3 runs' }).waitFor();
    await page.getByRole('link', { name: '3 productions' }).waitFor();
    await page.getByRole('button', { name: 'Back to the present' }).click();
    await page.getByRole('link', { name: '4 runs' }).waitFor();
    await page.getByRole('link', { name: '4 productions' }).waitFor();
    await page.goto(`${world.server.url}/console/production?id=${later}`);
    await page.getByRole('link', { name: 'Ask again' }).click();
    await page.getByRole('list', { name: 'Plan' }).getByText('donor: later').first().waitFor();
    expect(await page.getByLabel('donor', { exact: true }).inputValue()).toBe('later');

    // another rule matches as well: the one that made it is asked, until it is left open
    const rule = page.getByLabel('Rule', { exact: true });
    expect(await rule.inputValue()).toBe('copy-biopsy');
    await tell('mutation ($rule: JSON!) { registerRule(definition: $rule) { isValid } }', {
      rule: { ...RULE, name: 'copy-too' },
    });
    await page.reload();
    await page.getByRole('list', { name: 'Plan' }).getByText('copy-biopsy@2').first().waitFor();
    const asked = page.waitForRequest((request) => /mutation Produce/.test(request.postData() ?? ''));
    await page.getByRole('button', { name: 'Produce it' }).click();
    expect((await asked).postDataJSON()).toMatchObject({ variables: { rule: 'copy-biopsy' } });
    await page.waitForURL(/production\?id=/);
    await page.goBack();
    await rule.fill('');
    await page.getByRole('button', { name: 'Show the plan' }).click();
    await page
      .getByRole('alert')
      .getByText(/copy-biopsy.*copy-too/)
      .first()
      .waitFor();
    expect(new URL(page.url()).searchParams.has('rule')).toBe(false);
    await tell('mutation { deprecateRule(name: "copy-too", note: "tie") { status } }');
  });

  test('types are those of then, with their versions', async () => {
    const { page } = visit;
    await open('/types');
    await page.getByRole('heading', { name: 'Biopsy' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Later' }).count()).toBe(0);
    await open('/types?name=Later');
    await page.getByText('There was no type Later').waitFor();
    await open('/types?name=Biopsy&tab=versions');
    const versions = page.getByRole('region', { name: 'Versions' }).locator('tbody tr');
    await versions.first().waitFor();
    expect(await versions.count()).toBe(1);
    await page.goto(`${world.server.url}/console/types?name=Biopsy&tab=versions`);
    await versions.nth(1).waitFor();
  });

  test('the request to copy has the instant, and answers the same elsewhere', async () => {
    const { page } = visit;
    await open('/rules?tab=productions');
    await page.getByRole('button', { name: 'Copy request of this view' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'curl', exact: true }).click();
    const text = (await dialog.getByTestId('snippet').textContent()) ?? '';
    const [, json = ''] = /-d '([\s\S]*)'$/.exec(text) ?? [];
    const { query, variables } = JSON.parse(json) as { query: string; variables: Record<string, unknown> };
    expect(query).toContain('@asOf(time: $at)');
    expect((await tell(query, variables)).productions.total).toBe(3);
    await page.keyboard.press('Escape');
  });

  test('a provenance document that is saved from a lineage tells what had happened by then', async () => {
    const { page } = visit;
    await open('/lineage?id=biopsy:1');
    await page.getByRole('button', { name: 'Save as' }).click();
    const asked = page.waitForRequest((request) => /provenanceDocument/.test(request.postData() ?? ''));
    const saved = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'PROV-JSON' }).click();
    const document: unknown = JSON.parse(await readFile(await (await saved).path(), 'utf8'));
    const { query, variables } = (await asked).postDataJSON();
    expect(variables.at).toBe(then);
    expect((await tell(query, variables)).provenanceDocument).toEqual(document);
  });

  test('before the first moment that is known, a view says which that is and leads there', async () => {
    const { page } = visit;
    const { rows } = await world.server.database.pool.query<{ name: string }>(
      'SELECT current_database() AS name',
    );
    // as after an upgrade
    await asSuperuser(`UPDATE workflow.past_begins SET at = '${then}'`, rows[0]?.name);
    await page.goto(`${world.server.url}/console/runs`);
    const triggers = page.getByRole('region', { name: 'Triggers' });
    await triggers.getByRole('link', { name: 'lab' }).waitFor();
    await page.getByRole('button', { name: 'Time shown by all views' }).click();
    await page.getByLabel('Date and time').fill('2001-01-01T00:00:00');
    await page.getByRole('button', { name: 'Show this moment' }).click();
    await page.getByRole('alert').first().waitFor();
    expect(await triggers.count()).toBe(0); // what is there now is not shown for then
    await page
      .getByRole('button', { name: /^Go to .* the first moment that is known$/ })
      .first()
      .click();
    await triggers.getByRole('link', { name: 'lab' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('no view fails, each says in its bar what it shows, and all are accessible', async () => {
    const { page, complaints } = visit;
    const walk = walker(page);
    const wrong: string[] = [];
    for (const { at: of } of SHOWN_VIEWS) {
      const address = of(world);
      await walk(asOf(address));
      for (const fault of await page.getByRole('alert').allInnerTexts()) wrong.push(`${address}: ${fault}`);
      const bar = await page.locator('.past').innerText();
      const isPresent = bar.includes('This view shows the present');
      if (isPresent !== /^\/admin(?!\?tab=measurements)/.test(address)) wrong.push(`${address} says ${bar}`);
      if (/^\/(?:runs|trigger|rule|production|admin\?tab=keys)/.test(address))
        wrong.push(...(await violationsInBothSchemes(page)).map((one) => `${address} ${one}`));
    }
    expect(wrong).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('no action is offered, on any view or in the palette', async () => {
    const { page } = visit;
    const walk = walker(page);
    const offered: string[] = [];
    for (const [name, { at: of, before, offer }] of Object.entries(SHOWN_ACTIONS)) {
      await walk(asOf(of(world)));
      // what cannot be reached is not offered either
      if (before !== undefined) await before(page);
      await settled(page);
      if ((await offer(page).count()) > 0) offered.push(name);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    }
    expect(offered).toEqual([]);
    const actions = async (words: string): Promise<number> => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Page, type, or id' }).fill(words);
      await page.getByRole('option', { name: `${words} in Biopsy` }).waitFor();
      const count = await page.getByRole('option', { name: `${words} action`, exact: true }).count();
      await page.keyboard.press('Escape');
      return count;
    };
    for (const [address, count] of [
      [`${world.server.url}/console`, 1],
      [at('/'), 0],
    ] as const) {
      await page.goto(address);
      await settled(page);
      for (const words of ['New API key', 'New Biopsy', 'Run lab'])
        expect([address, words, await actions(words)]).toEqual([address, words, count]);
    }
  });

  /** Keeps back what is asked as of the time, until the function that it returns is called. */
  async function hold(page: Page, instant: string): Promise<() => Promise<void>> {
    let release: () => void = () => undefined;
    const released = new Promise<void>((done) => {
      release = done;
    });
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes(instant) === true) await released;
      await route.fallback();
    });
    return async () => {
      release();
      await page.unroute('**/graphql');
    };
  }

  test('while another moment loads, that is said, and nothing of the one before is shown', async () => {
    const { page } = visit;
    const { time: other } = (await tell('{ basis { time } }')).basis;
    const region = (name: string | RegExp) => page.getByRole('region', { name });
    const head = page.locator('main h1');
    const shown: readonly (readonly [string, Locator])[] = [
      ['/', page.getByRole('link', { name: /^\d runs$/ })],
      ['/runs', region('List of runs')],
      ['/runs', region('Triggers')],
      ['/trigger?name=on-change', head],
      [`/run?id=${world.run}`, head],
      ['/rules', page.getByRole('link', { name: /^copy-biopsy@/ })],
      ['/rules?tab=productions', region('Productions')],
      ['/rule?name=copy-biopsy', head],
      [`/production?id=${world.production}`, head],
      ['/ask?type=Biopsy&c.donor=Nobody&plan=1', page.getByRole('list', { name: 'Plan' })],
      ['/entities?type=Biopsy', region('Entities of type Biopsy')],
      ['/entity?id=hostile:markup', page.locator('main dd')],
      ['/entity?id=hostile:markup&tab=history', page.locator('.timeline')],
      ['/entity?id=hostile:markup&tab=compare', region('Differences')],
      ['/lineage?id=hostile:markup', region('Lineage')],
      ['/why?subject=entity:hostile:markup', region('Subject')],
      ['/differences?type=Biopsy&from=2001-01-01T00:00:00.000Z', region('Entities that differ')],
    ];
    for (const [address, what] of shown) {
      await open(address);
      await what.first().waitFor();
      const release = await hold(page, other);
      await show(page, asOf(address, other));
      await page.locator('main .loading').first().waitFor();
      expect([address, await what.count()]).toEqual([address, 0]);
      await release();
      await what.first().waitFor();
    }
  });

  test('along its versions one moves on while each of them loads', async () => {
    const { page } = visit;
    await page.goto(`${world.server.url}/console/entity?id=hostile:markup`);
    const slider = page.getByRole('slider', { name: 'Versions' });
    await slider.focus();
    const release = await hold(page, 'query Entity(');
    await page.keyboard.press('ArrowLeft');
    await page.getByText('Loading what it was').waitFor();
    expect(await page.locator('main dd').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
    expect(await page.evaluate('document.activeElement.id')).toBe('versions');
    await release();
    await page.locator('main dd').first().waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('button', { name: 'Edit' }).waitFor();
  });
});
