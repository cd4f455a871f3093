// Two samples, a reference, and three results of each sample that are made of one another: what single changes are made to.
import type { TestServer } from '../testkit/server.ts';
import { plant } from './planted-results.ts';
import { addRule, addSchema, shell } from './production-testkit.ts';
import { field } from './schema-field.ts';

const OUTPUTS = [
  'uri: {type: File, outputBinding: {glob: out.txt}}',
  "sample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}",
].join('\n');
const tool = (command: string, inputs: string): string => shell(command, inputs, OUTPUTS);

export const WORKFLOWS = {
  align: tool(
    'echo $(inputs.reads) > out.txt',
    'sample: string\nreads: string\nage: int\nbuild: string\nreference: File\nthreads: {type: int, default: 1}',
  ),
  call: tool('cat $(inputs.aligned.path) > out.txt', 'sample: string\naligned: File\nquality: int?'),
  report: tool('cat $(inputs.called.path) > out.txt', 'sample: string\ncalled: File\nnote: string'),
};
export type RuleName = keyof typeof WORKFLOWS;
export const RULES = {
  align: {
    produces: { entity_type: 'Aligned', match: { sample: '{sample}' } },
    requires: [{ ref: 'Sample(name={sample})' }, { ref: 'Reference(name=b38)' }],
  },
  call: {
    produces: { entity_type: 'Called', match: { sample: '{sample}' } },
    requires: [{ ref: 'Aligned(sample={sample})' }],
  },
  report: {
    produces: { entity_type: 'Report', match: { sample: '{sample}' } },
    requires: [{ ref: 'Called(sample={sample})' }, { ref: 'Sample(name={sample})' }],
  },
};

const HASH = 'a'.repeat(64);
const STORED = `https://one.example/api/v1/artifact/files/${HASH}`;
export const STORED_ELSEWHERE = `https://two.example/api/v1/artifact/files/${HASH}`;
export const OTHER_FILE = `https://one.example/api/v1/artifact/files/${'b'.repeat(64)}`;

/** By id, as they are before each change. */
const DATA: Readonly<Record<string, { readonly type: string; readonly data: Record<string, unknown> }>> = {
  ...Object.fromEntries(
    ['s1', 's2'].map((name) => [
      name,
      {
        type: 'Sample',
        data: { name, reads: 'a', age: 5, note: 'n', uri: 'https://x.example/s', comment: 'c' },
      },
    ]),
  ),
  ref: {
    type: 'Reference',
    data: {
      name: 'b38',
      build: 'b38',
      uri: STORED,
      format: 'http://edamontology.org/format_1929',
      label: 'l',
    },
  },
  ...Object.fromEntries(
    ['1', '2'].flatMap((n) =>
      [
        ['Aligned', 'A'],
        ['Called', 'C'],
        ['Report', 'R'],
      ].map(([type = '', letter = '']) => [
        `${letter}${n}`,
        { type, data: { sample: `s${n}`, uri: `https://x.example/${letter}${n}`, quality: 1, comment: 'c' } },
      ]),
    ),
  ),
};

export async function put(
  server: TestServer,
  id: string,
  change: Record<string, unknown> = {},
): Promise<void> {
  const { type, data } = DATA[id] ?? { type: 'Sample', data: { name: id } };
  const body = { entity_type: type, id, data: { ...data, ...change } };
  const { status, text } = await server.rest('POST', '/api/v1/metadata/ingest', { body });
  if (status !== 200) throw new Error(text);
}

export const setRule = (
  server: TestServer,
  name: RuleName,
  cwl = WORKFLOWS[name],
  more = {},
): Promise<void> => addRule(server, name, cwl, { ...RULES[name], ...more });

export async function withdraw(server: TestServer, name: string): Promise<void> {
  const { status, text } = await server.rest('PATCH', `/api/v1/artifact/rules/${name}`, {
    body: { status: 'deprecated', deprecation_note: 'over' },
  });
  if (status !== 200) throw new Error(text);
}

export async function setAvailable(server: TestServer, id: string, isAvailable: boolean): Promise<void> {
  const { status, text } = await server.rest('POST', `/api/v1/metadata/entities/${id}/availability`, {
    body: { is_available: isAvailable },
  });
  if (status !== 200) throw new Error(text);
}

export async function buildWorld(server: TestServer): Promise<void> {
  const fields = (...names: string[]) => names.map((name) => field(name, name === 'uri' ? 'uri' : 'string'));
  const numbers = (...names: string[]) => names.map((name) => field(name, 'int'));
  const schemas = {
    Sample: [...fields('name', 'reads', 'note', 'uri', 'comment'), ...numbers('age')],
    Reference: fields('name', 'build', 'uri', 'format', 'label'),
    Aligned: [...fields('uri', 'sample', 'comment'), ...numbers('quality')],
    Called: [...fields('uri', 'sample', 'comment'), ...numbers('quality')],
    Report: [...fields('uri', 'sample', 'comment'), ...numbers('quality')],
  };
  for (const [name, of] of Object.entries(schemas))
    await addSchema(server, { name, version: '1', fields: of });
  for (const name of ['align', 'call', 'report'] as const) await setRule(server, name);
  for (const id of ['s1', 's2', 'ref']) await put(server, id);
  for (const n of ['1', '2'])
    for (const letter of ['A', 'C', 'R']) {
      const { type = '', data = {} } = DATA[`${letter}${n}`] ?? {};
      await plant(server, { entityType: type, id: `${letter}${n}`, data, criteria: { sample: `s${n}` } });
    }
}
