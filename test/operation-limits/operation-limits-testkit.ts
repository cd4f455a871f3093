// What the tests of limits of operations share.
import { availableParallelism, loadavg } from 'node:os';
import { type Answered } from './served.ts';

/** Duration in seconds, set by CAIRN_FUZZ_SECONDS; another seed by CAIRN_FUZZ_SEED. */
export const SECONDS = Number(process.env['CAIRN_FUZZ_SECONDS'] ?? 6);
/** So many at least, however busy the machine is: the first ones are the same in each run. */
export const LEAST = 24;

export const SEED = Number(process.env['CAIRN_FUZZ_SEED'] ?? 1);

export const LIMIT = { bytes: 32 * 1024 * 1024, loopMs: 250, livezMs: 100, memory: 2 * 512 * 1024 * 1024 };

/** Factor by which this machine is slower than usual: now, or for the processes that waited in the last minute. */
export function busyness(): number {
  const [from, cpu] = [performance.now(), process.cpuUsage()];
  while (performance.now() - from < 60);
  const { user, system } = process.cpuUsage(cpu);
  const waiting = (loadavg()[0] ?? 0) / availableParallelism();
  return Math.max(1, waiting, ((performance.now() - from) * 1000) / Math.max(1, user + system));
}

export interface Seen {
  readonly answer: Answered;
  readonly loopMs: number;
  /** Of the slowest sign of life, what the server was the cause of; and with what other processes were. */
  readonly livezMs: number;
  readonly livezWaited: number;
}

export const worst = {
  loopMs: { value: 0, of: '' },
  ms: { value: 0, of: '' },
  memory: { value: 0, of: '' },
  livezMs: { value: 0, of: '' },
  livezWaited: { value: 0, of: '' },
  bytes: { value: 0, of: '' },
};

export const note = (name: keyof typeof worst, value: number, of: string): void => {
  if (value > worst[name].value) worst[name] = { value, of };
};

const hops = (count: number, limit: string): string =>
  `{ entity(id: "hub-0") { ${'relationships'.concat(limit, ' { target { ').repeat(count)} id ${'} } '.repeat(count)} } }`;

const often = (times: number, part: (i: number) => string): string =>
  Array.from({ length: times }, (_, i) => part(i)).join(' ');

export const ATTACKS: [string, string, RegExp][] = [
  [
    'entities of productions, for another component',
    '{ productions(limit: 60) { productions { id entities { id data } } } }',
    /"limit":"objects"/,
  ],
  [
    'logs and plans of productions',
    '{ productions(limit: 1000) { productions { id log plan } } }',
    /"limit":"bytes","asked":3\d{7},/, // nothing more was read
  ],
  [
    'the runs of many entities',
    '{ entities(entityType: "Sample", limit: 1000) { items { runs(limit: 30) { runId errors } } } }',
    /"limit":"bytes","asked":3\d{7},/, // nothing more was read
  ],
  [
    'six hops over twelve entities that all relate',
    hops(6, ''),
    /"limit":"cost","asked":\d+,"allowed":1000000/,
  ],
  ['five hops that may be asked', hops(5, '(limit: 12)'), /"limit":"objects"/],
  [
    'three hops over a population',
    '{ entity(id: "population") { relationships(limit: 1000) { target { relationships(limit: 3) { source { relationships(limit: 90) { target { id data } } } } } } } }',
    /"limit":"objects"/,
  ],
  [
    'histories of large entities under many aliases',
    `{ ${often(9, (i) => `a${i}: entities(entityType: "Large", limit: 1000) { items { data history { payload } } }`)} }`,
    /"limit":"bytes"/,
  ],
  [
    'large values under many names, as text',
    `{ entities(entityType: "Large", limit: 50) { items { ${often(50, (i) => `d${i}: data`)} } } }`,
    /"limit":"bytes"/,
  ],
  [
    'large values under many names, as values',
    `{ entities(entityType: "Large", limit: 50) { items { ...F } } } fragment F on Entity { ${often(50, (i) => `d${i}: data`)} }`,
    /"limit":"bytes"/,
  ],
  [
    'one large entity shown at many places',
    `{ ${often(20, (i) => `a${i}: entity(id: "large-0") { ${often(4, (n) => `d${n}: data`)} history { payload } }`)} }`,
    /^/,
  ],
  [
    'many fields of many',
    `{ entities(entityType: "Sample", limit: 1000) { items { ${often(95, (i) => `i${i}: id`)} relationships(limit: 5) { id } } } }`,
    /^\{"data"/,
  ],
  [
    'types of fields of types',
    `{ ${often(5, (i) => `s${i}: __schema { types { fields { type { fields { type { fields { name } } } } } } }`)} }`,
    /Maximum introspection depth|"limit":"cost"/,
  ],
  [
    'what types are made of, under many names',
    `{ ${often(20, (i) => `s${i}: __schema { types { name fields { name args { name type { name } } type { name ofType { name ofType { name } } } } } }`)} }`,
    /^/,
  ],
];

export const TABLES = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  arrow: 'application/vnd.apache.arrow.stream',
  parquet: 'application/vnd.apache.parquet',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};
