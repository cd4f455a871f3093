// The commands that look at triggers, run them and pause them.
import type { Call } from './client-testkit.ts';

export const TRIGGER_CALLS: readonly (readonly [string, Call])[] = [
  [
    'triggers list',
    {
      args: ['triggers', 'list'],
      answer: { body: { nightly: { status: 'scheduled', last_run: 'T', last_result: 'success' } } },
      asks: { path: '/api/v1/workflow/triggers' },
      shows: /nightly +scheduled +T +success +-/,
      json: { nightly: { status: 'scheduled', last_run: 'T', last_result: 'success' } },
    },
  ],
  [
    'triggers run',
    {
      args: ['triggers', 'run', 'nightly'],
      answer: { status: 202, body: { run_id: 'r1', status: 'queued', trigger: 'nightly' } },
      asks: { method: 'POST', path: '/api/v1/workflow/triggers/nightly/run' },
      shows: /run r1 is queued; "cairn runs show r1"/,
      json: { run_id: 'r1', status: 'queued', trigger: 'nightly' },
    },
  ],
  [
    'triggers pause',
    {
      args: ['triggers', 'pause', 'nightly', '--reason', 'service'],
      answer: { body: { name: 'nightly', status: 'paused' } },
      asks: {
        method: 'POST',
        path: '/api/v1/workflow/triggers/nightly/pause',
        body: { reason: 'service' },
      },
      shows: /nightly is paused; "cairn triggers resume nightly"/,
      json: { name: 'nightly', status: 'paused' },
    },
  ],
  [
    'triggers resume',
    {
      args: ['triggers', 'resume', 'nightly'],
      answer: { body: { name: 'nightly', status: 'scheduled' } },
      asks: { method: 'POST', path: '/api/v1/workflow/triggers/nightly/resume', body: undefined },
      shows: /nightly is scheduled/,
      json: { name: 'nightly', status: 'scheduled' },
    },
  ],
];
