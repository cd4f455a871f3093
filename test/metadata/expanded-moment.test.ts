// What an export expands is of the snapshot of its rows, whatever is written while it is read.
import { expect, test } from 'vitest';
import { admin, freshMetadata } from '../testkit/metadata.ts';

const SCHEMA = 'mutation($d: JSON!) { createSchema(definition: $d) { name } }';
const INGEST = 'mutation($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created updated } }';
const EXPORT =
  'subscription { exportEntities(entityType: "Vial", orderBy: "id", expand: "donor") { lines } }';

interface Vial {
  readonly expanded: { readonly donor: { readonly data: { readonly age: number } } };
}

test('entities that are changed during an export are expanded as they were when it began', async () => {
  await using metadata = await freshMetadata();
  const age = { name: 'age', field_type: 'int' };
  await metadata.ask(SCHEMA, { d: { name: 'Donor', version: '1', fields: [age] } });
  const donor = { name: 'donor', field_type: 'ref', references: 'Donor' };
  await metadata.ask(SCHEMA, { d: { name: 'Vial', version: '1', fields: [donor] } });
  const donors = (years: number): unknown[] =>
    Array.from({ length: 40 }, (_, i) => ({ entityType: 'Donor', id: `d${i}`, data: { age: years } }));
  await metadata.ask(INGEST, { e: donors(1) });
  const vials = Array.from({ length: 40 }, (_, i) => ({
    entityType: 'Vial',
    id: `v${i}`,
    data: { donor: `d${i}` },
  }));
  await metadata.ask(INGEST, { e: vials });

  const results = await metadata.component.subscribe?.(EXPORT, {}, admin);
  if (results === undefined) throw new Error('metadata has subscriptions');
  const ages: number[] = [];
  let blocks = 0;
  for await (const { data } of results) {
    if (blocks++ === 0) await metadata.ask(INGEST, { e: donors(2) });
    const { lines } = data?.['exportEntities'] as { lines: string };
    for (const line of lines.split('\n').slice(0, -1))
      ages.push((JSON.parse(line) as Vial).expanded.donor.data.age);
  }
  expect(blocks).toBeGreaterThan(1);
  expect(ages).toEqual(Array<number>(40).fill(1));
});
