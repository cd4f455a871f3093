// What the tests of the change feed share.
import { afterAll, beforeAll } from 'vitest';
import type { Caller } from '../../platform/identity.ts';
import { admin, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';
import type { ComponentResult } from '../../platform/component.ts';

export const FEED = `subscription($types: [String!], $entityTypes: [String!], $filter: String, $after: String) {
  provenanceEvents(types: $types, entityTypes: $entityTypes, filter: $filter, after: $after) { token event { id eventType entityId entityType actor timestamp schemaVersion context payload } } }`;

export const INGEST =
  'mutation($t: String!, $id: ID!, $d: JSON!, $c: ProvenanceContext) { ingestEntity(entityType: $t, id: $id, data: $d, context: $c) { id } }';

export interface Item {
  token: string;
  event: {
    id: string;
    eventType: string;
    entityId: string | null;
    entityType: string | null;
    actor: string;
    timestamp: string;
    context: unknown;
    payload: Record<string, unknown>;
  };
}

const itemOf = ({ data, errors }: ComponentResult): Item => {
  if (errors?.[0]) throw new Error(`${String(errors[0].extensions?.['code'])}: ${errors[0].message}`);
  return data?.['provenanceEvents'] as Item;
};

export let metadata: FreshMetadata;

export const ingest = (
  id: string,
  data: Record<string, unknown>,
  t = 'Thing',
  caller: Caller = admin,
  c?: unknown,
): Promise<unknown> => metadata.ask(INGEST, { t, id, d: data, c }, caller);

/** A reader that can be stopped at any time. */
export async function open(variables: Record<string, unknown> = {}, caller: Caller = admin) {
  const gone = new AbortController();
  const iterator = (await metadata.component.subscribe(FEED, variables, { ...caller, signal: gone.signal }))[
    Symbol.asyncIterator
  ]();
  return {
    /** The next items; each must arrive within 10 s. */
    async take(count: number): Promise<Item[]> {
      const items: Item[] = [];
      const late = setTimeout(() => {
        gone.abort();
      }, 60_000);
      while (items.length < count) {
        const { value, done } = await iterator.next();
        if (done === true)
          throw new Error(
            `the feed ended after ${items.length} of ${count}: ${JSON.stringify(items.map((i) => i.event.entityId))}`,
          );
        items.push(itemOf(value));
      }
      clearTimeout(late);
      return items;
    },
    async close(): Promise<void> {
      gone.abort();
      await iterator.return?.();
    },
  };
}

/** Reads this many and stops. */
export async function read(
  count: number,
  variables: Record<string, unknown> = {},
  caller?: Caller,
): Promise<Item[]> {
  const feed = await open(variables, caller);
  const items = await feed.take(count);
  await feed.close();
  return items;
}

export const log = async (): Promise<string[]> =>
  (
    await metadata.database.pool.query<{ id: string }>('SELECT id FROM metadata.provenance ORDER BY position')
  ).rows.map((r) => r.id);

/** Starts what the tests of a file share, and ends it after them. */
export function setUp(): void {
  beforeAll(async () => {
    metadata = await freshMetadata();
    for (const d of [
      {
        name: 'Thing',
        version: '1',
        fields: [
          { name: 'n', field_type: 'int' },
          { name: 'project', field_type: 'string' },
        ],
      },
      { name: 'Small', version: '1', parent: 'Thing', fields: [] },
    ]) {
      await metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', { d });
    }
  });

  afterAll(() => metadata[Symbol.asyncDispose]());
}
