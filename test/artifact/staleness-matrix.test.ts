// docs/reference/artifact.md#staleness: 60 single changes, each with the exact set of stale results and the way of each
// reason, 25 of them with none; each is taken back, and nothing is stale again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';
import { addRule } from './production-testkit.ts';
import {
  buildWorld,
  OTHER_FILE,
  put,
  type RuleName,
  RULES,
  setAvailable,
  setRule,
  STORED_ELSEWHERE,
  withdraw,
  WORKFLOWS,
} from './staleness-matrix-world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await buildWorld(server);
});
afterAll(() => server[Symbol.asyncDispose]());

/** A result, the kind and input of a reason, and the way to it. */
type Reason = readonly [string, string, ...string[]];
interface Change {
  readonly make: () => Promise<unknown>;
  readonly undo: () => Promise<unknown>;
  readonly stale: readonly Reason[];
}

const AFTER: Readonly<Record<string, string>> = { A: 'C', C: 'R' };
/** The reason of a result, and of those that are made of it. */
function chain(id: string, kind: string, via: readonly string[] = []): Reason[] {
  const [letter = '', n = ''] = id;
  const next = AFTER[letter];
  const own: Reason = [id, kind, ...via];
  return next === undefined ? [own] : [own, ...chain(`${next}${n}`, kind, [id, ...via])];
}
const both = (letter: string, kind: string): Reason[] =>
  ['1', '2'].flatMap((n) => chain(`${letter}${n}`, kind));
const input = (name: string): string => `INPUT_CHANGED ${name}`;

const data = (id: string, change: Record<string, unknown>, stale: readonly Reason[] = []): Change => ({
  make: () => put(server, id, change),
  undo: () => put(server, id),
  stale,
});
const away = (id: string, stale: readonly Reason[] = []): Change => ({
  make: () => setAvailable(server, id, false),
  undo: () => setAvailable(server, id, true),
  stale,
});
const rule = (name: RuleName, cwl: string | undefined, stale: readonly Reason[] = [], more = {}): Change => ({
  make: () => setRule(server, name, cwl, more),
  undo: () => setRule(server, name),
  stale,
});
const withdrawn = (name: RuleName, stale: readonly Reason[]): Change => ({
  make: () => withdraw(server, name),
  undo: () => setRule(server, name),
  stale,
});
const nothing = (
  make: () => Promise<unknown>,
  undo: () => Promise<unknown> = async () => undefined,
): Change => ({
  make,
  undo,
  stale: [],
});
const post = async (path: string, body: unknown): Promise<void> => {
  const { status, text } = await server.rest('POST', path, { body });
  if (status >= 300) throw new Error(text);
};
const FIRST: Readonly<Record<RuleName, string>> = { align: 'A', call: 'C', report: 'R' };
const NAMES = ['align', 'call', 'report'] as const;
const { align, call } = WORKFLOWS;

const CHANGES: Readonly<Record<string, Change>> = {
  ...Object.fromEntries(
    ['1', '2'].flatMap((n): [string, Change][] => [
      [`reads of sample ${n}`, data(`s${n}`, { reads: 'b' }, chain(`A${n}`, input('reads')))],
      [`age of sample ${n}`, data(`s${n}`, { age: 6 }, chain(`A${n}`, input('age')))],
      [`note of sample ${n}`, data(`s${n}`, { note: 'm' }, chain(`R${n}`, input('note')))],
      [
        `reads and note of sample ${n}`,
        data(`s${n}`, { reads: 'b', note: 'm' }, [
          ...chain(`A${n}`, input('reads')),
          ...chain(`R${n}`, input('note')),
        ]),
      ],
      [
        `sample ${n} is away`,
        away(`s${n}`, [...chain(`A${n}`, 'INPUT_GONE'), ...chain(`R${n}`, 'INPUT_GONE')]),
      ],
      [`a comment on sample ${n}`, data(`s${n}`, { comment: 'd' })],
      [`file of aligned ${n}`, data(`A${n}`, { uri: OTHER_FILE }, chain(`C${n}`, input('aligned')))],
      [`quality of aligned ${n}`, data(`A${n}`, { quality: 2 }, chain(`C${n}`, input('quality')))],
      [`aligned ${n} is away`, away(`A${n}`, chain(`C${n}`, 'INPUT_GONE'))],
      [`file of called ${n}`, data(`C${n}`, { uri: OTHER_FILE }, chain(`R${n}`, input('called')))],
      [`called ${n} is away`, away(`C${n}`, chain(`R${n}`, 'INPUT_GONE'))],
      [`quality of called ${n}, which is no input`, data(`C${n}`, { quality: 2 })],
      [`report ${n} is away`, away(`R${n}`)],
    ]),
  ),
  'build of the reference': data('ref', { build: 'b39' }, both('A', input('build'))),
  'file of the reference': data('ref', { uri: OTHER_FILE }, both('A', input('reference'))),
  'format of the file': data(
    'ref',
    { format: 'http://edamontology.org/format_2573' },
    both('A', input('reference')),
  ),
  'the reference is away': away('ref', both('A', 'INPUT_GONE')),
  'the same file at another server': data('ref', { uri: STORED_ELSEWHERE }),
  'label of the reference': data('ref', { label: 'm' }),
  'a field that no workflow takes': data('s1', { uri: 'https://y.example/s' }),
  'data of a report by hand': data('R1', { comment: 'd' }),
  'an external id of a sample': nothing(() =>
    post('/api/v1/metadata/entities/s1/external-ids', { id_type: 'biosample', external_id: 'SAMEA1' }),
  ),
  'a second reference of the same name': nothing(
    () => post('/api/v1/metadata/ingest', { entity_type: 'Reference', id: 'ref2', data: { name: 'b38' } }),
    () => setAvailable(server, 'ref2', false),
  ),
  'another sample': nothing(() => put(server, 's3', { reads: 'z' })),
  'a value that was changed and changed back': nothing(async () => {
    await put(server, 's1', { reads: 'b' });
    await put(server, 's1');
  }),
  'away and there again': nothing(async () => {
    await setAvailable(server, 's1', false);
    await setAvailable(server, 's1', true);
  }),
  'a relationship of a sample': nothing(() =>
    post('/api/v1/metadata/entities/s1/relationships', {
      target_entity_id: 's2',
      relationship_type: 'sibling',
    }),
  ),
  ...Object.fromEntries(
    NAMES.flatMap((name): [string, Change][] => [
      [`a comment in ${name}`, rule(name, `# ${name}\n${WORKFLOWS[name]}`)],
      [
        `another command of ${name}`,
        rule(
          name,
          WORKFLOWS[name].replace('> out.txt', '| sort > out.txt'),
          both(FIRST[name], 'RULE_CHANGED'),
        ),
      ],
      [`${name} is withdrawn`, withdrawn(name, both(FIRST[name], 'RULE_WITHDRAWN'))],
    ]),
  ),
  'documentation of an input': rule(
    'align',
    align.replace('threads: {type: int,', 'threads: {doc: how many, type: int,'),
  ),
  'a label of a workflow': rule(
    'call',
    call.replace('class: CommandLineTool', 'class: CommandLineTool\nlabel: calls'),
  ),
  'a description of a rule': rule('align', undefined, [], { description: 'aligns', tags: ['dna'] }),
  'a version that is not active': rule('align', align.replace('> out', '>> out'), [], { replace: false }),
  'another name of the same rule': {
    make: async () => {
      await addRule(server, 'align-again', align, RULES.align);
      await withdraw(server, 'align');
    },
    undo: async () => {
      await setRule(server, 'align');
      await withdraw(server, 'align-again');
    },
    stale: [],
  },
  'a default': rule('align', align.replace('default: 1', 'default: 2'), both('A', 'RULE_CHANGED')),
  'another type of an input': rule(
    'align',
    align.replace('age: int', 'age: long'),
    both('A', 'RULE_CHANGED'),
  ),
  'an input more': rule(
    'align',
    align.replace('age: int', 'age: int\n  depth: int?'),
    both('A', 'RULE_CHANGED'),
  ),
  'an input less': rule('call', call.replace('  quality: int?\n', ''), both('C', 'RULE_CHANGED')),
  'a requirement more': rule('call', undefined, both('C', 'RULE_CHANGED'), {
    requires: [...RULES.call.requires, { ref: 'Reference(name=b38)' }],
  }),
  'one output as a list': rule('report', undefined, [], { produces: [RULES.report.produces] }),
};

interface Row {
  readonly entity_id: string;
  readonly staleness: { readonly reasons: readonly { kind: string; input: string | null; via: string[] }[] };
}
async function staleNow(): Promise<string[]> {
  const { body } = await server.rest('GET', '/api/v1/artifact/staleness?limit=1000');
  expect(body.is_complete).toBe(true);
  return (body.items as Row[])
    .flatMap(({ entity_id: id, staleness: { reasons } }) =>
      reasons.map(({ kind, input: name, via }) =>
        [id, name === null ? kind : `${kind} ${name}`, ...via].join(' < '),
      ),
    )
    .toSorted();
}

test('there are 60 changes, and 25 of them make no difference', () => {
  const all = Object.values(CHANGES);
  expect(all).toHaveLength(60);
  expect(all.filter(({ stale }) => stale.length === 0)).toHaveLength(25);
});

test.each(Object.keys(CHANGES))('%s', async (name) => {
  const { make, undo, stale } = CHANGES[name] as Change; // one of its keys
  await make();
  const told = await staleNow();
  await undo();
  expect(told).toEqual(stale.map((reason) => reason.join(' < ')).toSorted());
  expect(await staleNow()).toEqual([]);
});
