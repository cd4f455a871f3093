// What the tests of API keys share.
import { type Gateway } from './gateway-testkit.ts';

export const KEYS = '/api/v1/gateway/auth/api-keys';

export const ENTITY = '/api/v1/metadata/entities/e1';

export interface KeyAnswer {
  id: string;
  label: string;
  secret: string;
  role: string;
  project: string | null;
  expires: string | null;
  created_at: string;
  created_by: string;
  owner: string;
}

export async function create(
  gateway: Gateway,
  key: string,
  body: unknown,
): Promise<{ status: number; body: KeyAnswer & { error?: string } }> {
  const answer = await gateway.fetch(KEYS, {
    key,
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  return { status: answer.status, body: (await answer.json()) as KeyAnswer & { error?: string } };
}

export const errorOf = async (answer: Response): Promise<unknown> => [
  answer.status,
  ((await answer.json()) as { error: string }).error,
];
