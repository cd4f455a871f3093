// The whole platform in this process over a fresh database, called over HTTP like by its users.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Logger, pino } from 'pino';
import { parseConfig } from '../../platform/config/load-config.ts';
import type { Database } from '../../platform/database/connect.ts';
import { startPlatform } from '../../router/main.ts';
import * as artifact from '../../standalone/artifact.ts';
import * as metadata from '../../standalone/metadata.ts';
import * as workflow from '../../standalone/workflow.ts';
import { freshDatabase } from './database.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects of a body
  readonly body: any;
}

export interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Another key than the administrator's; null for none. */
  readonly key?: string | null;
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}

type Transport = 'in-process' | 'http';

/** Servers of this process whose components are reached over HTTP. */
export const started = { overHttp: 0 };

/**
 * Each component served on its own over the same database, as by `cairn start metadata workflow artifact`:
 * their URLs as configuration.
 */
async function startComponents(
  text: string,
  env: Record<string, string>,
  dataDir: string,
  log: Logger,
): Promise<{ yaml: string; close(): Promise<void> }> {
  const parse = (yaml: string) =>
    parseConfig(yaml, path.join(dataDir, 'component.yaml'), { env, cwd: dataDir });
  const first = await metadata.startComponent({ config: parse(text), log });
  // the others call metadata at its URL
  const config = parse(`components: {metadata: {url: "${first.url}"}}\n${text}`);
  const running = [
    first,
    ...(await Promise.all([workflow, artifact].map(({ startComponent }) => startComponent({ config, log })))),
  ];
  const names = ['metadata', 'workflow', 'artifact'];
  started.overHttp++;
  return {
    yaml: `components:\n${running.map(({ url }, i) => `  ${names[i]}: {url: "${url}"}`).join('\n')}\n`,
    close: async () => {
      await Promise.all(running.map((component) => component.close()));
    },
  };
}

/**
 * Starts it with the given YAML configuration over defaults for tests: a free port, no audit file outside its
 * own folder. `env` provides the configuration's environment variables.
 */
export async function startServer({
  config = '',
  env: variables = {},
  transport = process.env['CAIRN_TEST_TRANSPORT'] === 'http' ? 'http' : 'in-process',
  restored,
  log = pino({ level: process.env['CAIRN_TEST_LOG'] ?? 'silent' }),
}: {
  config?: string;
  env?: Readonly<Record<string, string>>;
  transport?: Transport;
  /** A database with an instance, and an administrator's key of it. */
  restored?: { readonly database: Database & AsyncDisposable; readonly key: string };
  readonly log?: Logger;
} = {}) {
  const database = restored?.database ?? (await freshDatabase());
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
  const env = { ...variables, CAIRN_PORT: '0', CAIRN_DATA_DIR: dataDir, DATABASE_URL: database.url };
  const remote =
    transport === 'http' && !config.includes('components:')
      ? await startComponents(config, env, dataDir, log)
      : undefined;
  const platform = await startPlatform({
    config: parseConfig(`${remote?.yaml ?? ''}${config}`, path.join(dataDir, 'gateway.yaml'), {
      env,
      cwd: dataDir,
    }),
    log,
  });
  const key = restored?.key ?? (await readFile(path.join(dataDir, 'admin-key'), 'utf8')).trim();

  const rest = async (
    method: string,
    target: string,
    { body, headers = {}, key: other = key }: CallOptions = {},
  ): Promise<Answer> => {
    const sent =
      body === undefined
        ? undefined
        : typeof body === 'string' || body instanceof Uint8Array
          ? body
          : JSON.stringify(body);
    return answerOf(
      await fetch(platform.url + target, {
        method,
        headers: {
          ...(other === null ? {} : { 'x-api-key': other }),
          ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(sent === undefined ? {} : { body: sent as string }), // Fetch accepts bytes as well.
      }),
    );
  };

  let stopped: Promise<void> | undefined;
  const stopComponents = (): Promise<void> => (stopped ??= remote?.close() ?? Promise.resolve());

  return {
    url: platform.url,
    key,
    dataDir,
    database,
    rest,
    graphql: (
      query: string,
      variables: Record<string, unknown> = {},
      options: CallOptions = {},
    ): Promise<Answer> => rest('POST', '/graphql', { ...options, body: { query, variables } }),
    /** Stops the components, if each is a service of its own. */
    stopComponents,
    /** The secret of a new API key. */
    async newKey(body: { role: string; project?: string; label?: string; owner?: string }): Promise<string> {
      const { status, body: made } = await rest('POST', '/api/v1/gateway/auth/api-keys', {
        body: { label: 'test', ...body },
      });
      if (status !== 201) throw new Error(`no key was made: ${status} ${JSON.stringify(made)}`);
      return (made as { secret: string }).secret;
    },
    async [Symbol.asyncDispose]() {
      await platform.close();
      await stopComponents();
      await database[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export type TestServer = Awaited<ReturnType<typeof startServer>>;
