// A client that openapi-fetch makes of the description, which holds every answer against what is described.
import createClient, { type Client } from 'openapi-fetch';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { paths } from '../contract/openapi-paths.d.ts';

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: object }>> }>
  >;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
}

export interface CheckedClient {
  readonly client: Client<paths>;
  /** Operations that were called with success, by their ids. */
  readonly called: ReadonlySet<string>;
  /** What was answered otherwise than described. */
  readonly faults: readonly string[];
  readonly operations: readonly string[];
}

const essence = (response: Response): string =>
  (response.headers.get('content-type') ?? '').split(';')[0] ?? '';

/** @param description as the server gives it */
export function checkedClient(baseUrl: string, key: string, description: Description): CheckedClient {
  const ajv = new Ajv2020({ strict: false, validateFormats: true });
  formats.default(ajv);
  const root = { components: description.components };
  const called = new Set<string>();
  const faults: string[] = [];

  const check = async (operation: Operation, response: Response): Promise<void> => {
    const { operationId: id, responses } = operation;
    const described = responses[response.status] ?? responses[`${Math.trunc(response.status / 100)}XX`];
    if (described === undefined) {
      faults.push(`${id}: status ${response.status} is not described`);
      return;
    }
    if (response.ok) called.add(id);
    const media = described.content?.[essence(response)];
    const text = await response.text();
    if (media === undefined) {
      if (text !== '') faults.push(`${id}: ${essence(response)} is not described for ${response.status}`);
    } else if (media.schema !== undefined && essence(response).endsWith('json')) {
      const validate = ajv.compile({ ...root, ...media.schema });
      if (!validate(JSON.parse(text)))
        faults.push(`${id}: ${response.status} ${ajv.errorsText(validate.errors)} in ${text.slice(0, 300)}`);
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
  return { client, called, faults, operations };
}
