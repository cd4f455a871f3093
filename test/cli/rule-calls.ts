// The commands of rules and of what they make: the request of each, and what it shows.
import { expect } from 'vitest';
import type { Call } from './client-testkit.ts';

export const RULE_CALLS: readonly (readonly [string, Call])[] = [
  [
    'rules diff',
    {
      args: ['rules', 'diff', 'align@1', 'align'],
      answer: {
        body: {
          differences: [{ path: ['reuse'], kind: 'CHANGED', before: 'any', after: 'produced' }],
          is_complete: true,
        },
      },
      asks: { path: '/api/v1/artifact/rules/align%401/diff', query: { to: ['align'] } },
      shows: /reuse +CHANGED +any +produced/,
      json: expect.objectContaining({ is_complete: true }),
    },
  ],
  [
    'rules list',
    {
      args: ['rules', 'list', '--status', 'active'],
      answer: {
        body: {
          rules: [
            { rule: 'align@2', status: 'active', scope: 'global', produces: { entity_type: 'Alignment' } },
          ],
        },
      },
      asks: { path: '/api/v1/artifact/rules', query: { status: ['active'] } },
      shows: /align@2 +active +global +Alignment/,
      json: expect.objectContaining({ rules: [expect.anything()] }),
    },
  ],
  [
    'rules deprecate',
    {
      args: ['rules', 'deprecate', 'align', '--note', 'old'],
      answer: { body: { rule: 'align@2', status: 'deprecated' } },
      asks: {
        method: 'PATCH',
        path: '/api/v1/artifact/rules/align',
        body: { status: 'deprecated', deprecation_note: 'old' },
      },
      shows: /align is deprecated/,
      json: { rule: 'align@2', status: 'deprecated' },
    },
  ],
];
