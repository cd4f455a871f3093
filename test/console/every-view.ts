// Every view of the console and every action that it offers: the table that tests of roles, of requests to copy, of
// accessibility and of hostile data go through. A view or an action that is not here fails test/console/hostile-views.test.ts.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { projectRoot } from '../../platform/project-root.ts';
import { HEBREW } from './console-testkit.ts';
import type { World } from './every-view-world.ts';

export type ShownRole = 'viewer' | 'analyst' | 'project_lead' | 'admin';
export const SHOWN_ROLES: readonly ShownRole[] = ['viewer', 'analyst', 'project_lead', 'admin'];

export interface ShownView {
  /** Below `/console`; the world knows the ids. */
  readonly at: (world: World) => string;
  /** Who may use it; others are told so. */
  readonly role?: ShownRole;
}

const view = (at: string, role?: ShownRole): ShownView => ({
  at: () => at,
  ...(role === undefined ? {} : { role }),
});

export const SHOWN_VIEWS: readonly ShownView[] = [
  view(''),
  view('/entities?type=Biopsy&sort=-id&cols=donor,tissue,labels,more'),
  view('/entities?type=Biopsy&f=tissue:eq:liver&filter=data.age%20%3C%2060'),
  view('/entities?type=Biopsy&by=tissue&of=avg.age&project=lab'),
  view('/entities?type=Biopsy&q=d&f=tissue:eq:skin'),
  view('/entities?type=Wide'),
  view('/entity?id=hostile:markup'),
  view('/entity?id=hostile:huge'),
  view(`/entity?id=${encodeURIComponent(`hostile:${HEBREW}`)}`),
  view('/entity?id=wide:1'),
  view('/entity?id=hostile:markup&tab=history'),
  view('/entity?id=hostile:huge&tab=history'),
  view('/entity?id=hostile:markup&tab=compare'),
  view('/entity?id=hostile:markup&tab=compare&other=hostile:huge'),
  view('/differences?type=Biopsy&from=2001-01-01T00:00:00.000Z'),
  view('/differences?type=Biopsy&f=tissue:eq:liver&q=d&from=2001-01-01T00:00:00.000Z&gone=1'),
  view('/entity?id=hostile:markup&tab=relationships'),
  view('/entity?id=file:1&tab=files'),
  view('/entity?id=hostile:markup&tab=made-by'),
  view('/entity?id=hostile:markup&tab=why'),
  view('/why'),
  view('/why?subject=entity:hostile:markup&as=picture'),
  { at: ({ request }) => `/why?subject=request:${request}`, role: 'admin' },
  view('/entity?new=Biopsy', 'analyst'),
  view('/import', 'analyst'),
  view('/types'),
  view('/types?tab=diagram'),
  view('/types?tab=diagram&fields=whole'),
  view('/types?name=Biopsy'),
  view('/types?name=Wide'),
  view('/types?name=Biopsy&tab=rules'),
  view('/types?name=Biopsy&tab=definition'),
  view('/types?name=Biopsy&tab=versions'),
  view('/types?name=Biopsy&tab=change'),
  view('/lineage?id=hostile:markup'),
  view('/lineage?id=hostile:huge'),
  view('/lineage?id=wide:stale'),
  view('/lineage?id=wide:stale&works=arrows'),
  view('/runs'),
  { at: ({ run }) => `/run?id=${run}` },
  view('/trigger?name=lab'),
  view('/trigger?name=lab&tab=observations'),
  view('/trigger?name=on-change&tab=trial'),
  view('/trigger?name=lab&tab=definition'),
  view('/rules'),
  view('/rules?tab=productions'),
  view('/rule?name=copy-biopsy'),
  view('/rule?name=copy-biopsy&tab=definition'),
  view('/rule?name=copy-biopsy&tab=versions'),
  view('/rule?new=1'),
  view('/rule?new=1&of=copy-biopsy@1', 'analyst'),
  view('/ask?type=Biopsy&c.donor=Nobody&plan=1'),
  { at: ({ production }) => `/production?id=${production}` },
  view('/refresh'),
  view('/refresh?id=wide:stale'),
  { at: ({ refresh }) => `/refresh?request=${refresh}` },
  view('/compare'),
  view('/compare?of=rule&one=copy-biopsy@1'),
  { at: ({ production: one, otherProduction: other }) => `/compare?of=production&one=${one}&other=${other}` },
  { at: ({ run: one, otherRun: other }) => `/compare?of=run&one=${one}&other=${other}` },
  view('/compare?of=rule&one=copy-biopsy@1&other=copy-biopsy'),
  view('/compare?of=type&one=Biopsy&other=Wide@1'),
  view('/admin'),
  view('/admin?tab=measurements', 'admin'),
  view('/admin?tab=backups', 'admin'),
  view('/admin?tab=keys', 'analyst'),
  view('/admin?tab=sign-ins'),
  view('/admin?tab=users', 'admin'),
  view('/admin?tab=clients', 'admin'),
  view('/admin?tab=projects', 'admin'),
  view('/admin?tab=audit', 'admin'),
  { at: ({ request }) => `/admin?tab=audit&request=${request}`, role: 'admin' },
  view('/admin?tab=configuration', 'admin'),
  view('/admin?tab=store', 'admin'),
  view('/admin?tab=consistency', 'admin'),
  view('/nowhere'),
];

export interface ShownAction {
  readonly at: (world: World) => string;
  readonly role: ShownRole;
  /** What has to be done before it is offered, as far as who is signed in can do it. */
  readonly before?: (page: Page) => Promise<void>;
  /** What begins it. */
  readonly offer: (page: Page) => Locator;
  /** Whether `offer` opens a dialog, whose own button copies the request. */
  readonly isDialog?: true;
  /** From the offer to where its request is shown. */
  readonly then?: (page: Page) => Promise<void>;
}

const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first();
const choose = async (page: Page): Promise<void> => {
  const box = page.getByLabel('Select biopsy:1', { exact: true });
  if ((await box.count()) > 0) await box.check();
};
const sheet = (text: string) => async (page: Page) => {
  const input = page.getByLabel('Drop a sheet here');
  if ((await input.count()) === 0) return;
  await input.setInputFiles({ name: 'things.csv', mimeType: '', buffer: Buffer.from(text) });
};
const isBusy = async (page: Page): Promise<void> => {
  await page.route('**/graphql', async (route) => {
    if (
      !/(?:query (?:Production|Run)|subscription (?:Production)?Progress)\(/.test(
        route.request().postData() ?? '',
      )
    )
      return route.fallback();
    const response = await route.fetch();
    const text = await response.text();
    return route.fulfill({ response, body: text.replace(/"status":"\w+"/, '"status":"running"') });
  });
  await page.reload();
};
const biopsies = (): string => '/entities?type=Biopsy&filter=id%20%3D%3D%20%22biopsy:1%22';

/** By the name of its operation in the console's source. */
export const SHOWN_ACTIONS: Readonly<Record<string, ShownAction>> = {
  CreateEntity: { at: () => '/entity?new=Biopsy', role: 'analyst', offer: button('Create') },
  UpdateEntity: {
    at: () => '/entity?id=biopsy:1',
    role: 'analyst',
    offer: button('Edit'),
    then: (page) => page.getByLabel('age').fill('44'),
  },
  SetAvailability: {
    at: () => '/entity?id=biopsy:1',
    role: 'project_lead',
    offer: button('Make unavailable'),
    isDialog: true,
  },
  BulkEdit: {
    at: biopsies,
    role: 'analyst',
    before: choose,
    offer: button('Edit …'),
    isDialog: true,
    then: (page) => page.getByRole('button', { name: 'Show what would change' }).click(),
  },
  CheckBulkEdit: {
    at: biopsies,
    role: 'analyst',
    before: choose,
    offer: button('Edit …'),
    isDialog: true,
    then: (page) => page.getByRole('button', { name: 'Show what would change' }).click(),
  },
  SetAvailabilityBulk: {
    at: biopsies,
    role: 'project_lead',
    before: choose,
    offer: button('Make unavailable'),
    isDialog: true,
  },
  Relate: { at: () => '/entity?id=biopsy:1&tab=relationships', role: 'analyst', offer: button('Relate') },
  CheckSheet: {
    at: () => '/import',
    role: 'analyst',
    before: sheet('id,donor,tissue\nb:new,D-1,liver\n'),
    offer: button('Check'),
  },
  LoadSheet: {
    at: () => '/import?type=Biopsy',
    role: 'analyst',
    before: sheet('id,donor,tissue\nb:new,D-1,liver\n'),
    offer: button('Check'),
    then: async (page) => {
      await page.getByRole('button', { name: 'Check' }).click();
      await page.getByRole('button', { name: 'Load 1 row' }).waitFor();
    },
  },
  RegisterType: {
    at: () => '/import',
    role: 'admin',
    before: async (page) => {
      if ((await page.getByLabel('Drop a sheet here').count()) === 0) return;
      await sheet('unheard,of\n1,2\n')(page);
      await page.getByRole('button', { name: 'Propose a new type' }).click();
      await page.getByRole('button', { name: 'Propose a schema' }).click();
      await page.getByRole('region', { name: 'Proposed fields' }).waitFor();
    },
    offer: button('Register this type'),
  },
  RegisterVersion: {
    at: () => '/types?name=Biopsy',
    role: 'admin',
    offer: (page) => page.getByRole('link', { name: 'Change', exact: true }),
    then: async (page) => {
      await page.getByRole('button', { name: 'Check against stored data' }).click();
      await page.getByRole('button', { name: 'Register this version' }).waitFor();
    },
  },
  RunTrigger: { at: () => '/trigger?name=lab', role: 'analyst', offer: button(/^Run /) },
  // of triggers without a project; where there is one, its leads may, too (triggers-shown.test.ts)
  PauseTrigger: {
    at: () => '/trigger?name=lab',
    role: 'admin',
    offer: button('Pause …'),
    isDialog: true,
  },
  ResumeTrigger: { at: () => '/trigger?name=on-change', role: 'admin', offer: button('Resume') },
  Redeliver: { at: () => '/runs', role: 'admin', offer: button(/^Deliver again/) },
  CancelRun: { at: ({ run }) => `/run?id=${run}`, role: 'analyst', before: isBusy, offer: button(/Cancel/) },
  CancelProduction: {
    at: ({ production }) => `/production?id=${production}`,
    role: 'analyst',
    before: isBusy,
    offer: button(/Cancel/),
  },
  Produce: {
    at: () => '/ask?type=Biopsy&c.donor=Nobody&plan=1',
    role: 'analyst',
    offer: button('Produce it'),
  },
  Refresh: { at: () => '/refresh?id=wide:stale', role: 'analyst', offer: button(/^Make 1 result anew/) },
  // of one's own scope
  CheckRule: { at: () => '/rule?new=1', role: 'viewer', offer: button('Check') },
  RegisterRule: { at: () => '/rule?new=1&of=copy-biopsy@1', role: 'analyst', offer: button('Register') },
  CreateKey: {
    at: () => '/admin?tab=keys',
    role: 'analyst',
    offer: button('New key'),
    isDialog: true,
    then: (page) => page.getByLabel('Label').fill('copied'),
  },
  RevokeKey: { at: () => '/admin?tab=keys', role: 'analyst', offer: button(/^Revoke/), isDialog: true },
  EndSignIn: { at: () => '/admin?tab=sign-ins', role: 'viewer', offer: button(/^End/) },
  SignOutEverywhere: {
    at: () => '/admin?tab=sign-ins',
    role: 'viewer',
    offer: button(/^Sign out everywhere/),
    isDialog: true,
  },
  Evict: { at: () => '/admin?tab=store', role: 'admin', offer: button('Evict …'), isDialog: true },
  VerifyStore: { at: () => '/admin?tab=store', role: 'admin', offer: button('Verify all files') },
  StartScan: { at: () => '/admin?tab=consistency', role: 'admin', offer: button('Scan now') },
  ResolveMismatch: { at: () => '/admin?tab=consistency', role: 'admin', offer: button(/^Resolve/) },
};

const sources = (): readonly (readonly [string, string])[] =>
  readdirSync(path.join(projectRoot, 'console'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('generated'))
    .map((file) => [file, readFileSync(path.join(projectRoot, 'console', file), 'utf8')]);

/** The mutations in the console's source. */
export const namedActions = (): readonly string[] =>
  sources().flatMap(([, text]) => [...text.matchAll(/\bmutation (\w+)/g)].map(([, name]) => name ?? ''));

/** The views of the source, and their tabs but the first, as `view?tab`. */
export function namedViews(): readonly string[] {
  const [, table = ''] = /const VIEWS[^{]*\{([\s\S]*?)\n\};/.exec(
    readFileSync(path.join(projectRoot, 'console/app.tsx'), 'utf8'),
  ) ?? [''];
  const views = [...table.matchAll(/^ {2}(?:'([^']*)'|(\w+)): \{/gm)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
  const tabs = sources().flatMap(([file, text]) => {
    const of = path.basename(file, '.tsx').replace('type-details', 'types');
    const keys = (part: string): string[] =>
      [...part.matchAll(/\{ key: '([\w-]+)', title: /g)].map(([, key]) => `${of}?${key}`);
    const lists = [...text.matchAll(/const (?:TABS|PARTS)\b[^=]*= \[([\s\S]*?)\n\]/g)];
    const single = [...text.matchAll(/const [A-Z]+ = \{ key: '[\w-]+', title: .*/g)];
    return [
      ...lists.flatMap(([, list = '']) => keys(list).slice(1)),
      ...single.flatMap(([line]) => keys(line)),
    ];
  });
  return [...views, ...tabs];
}
