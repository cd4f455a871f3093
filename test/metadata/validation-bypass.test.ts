// Rules that cannot be compiled, bypasses, dry runs, and the order of validators.
import { expect, test } from 'vitest';
import { createMetadataComponent } from '../../subgraphs/metadata/component.ts';
import { markedContext } from '../../subgraphs/metadata/validation/bypass.ts';
import { ValidationPipeline } from '../../subgraphs/metadata/validation/pipeline.ts';
import {
  failureOf,
  type ValidatedWrite,
  type Validator,
} from '../../subgraphs/metadata/schema-model/validator.ts';
import { testLog } from '../testkit/database.ts';
import { callerWith } from '../testkit/metadata.ts';
import { startServer } from '../testkit/server.ts';
import {
  SCHEMA,
  INGEST,
  DELETE,
  VALIDATE,
  metadata,
  ask,
  validate,
  refusal,
  setUp,
} from './validation-testkit.ts';

const eventCount = async (): Promise<number> =>
  (await metadata.database.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM metadata.provenance'))
    .rows[0]?.n ?? -1;

setUp();

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

test('a configured validator that cannot be compiled stops the start and is named', async () => {
  const validators = [{ ruleId: 'odd', on: ['create' as const], expression: 'data.a >', message: 'm' }];
  await expect(
    createMetadataComponent({ database: metadata.database, log: testLog, validators }),
  ).rejects.toThrow(/metadata\.validators: rule odd: CEL: /);
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
  await ask(INGEST, { t: 'Document', d: { id: 'p1', title: 'P', published: true } });
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
