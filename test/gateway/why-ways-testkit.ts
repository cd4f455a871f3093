// The platform in one process, and as processes of their own: metadata, workflow, artifact, and a router with three workers.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { projectRoot } from '../../platform/project-root.ts';
import { scratchDatabase } from '../testkit/database.ts';
import { type Answer, type CallOptions, startServer, type TestServer } from '../testkit/server.ts';
import { freePort } from '../testkit/free-port.ts';

export interface Deployment extends Pick<TestServer, 'url' | 'key' | 'rest' | 'graphql'> {
  close(): Promise<void>;
}

export type Start = (config: string, env: Readonly<Record<string, string>>) => Promise<Deployment>;

export async function oneProcess(config: string, env: Readonly<Record<string, string>>): Promise<Deployment> {
  const server = await startServer({ transport: 'in-process', config, env });
  return { ...server, close: () => server[Symbol.asyncDispose]() };
}

/** Calls a platform over HTTP, as the administrator. */
function callerOf(url: string, key: string): Pick<TestServer, 'url' | 'key' | 'rest' | 'graphql'> {
  const rest = async (
    method: string,
    target: string,
    { body, headers = {}, key: other = key }: CallOptions = {},
  ): Promise<Answer> => {
    const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(url + target, {
      method,
      headers: {
        ...(other === null ? {} : { 'x-api-key': other }),
        'content-type': 'application/json',
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text || 'null') };
  };
  const graphql: TestServer['graphql'] = (query, variables = {}, options = {}) =>
    rest('POST', '/graphql', { ...options, body: { query, variables } });
  return { url, key, rest, graphql };
}

const PARTS = ['metadata', 'workflow', 'artifact', 'router'] as const;
const SECRET = 'between processes';

async function ready(child: ChildProcess): Promise<void> {
  let output = '';
  for await (const chunk of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    output += String(chunk);
    if (!output.includes('"url"')) continue;
    child.stdout?.resume();
    return;
  }
  throw new Error(`a process ended before it was ready: ${output}`);
}

export async function processes(config: string, env: Readonly<Record<string, string>>): Promise<Deployment> {
  const database = await scratchDatabase();
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'cairn-ways-'));
  const ports = await Promise.all(PARTS.map(freePort));
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const [metadata, workflow, artifact, router] = urls;
  const shared = `components: {metadata: {url: "${metadata}"}, workflow: {url: "${workflow}"}, artifact: {url: "${artifact}"}}
auth: {clients: [{client_id: workflow, secret_env: WORKFLOW_SECRET, grants: [client_credentials], roles: [service], projects: "*"}]}
${config.replace('workflow:\n', `workflow:\n  router: {url: "${router}", secret_env: WORKFLOW_SECRET}\n`)}`;
  const children: ChildProcess[] = [];
  const start = async (part: (typeof PARTS)[number]): Promise<void> => {
    const file = path.join(dataDir, `${part}.yaml`);
    await writeFile(file, `${part === 'router' ? 'server: {workers: 3}\n' : ''}${shared}`);
    const child = spawn(process.execPath, ['cli/cairn.mjs', 'start', part, '--json'], {
      cwd: projectRoot,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        ...env,
        CAIRN_CONFIG: file,
        CAIRN_PORT: String(ports[PARTS.indexOf(part)]),
        CAIRN_DATA_DIR: dataDir,
        DATABASE_URL: database.url,
        WORKFLOW_SECRET: SECRET,
      },
    });
    children.push(child);
    await ready(child);
  };
  const close = async (): Promise<void> => {
    for (const child of children) {
      if (child.exitCode !== null) continue;
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await database[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await Promise.all([start('metadata'), start('workflow'), start('artifact')]);
    await start('router');
    const key = (await readFile(path.join(dataDir, 'admin-key'), 'utf8')).trim();
    return { ...callerOf(router ?? '', key), close };
  } catch (error) {
    await close();
    throw error;
  }
}
