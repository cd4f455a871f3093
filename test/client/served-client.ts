// A platform, a client of its administrator, and a type to work with.
import { createClient, type ClientOptions } from '../../client/src/index.ts';
import { startServer } from '../testkit/server.ts';

export interface Sample {
  name: string;
  site?: string | null;
  age?: number | null;
  weight?: number | null;
  notes?: unknown;
}

const SAMPLE = {
  name: 'Sample',
  version: '1',
  fields: [
    { name: 'name', fieldType: 'string', required: true },
    { name: 'site', fieldType: 'string' },
    { name: 'age', fieldType: 'int' },
    { name: 'weight', fieldType: 'float' },
    { name: 'notes', fieldType: 'json' },
    { name: 'donor', fieldType: 'ref', references: 'Donor' },
  ],
  rules: [
    {
      ruleId: 'adult',
      expression: '!has(data.age) || data.age == null || data.age >= 18.0',
      message: 'a donor has to be of age',
    },
  ],
} as const;

export async function servedClient(options: Partial<ClientOptions> = {}) {
  const server = await startServer();
  const connect = (more: Partial<ClientOptions> = {}) =>
    createClient({ url: server.url, apiKey: server.key, ...options, ...more });
  const client = connect();
  await client.schemas.create({
    name: 'Donor',
    version: '1',
    fields: [{ name: 'name', fieldType: 'string' }],
  });
  await client.schemas.create(SAMPLE);
  await client.schemas.create({
    name: 'Biopsy',
    version: '1',
    parent: 'Sample',
    fields: [{ name: 'tissue', fieldType: 'string' }],
  });
  return { server, client, connect, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

export type Served = Awaited<ReturnType<typeof servedClient>>;
