// What the tests of the edge share.
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
