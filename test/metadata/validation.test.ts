// The validation pipeline: field types, the schemas' rules, configured validators, in this order, on create,
// update and delete (docs/reference/metadata.md#validation-pipeline).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigurationError } from '../../platform/config/faults.ts';
import { parseConfig } from '../../platform/config/load-config.ts';
import { createMetadataComponent } from '../../subgraphs/metadata/component.ts';
import { markedContext } from '../../subgraphs/metadata/validation/bypass.ts';
import { metadataChecks } from '../../subgraphs/metadata/validation/validator-checks.ts';
import { ValidationPipeline } from '../../subgraphs/metadata/validation/pipeline.ts';
import {
  failureOf,
  type ValidatedWrite,
  type Validator,
} from '../../subgraphs/metadata/schema-model/validator.ts';
import { testLog } from '../testkit/database.ts';
import { callerWith, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';
import { startServer } from '../testkit/server.ts';

const VALIDATORS = [
  {
    ruleId: 'no-delete-of-published',
    entityType: 'Document',
    on: ['delete'],
    expression: '!(has(data.published) && data.published)',
    message: 'published documents stay',
  },
  {
    ruleId: 'pages-are-few',
    on: ['create', 'update'],
    expression: '!has(data.pages) || data.pages < 1000.0',
    message: 'at most 999 pages',
  },
] as const;
const SCHEMAS = [
  {
    name: 'Document',
    version: '1',
    fields: [
      { name: 'title', field_type: 'string', required: true },
      { name: 'pages', field_type: 'int' },
      { name: 'published', field_type: 'bool' },
      { name: 'code', field_type: 'string', unique: true },
      { name: 'project', field_type: 'string' },
    ],
    rules: [
      {
        rule_id: 'title-is-capital',
        expression: 'data.title.matches("^[A-Z]")',
        message: 'a title starts with a capital letter',
      },
    ],
  },
  {
    name: 'Book',
    version: '1',
    parent: 'Document',
    fields: [{ name: 'edition', field_type: 'int' }],
    rules: [
      {
        rule_id: 'editions-grow',
        expression: 'previous == null || !has(previous.edition) || data.edition > previous.edition',
        message: 'an edition follows the one before',
      },
    ],
  },
];
const SCHEMA = 'mutation($d: JSON!) { createSchema(definition: $d) { name } }';
const INGEST =
  'mutation($t: String!, $d: JSON!, $c: ProvenanceContext, $b: Boolean) { ingestEntity(entityType: $t, data: $d, context: $c, bypassValidation: $b) { id version data } }';
const DELETE = 'mutation($id: ID!, $b: Boolean) { deleteEntity(id: $id, bypassValidation: $b) { id } }';
const VALIDATE =
  'query($t: String!, $id: ID, $d: JSON, $all: Boolean, $o: ValidatedOperation) { validateEntity(entityType: $t, id: $id, data: $d, all: $all, operation: $o) { valid failures { message ruleId inputContext entityType entityId } } }';
interface Report {
  valid: boolean;
  failures: {
    message: string;
    ruleId: string | null;
    inputContext: Record<string, unknown>;
    entityType: string;
    entityId: string;
  }[];
}

let metadata: FreshMetadata;
const ask = async <T>(...args: Parameters<FreshMetadata['ask']>): Promise<T> =>
  (await metadata.ask(...args)) as T;
const validate = (
  variables: Record<string, unknown>,
  caller?: Parameters<FreshMetadata['ask']>[2],
): Promise<Report> => ask<Report>(VALIDATE, variables, caller);
const refusal = (
  ...args: Parameters<FreshMetadata['ask']>
): Promise<Error & { details: Record<string, unknown> }> =>
  metadata.ask(...args).then(
    () => {
      throw new Error('it was not refused');
    },
    (error: Error & { details: Record<string, unknown> }) => error,
  );
const eventCount = async (): Promise<number> =>
  (await metadata.database.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM metadata.provenance'))
    .rows[0]?.n ?? -1;

beforeAll(async () => {
  metadata = await freshMetadata({ validators: VALIDATORS });
  for (const d of SCHEMAS) await ask(SCHEMA, { d });
});
afterAll(() => metadata[Symbol.asyncDispose]());

test('a write that a rule does not let pass is refused with the fields of a ValidationFailure', async () => {
  const error = await refusal(INGEST, { t: 'Book', d: { id: 'b0', title: 'small', pages: 3 } });
  expect(error.message).toBe('VALIDATION_FAILED: a title starts with a capital letter');
  const failure = {
    message: 'a title starts with a capital letter',
    rule_id: 'title-is-capital',
    entity_type: 'Book',
    entity_id: 'b0',
    input_context: {
      operation: 'create',
      expression: 'data.title.matches("^[A-Z]")',
      data: { title: 'small' },
      previous: null,
    },
  };
  expect(error.details).toEqual({ ...failure, failures: [failure] });
  await expect(ask('query { entity(id: "b0") { id } }')).resolves.toBeNull();
});

test('field types come first: a write stops there, names every field, and no rule is asked', async () => {
  const error = await refusal(INGEST, { t: 'Book', d: { id: 'b0', title: 5, pages: 'many', colour: 1 } });
  expect(error.details).toMatchObject({
    rule_id: null,
    entity_type: 'Book',
    input_context: { operation: 'create', field: 'title', value: 5 },
  });
  expect((error.details['failures'] as { message: string }[]).map((f) => f.message)).toEqual([
    'field title must be a string',
    'field pages must be an integer',
    'unknown field colour of type Book',
  ]);
});

test('a project is named in at most 200 characters: entities are counted by it', async () => {
  await expect(ask(INGEST, { t: 'Document', d: { title: 'T', project: 'p'.repeat(201) } })).rejects.toThrow(
    'VALIDATION_FAILED: field project must be at most 200 characters',
  );
  await expect(
    ask(INGEST, { t: 'Document', d: { title: 'T', project: '\u{20000}'.repeat(100) } }),
  ).resolves.toMatchObject({ version: 1 });
});

test('rules of an ancestor, then of the type, then configured validators: a write stops at the first, a dry run lists all', async () => {
  await ask(INGEST, { t: 'Book', d: { id: 'b1', title: 'One', edition: 3 } });
  const faulty = { title: 'one', edition: 2, pages: 2000 };
  expect((await refusal(INGEST, { t: 'Book', d: { id: 'b1', ...faulty } })).details['rule_id']).toBe(
    'title-is-capital',
  );
  const all = await validate({ t: 'Book', id: 'b1', d: faulty });
  expect(all.valid).toBe(false);
  expect(all.failures.map((f) => f.ruleId)).toEqual(['title-is-capital', 'editions-grow', 'pages-are-few']);
  expect(all.failures[1]).toEqual({
    message: 'an edition follows the one before',
    ruleId: 'editions-grow',
    entityType: 'Book',
    entityId: 'b1',
    inputContext: {
      operation: 'update',
      expression: 'previous == null || !has(previous.edition) || data.edition > previous.edition',
      data: { edition: 2 },
      previous: { edition: 3, title: 'One' },
    },
  });
  expect(
    (await validate({ t: 'Book', id: 'b1', d: faulty, all: false })).failures.map((f) => f.ruleId),
  ).toEqual(['title-is-capital']);
});

test('rules see the state under the lock: of twenty updates at once to the same edition one passes', async () => {
  await ask(INGEST, { t: 'Book', d: { id: 'race', title: 'Race', edition: 1 } });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) => ask(INGEST, { t: 'Book', d: { id: 'race', edition: 2, pages: i } })),
  );
  expect(outcomes.filter((o) => o.status === 'fulfilled')).toHaveLength(1);
});

test('a write that changes nothing runs no validator', async () => {
  await ask(INGEST, { t: 'Book', d: { id: 'same', title: 'Same', edition: 1 } });
  expect(await ask(INGEST, { t: 'Book', d: { id: 'same', title: 'Same', edition: 1 } })).toMatchObject({
    version: 1,
  });
});

test('a rule that fails to evaluate rejects the write, and the message says why', async () => {
  await ask(SCHEMA, {
    d: {
      name: 'Optional',
      version: '1',
      fields: [{ name: 'a', field_type: 'int' }],
      rules: [{ rule_id: 'positive', expression: 'data.a > 0', message: 'a is positive' }],
    },
  });
  const error = await refusal(INGEST, { t: 'Optional', d: {} });
  expect(error.message).toMatch(
    /^VALIDATION_FAILED: a is positive \(rule positive could not be decided: .*a.*\)$/,
  );
});

test('a rule that cannot be compiled keeps its schema out, with line and column', async () => {
  const error = await refusal(SCHEMA, {
    d: {
      name: 'Broken',
      version: '1',
      fields: [],
      rules: [{ rule_id: 'r', expression: 'data.a >\n  nothing', message: 'm' }],
    },
  });
  expect(error.message).toMatch(/^VALIDATION_FAILED: CEL: .*nothing.*line 2, column 3/);
  expect(await ask('query { schema(name: "Broken") { name } }')).toBeNull();
});

test('`validate` and `start` list every validator that cannot be compiled, each with its place', () => {
  const text =
    'metadata:\n  validators:\n    - {rule_id: a, expression: "data.a >", message: m}\n    - {rule_id: b, expression: "data.a > 1", message: m}\n    - {rule_id: c, expression: "nothing == 1", message: m}\n';
  const read = () => parseConfig(text, '/x/gateway.yaml', { env: {}, cwd: '/x', checks: metadataChecks });
  expect(read).toThrow(ConfigurationError);
  try {
    read();
  } catch (error) {
    expect((error as ConfigurationError).faults.map((f) => f.path)).toEqual([
      'metadata.validators[0].expression',
      'metadata.validators[2].expression',
    ]);
  }
});

test('a configured validator that cannot be compiled stops the start and is named', async () => {
  const validators = [{ ruleId: 'odd', on: ['create' as const], expression: 'data.a >', message: 'm' }];
  await expect(
    createMetadataComponent({ database: metadata.database, log: testLog, validators }),
  ).rejects.toThrow(/metadata\.validators: rule odd: CEL: /);
});

test('every way to make an entity unavailable is a delete to the validators', async () => {
  const published = async (id: string) =>
    ask(INGEST, { t: 'Document', d: { id, title: 'P', published: true } });
  for (const id of ['p1', 'p2', 'p3', 'p4']) await published(id);
  await ask(INGEST, { t: 'Document', d: { id: 'draft', title: 'D' } });
  expect((await refusal(DELETE, { id: 'p1' })).details).toMatchObject({
    rule_id: 'no-delete-of-published',
    entity_id: 'p1',
    input_context: { operation: 'delete', data: { published: true } },
  });
  await expect(ask('mutation { setAvailability(id: "p2", isAvailable: false) { id } }')).rejects.toThrow(
    'published documents stay',
  );
  expect(
    await ask(
      'mutation { setAvailabilityBulk(entityType: "Document", entityIds: ["p3", "draft"], available: false) { updated errors { entityId code message } } }',
    ),
  ).toEqual({ updated: 1, errors: [{ entityId: 'p3', code: 422, message: 'published documents stay' }] });
  await expect(
    ask('mutation { supersedeEntity(id: "p4", replacementId: "p1") { superseded { id } } }'),
  ).rejects.toThrow('published documents stay');
  expect(
    await ask('query { entities(entityType: "Document", filter: "id.startsWith(\\"p\\")") { total } }'),
  ).toEqual({ total: 4 });
});

test('an administrator may bypass rules, which provenance records; nobody may bypass field types', async () => {
  await ask(INGEST, {
    t: 'Book',
    d: { id: 'by', title: 'small' },
    c: '{"notes": "as it was",  "n": 1.0}',
    b: true,
  });
  await ask(INGEST, { t: 'Document', d: { id: 'gone', title: 'G', published: true } });
  await ask(DELETE, { id: 'gone', b: true });
  const { rows } = await metadata.database.pool.query<{ context: string }>(
    `SELECT context::text FROM metadata.provenance WHERE entity_id IN ('by', 'gone') ORDER BY position`,
  );
  expect(rows.map((r) => r.context)).toEqual([
    '{"notes": "as it was",  "n": 1.0,"bypass_validation":true}',
    null,
    '{"bypass_validation":true}',
  ]);
  await expect(ask(INGEST, { t: 'Book', d: { id: 'by2', title: 5 }, b: true })).rejects.toThrow(
    'field title must be a string',
  );
  await expect(
    ask(INGEST, { t: 'Book', d: { id: 'by2', title: 'x' }, b: true }, callerWith('project_lead')),
  ).rejects.toThrow('INSUFFICIENT_ROLE');
  await expect(
    ask(
      INGEST,
      { t: 'Book', d: { id: 'by2', title: 'x' }, b: true },
      callerWith('service', '*', 'service:s'),
    ),
  ).resolves.toMatchObject({ id: 'by2' });
});

test('the mark of a bypass is the last member of the context and changes no other byte', () => {
  expect(markedContext('{}')).toBe('{"bypass_validation":true}');
  expect(markedContext(' { "a" : {} } ')).toBe(' { "a" : {} ,"bypass_validation":true} ');
  expect(markedContext('[1,  2]')).toBe('{"context":[1,  2],"bypass_validation":true}');
  expect(JSON.parse(markedContext('{"bypass_validation":false}'))).toEqual({ bypass_validation: true });
});

test('a dry run writes nothing, tells what could not be stored, and hides what the caller may not see', async () => {
  await ask(INGEST, { t: 'Document', d: { id: 'u1', title: 'U', code: 'X', project: 'alpha' } });
  const before = await eventCount();
  expect(await validate({ t: 'Document', d: { title: 'Fine' } })).toEqual({ valid: true, failures: [] });
  expect(
    (await validate({ t: 'Document', d: { title: 'low', code: 'X' } })).failures.map((f) => [
      f.ruleId,
      f.message,
    ]),
  ).toEqual([
    ['title-is-capital', 'a title starts with a capital letter'],
    [null, 'field code must be unique: another Document has this value'],
  ]);
  expect(
    (await validate({ t: 'Document', id: 'u1', d: { title: 'Two' }, o: 'CREATE' })).failures.map(
      (f) => f.message,
    ),
  ).toEqual(['entity u1 already exists']);
  expect(await validate({ t: 'Document', id: 'u1', d: { title: 'Two' }, o: 'UPDATE' })).toMatchObject({
    valid: true,
  });
  expect(await validate({ t: 'Document', id: 'u1', o: 'DELETE' })).toMatchObject({ valid: true });
  expect((await validate({ t: 'Document', id: 'p1', o: 'DELETE' })).failures.map((f) => f.ruleId)).toEqual([
    'no-delete-of-published',
  ]);
  await expect(
    validate({ t: 'Document', id: 'u1', d: { title: 'Two' }, o: 'UPDATE' }, callerWith('analyst', ['beta'])),
  ).rejects.toThrow('NOT_FOUND');
  await expect(validate({ t: 'Document', d: {}, o: 'UPDATE' })).rejects.toThrow('INVALID_REQUEST');
  await expect(validate({ t: 'Document', d: { title: 'T' } }, callerWith('viewer'))).rejects.toThrow(
    'INSUFFICIENT_ROLE',
  );
  expect(await eventCount()).toBe(before);
});

test('validators run in the order of their registration: execute stops at the first failure, execute_all does not', () => {
  const asked: string[] = [];
  const saying = (name: string, fails: boolean, mayBypass = true): Validator => ({
    mayBypass,
    validate: (write) => {
      asked.push(name);
      return fails ? [failureOf(write, name, name, {})] : [];
    },
  });
  const pipeline = new ValidationPipeline([saying('types', false, false), saying('a', true)]);
  pipeline.add(saying('b', true));
  const write = {
    operation: 'create',
    type: { name: 'T' },
    entityId: 'e',
    data: {},
    previous: null,
  } as unknown as ValidatedWrite; // these validators use nothing else
  expect(pipeline.execute(write).map((f) => f.ruleId)).toEqual(['a']);
  expect(asked.splice(0)).toEqual(['types', 'a']);
  expect(pipeline.executeAll(write).map((f) => f.ruleId)).toEqual(['a', 'b']);
  expect(asked.splice(0)).toEqual(['types', 'a', 'b']);
  expect(pipeline.execute(write, true)).toEqual([]);
  expect(asked).toEqual(['types']);
});

test('over HTTP: a rule of a schema and a configured validator answer 422 with their messages', async () => {
  const config =
    'metadata: {validators: [{rule_id: short, entity_type: Note, expression: "size(data.text) < 5", message: notes are short}]}';
  await using server = await startServer({ config });
  const sent = await server.rest('POST', '/api/v1/metadata/schemas', {
    body: {
      name: 'Note',
      version: '1',
      fields: [{ name: 'text', field_type: 'string', required: true }],
      rules: [{ rule_id: 'not-empty', expression: 'data.text != ""', message: 'a note says something' }],
    },
  });
  expect(sent.status).toBe(200);
  const ingest = (text: unknown) =>
    server.rest('POST', '/api/v1/metadata/ingest', {
      body: { entity_type: 'Note', data: { id: 'n', text } },
    });
  expect(await ingest('')).toMatchObject({
    status: 422,
    body: { data: null, error: { code: 422, message: 'a note says something' } },
  });
  expect(await ingest('too long')).toMatchObject({
    status: 422,
    body: { error: { message: 'notes are short' } },
  });
  expect(await ingest('fine')).toMatchObject({ status: 200 });
  const put = await server.rest('PUT', '/api/v1/metadata/entities/Note/n', {
    body: { data: { text: 'longer' } },
  });
  expect(put).toMatchObject({ status: 422, body: { error: { message: 'notes are short' } } });
  const { body } = await server.graphql(VALIDATE, { t: 'Note', d: { text: 'too long' } });
  expect(body.data.validateEntity).toMatchObject({
    valid: false,
    failures: [{ ruleId: 'short', inputContext: { data: { text: 'too long' } } }],
  });
  const refused = await server.graphql(INGEST, { t: 'Note', d: { text: 'too long' }, b: false });
  expect(refused.body.errors[0].extensions).toMatchObject({
    code: 'VALIDATION_FAILED',
    details: { rule_id: 'short', entity_type: 'Note', failures: [{ rule_id: 'short' }] },
  });
});
