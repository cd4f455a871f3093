// A client that openapi-fetch makes of the description, which holds every answer against what is described.
import createClient, { type Client } from 'openapi-fetch';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { paths } from '../contract/openapi-paths.d.ts';

export interface Media {
  readonly schema?: object;
  readonly example?: unknown;
}

interface Content {
  readonly content?: Readonly<Record<string, Media>>;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: Content;
  /** Empty where no credential is needed. */
  readonly security?: readonly object[];
  readonly responses: Readonly<Record<string, Content>>;
}

export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
}

/** By operation, status and media type. */
export type Answers = Record<string, Record<string, Record<string, unknown>>>;

export interface CheckedClient {
  readonly client: Client<paths>;
  /** Operations that were called with success, by their ids. */
  readonly called: ReadonlySet<string>;
  /** What was answered otherwise than described. */
  readonly faults: readonly string[];
  readonly operations: readonly string[];
  /** The first success of each operation, by its status and media type. */
  readonly answers: Answers;
}

const essence = (response: Response): string =>
  (response.headers.get('content-type') ?? '').split(';')[0] ?? '';

const isJson = (type: string): boolean => type === 'application/json';
const isText = (type: string): boolean =>
  isJson(type) || type === 'application/x-ndjson' || type.startsWith('text/');

/** Says what a value has against a schema of the description; null for nothing. */
export function validatorsOf({
  components,
}: Description): (schema: object) => (value: unknown) => string | null {
  const ajv = new Ajv2020({ strict: false, validateFormats: true });
  formats.default(ajv);
  return (schema) => {
    const validate = ajv.compile({ components, ...schema });
    return (value) => (validate(value) ? null : ajv.errorsText(validate.errors));
  };
}

/** @param description as the server gives it */
export function checkedClient(baseUrl: string, key: string, description: Description): CheckedClient {
  const validatorOf = validatorsOf(description);
  const called = new Set<string>();
  const faults: string[] = [];
  const answers: Answers = {};

  const check = async (operation: Operation, response: Response): Promise<void> => {
    const { operationId: id, responses } = operation;
    const described = responses[response.status] ?? responses[`${Math.trunc(response.status / 100)}XX`];
    if (described === undefined) {
      faults.push(`${id}: status ${response.status} is not described`);
      return;
    }
    if (response.ok) called.add(id);
    const type = essence(response);
    const media = described.content?.[type] ?? described.content?.['*/*'];
    const text = await response.text();
    if (response.ok && described.content?.[type] !== undefined && isText(type))
      ((answers[id] ??= {})[response.status] ??= {})[type] ??= isJson(type) ? JSON.parse(text) : text;
    if (media === undefined) {
      if (text !== '') faults.push(`${id}: ${type} is not described for ${response.status}`);
    } else if (media.schema !== undefined && isJson(type)) {
      const fault = validatorOf(media.schema)(JSON.parse(text));
      if (fault !== null) faults.push(`${id}: ${response.status} ${fault} in ${text.slice(0, 300)}`);
    }
  };

  const client = createClient<paths>({ baseUrl, headers: { 'X-Api-Key': key } });
  client.use({
    async onResponse({ request, response, schemaPath }) {
      const operation = description.paths[schemaPath]?.[request.method.toLowerCase()];
      if (operation !== undefined) await check(operation, response.clone());
    },
  });
  const operations = Object.values(description.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  return { client, called, faults, operations, answers };
}
