// Crates of random rules satisfy the requirements of the Workflow Run Crate profiles, and nearly all
// recommendations.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { validateCwl } from '../../subgraphs/artifact/cwl/validate.ts';
import { addressOf, referenceOf } from '../../subgraphs/artifact/cwl-source/workflow-identity.ts';
import { workflowRunCrate } from '../../subgraphs/artifact/ro-crate/workflow-run-crate.ts';
import type { CrateSource } from '../../subgraphs/artifact/ro-crate/crate-source.ts';
import { type Crate, holdAgainstProfiles } from './ro-crate-shapes.ts';
import { base64 } from './registration-testkit.ts';

/** Types of parameters with values. */
const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 });
const file = fc.record({
  class: fc.constant('File'),
  location: fc.oneof(
    hex.map((hash) => `file:///store/${hash}`),
    fc.webUrl(),
  ),
  format: fc.constantFrom('http://edamontology.org/format_3016', undefined),
});
const KINDS = [
  { type: 'string', value: fc.string() },
  { type: 'int', value: fc.integer() },
  { type: 'double?', value: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })) },
  { type: 'boolean', value: fc.boolean() },
  { type: 'Any', value: fc.oneof(fc.string(), file, fc.record({ deep: file })) },
  { type: 'File', value: file },
  { type: 'File?', value: fc.option(file) },
  { type: 'File[]', value: fc.array(file, { maxLength: 3 }) },
  { type: 'Directory', value: file.map((one) => ({ ...one, class: 'Directory' })) },
  { type: 'string[]', value: fc.array(fc.string(), { maxLength: 3 }) },
  { type: '[string, File]', value: fc.oneof(fc.string(), file) },
] as const;
const parameter = fc
  .constantFrom(...KINDS)
  .chain(({ type, value }) =>
    fc.record({ type: fc.constant(type), value: value as fc.Arbitrary<unknown>, isGiven: fc.boolean() }),
  );
const parameters = (least: number) =>
  fc.dictionary(fc.stringMatching(/^[a-z][a-z_]{0,7}$/), parameter, {
    minKeys: least,
    maxKeys: 5,
    noNullPrototype: true,
  });

interface Drawn {
  readonly type: string;
  readonly value: unknown;
  readonly isGiven: boolean;
}
const declared = (of: Readonly<Record<string, Drawn>>): string =>
  Object.entries(of)
    .map(([name, { type }]) => `  ${name}: {type: ${type.startsWith('[') ? type : `"${type}"`}}\n`)
    .join('');

/** A workflow of some steps, each with a tool of its own or the same one, or a single tool. */
function cwlOf(
  inputs: Readonly<Record<string, Drawn>>,
  outputs: Readonly<Record<string, Drawn>>,
  steps: number,
): string {
  const ports = `inputs:\n${declared(inputs)}${Object.keys(inputs).length === 0 ? '  {}\n' : ''}outputs:\n`;
  if (steps === 0)
    return `cwlVersion: v1.2\nclass: CommandLineTool\nlabel: alone\nbaseCommand: "true"\n${ports}${declared(outputs)}`;
  const tool = (i: number): string =>
    `  s${i}:\n    in: {}\n    out: [one]\n    run: {class: CommandLineTool, ${i % 2 === 0 ? 'label: "A tool", ' : ''}baseCommand: "true", inputs: {}, outputs: {one: {type: string, outputBinding: {outputEval: "x"}}}}\n`;
  return `cwlVersion: v1.2\nclass: Workflow\n${ports}${declared(outputs).replaceAll('}\n', ', outputSource: s0/one}\n')}steps:\n${Array.from({ length: steps }, (_, i) => tool(i)).join('')}`;
}

const rule = fc.record({
  inputs: parameters(0),
  outputs: parameters(1),
  steps: fc.integer({ min: 0, max: 4 }),
  url: fc.constantFrom('https://a.test/w/main.cwl', null),
  description: fc.option(fc.string({ minLength: 1 })),
  actor: fc.constantFrom('user:rita', 'service:workflow'),
  registeredBy: fc.constantFrom('user:rita', 'user:anna', 'service:artifact'),
  runner: fc.constantFrom('cwltool 3.1.20230209161050', 'wes Some Service 1.2', 'cwltool', null),
});

/** The files of a value, by the field that holds them. */
const filesOf = (
  name: string,
  value: unknown,
): readonly { field: string; location: string; hash: string; size: number; name: string }[] =>
  [value].flat().flatMap((one, i) =>
    typeof one === 'object' && one !== null && 'location' in one
      ? [
          {
            field: Array.isArray(value) ? `${name}[${i}]` : name,
            location: String(one.location),
            hash: `sha256:${'0'.repeat(64)}`,
            size: 5,
            name: `${name}.txt`,
          },
        ]
      : [],
  );

const INSTANT = '2026-01-31T09:30:00.123456Z';

const RULE = {
  name: 'drawn',
  version: 3,
  definition: { name: 'drawn', produces: { entity_type: 'Thing' } },
  status: 'active' as const,
  scope: 'global' as const,
  tags: [],
  cwlHash: `sha256:${'1'.repeat(64)}`,
  workflowHash: `sha256:${'2'.repeat(64)}`,
  previousVersion: null,
  deprecationNote: null,
  registeredAt: INSTANT,
  asOf: null,
  isStatic: false,
  causedBy: null,
};

const IMAGES = [null, `sha256:${'a'.repeat(64)}`].map((digest, n) => ({
  image: `quay.io/tools/drawn:${n}`,
  digest,
  image_id: null,
}));

/** The record of a production of the rule, as the service collects it. */
async function sourceOf({
  inputs,
  outputs,
  steps,
  url,
  description,
  actor,
  registeredBy,
  runner,
}: typeof rule extends fc.Arbitrary<infer Value> ? Value : never): Promise<CrateSource> {
  // types of a workflow's outputs would have to fit their steps: the crate only shows the types
  const text = cwlOf(
    inputs,
    steps === 0
      ? outputs
      : Object.fromEntries(
          Object.entries(outputs).map(([name, drawn]) => [name, { ...drawn, type: 'string', value: 'x' }]),
        ),
    steps,
  );
  const execute = url === null ? { cwl_content: base64(text) } : { cwl_url: url };
  const at = addressOf(execute).url;
  const result = await validateCwl(text, { url: at });
  if (!result.valid) throw new Error(JSON.stringify(result.problems));
  const { parts, ...workflow } = result.workflow;
  const made = Object.entries(outputs).filter(([, { isGiven }]) => steps > 0 || isGiven);
  const given = Object.entries(inputs).filter(([, { isGiven, value }]) => isGiven && value !== null);
  return {
    settings: { license: null, publisher: null },
    workflow: {
      ...workflow,
      parts: parts.map(({ url: own, ...part }) => ({ ...part, reference: referenceOf(at, own) })),
    },
    workflowUrl: url,
    workflowText: text,
    rule: { ...RULE, definition: { ...RULE.definition, execute }, description, registeredBy },
    production: {
      id: 'p1',
      entityType: 'Thing',
      criteria: {},
      rule: 'drawn@3',
      status: 'completed',
      entityIds: ['e1'],
      error: null,
      requestedBy: actor,
      requestId: null,
      planHash: null,
      requestedAt: INSTANT,
      startedAt: INSTANT,
      finishedAt: INSTANT,
      parameters: {},
      inputs: JSON.parse(JSON.stringify(Object.fromEntries(given.map(([name, { value }]) => [name, value])))),
      produced: [],
      runner,
      asOf: null,
      inputFiles: [],
      images: IMAGES.slice(0, steps),
    },
    inputFiles: new Map(
      given.flatMap(([name, { value }]) => filesOf(name, value)).map((one) => [one.location, one]),
    ),
    entities: [
      {
        entity: {
          id: 'e1',
          entityType: 'Thing',
          version: 1,
          isAvailable: true,
          createdAt: INSTANT,
          data: Object.fromEntries(
            made.map(([name, { value }]) => [name, filesOf(name, value)[0]?.location ?? value]),
          ),
        },
        files: made.flatMap(([name, { value }]) => filesOf(name, value)),
      },
    ],
  };
}

test(
  'crates of random rules lack nothing that is required, and one thing that is recommended: nobody has said where the operator is on the web',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(rule, async (drawn) => {
        const crate = JSON.parse(JSON.stringify(workflowRunCrate(await sourceOf(drawn)))) as Crate;
        const { must, should } = holdAgainstProfiles(crate);
        expect(must).toEqual([]);
        expect(
          should.filter((what) => !/^(?:https?:.*: has a contentSize|#operator: has a url)$/.test(what)),
        ).toEqual([]); // a file nested in a value was not recorded here
      }),
      { numRuns: 50 },
    );
  },
);

test('with a licence and an operator configured nothing is lacking at all; a crate that is not flat, or lacks a licence, is found out', async () => {
  const [drawn] = fc.sample(rule, { numRuns: 1, seed: 7 });
  if (drawn === undefined) throw new Error('nothing was drawn');
  const source = await sourceOf({ ...drawn, inputs: {} });
  const crate = workflowRunCrate({
    ...source,
    settings: {
      license: { url: 'https://creativecommons.org/licenses/by/4.0/', name: 'CC BY 4.0' },
      publisher: { name: 'Institute', url: 'https://example.org' },
    },
  }) as unknown as Crate;
  expect(holdAgainstProfiles(crate)).toEqual({ must: [], should: [] });
  const broken = (id: string, more: Record<string, unknown>): readonly string[] =>
    holdAgainstProfiles({
      ...crate,
      '@graph': crate['@graph'].map((node) => (node['@id'] === id ? { ...node, ...more } : node)),
    }).must;
  expect(broken('./', { license: 'not stated' })).toEqual(['./: states a licence']);
  expect(broken('./', { author: { '@type': 'Person', name: 'inside' } })).toEqual([
    './: flattened: author is a value or a reference',
  ]);
});
