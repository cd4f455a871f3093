// Partners of the REST rows of artifact.
import { type Case, CHAIN, type Names, PRODUCTION, RULE, pickRule, PARTS } from './partner-case.ts';
import { STALENESS_PARTNERS } from './staleness-partners.ts';

const RESOLVED =
  'decision uri entity { id entity_type: entityType uri fields version is_available: isAvailable } rule plan plan_hash: planHash';
export const bare: Readonly<Record<string, (names: Names, rule: (n: number) => unknown) => readonly Case[]>> =
  {
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
    'GET /rules/{name}/diff': () =>
      ['greet', 'unheard'].map((name) => ({
        path: `/rules/${name}/diff?to=greet@1`,
        document: `query ($name: ID!) { ruleDiff(name: $name, toName: "greet@1") { before { rule status registered_by: registeredBy registered_at: registeredAt } after { rule status registered_by: registeredBy registered_at: registeredAt } ${PARTS} } }`,
        variables: { name },
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
    'GET /productions/{id}/diff': ({ known }) =>
      [known.production, 'none'].map((id) => ({
        path: `/productions/${id}/diff?to=${known.production}`,
        document: `query ($id: ID!, $to: ID!) { productionDiff(id: $id, toId: $to) { before { production_id: id status rule requested_at: requestedAt } after { production_id: id status rule requested_at: requestedAt } ${PARTS} } }`,
        variables: { id, to: known.production },
      })),
    'GET /productions/{id}/why': ({ known }) =>
      [known.production, 'none'].map((id) => ({
        path: `/productions/${id}/why?depth=1`,
        document: `query ($subject: ID!) { why(subject: $subject, depth: 1) { ${CHAIN} } }`,
        variables: { subject: `production:${id}` },
      })),
    'GET /rules/{name}/why': () =>
      ['greet@1', 'greet', 'none@1'].map((name) => ({
        path: `/rules/${name}/why?depth=1`,
        document: `query ($subject: ID!) { why(subject: $subject, depth: 1) { ${CHAIN} } }`,
        variables: { subject: `rule:${name}` },
      })),
    'GET /files/{sha256}/why': () =>
      ['0'.repeat(64), 'none'].map((hash) => ({
        path: `/files/${hash}/why?depth=1`,
        document: `query ($subject: ID!) { why(subject: $subject, depth: 1) { ${CHAIN} } }`,
        variables: { subject: `file:sha256:${hash}` },
      })),
    'DELETE /productions/{id}': () => [
      {
        path: '/productions/00000000-0000-4000-8000-000000000000',
        document:
          'mutation { cancelProduction(id: "00000000-0000-4000-8000-000000000000") { production_id: id } }',
      },
    ],
    ...STALENESS_PARTNERS,
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
    'GET /cache': () =>
      [
        ['', ''],
        ['?older_than=9d&entity_type=Greeting', '(olderThan: "9d", entityType: "Greeting")'],
        ['?older_than=soon', '(olderThan: "soon")'],
      ].map(([query = '', args = '']) => ({
        path: `/cache${query}`,
        document: `{ storeUsage${args} { ${['stored', 'evictable', 'uploaded', 'held', 'evicted'].map((part) => `${part} { files bytes }`).join(' ')} by_type: byType { entity_type: entityType files bytes } } }`,
      })),
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
