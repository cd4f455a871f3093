// A component in a span is asked for the same caller: with the cause, the instant and the signal that it has.
import type { Span } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import type { Component } from '../component.ts';
import type { Caller } from '../identity.ts';
import { tracedComponent } from './traced-component.ts';

test('tracing keeps all that is known of a caller, and replaces its trace context', async () => {
  const span = {
    spanContext: () => ({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }),
    end: () => undefined,
  } as unknown as Span; // what the wrapper uses of one
  const seen: Caller[] = [];
  const component = {
    name: 'metadata',
    prepare: () => (_: object, caller: Caller) => {
      seen.push(caller);
      return Promise.resolve({ data: null });
    },
  } as unknown as Component; // likewise
  const traced = tracedComponent(component, {
    active: () => span,
    start: () => span,
    within: (_, work) => work(),
    fail: () => undefined,
  });
  const caller: Caller = {
    actor: 'service:workflow',
    roles: ['service'],
    projects: ['alpha'],
    credential: 'key_1',
    client: 'workflow',
    cause: 'run:r1',
    requestId: '5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a',
    asOf: '2026-01-31T09:30:00.123456Z',
    isSelfNamed: true,
    traceparent: `00-${'1'.repeat(32)}-${'1'.repeat(16)}-01`,
    signal: new AbortController().signal,
  };
  await traced.prepare('{ a }')({}, caller);
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  expect({ ...seen[0], signal: caller.signal }).toEqual({ ...caller, traceparent });
  expect(seen[0]?.signal).toBe(caller.signal);
});
