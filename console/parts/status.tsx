// States with a colour, and always with their word.
import type { ReactNode } from 'react';
import { wordsOf } from './text.ts';

type Tone = 'good' | 'warn' | 'alarm' | 'info' | '';

const TONES: Readonly<Record<string, Tone>> = {
  success: 'good',
  completed: 'good',
  healthy: 'good',
  active: 'good',
  reuse: 'good',
  fired: 'good',
  listening: 'good',
  scheduled: 'good',
  polling: 'good',
  available: 'good',
  created: 'good',
  added: 'good',
  updated: 'info',
  changed: 'info',
  failed: 'alarm',
  unhealthy: 'alarm',
  refused: 'alarm',
  malformed: 'alarm',
  condition_error: 'alarm',
  revoked: 'alarm',
  removed: 'alarm',
  unavailable: 'alarm',
  partial_success: 'warn',
  degraded: 'warn',
  deprecated: 'warn',
  disabled: 'alarm',
  missed: 'warn',
  paused: 'warn',
  unresolved: 'warn',
  running: 'info',
  queued: 'info',
  started: 'info',
  build: 'info',
  fetch: 'info',
};

export const toneOf = (status: string): Tone => TONES[status] ?? '';

export const Status = ({ of }: { readonly of: string }): ReactNode => (
  <span className={`tag ${toneOf(of)}`}>{wordsOf(of)}</span>
);

/** Whether a run or a production goes on. */
export const isUnderWay = ({ status }: { readonly status: string }): boolean =>
  status === 'queued' || status === 'running';
