// OpenAPI 3.1 of a REST API, derived from its rows: parameters from the row, responses from the document
// against the API schema.
import { type GraphQLSchema, isNonNullType, Kind, type OperationDefinitionNode, parse } from 'graphql';
import { PERMISSIONS, type Permission } from '../platform/permissions.ts';
import { TABLE_TYPES } from './bulk/table-rows.ts';
import type { RestRoute } from './route.ts';
import { type JsonSchema, selectionSchema } from './selection-schema.ts';
import { essence, TABLE_FORMATS } from '../platform/table-formats/formats.ts';
import { ndjson } from '../platform/table-formats/ndjson.ts';

export interface OpenApiPart {
  readonly paths: Readonly<Record<string, Record<string, unknown>>>;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/** Tables of rows (docs/reference/metadata.md#tables). */
const TABLES: JsonSchema = Object.fromEntries<JsonSchema>(
  TABLE_FORMATS.map((format) => [essence(format), { schema: { type: 'string' } }]),
);

/**
 * Tables that a list may be instead of JSON are told in words: described as content, they would make each answer
 * a text or an object to typed clients.
 */
const ALSO_TABLES = `By \`Accept\` also as a table: ${TABLE_FORMATS.map(essence).join(', ')}.`;

/** The same of lines. */
const ALSO_LINES = `By \`Accept\` also all of it, without pages, as it is found: ${essence(ndjson)}, an item a line.`;

/** The same of logs. */
const ALSO_LOGS =
  'By `Accept` also all lines after one, without pages, as `text/plain`, and, as they are written until it ends, as `text/event-stream`: an event `next` for each line, with its number as `id`, then `complete`.';

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  202: 'Accepted.',
  207: 'Some of the entities failed.',
  503: 'Unhealthy.',
};

/** docs/reference/api-conventions.md#files: of the type that the file has. */
const FILE_RESPONSES = {
  200: { description: 'The file.', content: { '*/*': {} } },
  206: { description: 'The part that Range names.', content: { '*/*': {} } },
  304: { description: 'The client has it.' },
  307: { description: 'The store itself gives out the file, at Location, for a short time.' },
};

/** JSON of one of the named schemas. */
export const jsonOf = (...names: readonly string[]): JsonSchema => {
  const [first, ...others] = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  return { 'application/json': { schema: others.length === 0 ? first : { anyOf: [first, ...others] } } };
};

/** Responses of a payload: in JSON, or as a table where the row is an export. */
function payloadResponses(row: RestRoute, payload: string, error: string): JsonSchema {
  const isAlsoTable = row.table !== undefined && row.isExport !== true;
  // a component that is away says nothing of its health: the refusal has the same status
  const json = (status: number): JsonSchema => (status === 503 ? jsonOf(payload, error) : jsonOf(payload));
  const response = (status: number): JsonSchema => {
    const meanings = [
      DESCRIPTIONS[status] ?? 'Success.',
      ...(isAlsoTable ? [ALSO_TABLES] : []),
      ...(row.lines ? [ALSO_LINES] : []),
      ...(row.log ? [ALSO_LOGS] : []),
    ];
    return {
      description: meanings.join(' '),
      ...(status === 204 ? {} : { content: row.isExport === true ? TABLES : json(status) }),
    };
  };
  const statuses = [row.successStatus ?? 200, ...(row.otherStatuses ?? [])];
  return Object.fromEntries(statuses.map((status) => [String(status), response(status)]));
}

/**
 * Says of objects without described properties that they have some: clients that are generated from the
 * description take them for empty otherwise.
 */
export function openObjects(description: unknown): unknown {
  if (Array.isArray(description)) return description.map(openObjects);
  if (typeof description !== 'object' || description === null) return description;
  const opened: Record<string, unknown> = Object.fromEntries(
    Object.entries(description).map(([key, value]) => [
      key,
      key === 'example' || key === 'examples' ? value : openObjects(value),
    ]),
  );
  const { type } = opened;
  const isObject = type === 'object' || (Array.isArray(type) && type.includes('object'));
  if (isObject && opened['properties'] === undefined) opened['additionalProperties'] ??= true;
  return opened;
}

/** What a section of the description is about. */
export const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  gateway: 'Tokens, API keys, health, and where components disagree.',
  metadata: 'Entities, their types, relationships, external ids and provenance.',
  workflow: 'Triggers and their runs.',
  artifact: 'Rules, productions and files.',
};

const CRATE_RESPONSES = { 200: { description: 'The archive.', content: { 'application/zip': {} } } };

/** Undefined for rows that do not answer a file. */
function fileResponses(row: RestRoute): JsonSchema | undefined {
  if (row.file) return FILE_RESPONSES;
  return row.crate ? CRATE_RESPONSES : undefined;
}

/** Bytes have no example. */
const BULK_EXAMPLES: Readonly<Record<string, string>> = {
  'application/x-ndjson': '{"entity_type": "Sample", "id": "sample:HG00096", "data": {"sex": "male"}}\n',
  'text/csv': 'id,sex\nsample:HG00096,male\n',
  'text/tab-separated-values': 'id\tsex\nsample:HG00096\tmale\n',
};

/** Of a bulk ingest beside JSON (docs/reference/metadata.md#tables-in). */
const BULK_BODIES: JsonSchema = Object.fromEntries<JsonSchema>(
  ['application/x-ndjson', ...Object.keys(TABLE_TYPES)].map((type) => {
    const example = BULK_EXAMPLES[type];
    return [type, { schema: { type: 'string' }, ...(example === undefined ? {} : { example }) }];
  }),
);

const bodyOf = (row: RestRoute): JsonSchema => {
  if (row.upload) {
    const content = Object.fromEntries(row.upload.mediaTypes.map((type) => [type, {}]));
    return { requestBody: { required: false, content } };
  }
  if (row.body === undefined) return {};
  const content = {
    ...(row.isBulk === true ? BULK_BODIES : {}),
    'application/json': { schema: row.bodySchema ?? { type: 'object' } },
  };
  return { requestBody: { required: row.body === 'required', content } };
};

const operationIn = (row: RestRoute, document: string): OperationDefinitionNode => {
  const operation = parse(document).definitions.find((d) => d.kind === Kind.OPERATION_DEFINITION);
  if (!operation) throw new Error(`${row.method} ${row.path}: its document has no operation`);
  return operation;
};

function payloadSchema(
  row: RestRoute,
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
): JsonSchema {
  if (row.responseSchema) return row.responseSchema;
  const usual = pickedSchema(row, schema, operation);
  return row.expandedOperation
    ? { anyOf: [usual, pickedSchema(row, schema, operationIn(row, row.expandedOperation.operation))] }
    : usual;
}

function pickedSchema(row: RestRoute, schema: GraphQLSchema, operation: OperationDefinitionNode): JsonSchema {
  const root = operation.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType();
  const node = operation.selectionSet.selections.find(
    (s) => s.kind === Kind.FIELD && (s.alias?.value ?? s.name.value) === row.pick,
  );
  const field = node?.kind === Kind.FIELD ? root?.getFields()[node.name.value] : undefined;
  if (node?.kind !== Kind.FIELD || !field)
    throw new Error(`${row.method} ${row.path}: its document has no root field ${row.pick}`);
  return selectionSchema(isNonNullType(field.type) ? field.type.ofType : field.type, node.selectionSet);
}

export interface OpenApiOptions {
  /**
   * `metadata`, …: prefixes every schema name and operationId
   * (docs/reference/gateway.md#openapi-description).
   */
  readonly component: string;
  readonly prefix: string;
  readonly rows: readonly RestRoute[];
  readonly schema: GraphQLSchema;
  readonly permissionOf: (document: string) => Permission;
  /** Wraps a payload's schema into the component's envelope. */
  readonly envelope: (payload: JsonSchema) => JsonSchema;
  readonly error: JsonSchema;
}

/** Values of path parameters, as the example data has them. */
const PATH_EXAMPLES: Readonly<Record<string, string>> = {
  entity_id: 'sample:HG00096',
  entity_type: 'Sample',
  format: 'csv',
  rel_id: 'sample:HG00096->population:GBR:member_of',
  id_type: 'biosamples',
  external_id: 'SAMEA3302837',
  field: 'uri',
  object_id: 'file:1',
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  hash: 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
};

/** Any other parameter of the query is a condition on a field. */
const FIELDS: JsonSchema = {
  name: 'fields',
  in: 'query',
  required: false,
  style: 'form',
  explode: true,
  description:
    'Conditions on fields: each name is that of a field, and its value what the field must be. Several values of one field are combined with "or", different fields with "and".',
  schema: {
    type: 'object',
    additionalProperties: {
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    },
  },
  example: { sex: 'female' },
};

function parametersOf(row: RestRoute): JsonSchema[] {
  return [
    ...[...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
      ...(PATH_EXAMPLES[name] === undefined ? {} : { example: PATH_EXAMPLES[name] }),
    })),
    ...Object.entries(row.query).map(([name, p]) => ({
      name,
      in: 'query',
      required: p.required,
      description: p.description,
      schema: p.schema,
    })),
    ...(row.takesAny === true ? [FIELDS] : []),
    ...(row.preferences ?? []).map((preference) => ({
      name: 'Prefer',
      in: 'header',
      required: false,
      description: `${preference.values.map((value) => `\`${preference.name}=${value}\``).join(', ')}: ${preference.description}. Others are ignored.`,
      schema: { type: 'string' },
    })),
  ];
}

/** The part of the description that the rows make up. */
export function describeRows(options: OpenApiOptions): OpenApiPart {
  const { component, rows, schema } = options;
  const paths: Record<string, Record<string, unknown>> = {};
  const schemas: Record<string, JsonSchema> = { [`${component}_Error`]: options.error };
  for (const dialect of new Set(rows.flatMap((row) => row.dialect ?? [])))
    schemas[`${component}_${dialect.name}_Error`] = dialect.error;
  const seen = new Map<string, number>();

  for (const row of rows) {
    if (row.isAlias === true) continue;
    const operation = operationIn(row, row.operation);
    const base = operation.name?.value ?? row.pick;
    const uses = (seen.get(base) ?? 0) + 1;
    seen.set(base, uses);
    const id = uses === 1 ? `${component}_${base}` : `${component}_${base}_${uses}`;
    if (!row.file && !row.crate && row.isExport !== true && row.successStatus !== 204)
      schemas[`${id}_Response`] = (row.dialect?.wrap ?? options.envelope)(
        payloadSchema(row, schema, operation),
      );
    const grant = PERMISSIONS[options.permissionOf(row.operation)];
    const error = row.dialect ? `${component}_${row.dialect.name}_Error` : `${component}_Error`;
    (paths[row.path === '/' ? options.prefix || '/' : options.prefix + row.path] ??= {})[
      row.method.toLowerCase()
    ] = {
      operationId: id,
      summary: row.summary,
      description:
        row.access === 'public'
          ? 'Requires no credential.'
          : `Requires role ${grant.minimum}${grant.service ? ' or service' : ''}.`,
      tags: [component],
      security: row.access === 'public' ? [] : [{ bearer: [] }, { apiKey: [] }],
      parameters: parametersOf(row),
      ...bodyOf(row),
      responses: {
        ...(fileResponses(row) ?? payloadResponses(row, `${id}_Response`, error)),
        '4XX': { description: 'Refused.', content: jsonOf(error) },
        '5XX': { description: 'Failed.', content: jsonOf(error) },
      },
    };
  }
  return { paths, schemas };
}
