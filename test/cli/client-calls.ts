// The commands that call a platform: the request of each, and what it shows.
import { expect } from 'vitest';
import { type Call, ENTITY, envelope } from './client-testkit.ts';
import { RULE_CALLS } from './rule-calls.ts';
import { SIGN_IN_CALLS } from './sign-in-calls.ts';
import { TRIGGER_CALLS } from './trigger-calls.ts';

const KEY = {
  id: 'key_1',
  label: 'laptop',
  role: 'analyst',
  project: null,
  created_by: 'user:ada',
  last_used_at: null,
  revoked: false,
};

export const CALLS: readonly (readonly [string, Call])[] = [
  [
    'open',
    {
      args: ['open'],
      answer: {
        status: 201,
        body: { url: 'http://127.0.0.1:8080/portal/open?code=sl_x', actor: 'user:ada', expires_in: 600 },
      },
      asks: { method: 'POST', path: '/api/v1/gateway/auth/sign-in-link' },
      shows: /portal\/open\?code=sl_x[\s\S]+as user:ada, once, within 10 minutes/,
      json: { url: 'http://127.0.0.1:8080/portal/open?code=sl_x', actor: 'user:ada', expires_in: 600 },
    },
  ],
  [
    'get <id>',
    {
      args: ['get', 'HG1', '--expand', 'population'],
      answer: envelope(ENTITY),
      asks: { method: 'GET', path: '/api/v1/metadata/entities/HG1', query: { expand: ['population'] } },
      shows: /id +HG1[\s\S]+"sex": "female"/,
      json: ENTITY,
    },
  ],
  [
    'get <id> with a slash',
    {
      args: ['get', 'a/b'],
      answer: envelope(ENTITY),
      asks: { path: '/api/v1/metadata/entities/a%2Fb' },
      shows: /HG1/,
      json: ENTITY,
    },
  ],
  [
    'get <id> --history',
    {
      args: ['get', 'HG1', '--history'],
      answer: envelope([{ timestamp: 't', event_type: 'EntityCreated', actor: 'user:ada', payload: {} }]),
      asks: { path: '/api/v1/metadata/entities/HG1/history' },
      shows: /EntityCreated +user:ada/,
      json: [expect.objectContaining({ event_type: 'EntityCreated' })],
    },
  ],
  [
    'get --type',
    {
      args: [
        'get',
        '--type',
        'Sample',
        '--where',
        'sex=female',
        '--where',
        'pop=GBR',
        '--where',
        'pop=FIN',
        '--filter',
        'data.age > 3.0',
        '--limit',
        '5',
      ],
      answer: envelope({ items: [ENTITY], total: 7, limit: 5, offset: 0 }),
      asks: {
        path: '/api/v1/metadata/entities',
        query: {
          sex: ['female'],
          pop: ['GBR', 'FIN'],
          entity_type: ['Sample'],
          filter: ['data.age > 3.0'],
          limit: ['5'],
        },
      },
      shows: /ID +TYPE[\s\S]+HG1 +Sample +2[\s\S]+1 of 7/,
      json: { items: [ENTITY], total: 7, limit: 5, offset: 0 },
    },
  ],
  [
    'schemas reference-faults',
    {
      args: ['schemas', 'reference-faults', 'Sample', '--limit', '5'],
      answer: envelope({
        items: [
          {
            entity_id: 's1',
            entity_type: 'Sample',
            field: 'donor',
            target_id: 'nobody',
            target_entity_type: 'Donor',
            reason: 'missing',
            actual_entity_type: null,
          },
          {
            entity_id: 's1',
            entity_type: 'Sample',
            field: 'kin',
            target_id: 'd',
            target_entity_type: 'Sample',
            reason: 'other_type',
            actual_entity_type: 'Donor',
          },
        ],
        next_cursor: 'W10',
      }),
      asks: {
        method: 'GET',
        path: '/api/v1/metadata/schemas/Sample/reference-faults',
        query: { limit: ['5'] },
      },
      shows:
        /s1 +Sample +donor +nobody +does not exist[\s\S]+is a Donor, not a Sample[\s\S]+more: --all, or --cursor W10/,
      json: expect.objectContaining({ next_cursor: 'W10' }),
    },
  ],
  [
    'query',
    {
      args: ['query', 'query Q($n: Int) { a }', '--variables', '{"n": 1}', '--operation', 'Q'],
      answer: { body: { data: { a: 1 } } },
      asks: {
        method: 'POST',
        path: '/graphql',
        body: { query: 'query Q($n: Int) { a }', variables: { n: 1 }, operationName: 'Q' },
      },
      shows: /"a": 1/,
      json: { data: { a: 1 } },
    },
  ],
  [
    'keys create',
    {
      args: ['keys', 'create', '--label', 'laptop', '--role', 'analyst', '--project', 'alpha'],
      answer: { status: 201, body: { ...KEY, secret: 'sk_once' } },
      asks: {
        method: 'POST',
        path: '/api/v1/gateway/auth/api-keys',
        body: { label: 'laptop', role: 'analyst', project: 'alpha' },
      },
      shows: /sk_once[\s\S]+shown only once/,
      json: { ...KEY, secret: 'sk_once' },
    },
  ],
  [
    'keys list',
    {
      args: ['keys', 'list', '--user', 'user:ada'],
      answer: { body: { keys: [KEY] } },
      asks: { path: '/api/v1/gateway/auth/api-keys', query: { user: ['user:ada'] } },
      shows: /key_1 +laptop +analyst +- +user:ada/,
      json: { keys: [KEY] },
    },
  ],
  ...SIGN_IN_CALLS,
  [
    'keys revoke',
    {
      args: ['keys', 'revoke', 'key_1', '--reason', 'lost'],
      answer: { body: { id: 'key_1', revoked: true, revoked_at: 'T' } },
      asks: { method: 'DELETE', path: '/api/v1/gateway/auth/api-keys/key_1', body: { reason: 'lost' } },
      shows: /key_1 revoked at T/,
      json: { id: 'key_1', revoked: true, revoked_at: 'T' },
    },
  ],
  [
    'keys rotate',
    {
      args: ['keys', 'rotate', 'key_1'],
      answer: {
        body: {
          new_key: { ...KEY, id: 'key_2', secret: 'sk_new' },
          revoked_key: { id: 'key_1', revoked_at: 'T' },
        },
      },
      asks: { method: 'POST', path: '/api/v1/gateway/auth/api-keys/key_1/rotate', body: undefined },
      shows: /sk_new[\s\S]+key_1 is revoked/,
      json: expect.objectContaining({ revoked_key: { id: 'key_1', revoked_at: 'T' } }),
    },
  ],
  [
    'keys rotate-signing',
    {
      args: ['keys', 'rotate-signing'],
      answer: { body: { kid: 'k2' } },
      asks: { method: 'POST', path: '/api/v1/gateway/auth/signing-keys/rotate', body: undefined },
      shows: /signed with key k2/,
      json: { kid: 'k2' },
    },
  ],
  ...TRIGGER_CALLS,
  [
    'runs list',
    {
      args: ['runs', 'list', '--trigger', 'nightly', '--limit', '3'],
      answer: {
        body: {
          runs: [{ run_id: 'r1', trigger_name: 'nightly', status: 'success', records_created: 4 }],
          total: 1,
          next_cursor: null,
        },
      },
      asks: { path: '/api/v1/workflow/triggers/nightly/runs', query: { limit: ['3'] } },
      shows: /r1 +nightly +success/,
      json: expect.objectContaining({ total: 1 }),
    },
  ],
  [
    'runs show',
    {
      args: ['runs', 'show', 'r1'],
      answer: { body: { run_id: 'r1', status: 'failed', errors: ['no answer'] } },
      asks: { path: '/api/v1/workflow/runs/r1' },
      shows: /status +failed[\s\S]+no answer/,
      json: { run_id: 'r1', status: 'failed', errors: ['no answer'] },
    },
  ],
  [
    'runs diff',
    {
      args: ['runs', 'diff', 'r1', 'r2'],
      answer: {
        body: {
          differences: [{ path: ['records', 'failed'], kind: 'CHANGED', before: 0, after: 2 }],
          is_complete: false,
        },
      },
      asks: { path: '/api/v1/workflow/runs/r1/diff', query: { to: ['r2'] } },
      shows: /records\.failed +CHANGED +0 +2[\s\S]+further differences/,
      json: expect.objectContaining({ is_complete: false }),
    },
  ],
  [
    'runs diff --patch',
    {
      args: ['runs', 'diff', 'r1', 'r2', '--patch'],
      answer: { body: { differences: [], is_complete: true, json_patch: [{ op: 'remove', path: '/a' }] } },
      asks: { path: '/api/v1/workflow/runs/r1/diff', query: { to: ['r2'] } },
      shows: /^\[\s+\{\s+"op": "remove",\s+"path": "\/a"\s+\}\s+\]\s*$/,
      json: [{ op: 'remove', path: '/a' }],
    },
  ],
  [
    'productions diff',
    {
      args: ['productions', 'diff', 'p/1', 'p2'],
      answer: { body: { differences: [], is_complete: true } },
      asks: { path: '/api/v1/artifact/productions/p%2F1/diff', query: { to: ['p2'] } },
      shows: /nothing differs/,
      json: { differences: [], is_complete: true },
    },
  ],
  ...RULE_CALLS,
];
