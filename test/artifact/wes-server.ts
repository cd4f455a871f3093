// A GA4GH Workflow Execution Service for tests: it runs CWL with the local cwltool, and answers by the GA4GH
// schema.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { wesFaults } from '../contract/ga4gh/validate.ts';

/** Deviations of real services. */
export interface Quirks {
  /**
   * States in lower case, the id under another name, outputs as a list, no service-info, files by relative
   * addresses.
   */
  readonly odd?: boolean;
  /** Every n-th request fails with 503. */
  readonly failEvery?: number;
  /** This many submissions are accepted and never answered. */
  readonly mute?: number;
  /** The list of runs has no tags, as in WES 1.0. */
  readonly untagged?: boolean;
}

interface Run {
  state: string;
  outputs: Record<string, unknown>;
  log: string;
  child: ChildProcess | undefined;
  readonly form: Record<string, string>;
  readonly directory: string;
}

const TOKEN = 'wes-secret';

export async function startWes({ odd = false, failEvery = 0, mute = 0, untagged = false }: Quirks = {}) {
  const root = await mkdtemp(path.join(os.tmpdir(), 'cairn-wes-'));
  const runs = new Map<string, Run>();
  const faults: unknown[] = [];
  let requests = 0;
  let url = '';

  const told = (schema: string, value: unknown): unknown => {
    if (!odd) faults.push(...wesFaults(schema, value));
    return value;
  };
  const spelled = (state: string): string => (odd ? state.toLowerCase() : state);

  const published = (value: unknown, { directory }: Run): unknown => {
    if (Array.isArray(value)) return value.map((item) => published(item, { directory } as Run));
    if (typeof value !== 'object' || value === null) return value;
    const { location, path: _, ...rest } = value as { location?: unknown; path?: unknown };
    const file =
      typeof location === 'string' && location.startsWith('file:')
        ? path.relative(root, fileURLToPath(location))
        : undefined;
    const all = Object.fromEntries(
      Object.entries(rest).map(([key, held]) => [key, published(held, { directory } as Run)]),
    );
    return file === undefined
      ? { ...all, ...(location === undefined ? {} : { location }) }
      : { ...all, location: odd ? `files/${file}` : `${url}/files/${file}` };
  };

  async function submit(req: IncomingMessage): Promise<unknown> {
    const form = await new Response(Readable.toWeb(req) as never, {
      headers: { 'content-type': req.headers['content-type'] ?? '' },
    }).formData();
    const id = randomUUID();
    const directory = path.join(root, id);
    await mkdir(path.join(directory, 'out'), { recursive: true });
    const fields: Record<string, string> = {};
    for (const [name, value] of form) {
      if (typeof value === 'string') fields[name] = value;
      else {
        const file = path.join(directory, value.name);
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, Buffer.from(await value.arrayBuffer()));
      }
    }
    await writeFile(path.join(directory, 'job.json'), fields['workflow_params'] ?? '{}');
    const run: Run = { state: 'RUNNING', outputs: {}, log: '', child: undefined, form: fields, directory };
    runs.set(id, run);
    const child = spawn(
      'cwltool',
      [
        '--no-container',
        '--outdir',
        path.join(directory, 'out'),
        path.join(directory, fields['workflow_url'] ?? ''),
        path.join(directory, 'job.json'),
      ],
      { stdio: ['ignore', 'pipe', 'pipe'], detached: true },
    );
    run.child = child;
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      run.log += chunk.toString();
    });
    void once(child, 'close').then(([status]) => {
      if (run.state === 'CANCELED') return;
      if (status === 0) run.outputs = published(JSON.parse(output), run) as Record<string, unknown>;
      run.state = status === 0 ? 'COMPLETE' : 'EXECUTOR_ERROR';
    });
    return odd ? { workflow_id: id } : told('RunId', { run_id: id });
  }

  const kill = ({ child }: Run): void => {
    if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL');
  };

  function answer(method: string, to: string): unknown {
    const [, id = '', part = ''] = /^\/runs\/([^/]+)(\/\w+)?$/.exec(to) ?? [];
    const run = runs.get(id);
    if (!run) return null;
    if (method === 'POST' && part === '/cancel') {
      run.state = 'CANCELED';
      kill(run);
      return odd ? '' : told('RunId', { run_id: id });
    }
    if (part === '/status')
      return odd ? { state: spelled(run.state) } : told('RunStatus', { run_id: id, state: run.state });
    const outputs = odd ? Object.entries(run.outputs).map(([name, value]) => ({ name, value })) : run.outputs;
    const {
      workflow_type: type = '',
      workflow_type_version: version = '',
      workflow_url: workflow = '',
      workflow_params: params = '{}',
    } = run.form;
    const log = {
      run_id: id,
      state: spelled(run.state),
      outputs,
      run_log: { name: 'run', stderr: odd ? `/runs-logs/${id}` : run.log, exit_code: 0 },
      request: {
        workflow_type: type,
        workflow_type_version: version,
        workflow_url: workflow,
        workflow_params: JSON.parse(params) as unknown,
        tags: JSON.parse(run.form['tags'] ?? '{}') as unknown,
      },
    };
    return odd ? log : told('RunLog', log);
  }

  /** One run per page. */
  const list = (page: number): unknown =>
    told('RunListResponse', {
      runs: [...runs].slice(page, page + 1).map(([id, { state, form }]) => ({
        run_id: id,
        state,
        ...(untagged ? {} : { tags: JSON.parse(form['tags'] ?? '{}') as unknown }),
      })),
      next_page_token: page + 1 < runs.size ? String(page + 1) : '',
    });

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const to = (req.url ?? '').replace('/ga4gh/wes/v1', '');
    const send = (status: number, value: unknown): void => {
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    if (failEvery > 0 && ++requests % failEvery === 0) return send(503, { msg: 'busy', status_code: 503 });
    if (req.headers.authorization !== `Bearer ${TOKEN}`)
      return send(401, { msg: 'who are you', status_code: 401 });
    if (to === '/service-info') {
      if (odd) return send(200, {});
      return send(200, {
        id: 'org.test.wes',
        name: 'Test WES',
        version: '7',
        type: { group: 'org.ga4gh', artifact: 'wes', version: '1.1.0' },
        organization: { name: 'Test', url: 'https://test.invalid' },
        workflow_type_versions: { CWL: { workflow_type_version: ['v1.2'] } },
        supported_wes_versions: ['1.1.0'],
        supported_filesystem_protocols: ['http'],
        workflow_engine_versions: {},
        default_workflow_engine_parameters: [],
        system_state_counts: {},
        auth_instructions_url: 'https://test.invalid',
        tags: {},
      });
    }
    if (to === '/runs' && req.method === 'POST') {
      const taken = await submit(req);
      return runs.size > mute ? send(200, taken) : undefined;
    }
    if (to.split('?')[0] === '/runs')
      return send(200, list(Number(new URL(to, url).searchParams.get('page_token') ?? 0)));
    if (to.startsWith('/files/'))
      return void createReadStream(path.join(root, decodeURIComponent(to.slice('/files/'.length))))
        .on('error', () => {
          res.writeHead(404).end();
        })
        .pipe(res);
    const found = answer(req.method ?? 'GET', to);
    if (found === null) return send(404, { msg: 'no such run', status_code: 404 });
    send(200, found);
  }

  const server = createServer((req, res) => {
    handle(req, res).catch((fault: unknown) => {
      faults.push(fault);
      res.writeHead(500).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  url = `http://127.0.0.1:${address.port}/ga4gh/wes/v1`;
  return {
    url,
    token: TOKEN,
    runs,
    faults,
    async [Symbol.asyncDispose]() {
      for (const run of runs.values()) kill(run);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await rm(root, { recursive: true, force: true });
    },
  };
}
