import { expect, test, vi } from 'vitest';
import { freshMetadata } from '../testkit/metadata.ts';

test('the payload of an event is parsed once, under however many names it is asked for', async () => {
  await using metadata = await freshMetadata();
  await metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
    d: { name: 'Thing', version: '1', fields: [{ name: 'note', field_type: 'string' }] },
  });
  await metadata.ask(
    'mutation { ingestEntity(entityType: "Thing", id: "t", data: {note: "mark-7"}) { id } }',
  );
  const names = Array.from({ length: 20 }, (_, i) => `p${i}: payload`).join(' ');
  // with a fragment, the resolvers answer instead of the store's text
  const query = `{ entityHistory(entityId: "t") { ...F } } fragment F on ProvenanceEvent { ${names} }`;
  const parse = vi.spyOn(JSON, 'parse');
  try {
    for (let i = 0; i < 6; i++) {
      parse.mockClear();
      const answer = JSON.stringify((await metadata.raw(query)).data);
      expect(answer.split('mark-7')).toHaveLength(21);
      expect(parse.mock.calls.filter(([text]) => text.includes('mark-7'))).toHaveLength(1);
    }
  } finally {
    parse.mockRestore();
  }
});
