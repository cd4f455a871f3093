// Partners of the REST rows of metadata that tell differences.
import { type Case, each, PARTS, type Partner } from './partner-case.ts';

const STATE = 'id entity_type: entityType version is_available: isAvailable';
const DIFF = `before { ${STATE} } after { ${STATE} } differences { field kind before after } json_patch: jsonPatch`;
const SET_DIFF = `query ($type: String, $fields: [FieldFilter!], $q: String, $filter: String, $all: Boolean, $first: Int) {
  entitiesDiff(entityType: $type, fields: $fields, q: $q, filter: $filter, includeUnavailable: $all, from: "2000-01-01T00:00:00Z", to: "2099-01-01T00:00:00Z", first: $first) {
    items { entity_id: entityId entity_type: entityType kind ${DIFF} } } }`;

export const metadataDifferences: Readonly<Record<string, Partner>> = {
  'GET /entities/{entity_id}/diff': () => [
    ...each((id) => ({
      path: `/entities/${id}/diff?from=2000-01-01T00:00:00Z`,
      document: `query ($id: ID!) { entityDiff(entityId: $id, from: "2000-01-01T00:00:00Z") { ${DIFF} } }`,
      variables: { id },
    })),
    {
      path: '/entities/free1/diff?to_entity_id=a1',
      document: `{ entityDiff(entityId: "free1", toEntityId: "a1") { ${DIFF} } }`,
    },
    { path: '/entities/free1/diff', document: '{ entityDiff(entityId: "free1") { jsonPatch } }' },
  ],
  'GET /diff': () => [
    ...[
      { query: '', fields: [], filter: null },
      {
        query: '&entity_type=Sample&note=liver%20of%20all',
        fields: [{ name: 'note', values: ['liver of all'] }],
      },
      { query: '&entity_type=Sample&filter=version%20%3E%3D%201&include_unavailable=true', all: true },
      { query: '&entity_type=Sample&limit=1001', first: 1001 },
      { query: '&entity_type=Unheard', type: 'Unheard' },
    ].map(({ query, fields = [], all = false, first = 100, type }): Case => ({
      path: `/diff?from=2000-01-01T00:00:00Z&to=2099-01-01T00:00:00Z${query}`,
      document: SET_DIFF,
      variables: {
        type: type ?? (query === '' ? null : 'Sample'),
        fields,
        all,
        filter: all ? 'version >= 1' : null,
        first,
      },
      told: ({ items }: { items: unknown }) => ({ items }),
    })),
    {
      path: '/diff?from=2000-01-01T00:00:00Z&to=2099-01-01T00:00:00Z&entity_type=Sample',
      headers: { accept: 'application/x-ndjson' },
      document: SET_DIFF,
      variables: { type: 'Sample', fields: [], all: false, filter: null, first: 1000 },
      payload: ({ entitiesDiff }: { entitiesDiff: { items: unknown } }) => entitiesDiff.items,
    },
  ],
  'GET /search/diff': () =>
    [
      { query: 'entity_type=Sample&q=liver' },
      { query: 'entity_type=Sample&q=LIV&filter=version%20%3E%3D%201', q: 'LIV', filter: 'version >= 1' },
      { query: 'entity_type=Sample&q=%20', q: ' ' },
      { query: 'entity_type=Unheard&q=liver', type: 'Unheard' },
    ].map(({ query, q = 'liver', filter = null, type = 'Sample' }): Case => ({
      path: `/search/diff?from=2000-01-01T00:00:00Z&to=2099-01-01T00:00:00Z&${query}`,
      document: SET_DIFF,
      variables: { type, fields: [], q, filter, all: false, first: 100 },
      told: ({ items }: { items: unknown }) => ({ items }),
    })),
  'GET /schemas/{name}/diff': () =>
    ['Donor', 'Unheard', 'Sample'].map((to) => ({
      path: `/schemas/Sample/diff?to_name=${to}`,
      document: `query ($to: String!) { schemaDiff(name: "Sample", toName: $to) { before after ${PARTS} } }`,
      variables: { to },
    })),
};
