// Subscriptions over event streams, as what follows runs is tested.
import { readEventStream } from '../../platform/read-event-stream.ts';
import type { TestServer } from '../testkit/server.ts';

export interface ShownLine {
  readonly number: number;
  readonly attempt: number;
  readonly at: string;
  readonly level: string;
  readonly message: string;
}

/** The data of each event of a subscription. @throws with the message of the first error */
export async function* events<Data>(
  server: Pick<TestServer, 'url' | 'key'>,
  query: string,
  variables: Readonly<Record<string, unknown>>,
  key = server.key,
): AsyncGenerator<Data, void, undefined> {
  const gone = new AbortController();
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    signal: gone.signal,
    headers: { 'x-api-key': key, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query, variables }),
  });
  const dataOf = (text: string): Data => {
    const answer = JSON.parse(text) as { data?: Data | null; errors?: { message: string }[] };
    if (!answer.data) throw new Error(answer.errors?.[0]?.message);
    return answer.data;
  };
  try {
    if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true)
      dataOf(await response.text());
    for await (const { event, data } of readEventStream(
      response.body as unknown as AsyncIterable<Uint8Array>,
    )) {
      if (event === 'complete') return;
      yield dataOf(data);
    }
  } finally {
    gone.abort();
  }
}

/** The lines of the log of a run, as they are written. */
export async function* runLog(
  server: Pick<TestServer, 'url' | 'key'>,
  runId: string,
  { after = 0, key = server.key }: { readonly after?: number; readonly key?: string } = {},
): AsyncGenerator<ShownLine, void, undefined> {
  const query =
    'subscription($id: ID!, $after: Int!) { runLog(runId: $id, after: $after) { number attempt at level message } }';
  for await (const data of events<{ runLog: ShownLine }>(server, query, { id: runId, after }, key))
    yield data.runLog;
}
