// The requests to the gateway's REST endpoints whose answers are recorded.

const KEYS = '/api/v1/gateway/auth/api-keys';

export const SYNC = '/api/v1/gateway/sync';

export const JSON_TYPE = { 'content-type': 'application/json' };

export type Who =
  'admin' | 'ada' | 'bob of alpha' | 'lead of two' | 'viewer' | 'service' | 'wrong' | 'nobody';

export interface Case {
  readonly who: Who;
  /** `POST /path`; `{name}` stands for an id that an earlier case has saved. */
  readonly ask: string;
  /** JSON, or raw text. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The name under which the answer's id is saved. */
  readonly save?: string;
}

const EVERYBODY: readonly Who[] = [
  'admin',
  'ada',
  'bob of alpha',
  'lead of two',
  'viewer',
  'service',
  'wrong',
  'nobody',
];

const byAll = (ask: string, body?: unknown): Case[] =>
  EVERYBODY.map((who) => ({ who, ask, ...(body === undefined ? {} : { body }) }));

const byAdmin = (ask: string, ...bodies: readonly unknown[]): Case[] =>
  bodies.length === 0
    ? [{ who: 'admin', ask }]
    : bodies.map((body) => ({ who: 'admin', ask, body }) satisfies Case);

const key = (more: object): object => ({ label: 'made', role: 'viewer', ...more });

/** Invalid as a body of any endpoint. */
const BROKEN: readonly Omit<Case, 'who' | 'ask'>[] = [
  { body: '{"label":' },
  { body: '[]' },
  { body: '"text"' },
  { body: 'null' },
  { body: '{"label":"a","label":"b","role":"viewer"}' },
  { body: '{"label":"\\u0000","role":"viewer","reason":"\\u0000","note":"\\u0000"}' },
  { body: '{}', headers: { 'content-type': 'text/plain' } },
  { body: '{}', headers: { 'content-type': 'application/json; charset=latin1' } },
  { body: '{}', headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } },
  { body: `{"x":"${'a'.repeat(1_100_000)}"}` },
];

const broken = (ask: string): Case[] => BROKEN.map((one) => ({ who: 'admin', ask, ...one }));

export const CREATING: readonly Case[] = [
  ...byAll(`POST ${KEYS}`, key({})),
  ...byAdmin(
    `POST ${KEYS}`,
    key({ role: 'admin' }),
    key({ role: 'service', label: 'robot' }),
    key({ project: 'alpha' }),
    key({ owner: 'user:eve', expires: '2099-01-31' }),
    key({ expires: '2099-01-31T10:00+02:00', owner: null, project: null }),
    key({ expires: '2099-01-31T10:00:00,5+0200' }),
    key({ expires: '2099-01-31T10:00:00.123456789' }),
    key({ unknown: { deep: [1] } }),
    {},
    { label: 'a' },
    { role: 'viewer' },
    key({ label: 7 }),
    key({ label: '' }),
    key({ label: '  ' }),
    key({ label: 'x'.repeat(201) }),
    key({ label: '😀'.repeat(200) }),
    key({ label: '😀'.repeat(201) }),
    key({ label: null }),
    key({ role: 'root' }),
    key({ role: 7 }),
    key({ role: '' }),
    key({ project: 7 }),
    key({ project: '' }),
    key({ owner: 'eve' }),
    key({ owner: 7 }),
    key({ expires: 'tomorrow' }),
    key({ expires: '2001-01-01' }),
    key({ expires: '2099-02-31' }),
    key({ expires: 7 }),
  ),
  { who: 'admin', ask: `POST ${KEYS}` },
  { who: 'admin', ask: `POST ${KEYS}?project=alpha&unknown=1`, body: key({}) },
  { who: 'ada', ask: `POST ${KEYS}`, body: key({ role: 'admin' }) },
  { who: 'ada', ask: `POST ${KEYS}`, body: key({ role: 'service' }) },
  { who: 'ada', ask: `POST ${KEYS}`, body: key({ owner: 'user:eve' }) },
  { who: 'ada', ask: `POST ${KEYS}`, body: key({ owner: 'user:ada', role: 'analyst' }) },
  { who: 'bob of alpha', ask: `POST ${KEYS}`, body: key({ project: 'beta' }) },
  { who: 'bob of alpha', ask: `POST ${KEYS}`, body: key({ project: 'alpha' }) },
  { who: 'bob of alpha', ask: `POST ${KEYS}?project=beta`, body: key({}) },
  { who: 'bob of alpha', ask: `POST ${KEYS}`, body: key({}), headers: { ...JSON_TYPE, 'x-project': 'beta' } },
  { who: 'lead of two', ask: `POST ${KEYS}`, body: key({}) },
  { who: 'lead of two', ask: `POST ${KEYS}`, body: key({ project: 'beta' }) },
  ...broken(`POST ${KEYS}`),
];

export const LISTING: readonly Case[] = [
  ...byAll(`GET ${KEYS}`),
  ...[
    'all=true',
    'all=1',
    'all=FALSE',
    'all=maybe',
    'all=',
    'all=true&all=false',
    'user=ada',
    'user=user:ada',
    'user=nobody',
    'user=',
    'user=ada&user=bob',
    'all=true&user=bob',
    'all=true&limit=2',
    'all=true&limit=2&offset=1',
    'all=true&offset=100',
    'limit=1000',
    'limit=0',
    'limit=1001',
    'limit=-1',
    'limit=x',
    'limit=',
    'limit=1.5',
    'limit=1e2',
    'limit=1&limit=2',
    'limit=99999999999',
    'limit=9999999999999999',
    'offset=-1',
    'offset=-99999999999',
    'offset=x',
    'offset=99999999999',
    'offset=99999999999999999999',
    'cursor=zzz',
    'cursor=',
    'cursor=W10',
    'cursor=W10&cursor=W10',
    'limit=x&offset=y&all=z',
    'unknown=1&project=alpha',
  ].map((query): Case => ({ who: 'admin', ask: `GET ${KEYS}?${query}` })),
  { who: 'ada', ask: `GET ${KEYS}?all=true` },
  { who: 'ada', ask: `GET ${KEYS}?user=user:bob` },
  { who: 'ada', ask: `GET ${KEYS}?user=ada` },
  { who: 'bob of alpha', ask: `GET ${KEYS}?project=beta` },
  { who: 'admin', ask: `GET ${KEYS}/` },
  { who: 'admin', ask: `HEAD ${KEYS}` },
  { who: 'admin', ask: `PUT ${KEYS}` },
  { who: 'nobody', ask: `PUT ${KEYS}` },
  { who: 'admin', ask: `OPTIONS ${KEYS}` },
];

export const ENDING: readonly Case[] = [
  { who: 'admin', ask: `POST ${KEYS}`, body: key({ owner: 'user:ada' }), save: 'first' },
  { who: 'admin', ask: `POST ${KEYS}`, body: key({ owner: 'user:ada', role: 'admin' }), save: 'strong' },
  { who: 'admin', ask: `POST ${KEYS}`, body: key({ owner: 'user:ada' }), save: 'third' },
  { who: 'admin', ask: `POST ${KEYS}`, body: key({ owner: 'user:bob', project: 'beta' }), save: 'beta' },
  ...byAll(`POST ${KEYS}/{first}/rotate`).filter(({ who }) => who !== 'admin' && who !== 'ada'),
  { who: 'ada', ask: `POST ${KEYS}/{strong}/rotate` },
  { who: 'bob of alpha', ask: `POST ${KEYS}/{beta}/rotate` },
  { who: 'ada', ask: `POST ${KEYS}/{first}/rotate` },
  { who: 'ada', ask: `POST ${KEYS}/{first}/rotate` },
  { who: 'admin', ask: `POST ${KEYS}/{strong}/rotate`, body: { ignored: true } },
  ...byAdmin(`POST ${KEYS}/key_none/rotate`, undefined, '{"broken":', `"${'a'.repeat(1_100_000)}"`),
  { who: 'admin', ask: `POST ${KEYS}/none%20here/rotate` },
  ...byAll(`DELETE ${KEYS}/{third}`).filter(({ who }) => who !== 'admin' && who !== 'ada'),
  ...broken(`DELETE ${KEYS}/key_none`),
  ...byAdmin(`DELETE ${KEYS}/{third}`, { reason: '' }, { reason: 7 }, { reason: 'a'.repeat(2001) }),
  { who: 'ada', ask: `DELETE ${KEYS}/{third}`, body: { reason: 'lost\nit', more: 1 } },
  { who: 'ada', ask: `DELETE ${KEYS}/{third}` },
  { who: 'admin', ask: `DELETE ${KEYS}/{first}`, body: { reason: null } },
  { who: 'admin', ask: `DELETE ${KEYS}/key_none` },
  { who: 'admin', ask: `DELETE ${KEYS}/%00` },
  { who: 'admin', ask: `GET ${KEYS}/key_none` },
  { who: 'admin', ask: `GET ${KEYS}/key_none/rotate` },
  { who: 'admin', ask: `POST ${KEYS}/key_none/other` },
];

export const EVENTS: readonly Case[] = [
  ...byAll(`GET ${SYNC}/events`),
  ...[
    'status=unresolved',
    'status=resolved',
    'status=all&limit=2',
    'status=open',
    'status=',
    'status=all&status=all',
    'limit=2&offset=1',
    'limit=500',
    'limit=501',
    'limit=0',
    'limit=-1',
    'limit=x',
    'limit=1e2',
    'limit=99999999999',
    'offset=50',
    'offset=-1',
    'offset=x',
    'offset=99999999999',
    'offset=99999999999999999999',
    'cursor=zzz',
    'cursor=W10',
    'status=open&limit=0&offset=-1',
    'unknown=1',
  ].map((query): Case => ({ who: 'admin', ask: `GET ${SYNC}/events?${query}` })),
  { who: 'admin', ask: `HEAD ${SYNC}/events` },
  { who: 'admin', ask: `POST ${SYNC}/events` },
  ...byAll(`GET ${SYNC}/events/evt_1`),
  { who: 'admin', ask: `GET ${SYNC}/events/evt_none` },
  { who: 'admin', ask: `GET ${SYNC}/events/none%20here` },
  ...byAll(`POST ${SYNC}/events/evt_2/resolve`, { note: 'done' }).filter(({ who }) => who !== 'admin'),
  ...broken(`POST ${SYNC}/events/evt_1/resolve`),
  ...byAdmin(`POST ${SYNC}/events/evt_1/resolve`, { note: 7 }, { note: '' }, { note: 'a'.repeat(10_001) }),
  { who: 'admin', ask: `POST ${SYNC}/events/evt_1/resolve`, body: { note: 'two\nlines' } },
  { who: 'admin', ask: `POST ${SYNC}/events/evt_1/resolve` },
  { who: 'admin', ask: `POST ${SYNC}/events/evt_2/resolve` },
  { who: 'admin', ask: `POST ${SYNC}/events/evt_none/resolve` },
  { who: 'admin', ask: `GET ${SYNC}/events/evt_1` },
  { who: 'admin', ask: `GET ${SYNC}/events?status=resolved` },
  { who: 'admin', ask: `DELETE ${SYNC}/events/evt_1` },
  { who: 'admin', ask: `GET ${SYNC}/events/evt_1/resolve` },
];

export const SCANS: readonly Case[] = [
  ...byAll(`GET ${SYNC}/scan/latest`),
  ...byAll(`POST ${SYNC}/scan`).filter(({ who }) => who !== 'admin'),
  { who: 'admin', ask: `GET ${SYNC}/scan` },
  { who: 'admin', ask: `POST ${SYNC}/scan/latest` },
  { who: 'admin', ask: `POST ${SYNC}/scan`, body: '{"broken":' },
];

export const AFTER_THE_SCAN: readonly Case[] = [
  { who: 'admin', ask: `GET ${SYNC}/scan/latest` },
  { who: 'admin', ask: `HEAD ${SYNC}/scan/latest` },
  { who: 'admin', ask: `GET ${SYNC}/unknown` },
];
