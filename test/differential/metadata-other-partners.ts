// Partners of the REST rows of metadata: bulk changes, external ids, relationships, the feed and DRS.
import { type Bulk, type BulkAnswer, type Case, type Partner, E, REL, XID, each } from './partner-case.ts';

const bulkTold = ({ created, updated, unchanged, outcomes }: BulkAnswer) => ({
  created,
  updated,
  unchanged,
  errors: outcomes.flatMap(({ code, message }) => (code === undefined ? [] : [{ code, message }])),
});

/**
 * By those who are in the projects: a project of others refuses a document as a whole, and over REST its row
 * alone (docs/reference/metadata.md#naming-a-project).
 */
const movesInBulk = (n: number) =>
  [0, 3, 7].includes(n)
    ? [
        { entity_type: 'Sample', id: 'b2', data: { project: 'alpha' } },
        { entity_type: 'Sample', id: 'free2', data: { project: 'beta' } },
      ]
    : [];

/** A new entity and a shared one; then what is refused, for some or for all. */
const rowsOfBulk = (id: string, n: number) => [
  { entity_type: 'Donor', id, data: { name: 'B' } },
  { entity_type: 'Sample', id: 'free1', data: { age: 60 + n } },
  { entity_type: 'Sample', id: 'a1', data: { age: 60 + n } },
  { entity_type: 'Sample', id: 'b2', data: { age: 60 + n } },
  ...movesInBulk(n),
  { entity_type: 'Sample', id: '..', data: {} },
  { entity_type: 'Sample', id: 'free1', data: { age: 'old' } },
  { entity_type: 'Unheard', data: {} },
];

export const metadataLists: Readonly<Record<string, Partner>> = {
  'POST /entities/{entity_type}/bulk-availability': () =>
    [true, false, true].map((available) => ({
      path: '/entities/Sample/bulk-availability',
      body: { entity_ids: ['a2', 'b2', 'free2', 'nowhere'], available, reason: 'bulk' },
      document:
        'mutation ($ids: [ID!]!, $available: Boolean!) { setAvailabilityBulk(entityType: "Sample", entityIds: $ids, available: $available, reason: "bulk") { updated errors { entity_id: entityId code message } } }',
      variables: { ids: ['a2', 'b2', 'free2', 'nowhere'], available },
    })),
  'DELETE /entities/{entity_id}': ({ n }) =>
    [`new-${n}`, `alpha-new-${n}`, 'b1', 'nowhere'].map((id) => ({
      path: `/entities/${id}?reason=over`,
      document: 'mutation ($id: ID!) { deleteEntity(id: $id, reason: "over") { id } }',
      variables: { id },
      told: ({ entity_id: gone }: { entity_id: string }) => ({ id: gone }),
    })),
  'GET /entities/{entity_id}/relationships': () =>
    each((id) => ({
      path: `/entities/${id}/relationships?direction=out`,
      document: `query ($id: ID!) { relationships(entityId: $id, direction: OUT) { ${REL} } }`,
      variables: { id },
    })),
  'POST /entities/{entity_id}/relationships': ({ n }) =>
    ['a1', 'free1'].map((id) => ({
      path: `/entities/${id}/relationships`,
      body: { target_entity_id: 'free2', relationship_type: `near_${n}`, metadata: { by: n } },
      document: `mutation ($id: ID!, $type: String!, $metadata: JSON) { relate(sourceId: $id, targetId: "free2", relationshipType: $type, metadata: $metadata) { ${REL} } }`,
      variables: { id, type: `near_${n}`, metadata: { by: n } },
    })),
  'DELETE /entities/{entity_id}/relationships/{rel_id}': ({ n }) =>
    ['free1', 'nowhere'].map((id) => ({
      path: `/entities/${id}/relationships/${encodeURIComponent(`${id}->free2:near_${n}`)}?reason=over`,
      document:
        'mutation ($id: ID!, $rel: ID!) { unrelateById(entityId: $id, relationshipId: $rel, reason: "over") { id } }',
      variables: { id, rel: `${id}->free2:near_${n}` },
      told: ({ relationship_id: id2 }: { relationship_id: string }) => ({ id: id2 }),
    })),
  'GET /entities/{entity_id}/external-ids': () =>
    each((id) => ({
      path: `/entities/${id}/external-ids?include_superseded=true`,
      document: `query ($id: ID!) { externalIds(entityId: $id, includeSuperseded: true) { ${XID} } }`,
      variables: { id },
    })),
  'POST /entities/{entity_id}/external-ids': ({ n }) =>
    ['free1', 'b1'].map((id) => ({
      path: `/entities/${id}/external-ids`,
      body: { external_id: `X-${id}-${n}`, id_type: 'lab' },
      document: `mutation ($id: ID!, $x: String!) { registerExternalId(entityId: $id, externalId: $x, idType: "lab") { ${XID} } }`,
      variables: { id, x: `X-${id}-${n}` },
    })),
  'POST /entities/{entity_id}/supersede': ({ n }) =>
    [`X-free1-${n}`, 'unheard of'].map((old) => ({
      path: '/entities/free1/supersede',
      body: { old_external_id: old, new_external_id: `Y-free1-${n}`, id_type: 'lab', reason: 'typo' },
      document: `mutation ($old: String!, $new: String!) { supersedeExternalId(entityId: "free1", oldExternalId: $old, newExternalId: $new, idType: "lab", reason: "typo") { ${XID} } }`,
      variables: { old, new: `Y-free1-${n}` },
    })),
  'GET /entities/{entity_id}/superseded': () =>
    each((id) => ({
      path: `/entities/${id}/superseded`,
      document: `query ($id: ID!) { supersededExternalIds(entityId: $id) { ${XID} } }`,
      variables: { id },
    })),
  'GET /external-ids/{id_type}/{external_id}': () =>
    ['first', 'secret', 'unheard'].map((x) => ({
      path: `/external-ids/lab/${x}`,
      document: `query ($x: String!) { entityByExternalId(idType: "lab", externalId: $x) { ${E} } }`,
      variables: { x },
    })),
  'GET /external-ids': () =>
    ['first', 'with/slash', 'unheard'].map((x) => ({
      path: `/external-ids?id_type=lab&external_id=${encodeURIComponent(x)}`,
      document: `query ($x: String!) { entityByExternalId(idType: "lab", externalId: $x) { ${E} } }`,
      variables: { x },
    })),
  'GET /ga4gh/drs/v1/objects/{object_id}': () =>
    ['file1', 'a1', 'nowhere'].map((id) => ({
      path: `/ga4gh/drs/v1/objects/${id}`,
      headers: { host: 'drs.test' },
      document:
        'query ($id: ID!) { drsObject(id: $id, host: "drs.test") { id size checksums { checksum type } } }',
      variables: { id },
      told: ({ id: object, size, checksums }: { id: string; size: number; checksums: unknown }) => ({
        id: object,
        size,
        checksums,
      }),
    })),
  'POST /ga4gh/drs/v1/objects/{object_id}': () =>
    ['file1', 'a1', 'nowhere'].map((id) => ({
      path: `/ga4gh/drs/v1/objects/${id}`,
      body: {},
      document: 'query ($id: ID!) { drsObject(id: $id, host: "drs.test") { id size } }',
      variables: { id },
      told: ({ id: object, size }: { id: string; size: number }) => ({ id: object, size }),
    })),
  'OPTIONS /ga4gh/drs/v1/objects/{object_id}': () =>
    ['file1', 'nowhere'].map((id) => ({
      path: `/ga4gh/drs/v1/objects/${id}`,
      document:
        'query ($id: ID!) { drsAuthorizations(id: $id) { drs_object_id: objectId supported_types: supportedTypes } }',
      variables: { id },
    })),
  'POST /ga4gh/drs/v1/objects': () =>
    [['file1', 'a1', 'nowhere'], Array.from({ length: 101 }, () => 'a1')].map((ids) => ({
      path: '/ga4gh/drs/v1/objects',
      body: { bulk_object_ids: ids },
      document: 'query ($ids: [ID!]!) { drsObjects(ids: $ids, host: "drs.test") { requested unresolved } }',
      variables: { ids },
      told: ({ summary, unresolved_drs_objects: unresolved }: Bulk) => ({
        requested: summary.requested,
        unresolved: unresolved.flatMap(({ object_ids: absent }) => absent),
      }),
    })),
  'GET /ga4gh/drs/v1/objects/{object_id}/access/{access_id}': () =>
    ['file1', 'a1', 'nowhere'].map((id) => ({
      path: `/ga4gh/drs/v1/objects/${id}/access/${'0'.repeat(64)}`,
      document: `query ($id: ID!) { drsAccess(id: $id, accessId: "${'0'.repeat(64)}") { url } }`,
      variables: { id },
    })),
  'POST /ga4gh/drs/v1/objects/{object_id}/access/{access_id}': () =>
    ['file1', 'nowhere'].map((id) => ({
      path: `/ga4gh/drs/v1/objects/${id}/access/${'0'.repeat(64)}`,
      body: { passports: [] },
      document: `query ($id: ID!) { drsAccess(id: $id, accessId: "${'0'.repeat(64)}") { url } }`,
      variables: { id },
    })),
  'POST /ga4gh/drs/v1/objects/access': () =>
    [1, 101].map((length) => {
      const ids = Array.from({ length }, () => 'x');
      return {
        path: '/ga4gh/drs/v1/objects/access',
        body: { bulk_object_access_ids: [{ bulk_object_id: 'file1', bulk_access_ids: ids }] },
        document:
          'query ($ids: [ID!]!) { drsAccesses(requests: [{id: "file1", accessIds: $ids}]) { requested unresolved } }',
        variables: { ids },
        told: ({ summary, unresolved_drs_objects: unresolved }: Bulk) => ({
          requested: summary.requested,
          unresolved: unresolved.flatMap(({ object_ids: absent }) => absent),
        }),
      };
    }),
  'OPTIONS /ga4gh/drs/v1/objects': () =>
    [['file1', 'nowhere'], Array.from({ length: 101 }, () => 'a1')].map((ids) => ({
      path: '/ga4gh/drs/v1/objects',
      body: { bulk_object_ids: ids },
      document:
        'query ($ids: [ID!]!) { drsBulkAuthorizations(ids: $ids) { drs_object_id: objectId supported_types: supportedTypes } }',
      variables: { ids },
      told: ({ resolved_drs_object: found }: { resolved_drs_object: unknown }) => found,
    })),
  'GET /export/{entity_type}.{format}': () =>
    ['', '?note=liver%20of%20all', '?include_unavailable=true', '?expand=donor'].map((query, i) => ({
      path: `/export/Sample.ndjson${query}`,
      document: `query ($fields: [FieldFilter!], $all: Boolean) { entities(entityType: "Sample", fields: $fields, includeUnavailable: $all) { items { ${E}${i === 3 ? ' expanded(paths: "donor")' : ''} } } }`,
      variables: {
        fields: i === 1 ? [{ name: 'note', values: ['liver of all'] }] : [],
        all: i === 2,
      },
      payload: ({ entities }: { entities: { items: unknown } }) => entities.items,
    })),
  'GET /search/{entity_type}.{format}': () =>
    ['', '&include_unavailable=true', '&filter=data.age%20%3E%2010'].map((query, i) => ({
      path: `/search/Sample.ndjson?q=liv${query}`,
      document: `query ($filter: String, $all: Boolean) { entities(entityType: "Sample", q: "liv", filter: $filter, includeUnavailable: $all) { items { ${E} } } }`,
      variables: { filter: i === 2 ? 'data.age > 10' : null, all: i === 1 },
      payload: ({ entities }: { entities: { items: unknown } }) => entities.items,
    })),
  'POST /ingest/bulk': ({ n }) => [
    {
      path: '/ingest/bulk?entity_type=Donor',
      body: [
        { id: `bulk-${n}`, data: { name: 'B' } },
        { entity_type: 'Unheard', data: {} },
      ],
      document: `mutation ($id: ID) { ingestEntities(entities: [{entityType: "Donor", id: $id, data: {name: "B"}}, {entityType: "Unheard", data: {}}]) {
        created updated unchanged errors { code message } } }`,
      variables: { id: `bulk-${n}` },
      told: bulkTold,
    },
    {
      path: '/ingest/bulk?entity_type=Donor&map=name%3DFull+name',
      body: `id,Full name\nsheet-${n},B\n..,C\nfree1,\n`,
      headers: { 'content-type': 'text/csv' },
      document: `mutation ($id: ID) { ingestEntities(entities: [{entityType: "Donor", id: $id, data: {name: "B"}}, {entityType: "Donor", id: "..", data: {name: "C"}}, {entityType: "Donor", id: "free1", data: {}}]) {
        created updated unchanged errors { code message } } }`,
      variables: { id: `sheet-${n}` },
      told: bulkTold,
    },
    ...['dry_run', 'all_or_nothing'].flatMap((mode): readonly Case[] =>
      [
        // of several entities at fault, one without an id or a type that there can be comes before others
        rowsOfBulk(`${mode}-${n}`, n).filter(
          ({ id, entity_type: type }) => mode === 'dry_run' || (id !== '..' && type !== 'Unheard'),
        ),
        rowsOfBulk(`${mode}-${n}`, n).slice(0, 2),
      ].map((rows) => ({
        path: `/ingest/bulk?${mode}=true`,
        body: rows,
        document: `mutation ($rows: [IngestedEntity!]!) { ingestEntities(entities: $rows, ${mode === 'dry_run' ? 'dryRun' : 'allOrNothing'}: true) {
          created updated unchanged errors { code message } } }`,
        variables: {
          rows: rows.map(({ entity_type: entityType, ...row }) => ({ entityType, ...row })),
        },
        told: (answer: BulkAnswer) => {
          const told = bulkTold(answer);
          // where nothing is written, GraphQL tells of the first entity at fault, REST of each
          return mode === 'dry_run' ? told : { ...told, errors: told.errors.slice(0, 1) };
        },
      })),
    ),
  ],
  'GET /entities/{entity_id}/files/{field}': () =>
    ['file1', 'a1', 'secret', 'nowhere'].map((id) => ({
      path: `/entities/${id}/files/uri`,
      document: 'query ($id: ID!) { entityFile(entityId: $id, field: "uri") { hash } }',
      variables: { id },
    })),
  'PUT /entities/{entity_id}/files/{field}': () =>
    ['a1', 'nowhere'].map((id) => ({
      path: `/entities/${id}/files/uri`,
      body: { hash: '0'.repeat(64) },
      document:
        'mutation ($id: ID!, $h: ID!) { attachFile(entityId: $id, field: "uri", hash: $h) { version } }',
      variables: { id, h: '0'.repeat(64) },
    })),
  'GET /ga4gh/drs/v1/service-info': () => [
    {
      path: '/ga4gh/drs/v1/service-info',
      document: '{ drsService(website: "http://x/") { version } }',
      told: ({ version }: { version: string }) => ({ version }),
    },
  ],
};
