// The commands of sign-ins, and of what the store takes.
import { expect } from 'vitest';
import type { Call } from './client-testkit.ts';

export const SIGN_IN_CALLS: readonly (readonly [string, Call])[] = [
  [
    'sign-ins list',
    {
      args: ['sign-ins', 'list', '--actor', 'user:ada'],
      answer: {
        body: {
          sign_ins: [{ id: 's1', kind: 'browser', actor: 'user:ada', client: null, key_id: 'key_1' }],
          next_cursor: null,
        },
      },
      asks: { method: 'GET', path: '/api/v1/gateway/auth/sign-ins', query: { actor: ['user:ada'] } },
      shows: /s1 +user:ada +browser +- +key_1/,
      json: { sign_ins: [expect.objectContaining({ id: 's1' })], next_cursor: null },
    },
  ],
  [
    'sign-ins end',
    {
      args: ['sign-ins', 'end', 'a/b'],
      answer: { body: { actor: 'user:ada', browsers: 1, tokens: 0 } },
      asks: { method: 'DELETE', path: '/api/v1/gateway/auth/sign-ins/a%2Fb' },
      shows: /user:ada: 1 browsers and 0 sign-ins by tokens have ended/,
      json: { actor: 'user:ada', browsers: 1, tokens: 0 },
    },
  ],
  [
    'sign-ins end-all',
    {
      args: ['sign-ins', 'end-all', '--actor', 'user:ada'],
      answer: { body: { actor: 'user:ada', browsers: 2, tokens: 1 } },
      asks: { method: 'DELETE', path: '/api/v1/gateway/auth/sign-ins', query: { actor: ['user:ada'] } },
      shows: /user:ada: 2 browsers and 1 sign-ins by tokens have ended/,
      json: { actor: 'user:ada', browsers: 2, tokens: 1 },
    },
  ],
  [
    'cache usage',
    {
      args: ['cache', 'usage', '--older-than', '90d'],
      answer: {
        body: {
          ...Object.fromEntries(
            ['stored', 'evictable', 'uploaded', 'held', 'evicted'].map((part, i) => [
              part,
              { files: i, bytes: i * 10 },
            ]),
          ),
          by_type: [{ entity_type: 'Alignment', files: 7, bytes: 70 }],
        },
      },
      asks: { method: 'GET', path: '/api/v1/artifact/cache', query: { older_than: ['90d'] } },
      shows: /evictable +1 files, 10 bytes[\s\S]+Alignment +7 +70/,
      json: expect.objectContaining({ by_type: [{ entity_type: 'Alignment', files: 7, bytes: 70 }] }),
    },
  ],
];
