// What the tests of the edge share.
import { DomainError } from '../../platform/errors.ts';
import type { Route } from '../../router/edge/http/routes.ts';
import { sendJson } from '../../router/edge/http/send-json.ts';
import { expect } from 'vitest';

export const ENTITY = '/api/v1/metadata/entities/e1';

export const UUID4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

export interface ErrorBody {
  error: string;
  message: string;
  request_id: string;
  details: Record<string, unknown>;
  component?: string;
  upstream_status?: number | null;
}

/** Checks the common members of a gateway error; returns the rest. */
export async function gatewayError(answer: Response): Promise<ErrorBody & { status: number }> {
  const body = (await answer.json()) as ErrorBody;
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(body.request_id).toMatch(UUID4);
  expect(answer.headers.get('x-request-id')).toBe(body.request_id);
  expect(typeof body.message).toBe('string');
  expect(typeof body.details).toBe('object');
  return { ...body, status: answer.status };
}

export const failing: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/gateway/test/bug',
    access: 'public',
    handle: () => {
      throw new Error('password=hunter2 at /srv/app.ts');
    },
  },
  {
    method: 'GET',
    path: '/api/v1/gateway/test/down',
    access: 'public',
    handle: async () => {
      await Promise.resolve();
      throw new DomainError('component_unavailable', 'down', { component: 'metadata', upstream_status: 502 });
    },
  },
  {
    method: 'GET',
    path: '/api/v1/gateway/test/cut',
    access: 'public',
    handle: ({ res }) => {
      res.writeHead(200, { 'content-length': 10 });
      res.write('half');
      throw new Error('too late');
    },
  },
  {
    method: 'GET',
    path: '/api/v1/gateway/test/me',
    access: 'authenticated',
    handle: (x) => sendJson(x, 200, x.caller),
  },
  {
    method: 'GET',
    path: '/api/v1/gateway/test/public',
    access: 'public',
    handle: (x) => sendJson(x, 200, { actor: x.caller.actor, roles: x.caller.roles, ip: x.ip }),
  },
];
