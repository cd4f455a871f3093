// The whole platform with a schema for ingests, and helpers that wait for runs.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, startServer, type TestServer } from '../testkit/server.ts';

export async function workflowServer(config: string, env: Record<string, string> = {}): Promise<TestServer> {
  const server = await startServer({ config, env });
  const { status, text } = await server.rest('POST', '/api/v1/metadata/schemas', {
    body: {
      name: 'Sample',
      version: '1',
      fields: [
        { name: 'label', field_type: 'string' },
        { name: 'n', field_type: 'int' },
        { name: 'project', field_type: 'string' },
      ],
    },
  });
  if (status >= 300) throw new Error(`no schema: ${status} ${text}`);
  return server;
}

/** Polls until the condition is true. @throws after a while, with the last answer */
export async function eventually<T>(
  ask: () => Promise<T>,
  holds: (answer: T) => boolean,
  ms = 120_000,
): Promise<T> {
  // ever less often: asking takes the time of what is waited for
  let pause = 20;
  for (const until = performance.now() + ms; ;) {
    const answer = await ask();
    if (holds(answer)) return answer;
    if (performance.now() > until) throw new Error(`it never came to be; at last: ${JSON.stringify(answer)}`);
    await sleep(pause);
    pause = Math.min(pause * 1.3, 150);
  }
}

/** The run after it has ended. */
export async function settledRun(server: Pick<TestServer, 'rest'>, runId: string): Promise<Answer['body']> {
  return eventually(
    async () => (await server.rest('GET', `/api/v1/workflow/runs/${runId}`)).body,
    (run) => !['queued', 'running'].includes(String(run.status)),
  );
}

/** Every run in the log, oldest first. */
export async function allRuns(server: Pick<TestServer, 'rest'>, trigger?: string): Promise<Answer['body'][]> {
  const { body } = await server.rest(
    'GET',
    `/api/v1/workflow/runs?limit=1000${trigger === undefined ? '' : `&trigger=${trigger}`}`,
  );
  return [...(body as { runs: Answer['body'][] }).runs].reverse();
}
