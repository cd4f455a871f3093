// Checks, before anything is timed, that both sides return equal responses; otherwise the comparison would be
// meaningless.
import { isDeepStrictEqual } from 'node:util';
import type { LoadRequest } from './load.ts';

export interface Side {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly requests: readonly LoadRequest[];
}

async function answer({ name, url, headers }: Side, { method, path, body }: LoadRequest): Promise<unknown> {
  const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) });
  const text = await response.text();
  const json: unknown =
    response.headers.get('content-type')?.includes('json') === true ? JSON.parse(text) : text;
  const failed =
    !response.ok || (typeof json === 'object' && json !== null && 'errors' in json && !('updated' in json));
  if (failed) throw new Error(`${name} refused ${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
  return json;
}

const HOW_MANY = 5;

/**
 * Sends some requests to both sides.
 * @throws Error with both responses where they differ, or where one side fails
 */
export async function assertSameAnswers(
  left: Side,
  right: Side,
  essence: (body: unknown) => unknown,
): Promise<void> {
  for (let i = 0; i < HOW_MANY; i++) {
    const at = Math.floor((i * left.requests.length) / HOW_MANY);
    const [a, b] = [left.requests[at], right.requests[at]];
    if (!a || !b) throw new Error('both sides have the same number of requests');
    const [one, two] = [essence(await answer(left, a)), essence(await answer(right, b))];
    if (!isDeepStrictEqual(one, two)) {
      throw new Error(
        `${left.name} and ${right.name} do not answer ${a.path} alike:\n${JSON.stringify(one).slice(0, 2000)}\n${JSON.stringify(two).slice(0, 2000)}`,
      );
    }
  }
}
