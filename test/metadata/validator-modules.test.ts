// Validators that a deployment writes itself: configured modules, called in order like any other
// (docs/reference/metadata.md#validator-modules).
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConfigurationError } from '../../platform/config/faults.ts';
import { parseConfig } from '../../platform/config/load-config.ts';
import { createMetadataComponent } from '../../subgraphs/metadata/component.ts';
import { metadataChecks } from '../../subgraphs/metadata/validation/validator-checks.ts';
import { testLog } from '../testkit/database.ts';
import { freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';

const INGEST =
  'mutation($t: String!, $i: ID, $d: JSON!, $b: Boolean) { ingestEntity(entityType: $t, id: $i, data: $d, bypassValidation: $b) { id data } }';
const VALIDATE =
  'query($t: String!, $d: JSON) { validateEntity(entityType: $t, data: $d) { valid failures { message ruleId inputContext } } }';

let directory: string;
let metadata: FreshMetadata;
const config = (text: string) =>
  parseConfig(text, path.join(directory, 'gateway.yaml'), {
    env: {},
    cwd: directory,
    checks: metadataChecks,
  });
const write = (name: string, text: string): Promise<void> => writeFile(path.join(directory, name), text);
const ingest = (data: object, more: object = {}): Promise<unknown> =>
  metadata.ask(INGEST, { t: 'Sample', d: data, ...more });

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'cairn-validators-'));
  await write(
    'tissue.mjs',
    `export default { validate: ({ operation, data, options }) => options.allowed.includes(data.tissue) ? undefined
    : [{ message: 'tissue ' + data.tissue + ' is not ours', ruleId: 'tissue', inputContext: { operation, allowed: options.allowed } }] };`,
  );
  await write(
    'older.ts',
    `interface Write { data: Record<string, unknown>; previous: Record<string, unknown> | null }
    export default { validate({ data, previous }: Write) {
      const was = previous?.['age'];
      data['age'] = 'changed by the validator';
      return typeof was === 'number' && previous !== null && previous['tissue'] === 'skin' ? [{ message: 'skin does not age' }, { message: 'nor does it change' }] : [];
    } };`,
  );
  await write(
    'throws.mjs',
    'export default { validate({ data }) { if (data.tissue === "throw") throw new Error("secret"); if (data.tissue === "later") return Promise.resolve([]); return data.tissue === "odd" ? [{ why: 1 }] : null; } };',
  );
  await write('nothing.mjs', 'export default {};');
  const { validators } = config(`metadata:
  validators:
    - {rule_id: adult, expression: "data.age >= 18.0", message: no children}
    - {module: tissue.mjs, entity_type: Sample, options: {allowed: [liver, skin, throw, later, odd]}}
    - {module: ./older.ts, on: [update]}
    - {module: throws.mjs}
`).metadata;
  metadata = await freshMetadata({ validators });
  for (const name of ['Sample', 'Other'])
    await metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
      d: {
        name,
        version: '1',
        fields: [
          { name: 'age', field_type: 'int' },
          { name: 'tissue', field_type: 'string' },
        ],
      },
    });
});
afterAll(async () => {
  await metadata[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

test('a module refuses a write with its message, rule and context, after the validators before it', async () => {
  const fault = (await ingest({ age: 20, tissue: 'bone' }).catch((error: unknown) => error)) as Error & {
    details: unknown;
  };
  expect(fault.message).toBe('VALIDATION_FAILED: tissue bone is not ours');
  expect(fault.details).toMatchObject({
    rule_id: 'tissue',
    input_context: { operation: 'create', allowed: expect.arrayContaining(['liver']) },
    entity_type: 'Sample',
  });
  await expect(ingest({ age: 2, tissue: 'bone' })).rejects.toThrow('VALIDATION_FAILED: no children');
  expect(await metadata.ask(VALIDATE, { t: 'Sample', d: { age: 2, tissue: 'bone' } })).toMatchObject({
    valid: false,
    failures: [{ ruleId: 'adult' }, { ruleId: 'tissue' }],
  });
  expect(await metadata.ask(INGEST, { t: 'Other', d: { age: 20, tissue: 'bone' } })).toMatchObject({
    data: { tissue: 'bone' },
  });
  expect(await ingest({ age: 20, tissue: 'bone' }, { b: true })).toMatchObject({ data: { tissue: 'bone' } });
});

test('TypeScript is a module too; it sees what was before, and what it does to its values changes nothing', async () => {
  await ingest({ age: 20, tissue: 'liver' }, { i: 'l' });
  expect(await ingest({ age: 21 }, { i: 'l' })).toEqual({ id: 'l', data: { age: 21, tissue: 'liver' } });
  await ingest({ age: 20, tissue: 'skin' }, { i: 's' });
  const fault = (await ingest({ age: 21 }, { i: 's' }).catch((error: unknown) => error)) as Error & {
    details: unknown;
  };
  expect(fault.message).toBe('VALIDATION_FAILED: skin does not age; nor does it change');
  expect(fault.details).toMatchObject({
    rule_id: 'older',
    input_context: { operation: 'update', data: { age: 21 }, previous: { age: 20 } },
    failures: [{ message: 'skin does not age' }, { message: 'nor does it change' }],
  });
  expect(await metadata.ask('{ entity(id: "s") { data version } }')).toEqual({
    data: { age: 20, tissue: 'skin' },
    version: 1,
  });
});

test('a module that throws, returns a promise or an invalid value rejects the write, without showing internals', async () => {
  for (const tissue of ['throw', 'later', 'odd'])
    await expect(ingest({ age: 20, tissue }, { i: tissue })).rejects.toThrow(
      /^INTERNAL_ERROR: internal error$/,
    );
  expect(
    await metadata.ask('query($f: String) { entities(filter: $f) { total } }', {
      f: 'id in ["throw", "later", "odd"]',
    }),
  ).toEqual({ total: 0 });
  // others are not delayed
  expect(await ingest({ age: 20, tissue: 'liver' }, { i: 'after' })).toMatchObject({ id: 'after' });
});

test('a missing module file is a configuration error; a module that is no validator stops the start', async () => {
  try {
    config(
      'metadata: {validators: [{module: absent.mjs}, {module: tissue.mjs, expression: "true"}, {type: module}]}',
    );
    expect.unreachable();
  } catch (error) {
    expect((error as ConfigurationError).faults.map((fault) => fault.path)).toEqual([
      'metadata.validators[0].module',
      'metadata.validators[1].expression',
      'metadata.validators[2].module',
    ]);
  }
  await write('broken.mjs', 'export default {');
  for (const [file, why] of [
    ['nothing.mjs', 'has no default export with a function `validate`'],
    ['broken.mjs', 'could not be loaded'],
  ] as const) {
    const { validators } = config(`metadata: {validators: [{module: ${file}}]}`).metadata;
    await expect(
      createMetadataComponent({ database: metadata.database, log: testLog, validators }),
    ).rejects.toThrow(why);
  }
});
