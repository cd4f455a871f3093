// Partners of the REST rows of metadata: schemas, and reading and writing entities.
import { type Case, CHAIN, type Partner, E, EVENT, each } from './partner-case.ts';

export const metadataEntities: Readonly<Record<string, Partner>> = {
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
  'GET /entities/{entity_id}/why': () =>
    each((id) => ({
      path: `/entities/${id}/why?direction=forward&depth=1`,
      document: `query ($subject: ID!) { why(subject: $subject, direction: FORWARD, depth: 1) { ${CHAIN} } }`,
      variables: { subject: `entity:${id}` },
    })),
  'GET /events/{time}/why': () =>
    ['2020-01-01T00:00:00.000000Z', 'none'].map((time) => ({
      path: `/events/${time}/why?depth=1`,
      document: `query ($subject: ID!) { why(subject: $subject, depth: 1) { ${CHAIN} } }`,
      variables: { subject: `event:${time}` },
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
    {
      path: '/search?entity_type=Sample&q=liv&filter=data.age%20%3E%2010',
      document: `{ search(entityType: "Sample", q: "liv", filter: "data.age > 10") { ${E} score } }`,
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
};
