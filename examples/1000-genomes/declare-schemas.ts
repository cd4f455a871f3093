// Declares the example's types. If other types already use their names, it changes nothing and says what to
// do.
import { type Api, Trouble } from './api.ts';

interface Field {
  readonly name: string;
  readonly field_type: string;
  readonly references?: string | null;
}
export interface Schema {
  readonly name: string;
  readonly version: string;
  readonly fields: readonly Field[];
}

/** Whether a type is the example's, possibly with fields that were added later. */
const isOurs = (found: Schema, { fields }: Schema): boolean =>
  fields.every((field) =>
    found.fields.some(
      (other) =>
        other.name === field.name &&
        other.field_type === field.field_type &&
        (other.references ?? null) === (field.references ?? null),
    ),
  );

/** Returns the schema registered under the name; undefined where there is none. */
async function registered(api: Api, name: string): Promise<Schema | undefined> {
  const all = await api.rest<readonly Schema[]>('GET', '/schemas');
  return all.find((schema) => schema.name === name);
}

const advice = (
  taken: readonly string[],
): string => `There ${taken.length === 1 ? 'is a type' : 'are types'} ${taken.join(' and ')} here already that ${taken.length === 1 ? 'is' : 'are'} not this example's. They are yours: nothing was changed.
Load the example into a server of its own, beside this one:

  CAIRN_PORT=8090 CAIRN_DATA_DIR=./example-data npm start
  CAIRN_URL=http://127.0.0.1:8090 CAIRN_DATA_DIR=./example-data npm run example`;

/** Returns the registered schemas. @throws Trouble, before anything is declared, where a name is in use */
export async function declareSchemas(api: Api, schemas: readonly Schema[]): Promise<readonly Schema[]> {
  const found = await Promise.all(schemas.map((schema) => registered(api, schema.name)));
  const taken = schemas.filter((schema, i) => {
    const there = found[i];
    return there !== undefined && !isOurs(there, schema);
  });
  if (taken.length > 0) throw new Trouble(advice(taken.map(({ name }) => name)));
  const declared: Schema[] = [];
  for (const [i, schema] of schemas.entries())
    // one after the other, because samples refer to populations
    declared.push(found[i] ?? (await api.rest<Schema>('POST', '/schemas', schema)));
  return declared;
}
