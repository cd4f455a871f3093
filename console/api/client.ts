// Sends requests to the public API as whoever is signed in. The header is what tells them from those of other
// pages.
import { createClient } from 'graphql-sse';
import { ApiError, errorOf } from './api-error.ts';
import { type Operation, requestOf } from './operation.ts';
import { urlOf } from './place.ts';

const HEADERS = { 'x-cairn-session': '1' };

type Listener = () => void;
const signedOut = new Set<Listener>();

/** Calls the listener when the server no longer knows the session; returns a function that removes it. */
export function onSignedOut(listener: Listener): () => void {
  signedOut.add(listener);
  return () => signedOut.delete(listener);
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(urlOf(path), {
      ...init,
      credentials: 'same-origin',
      // callers here pass plain objects
      headers: { ...HEADERS, ...(init.headers as Record<string, string> | undefined) },
    });
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new ApiError('unreachable', 'The server does not answer.', {
      advice: 'Check that it runs, then try again.',
      cause,
    });
  }
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    throw new ApiError('no_json', `The answer (${response.status}) does not come from Cairn.`, { cause });
  }
}

/** The latest requests of this tab that changed something, as the log names them. */
const own: string[] = [];
const OWN = 100;

export const isOwnRequest = (id: string | null): boolean => id !== null && own.includes(id);

function noteOwn(text: string, { headers }: Response): void {
  const id = headers.get('x-request-id');
  if (id === null || !/^\s*mutation\b/.test(text)) return;
  own.push(id);
  own.splice(0, own.length - OWN);
}

/** Data of an operation. @throws ApiError, with all errors of the answer */
export const ask = async <Data, Variables>(
  asked: Operation<Data, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Data> => (await askWarned(asked, variables, signal)).data;

interface Warned<Data> {
  readonly data: Data;
  readonly extensions?: { readonly warnings?: readonly string[] };
}

/** The same, with what the server warns of. @throws ApiError, with all errors of the answer */
export async function askWarned<Data, Variables>(
  asked: Operation<Data, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Warned<Data>> {
  const { name, text, variables: given } = requestOf(asked, variables);
  const response = await send('graphql', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json, application/json;q=0.9',
    },
    body: JSON.stringify({ query: text, variables: given, operationName: name }),
    ...(signal === undefined ? {} : { signal }),
  });
  noteOwn(text, response);
  const answer = await jsonOf(response);
  if (response.status === 401) for (const listener of signedOut) listener();
  const fault = errorOf(response.status, answer);
  if (fault !== undefined) throw fault;
  return answer as Warned<Data>; // GraphQL over HTTP: no errors, so there are data
}

/** A file's beginning; at most `most` bytes. @throws ApiError */
export async function readBytes(
  path: string,
  most: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const response = await send(path, {
    headers: { range: `bytes=0-${most - 1}` },
    ...(signal === undefined ? {} : { signal }),
  });
  if (!response.ok) throw errorOf(response.status, await jsonOf(response)) ?? new ApiError('unknown', '');
  const reader = response.body?.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let read = 0; reader !== undefined && read < most;) {
    const { done, value } = await reader.read();
    if (done) break;
    read += value.length;
    parts.push(value);
  }
  await reader?.cancel();
  return new Uint8Array(await new Blob(parts).slice(0, most).arrayBuffer());
}

/** Ends the session, in every tab. */
export async function signOut(): Promise<void> {
  await send('portal/sign-out', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: '',
    redirect: 'manual',
  });
}

/** One for each subscription: a client keeps a listener of each that it ever had, with all that this refers to. */
const newStream = () =>
  createClient({
    url: urlOf('graphql'),
    headers: HEADERS,
    credentials: 'same-origin',
    retryAttempts: 20,
  });

interface Sink<Data> {
  next(data: Data): void;
  fault(error: ApiError): void;
}

/** Follows a subscription, and connects again when the connection is lost; returns a function that ends it. */
export function follow<Data, Variables>(
  asked: Operation<Data, Variables>,
  variables: Variables,
  sink: Sink<Data>,
): () => void {
  const { name, text, variables: given } = requestOf(asked, variables);
  return newStream().subscribe<Data>(
    { query: text, variables: given, operationName: name },
    {
      next: (result) => {
        const fault = errorOf(200, result);
        if (fault !== undefined) sink.fault(fault);
        else if (result.data) sink.next(result.data);
      },
      error: (error) => {
        sink.fault(
          new ApiError('unreachable', error instanceof Error ? error.message : 'The connection was lost.'),
        );
      },
      complete: () => undefined,
    },
  );
}
