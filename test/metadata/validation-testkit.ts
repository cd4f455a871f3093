// What the tests of validation share.
import { afterAll, beforeAll } from 'vitest';
import { freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';

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

export const SCHEMA = 'mutation($d: JSON!) { createSchema(definition: $d) { name } }';

export const INGEST =
  'mutation($t: String!, $d: JSON!, $c: ProvenanceContext, $b: Boolean) { ingestEntity(entityType: $t, data: $d, context: $c, bypassValidation: $b) { id version data } }';

export const DELETE =
  'mutation($id: ID!, $b: Boolean) { deleteEntity(id: $id, bypassValidation: $b) { id } }';

export const VALIDATE =
  'query($t: String!, $id: ID, $d: JSON, $all: Boolean, $o: ValidatedOperation) { validateEntity(entityType: $t, id: $id, data: $d, all: $all, operation: $o) { valid failures { message ruleId inputContext entityType entityId } } }';

export interface Report {
  valid: boolean;
  failures: {
    message: string;
    ruleId: string | null;
    inputContext: Record<string, unknown>;
    entityType: string;
    entityId: string;
  }[];
}

export let metadata: FreshMetadata;

export const ask = async <T>(...args: Parameters<FreshMetadata['ask']>): Promise<T> =>
  (await metadata.ask(...args)) as T;

export const validate = (
  variables: Record<string, unknown>,
  caller?: Parameters<FreshMetadata['ask']>[2],
): Promise<Report> => ask<Report>(VALIDATE, variables, caller);

export const refusal = (
  ...args: Parameters<FreshMetadata['ask']>
): Promise<Error & { details: Record<string, unknown> }> =>
  metadata.ask(...args).then(
    () => {
      throw new Error('it was not refused');
    },
    (error: Error & { details: Record<string, unknown> }) => error,
  );

/** Starts what the tests of a file share, and ends it after them. */
export function setUp(): void {
  beforeAll(async () => {
    metadata = await freshMetadata({ validators: VALIDATORS });
    for (const d of SCHEMAS) await ask(SCHEMA, { d });
  });

  afterAll(() => metadata[Symbol.asyncDispose]());
}
