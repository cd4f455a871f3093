// The validation pipeline: field types, the schemas' rules, configured validators, in this order, on create,
// update and delete (docs/reference/metadata.md#validation-pipeline).
import { expect, test } from 'vitest';
import { ConfigurationError } from '../../platform/config/faults.ts';
import { parseConfig } from '../../platform/config/load-config.ts';
import { metadataChecks } from '../../subgraphs/metadata/validation/validator-checks.ts';
import { SCHEMA, INGEST, DELETE, ask, validate, refusal, setUp } from './validation-testkit.ts';

setUp();

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
