// Calls the platform's public API like any client: a base URL, a key, JSON.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** An error that the user can fix: printed without a stack. */
export class Trouble extends Error {}

export interface Api {
  readonly url: string;
  /**
   * Returns `data` of the metadata envelope. @throws Trouble with the server's message for an error response
   */
  rest<Data>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Data>;
  /** Returns `data` of a GraphQL response. @throws Trouble with its first error */
  graphql<Data>(query: string, variables: Readonly<Record<string, unknown>>): Promise<Data>;
}

/**
 * Connects to the server at CAIRN_URL (default `http://127.0.0.1:8080`) with the key in CAIRN_KEY or in
 * `<data_dir>/admin-key`.
 * @throws Trouble where no server responds or there is no key
 */
export async function connect(env: NodeJS.ProcessEnv, root: string): Promise<Api> {
  const url = (env['CAIRN_URL'] ?? 'http://127.0.0.1:8080').replace(/\/+$/, '');
  await assertRunning(url);
  return createApi(url, keyOf(env, root));
}

async function assertRunning(url: string): Promise<void> {
  try {
    const response = await fetch(`${url}/readyz`);
    await response.arrayBuffer();
    if (!response.ok)
      throw new Trouble(`The server at ${url} is not ready (${response.status}). Try again in a moment.`);
  } catch (error) {
    if (error instanceof Trouble) throw error;
    throw new Trouble(
      `No server answers at ${url}. Start one with \`npm start\` in another terminal, or name yours: CAIRN_URL=http://host:port npm run example`,
      { cause: error },
    );
  }
}

function keyOf(env: NodeJS.ProcessEnv, root: string): string {
  if (env['CAIRN_KEY'] !== undefined && env['CAIRN_KEY'] !== '') return env['CAIRN_KEY'].trim();
  const file = path.join(path.resolve(root, env['CAIRN_DATA_DIR'] ?? 'data'), 'admin-key');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  throw new Trouble(
    `There is no API key: CAIRN_KEY is not set, and ${file} does not exist. A server writes that file on its first start; creating schemas needs an administrator's key.`,
  );
}

interface Envelope {
  readonly data: unknown;
  readonly error: { readonly code: number; readonly message: string } | null;
}
interface GraphqlAnswer {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string }[];
}
interface GatewayError {
  readonly error: string;
  readonly message: string;
}

function createApi(url: string, key: string): Api {
  const call = async (method: string, to: string, body: unknown): Promise<unknown> => {
    const request: RequestInit = {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    let response = await fetch(url + to, request);
    // in production the requests of a second are limited: one that was refused for that has changed nothing
    while (response.status === 429) {
      await response.arrayBuffer();
      await setTimeout(1000 * Number(response.headers.get('retry-after') ?? 1));
      response = await fetch(url + to, request);
    }
    const text = await response.text();
    let answer: Envelope | GraphqlAnswer | GatewayError;
    try {
      answer = JSON.parse(text) as typeof answer; // one of the three formats of the API
    } catch (error) {
      throw new Trouble(
        `${method} ${to} answered ${response.status} and no JSON; is ${url} a Cairn server?`,
        { cause: error },
      );
    }
    if (response.status === 401)
      throw new Trouble(`The server does not accept the API key. CAIRN_KEY must be one of its keys.`);
    if (!response.ok || ('errors' in answer && answer.errors))
      throw new Trouble(`${method} ${to} answered ${response.status}: ${messageOf(answer)}`);
    return 'data' in answer ? answer.data : answer;
  };
  return {
    url,
    rest: async <Data>(method: 'GET' | 'POST', to: string, body?: unknown) =>
      // The caller names the type of the response.
      (await call(method, `/api/v1/metadata${to}`, body)) as Data,
    graphql: async <Data>(query: string, variables: Readonly<Record<string, unknown>>) =>
      (await call('POST', '/graphql', { query, variables })) as Data, // the type that the query selects
  };
}

function messageOf(answer: Envelope | GraphqlAnswer | GatewayError): string {
  if ('errors' in answer && answer.errors) return answer.errors.map((error) => error.message).join('; ');
  if ('message' in answer) return answer.message;
  if ('error' in answer && answer.error !== null) return answer.error.message;
  return 'without a message';
}
