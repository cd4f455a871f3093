// What the tests of adapters share.
import { adapter as adapterSchema } from '../../platform/config/adapter-definition.ts';
import { openAdapter } from '../../subgraphs/workflow/adapters/open-adapter.ts';

export const open = (definition: Record<string, unknown>, directory = '/') =>
  openAdapter(
    adapterSchema({ env: {}, directory }).parse({
      name: 'a',
      entity_type: 'Sample',
      map: { id: 'row.id' },
      ...definition,
    }),
  );

export async function pull(
  definition: Record<string, unknown>,
  since: string | null = null,
  directory = '/',
): Promise<unknown[]> {
  const records: unknown[] = [];
  for await (const record of (await open(definition, directory)).read({
    since,
    note: () => undefined,
    signal: new AbortController().signal,
  }))
    records.push('row' in record ? record.row : record);
  return records;
}

/** Bytes in small pieces, as from a slow network. */
export async function* pieces(text: string, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
