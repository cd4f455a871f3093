// Partners of the gateway's REST rows.
import { CHAIN, type Partner } from './partner-case.ts';

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

/** Each of the two servers has a folder and a database of its own. */
const withoutItsOwn = (payload: unknown): unknown =>
  JSON.parse(JSON.stringify(payload).replace(/cairn-test-\w+|test_[0-9a-f]{32}/g, 'own')) as unknown;

export const gateway: Readonly<Record<string, Partner>> = {
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
  'GET /why': () =>
    [
      [
        '?subject=entity:d1&direction=forward&depth=1',
        '(subject: "entity:d1", direction: FORWARD, depth: 1)',
      ],
      ['?subject=nothing', '(subject: "nothing")'],
      ['?subject=entity:d1&limit=1001', '(subject: "entity:d1", first: 1001)'],
      ['?subject=entity:d1&cursor=zzz', '(subject: "entity:d1", after: "zzz")'],
    ].map(([query = '', args = '']) => ({
      path: `/why${query}`,
      document: `{ why${args} { ${CHAIN} } }`,
    })),
  'GET /audit/{request_id}/why': () =>
    ['00000000-0000-4000-8000-000000000000', 'none'].map((id) => ({
      path: `/audit/${id}/why?depth=1`,
      document: `query ($subject: ID!) { why(subject: $subject, depth: 1) { ${CHAIN} } }`,
      variables: { subject: `request:${id}` },
    })),
  'GET /auth/sign-ins': () =>
    [
      ['', ''],
      ['?actor=user:admin&limit=2', '(actor: "user:admin", limit: 2)'],
      ['?limit=0', '(limit: 0)'],
      ['?cursor=zzz', '(cursor: "zzz")'],
    ].map(([query = '', args = '']) => ({
      path: `/auth/sign-ins${query}`,
      document: `{ signIns${args} { sign_ins: signIns { kind actor client } next_cursor: nextCursor } }`,
      told: ({ sign_ins, next_cursor }: { sign_ins: Record<string, unknown>[]; next_cursor: unknown }) => ({
        sign_ins: sign_ins.map(({ kind, actor, client }) => ({ kind, actor, client })),
        next_cursor,
      }),
    })),
  'DELETE /auth/sign-ins': () =>
    ['user:somebody', 'user:nobody'].map((actor) => ({
      path: `/auth/sign-ins?actor=${actor}`,
      document: `mutation { signOutEverywhere(actor: "${actor}") { actor browsers tokens } }`,
    })),
  'DELETE /auth/sign-ins/{sign_in_id}': () => [
    {
      path: '/auth/sign-ins/none',
      document: 'mutation { endSignIn(id: "none") { actor browsers tokens } }',
    },
  ],
  'GET /configuration': () => [
    {
      path: '/configuration',
      document: '{ configuration { file settings { key value hidden: isHidden source place } } }',
      told: withoutItsOwn,
      payload: ({ configuration }: { configuration: unknown }) => withoutItsOwn(configuration),
    },
  ],
  'GET /backups': () =>
    [
      ['', ''],
      ['?limit=1', '(limit: 1)'],
      ['?limit=0', '(limit: 0)'],
      ['?cursor=zzz', '(cursor: "zzz")'],
    ].map(([query = '', args = '']) => ({
      path: `/backups${query}`,
      document: `{ backups${args} { backups { id kind destination encrypted host actor status error bytes position lost_files: lostFiles started_at: startedAt finished_at: finishedAt restored_at: restoredAt } next_cursor: nextCursor last_completed_at: lastCompletedAt archive { status archived_until: archivedUntil position reason } } }`,
    })),
  // in the past of every server: nothing is written meanwhile
  'GET /measurements': () =>
    [
      [
        '?from=2020-01-01T00:00:00Z&to=2020-01-01T01:00:00Z&step=600',
        '(from: "2020-01-01T00:00:00Z", to: "2020-01-01T01:00:00Z", step: 600)',
      ],
      ['?names=runs_queued&to=2020-01-01T01:00:00Z', '(names: ["runs_queued"], to: "2020-01-01T01:00:00Z")'],
      ['?names=unknown', '(names: ["unknown"])'],
    ].map(([query = '', args = '']) => ({
      path: `/measurements${query}`,
      document: `{ systemMetrics${args} { step times series { name unit process values } processes { id host pid version started_at: startedAt seen_at: seenAt } } }`,
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
