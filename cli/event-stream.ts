// Runs a subscription over server-sent events («GraphQL over SSE»), for commands that follow progress.
import { request as send } from 'undici';
import { isObject } from '../platform/json-object.ts';
import { readEventStream } from '../platform/read-event-stream.ts';
import type { Json } from './api.ts';
import { errorLines, type GraphqlAnswer } from './graphql.ts';
import type { Target } from './target.ts';

/** The stream was rejected or has ended early; the caller falls back to polling. */
export class StreamRefused extends Error {
  override name = 'StreamRefused';
}

/** What a GraphQL response says of its errors. */
function reasonOf(text: string): string {
  try {
    const { errors = [] } = JSON.parse(text) as GraphqlAnswer; // GraphQL over HTTP; anything else has no errors
    return errors.length === 0 ? '' : `: ${errorLines(errors)}`;
  } catch (fault) {
    if (fault instanceof SyntaxError) return '';
    throw fault;
  }
}

/**
 * Returns the data of each event until the stream is complete.
 * @throws StreamRefused where the stream is rejected, has another content type, or ends early
 */
export async function* subscribe(
  { url, key, token, through }: Target,
  query: string,
  variables: Json,
  operationName?: string,
): AsyncGenerator<Json, void, undefined> {
  const bearer = key ?? (await token?.());
  const { statusCode, headers, body } = await send(`${url}/graphql`, {
    ...through,
    method: 'POST',
    body: JSON.stringify({ query, variables, operationName }),
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    },
  }).catch((cause: unknown) => {
    throw new StreamRefused('no response', { cause });
  });
  try {
    if (statusCode !== 200 || !String(headers['content-type']).startsWith('text/event-stream'))
      throw new StreamRefused(`refused with status ${statusCode}${reasonOf(await body.text())}`);
    for await (const { event, data } of readEventStream(body)) {
      if (event === 'complete') return;
      const answer: unknown = JSON.parse(data);
      if (!isObject(answer) || !isObject(answer['data']))
        throw new StreamRefused(`an event without data${reasonOf(data)}`);
      yield answer['data'];
    }
  } catch (cause) {
    throw cause instanceof StreamRefused ? cause : new StreamRefused('the connection was lost', { cause });
  } finally {
    body.on('error', () => undefined).destroy(); // nothing reads it any more
  }
  throw new StreamRefused('the stream ended early');
}
