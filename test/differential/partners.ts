// For every REST row, an equivalent GraphQL operation as a client would write it, independent of the
// documents that the rows use. Values are compared directly, so these documents use aliases for REST's names.

/** One request, in both APIs. */
export interface Case {
  /** Below the component's prefix, with the query. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly document: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /**
   * The part of GraphQL's data that is the REST payload; by default the only root field. Null is REST's 404.
   */
  readonly payload?: (data: never) => unknown;
  /** The part of the REST payload that is compared, if it has more than GraphQL's. */
  readonly told?: (payload: never) => unknown;
}

/** Names that the requests of one credential may use. */
export interface Names {
  /** The credential's own name, for its writes. */
  readonly n: number;
  /** Created before, in the world that is queried. */
  readonly known: Readonly<Record<'run' | 'delivery' | 'production' | 'key' | 'rotated', string>>;
}

interface Bulk {
  readonly summary: { readonly requested: number };
  readonly unresolved_drs_objects: readonly { readonly object_ids: readonly string[] }[];
}

interface BulkAnswer {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly outcomes: readonly { readonly code?: number; readonly message?: string }[];
}

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

type Partner = (names: Names) => readonly Case[];

const E =
  'id entity_type: entityType data version created_at: createdAt updated_at: updatedAt is_available: isAvailable';
const REL =
  'id source_entity_id: sourceEntityId target_entity_id: targetEntityId relationship_type: relationshipType metadata created_at: createdAt created_by: createdBy';
const XID =
  'id entity_id: entityId id_type: idType external_id: externalId created_at: createdAt superseded_at: supersededAt superseded_by: supersededBy';
const EVENT =
  'id event_type: eventType entity_id: entityId entity_type: entityType actor timestamp schema_version: schemaVersion context payload';
const RUN = `run_id: runId trigger_name: triggerName trigger_type: triggerType adapter status queued_at: queuedAt started_at: startedAt finished_at: finishedAt
  records_fetched: recordsFetched records_created: recordsCreated records_updated: recordsUpdated records_skipped: recordsSkipped records_failed: recordsFailed errors`;
const PRODUCTION =
  'production_id: id status entity_type: entityType criteria rule entity_ids: entityIds error requested_by: requestedBy requested_at: requestedAt started_at: startedAt finished_at: finishedAt';
const RULE =
  'name version rule status scope description tags cwl_hash: cwlHash registered_by: registeredBy registered_at: registeredAt previous_version_id: previousVersionId deprecation_note: deprecationNote';

const pickRule = (rule: Record<string, unknown>): unknown =>
  Object.fromEntries(
    [
      'name',
      'version',
      'rule',
      'status',
      'scope',
      'description',
      'tags',
      'cwl_hash',
      'registered_by',
      'registered_at',
      'previous_version_id',
      'deprecation_note',
    ].map((name) => [name, rule[name] ?? null]),
  );

/** A sample of each project, a shared one, and a missing one. */
const SEEN = ['a1', 'b1', 'free1', 'nowhere'];
const each = (of: (id: string) => Case): readonly Case[] => SEEN.map(of);

const metadata: Readonly<Record<string, Partner>> = {
  'GET /health': () => [{ path: '/health', document: '{ metadataService { status service } }' }],
  'GET /': () => [{ path: '/', document: '{ metadataService { service version docs } }' }],
  'GET /entities': () => [
    {
      path: '/entities?limit=3',
      document: `{ entities(limit: 3) { items { ${E} } total limit offset next_cursor: nextCursor } }`,
    },
    {
      path: '/entities?entity_type=Sample&tissue=liver&tissue=skin',
      document: `{ entities(entityType: "Sample", fields: [{name: "tissue", values: ["liver", "skin"]}]) { items { ${E} } total limit offset next_cursor: nextCursor } }`,
    },
    {
      path: `/entities?entity_type=Sample&filter=${encodeURIComponent('data.age > 30 && data.tissue != "skin"')}&order_by=-data.age`,
      document: `query ($f: String) { entities(entityType: "Sample", filter: $f, orderBy: "-data.age") { items { ${E} } total limit offset next_cursor: nextCursor } }`,
      variables: { f: 'data.age > 30 && data.tissue != "skin"' },
    },
    {
      path: '/entities?entity_type=Sample&expand=donor,part_of[]',
      document: `{ entities(entityType: "Sample") { items { ${E} expanded(paths: "donor,part_of[]") } total limit offset next_cursor: nextCursor } }`,
    },
    { path: '/entities?limit=0', document: '{ entities(limit: 0) { total } }' },
    {
      path: '/entities?entity_type=Sample&filter=data.age%20%3E',
      document: '{ entities(entityType: "Sample", filter: "data.age >") { total } }',
    },
    {
      path: '/entities?entity_type=Unheard',
      document:
        '{ entities(entityType: "Unheard") { items { id } total limit offset next_cursor: nextCursor } }',
      told: (list: {
        items: unknown[];
        total: number;
        limit: number;
        offset: number;
        next_cursor: unknown;
      }) => list,
    },
  ],
  'GET /entities/{entity_id}': () =>
    each((id) => ({
      path: `/entities/${id}?expand=donor`,
      document: `query ($id: ID!) { entity(id: $id) { ${E} expanded(paths: "donor") } }`,
      variables: { id },
    })),
  'GET /entities/{entity_id}/state': () =>
    each((id) => ({
      path: `/entities/${id}/state?at=2999-01-01T00:00:00Z`,
      document: `query ($id: ID!) { entityAt(id: $id, at: "2999-01-01T00:00:00Z") { ${E} } }`,
      variables: { id },
    })),
  'GET /entities/{entity_id}/history': () => [
    ...each((id) => ({
      path: `/entities/${id}/history`,
      document: `query ($id: ID!) { entityHistory(entityId: $id) { ${EVENT} } }`,
      variables: { id },
    })),
    {
      path: '/entities/free1/history?event_types=EntityUpdated&limit=1',
      document: `{ entityHistory(entityId: "free1", eventTypes: ["EntityUpdated"], limit: 1) { ${EVENT} } }`,
    },
  ],
  'PUT /entities/{entity_type}/{entity_id}': ({ n }) => [
    ...['a1', 'free1', 'nowhere'].map((id): Case => ({
      path: `/entities/Sample/${id}`,
      body: { data: { age: 40 + n } },
      headers: { 'x-metadata-context': '{"notes":"differential"}' },
      document: `mutation ($id: ID!, $data: JSON!, $context: ProvenanceContext) { updateEntity(entityType: "Sample", id: $id, data: $data, context: $context) { ${E} } }`,
      variables: { id, data: { age: 40 + n }, context: { notes: 'differential' } },
    })),
    {
      path: '/entities/Sample/free1',
      body: { data: { age: 'old' } },
      document:
        'mutation ($data: JSON!) { updateEntity(entityType: "Sample", id: "free1", data: $data) { id } }',
      variables: { data: { age: 'old' } },
    },
    {
      path: '/entities/Sample/free1',
      body: { data: { age: 1 } },
      headers: { 'if-match': '"999"' },
      document:
        'mutation ($data: JSON!) { updateEntity(entityType: "Sample", id: "free1", data: $data, ifVersion: 999) { id } }',
      variables: { data: { age: 1 } },
    },
    {
      path: '/entities/Donor/free1',
      body: { data: {} },
      document:
        'mutation ($data: JSON!) { updateEntity(entityType: "Donor", id: "free1", data: $data) { id } }',
      variables: { data: {} },
    },
  ],
  'POST /ingest': ({ n }) =>
    [
      ['', undefined],
      ['alpha-', 'alpha'],
      ['beta-', 'beta'],
    ]
      .flatMap(([prefix, project]): Case[] => {
        const data = { tissue: 'liver', age: n, ...(project === undefined ? {} : { project }) };
        return [
          {
            path: '/ingest',
            body: { entity_type: 'Sample', id: `${prefix}new-${n}`, data },
            document: `mutation ($id: ID, $data: JSON!) { ingestEntity(entityType: "Sample", id: $id, data: $data) { ${E} } }`,
            variables: { id: `${prefix}new-${n}`, data },
          },
        ];
      })
      .concat([
        {
          path: '/ingest',
          body: { entity_type: 'Sample', data: { age: n } },
          document: `mutation ($data: JSON!) { ingestEntity(entityType: "Sample", data: $data) { ${E} } }`,
          variables: { data: { age: n } },
        },
        {
          path: '/ingest',
          body: { entity_type: 'Sample', data: { tissue: 'bone' } },
          document: 'mutation ($data: JSON!) { ingestEntity(entityType: "Sample", data: $data) { id } }',
          variables: { data: { tissue: 'bone' } },
        },
        ...(
          [
            [{ 'if-match': '"7", "1"' }, { in: [7, 1] }],
            [{ 'if-match': '*' }, { exists: true }],
            [{ 'if-none-match': '*' }, { exists: false }],
          ] as const
        ).flatMap(([headers, wanted]): Case[] =>
          [`new-${n}`, `wanted-${n}`].map((id) => ({
            path: '/ingest',
            body: { entity_type: 'Sample', id, data: { note: JSON.stringify(wanted) } },
            headers,
            document: `mutation ($id: ID, $data: JSON!, $in: [Int!], $exists: Boolean) {
              ingestEntity(entityType: "Sample", id: $id, data: $data, ifVersionIn: $in, ifExists: $exists) { ${E} } }`,
            variables: { id, data: { note: JSON.stringify(wanted) }, ...wanted },
          })),
        ),
        {
          path: '/ingest',
          body: { entity_type: 'Unheard', data: {} },
          document: 'mutation ($data: JSON!) { ingestEntity(entityType: "Unheard", data: $data) { id } }',
          variables: { data: {} },
        },
      ]),
  'GET /search': () => [
    {
      path: '/search?entity_type=Sample&q=liv&limit=5',
      document: `{ search(entityType: "Sample", q: "liv", limit: 5) { ${E} score } }`,
    },
  ],
  'GET /aggregate': () => [
    {
      path: '/aggregate?entity_type=Sample&group_by=tissue,is_available&of=age&limit=5',
      document:
        '{ aggregate(entityType: "Sample", groupBy: ["tissue", "is_available"], of: ["age"], limit: 5) { groups { key count measures } total limit offset } }',
    },
    {
      path: '/aggregate?entity_type=Sample&group_by=age:10&of=age&percentiles=0.5,0.9&having=count%20%3E%200',
      document:
        '{ aggregate(entityType: "Sample", groupBy: ["age:10"], of: ["age"], percentiles: [0.5, 0.9], having: "count > 0") { groups { key count measures } total limit offset } }',
    },
    {
      path: '/aggregate?entity_type=Sample&group_by=unheard',
      document: '{ aggregate(entityType: "Sample", groupBy: ["unheard"]) { total } }',
    },
    {
      path: '/aggregate?entity_type=Unheard',
      document: '{ aggregate(entityType: "Unheard") { total } }',
    },
  ],
  'GET /facets': () => [
    {
      path: '/facets?entity_type=Sample&of=tissue,age&limit=3',
      document:
        '{ facets(entityType: "Sample", of: ["tissue", "age"], limit: 3) { field values { value count } distinct missing } }',
    },
    {
      path: '/facets?entity_type=Sample&of=unheard',
      document: '{ facets(entityType: "Sample", of: ["unheard"]) { field } }',
    },
  ],
  'GET /schemas': () => [
    {
      path: '/schemas',
      document: '{ schemas { definition } }',
      payload: ({ schemas }: { schemas: { definition: unknown }[] }) =>
        schemas.map(({ definition }) => definition),
    },
  ],
  'GET /schemas/{name}': () =>
    ['Sample', 'Unheard'].map((name) => ({
      path: `/schemas/${name}`,
      document: 'query ($name: String!) { schema(name: $name) { definition } }',
      variables: { name },
      payload: ({ schema }: { schema: { definition: unknown } | null }) => schema?.definition ?? null,
    })),
  'GET /schemas/{entity_type}/references': () =>
    ['Sample', 'Unheard'].map((name) => ({
      path: `/schemas/${name}/references`,
      document:
        'query ($name: String!) { schemaReferences(entityType: $name) { field target_entity_type: targetEntityType } }',
      variables: { name },
    })),
  'GET /schemas/{entity_type}/reference-faults': () =>
    ['Sample', 'Unheard'].map((name) => ({
      path: `/schemas/${name}/reference-faults?limit=5`,
      variables: { name },
      document:
        'query ($name: String!) { referenceFaults(entityType: $name, limit: 5) { items { entity_id: entityId entity_type: entityType field target_id: targetId target_entity_type: targetEntityType reason actual_entity_type: actualEntityType } next_cursor: nextCursor } }',
      told: ({ items, next_cursor: next }: { items: { reason: string }[]; next_cursor: unknown }) => ({
        items: items.map((item) => ({ ...item, reason: item.reason.toUpperCase() })),
        next_cursor: next,
      }),
    })),
  'POST /schemas': ({ n }) =>
    [
      { name: `Kind${n}`, version: '1', fields: [{ name: 'x', field_type: 'int', required: false }] },
      { name: 'Sample', version: '0.1', fields: [] },
    ].map((definition) => ({
      path: '/schemas',
      body: definition,
      document: 'mutation ($definition: JSON!) { createSchema(definition: $definition) { name version } }',
      variables: { definition },
      told: ({ name, version }: { name: string; version: string }) => ({ name, version }),
    })),
  'GET /entities/{entity_id}/availability': () =>
    each((id) => ({
      path: `/entities/${id}/availability`,
      document: 'query ($id: ID!) { entity(id: $id) { entity_id: id is_available: isAvailable } }',
      variables: { id },
    })),
  'POST /entities/{entity_id}/availability': () =>
    [false, true].flatMap((isAvailable) =>
      ['a2', 'free2'].map((id): Case => ({
        path: `/entities/${id}/availability`,
        body: { is_available: isAvailable, reason: 'checked' },
        headers: { 'if-match': id === 'a2' ? '"1"' : '"999"' },
        document:
          'mutation ($id: ID!, $is: Boolean!, $v: Int) { setAvailability(id: $id, isAvailable: $is, ifVersion: $v, reason: "checked") { entity_id: id is_available: isAvailable } }',
        variables: { id, is: isAvailable, v: id === 'a2' ? 1 : 999 },
      })),
    ),
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
    ['', '?note=liver%20of%20all', '?include_unavailable=true'].map((query, i) => ({
      path: `/export/Sample.ndjson${query}`,
      document: `query ($fields: [FieldFilter!], $all: Boolean) { entities(entityType: "Sample", fields: $fields, includeUnavailable: $all) { items { ${E} } } }`,
      variables: {
        fields: i === 1 ? [{ name: 'note', values: ['liver of all'] }] : [],
        all: i === 2,
      },
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

const KEY = 'id label role project expires created_at: createdAt created_by: createdBy owner';
const SYNC_EVENT =
  'id event_type: eventType source source_id: sourceId actor details resolved resolved_at: resolvedAt created_at: createdAt';
const SCAN = 'scan_id: scanId status started_at: startedAt';

interface ListedKey {
  readonly revoked_at: string | null;
}
const keysShown = ({
  apiKeys,
}: {
  apiKeys: { keys: readonly ListedKey[]; next_cursor: unknown };
}): unknown => ({
  ...apiKeys,
  keys: apiKeys.keys.map((one) => ({ ...one, revoked: one.revoked_at !== null })),
});

const gateway: Readonly<Record<string, Partner>> = {
  'POST /auth/api-keys': ({ n }) =>
    [
      { label: `mine ${n}`, role: 'viewer' },
      { label: `theirs ${n}`, role: 'analyst', owner: 'user:somebody', expires: '2099-01-31T10:00+02:00' },
      { label: `of alpha ${n}`, role: 'viewer', project: 'alpha' },
      { label: '', role: 'viewer' },
      { label: 'over', role: 'viewer', expires: '2001-01-01' },
    ].map((input) => ({
      path: '/auth/api-keys',
      body: input,
      document: `mutation ($input: ApiKeyInput!) { createApiKey(input: $input) { key { ${KEY} } secret } }`,
      variables: { input },
      payload: ({ createApiKey: { key, secret } }: { createApiKey: { key: object; secret: string } }) => ({
        ...key,
        secret,
      }),
    })),
  'GET /auth/api-keys': () =>
    [
      ['?limit=3', '(limit: 3)'],
      ['?all=true&limit=4&offset=1', '(all: true, limit: 4, offset: 1)'],
      ['?user=somebody', '(user: "somebody", limit: 1000)'],
      ['?limit=0', '(limit: 0)'],
      ['?cursor=zzz', '(cursor: "zzz")'],
    ].map(([query = '', args = '']) => ({
      path: `/auth/api-keys${query}`,
      document: `{ apiKeys${args} { keys { ${KEY} revoked_at: revokedAt } next_cursor: nextCursor } }`,
      payload: keysShown,
      told: ({ keys, next_cursor }: { keys: Record<string, unknown>[]; next_cursor: unknown }) => ({
        keys: keys.map(({ last_used_at: _, ...one }) => one), // by the minute
        next_cursor,
      }),
    })),
  'POST /auth/api-keys/{key_id}/rotate': ({ known }) =>
    [known.rotated, 'key_none'].map((id) => ({
      path: `/auth/api-keys/${id}/rotate`,
      document:
        'mutation ($id: ID!) { rotateApiKey(id: $id) { created { key { id label role project } secret } revoked { id revoked_at: revokedAt } } }',
      variables: { id },
      payload: ({
        rotateApiKey: { created, revoked },
      }: {
        rotateApiKey: { created: { key: object; secret: string }; revoked: unknown };
      }) => ({ new_key: { ...created.key, secret: created.secret }, revoked_key: revoked }),
    })),
  'DELETE /auth/api-keys/{key_id}': ({ known }) =>
    [known.key, 'key_none'].map((id) => ({
      path: `/auth/api-keys/${id}`,
      body: { reason: 'over' },
      document: 'mutation ($id: ID!) { revokeApiKey(id: $id, reason: "over") { id revoked_at: revokedAt } }',
      variables: { id },
      told: ({ id: key, revoked_at }: { id: string; revoked_at: string }) => ({ id: key, revoked_at }),
    })),
  'GET /audit': () =>
    [
      ['?limit=2', '(limit: 2)'],
      ['?limit=501', '(limit: 501)'],
    ].map(([query = '', args = '']) => ({
      path: `/audit${query}`,
      document: `{ auditRecords${args} { records { request_id: requestId } next_cursor: nextCursor } }`,
    })),
  'GET /sync/events': () =>
    [
      ['?limit=2', '(limit: 2)'],
      ['?status=resolved', '(status: resolved)'],
      ['?offset=1', '(offset: 1)'],
      ['?limit=501', '(limit: 501)'],
    ].map(([query = '', args = '']) => ({
      path: `/sync/events${query}`,
      document: `{ syncEvents${args} { events { ${SYNC_EVENT} } total next_cursor: nextCursor } }`,
    })),
  'GET /sync/events/{event_id}': () =>
    ['evt_1', 'evt_none'].map((id) => ({
      path: `/sync/events/${id}`,
      document: `query ($id: ID!) { syncEvent(id: $id) { ${SYNC_EVENT} note resolved_by: resolvedBy } }`,
      variables: { id },
    })),
  'POST /sync/events/{event_id}/resolve': () =>
    ['evt_1', 'evt_1', 'evt_none'].map((id) => ({
      path: `/sync/events/${id}/resolve`,
      body: { note: 'seen' },
      document: `mutation ($id: ID!) { resolveSyncEvent(id: $id, note: "seen") { ${SYNC_EVENT} note resolved_by: resolvedBy } }`,
      variables: { id },
    })),
  'POST /sync/scan': () => [
    {
      path: '/sync/scan',
      document: `mutation { startScan { ${SCAN} } }`,
      told: ({ scan_id, status, started_at }: Record<string, unknown>) => ({ scan_id, status, started_at }),
    },
  ],
  'GET /sync/scan/latest': () => [
    {
      path: '/sync/scan/latest',
      document: '{ latestScan { scan_id: scanId started_at: startedAt } }',
      // it may have ended
      told: ({ scan_id, started_at }: Record<string, unknown>) => ({ scan_id, started_at }),
    },
  ],
};

const workflow: Readonly<Record<string, Partner>> = {
  'GET /triggers': () => [
    {
      path: '/triggers',
      document: '{ triggers { name status last_result: lastResult } }',
      payload: ({ triggers }: { triggers: { name: string; status: string; last_result: unknown }[] }) =>
        Object.fromEntries(triggers.map(({ name, status }) => [name, { status }])),
      told: (all: Record<string, { status: string }>) =>
        Object.fromEntries(Object.entries(all).map(([name, { status }]) => [name, { status }])),
    },
  ],
  'GET /triggers/{name}': () =>
    ['by-hand', 'hook', 'unheard'].map((name) => ({
      path: `/triggers/${name}`,
      document: 'query ($name: ID!) { trigger(name: $name) { name type status definition } }',
      variables: { name },
      told: ({ name: own, type, status, definition }: Record<string, unknown>) => ({
        name: own,
        type,
        status,
        definition,
      }),
    })),
  'GET /triggers/{name}/runs': () =>
    ['by-hand', 'unheard'].map((name) => ({
      path: `/triggers/${name}/runs?limit=2`,
      document: `query ($name: ID!) { trigger(name: $name) { runs(limit: 2) { runs { ${RUN} } total next_cursor: nextCursor } } }`,
      variables: { name },
      payload: ({ trigger }: { trigger: { runs: unknown } | null }) => trigger?.runs ?? null,
    })),
  'GET /triggers/{name}/observations': () =>
    ['hook', 'unheard'].map((name) => ({
      path: `/triggers/${name}/observations`,
      document:
        'query ($name: ID!) { trigger(name: $name) { observations { observations { id kind verdict reason subject seen run { run_id: runId status } delivery_id: deliveryId times at } next_cursor: nextCursor } } }',
      variables: { name },
      payload: ({ trigger }: { trigger: { observations: unknown } | null }) => trigger?.observations ?? null,
    })),
  'POST /triggers/{name}/evaluate': () => [
    {
      path: '/triggers/hook/evaluate',
      body: { condition: 'event.n > 0' },
      document:
        '{ evaluateTrigger(name: "hook", condition: "event.n > 0") { condition would_fire: wouldFire trials { subject verdict reason seen } } }',
    },
    {
      path: '/triggers/hook/evaluate',
      body: { condition: 'event.n >' },
      document: '{ evaluateTrigger(name: "hook", condition: "event.n >") { condition } }',
    },
  ],
  'GET /deliveries': () => [
    {
      path: '/deliveries?limit=3',
      document:
        '{ failedDeliveries(limit: 3) { deliveries { delivery_id: id trigger received_at: receivedAt run { run_id: runId status finished_at: finishedAt errors } } next_cursor: nextCursor } }',
    },
  ],
  'POST /deliveries/{delivery_id}/redeliver': ({ known }) =>
    [known.delivery, '00000000-0000-4000-8000-000000000000'].map((id) => ({
      path: `/deliveries/${id}/redeliver`,
      document: 'mutation ($id: ID!) { redeliver(deliveryId: $id) { status run_id: runId } }',
      variables: { id },
    })),
  'GET /runs': () => [
    {
      path: '/runs?limit=1&status=success',
      document: `{ runs(limit: 1, status: success) { runs { ${RUN} } total next_cursor: nextCursor } }`,
    },
    { path: '/runs?limit=0', document: '{ runs(limit: 0) { total } }' },
  ],
  'GET /runs/{run_id}': ({ known }) =>
    [known.run, '00000000-0000-4000-8000-000000000000', 'no uuid'].map((id) => ({
      path: `/runs/${encodeURIComponent(id)}`,
      document: `query ($id: ID!) { run(runId: $id) { ${RUN} action cause unresolved { entity_id: entityId reason } } }`,
      variables: { id },
    })),
  'POST /triggers/{name}/run': () =>
    ['by-hand', 'unheard'].map((name) => ({
      path: `/triggers/${name}/run`,
      document:
        'mutation ($name: ID!) { runTrigger(name: $name) { run_id: runId status trigger: triggerName } }',
      variables: { name },
    })),
  'POST /runs/{run_id}/cancel': ({ known }) =>
    [known.run, '00000000-0000-4000-8000-000000000000'].map((id) => ({
      path: `/runs/${id}/cancel`,
      document: 'mutation ($id: ID!) { cancelRun(runId: $id) { run_id: runId status } }',
      variables: { id },
    })),
  'POST /runs': () =>
    [
      { type: 'ingest', adapter: 'sheet' },
      { type: 'ingest', adapter: 'unheard' },
    ].map((action) => ({
      path: '/runs',
      body: { action, context: { why: 'differential' } },
      document:
        'mutation ($action: JSON!, $context: JSON) { submitRun(action: $action, context: $context) { run_id: runId status } }',
      variables: { action, context: { why: 'differential' } },
      told: ({ run_id: id, status }: { run_id: string; status: string }) => ({ run_id: id, status }),
    })),
};

const RESOLVED =
  'decision uri entity { id entity_type: entityType uri fields version is_available: isAvailable } rule plan plan_hash: planHash';
const bare: Readonly<Record<string, (names: Names, rule: (n: number) => unknown) => readonly Case[]>> = {
  'GET /rules': () => [
    {
      path: '/rules?limit=5',
      document: `{ rules(limit: 5) { rules { ${RULE} } total next_cursor: nextCursor } }`,
      told: ({
        rules,
        total,
        next_cursor: next,
      }: {
        rules: Record<string, unknown>[];
        total: number;
        next_cursor: unknown;
      }) => ({ rules: rules.map(pickRule), total, next_cursor: next }),
    },
  ],
  'GET /rules/{name}': () =>
    ['greet', 'unheard'].map((name) => ({
      path: `/rules/${name}`,
      document: `query ($name: ID!) { rule(name: $name) { ${RULE} } }`,
      variables: { name },
      told: pickRule,
    })),
  'POST /rules': ({ n }, rule) =>
    [
      { definition: rule(n), dry: false },
      { definition: { name: 'x' }, dry: false },
      { definition: rule(n + 100), dry: true },
    ].map(({ definition, dry }) => ({
      path: `/rules${dry ? '?dry_run=true' : ''}`,
      body: definition,
      document: `mutation ($definition: JSON!, $dry: Boolean!) { registerRule(definition: $definition, dryRun: $dry) { rule { ${RULE} } valid: isValid } }`,
      variables: { definition, dry },
      payload: ({ registerRule }: { registerRule: { rule: unknown; valid: boolean } }) =>
        registerRule.rule ?? { valid: registerRule.valid },
      told: (made: Record<string, unknown>) =>
        made['rule'] === undefined ? { valid: made['valid'] } : pickRule(made),
    })),
  'PATCH /rules/{name}': ({ n }) =>
    [`rule-${n}`, 'unheard'].map((name) => ({
      path: `/rules/${name}`,
      body: { status: 'deprecated', deprecation_note: 'over' },
      document: `mutation ($name: ID!) { deprecateRule(name: $name, note: "over") { ${RULE} } }`,
      variables: { name },
      told: pickRule,
    })),
  'GET /resolve': () =>
    [{ sample: 'stored' }, { sample: 'never' }, { sample: 'hidden' }].map((criteria) => ({
      path: `/resolve?entity_type=Greeting&sample=${criteria.sample}`,
      document: `query ($c: JSON!) { resolveArtifact(entityType: "Greeting", criteria: $c) { ${RESOLVED} } }`,
      variables: { c: criteria },
    })),
  'POST /resolve_all': () => [
    {
      path: '/resolve_all',
      body: { entity_type: 'Greeting', partial_spec: {}, limit: 1 },
      document:
        'query ($s: JSON!) { resolveAll(entityType: "Greeting", partialSpec: $s, limit: 1) { entity_type: entityType partial_spec: partialSpec entities { id uri fields } cursor total } }',
      variables: { s: {} },
    },
  ],
  'POST /produce': () =>
    [{ sample: 'stored' }, { unheard: 'x' }].map((criteria) => ({
      path: '/produce',
      body: { entity_type: 'Greeting', criteria },
      document:
        'mutation ($c: JSON!) { produceArtifact(entityType: "Greeting", criteria: $c) { decision uri entity { id entity_type: entityType uri fields version is_available: isAvailable } rule plan_hash: planHash } }',
      variables: { c: criteria },
      told: ({ decision, uri, entity, rule, plan_hash: hash }: Record<string, unknown>) => ({
        decision,
        uri,
        entity,
        rule,
        plan_hash: hash,
      }),
    })),
  'GET /productions': () => [
    {
      path: '/productions?limit=2',
      document: `{ productions(limit: 2) { productions { ${PRODUCTION} } total next_cursor: nextCursor } }`,
    },
  ],
  'GET /productions/{id}': ({ known }) =>
    [known.production, '00000000-0000-4000-8000-000000000000'].map((id) => ({
      path: `/productions/${id}`,
      document: `query ($id: ID!) { production(id: $id) { ${PRODUCTION} } }`,
      variables: { id },
      told: (made: Record<string, unknown>) =>
        Object.fromEntries(
          [
            'production_id',
            'status',
            'entity_type',
            'criteria',
            'rule',
            'entity_ids',
            'error',
            'requested_by',
            'requested_at',
            'started_at',
            'finished_at',
          ].map((name) => [name, made[name]]),
        ),
    })),
  'DELETE /productions/{id}': () => [
    {
      path: '/productions/00000000-0000-4000-8000-000000000000',
      document:
        'mutation { cancelProduction(id: "00000000-0000-4000-8000-000000000000") { production_id: id } }',
    },
  ],
  'GET /crates/{entity_id}': () =>
    ['greeting1', 'nowhere'].map((id) => ({
      path: `/crates/${id}`,
      document: 'query ($id: ID!) { workflowRunCrate(entityId: $id) }',
      variables: { id },
    })),
  'PUT /reuse/{entity_id}': () =>
    [
      { id: 'greeting1', reusable: false },
      { id: 'greeting1', reusable: true },
      { id: 'nowhere', reusable: false },
    ].map(({ id, reusable }) => ({
      path: `/reuse/${id}`,
      body: { reusable, reason: 'tried' },
      document:
        'mutation ($id: ID!, $r: Boolean!) { setReusable(entityId: $id, reusable: $r, reason: "tried") { entity_id: entityId reason actor since } }',
      variables: { id, r: reusable },
    })),
  'GET /files/{sha256}': () =>
    ['0'.repeat(64), 'none'].map((hash) => ({
      path: `/files/${hash}`,
      document: 'query ($hash: ID!) { storedFile(hash: $hash) { hash } }',
      variables: { hash },
    })),
  'GET /crates/{entity_id}/zip': () =>
    ['a1', 'nowhere'].map((id) => ({
      path: `/crates/${id}/zip`,
      document: 'query ($id: ID!) { workflowRunCrate(entityId: $id) }',
      variables: { id },
    })),
  'PUT /files/{sha256}': () => [
    {
      path: '/files/none',
      document: 'mutation { createUpload(length: 0, hash: "none") { id } }',
    },
  ],
  'GET /files': () => [
    {
      path: '/files?limit=5',
      document: '{ uploadedFiles(limit: 5) { items { file { hash } } next_cursor: nextCursor } }',
    },
    { path: '/files?limit=0', document: '{ uploadedFiles(limit: 0) { nextCursor } }' },
  ],
  'OPTIONS /uploads': () => [
    {
      path: '/uploads',
      document: '{ uploadLimits { maxBytes } }',
      told: () => 'only headers',
      payload: () => 'only headers',
    },
  ],
  'POST /uploads': () => [
    {
      path: '/uploads',
      headers: { 'upload-length': '5', 'upload-metadata': `filename ${btoa('a.txt')}` },
      document:
        'mutation ($m: String) { createUpload(length: 5, name: "a.txt", metadata: $m) { length offset name metadata hash: expectedHash file { hash } } }',
      variables: { m: `filename ${btoa('a.txt')}` },
      told: ({ length, offset, name, metadata, expected_hash: hash, file }: Record<string, unknown>) => ({
        length,
        offset,
        name,
        metadata,
        hash,
        file,
      }),
    },
    {
      path: '/uploads',
      headers: { 'upload-length': '5', 'upload-metadata': `sha256 ${btoa('none')}` },
      document: 'mutation { createUpload(length: 5, hash: "none") { id } }',
    },
  ],
  'GET /uploads': () => [
    {
      path: '/uploads?limit=2',
      document: '{ uploads(limit: 2) { items { length offset name } next_cursor: nextCursor } }',
      told: ({ items, next_cursor }: { items: Record<string, unknown>[]; next_cursor: unknown }) => ({
        items: items.map(({ length, offset, name }) => ({ length, offset, name })),
        next_cursor,
      }),
    },
  ],
  'GET /uploads/{upload_id}': () => [
    {
      path: '/uploads/none',
      document: '{ upload(id: "none") { id } }',
    },
  ],
  'PATCH /uploads/{upload_id}': () => [
    {
      path: '/uploads/none',
      headers: { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
      document: '{ upload(id: "none") { id } }',
    },
  ],
  'DELETE /uploads/{upload_id}': () => [
    {
      path: '/uploads/none',
      document: 'mutation { cancelUpload(id: "none") { id } }',
    },
  ],
  'DELETE /cache': () => [
    {
      path: '/cache?older_than=9d',
      document: 'mutation { evictFiles(olderThan: "9d") { evicted bytes } }',
      told: ({ evicted, bytes }: Record<string, unknown>) => ({ evicted, bytes }),
    },
    { path: '/cache?older_than=soon', document: 'mutation { evictFiles(olderThan: "soon") { evicted } }' },
  ],
  'DELETE /cache/{hash}': () => [
    {
      path: `/cache/sha256:${'0'.repeat(64)}`,
      document: `mutation { evictFiles(hash: "sha256:${'0'.repeat(64)}") { evicted bytes } }`,
      told: ({ evicted, bytes }: Record<string, unknown>) => ({ evicted, bytes }),
    },
  ],
  'POST /cache/verify': () => [
    {
      path: '/cache/verify?limit=5',
      document: 'mutation { verifyFiles(limit: 5) { checked missing damaged last } }',
    },
  ],
};

/** By component, then by the row's method and template. */
export const partnersOf = (
  rule: (n: number) => unknown,
): Readonly<Record<string, Readonly<Record<string, Partner>>>> => ({
  metadata,
  workflow,
  gateway,
  artifact: Object.fromEntries(
    Object.entries(bare).flatMap(([row, cases]) => {
      const [method = '', path = ''] = row.split(' ');
      const plain: Partner = (names) => cases(names, rule);
      return [
        [row, plain],
        [
          `${method} /api/v1${path}`,
          (names: Names) =>
            plain({ ...names, n: names.n + 50 }).map((one) => ({ ...one, path: `/api/v1${one.path}` })),
        ],
      ];
    }),
  ),
});
