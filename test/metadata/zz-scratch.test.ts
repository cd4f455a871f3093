import { expect, test } from 'vitest';
import { startServer } from '../testkit/server.ts';
test('x', async () => {
  await using server = await startServer();
  const r = await server.graphql('{ __schema { subscriptionType { fields { name args { name } } } mutationType { fields(includeDeprecated: true) { name args(includeDeprecated: true) { name isDeprecated deprecationReason } } } } }');
  console.log(JSON.stringify(r.body.data.__schema.subscriptionType), JSON.stringify(r.body.data.__schema.mutationType.fields.filter((f: any) => f.name === 'ingestEntity')));
  const p = await server.rest('POST', '/api/v1/metadata/schemas', { body: { name: 'P', version: '1', fields: [{ name: 'project', field_type: 'string' }] } });
  const long = await server.rest('POST', '/api/v1/metadata/ingest', { body: { entity_type: 'P', data: { project: Array.from({ length: 9000 }, () => Math.random().toString(36).slice(2)).join('') } } });
  console.log(p.status, long.status, long.text.slice(0, 200));
  console.log((await server.graphql('subscription { provenanceEvents { token } }')).text);
});
