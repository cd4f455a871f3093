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
  /** Outputs are a list of files, whose output object only the standard output has, as Sapporo's. */
  readonly listsFiles?: boolean;
  /** This many submissions are refused, as there are too many runs. */
  readonly full?: number;
  /** This many runs are lost, as by a service that is started again. */
  readonly loses?: number;
  /** Files that it serves have other bytes than it says. */
  readonly forges?: boolean;
}

interface Run {
  state: string;
  outputs: Record<string, unknown>;
  log: string;
  stdout: string;
  child: ChildProcess | undefined;
  readonly form: Record<string, string>;
}

const TOKEN = 'wes-secret';

const SERVICE_INFO = {
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
};

const kill = ({ child }: Run): void => {
  if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null)
    process.kill(-child.pid, 'SIGKILL');
};

/** The fields of a form, whose files are written into the directory. */
async function received(req: IncomingMessage, directory: string): Promise<Record<string, string>> {
  const form = await new Response(Readable.toWeb(req) as never, {
    headers: { 'content-type': req.headers['content-type'] ?? '' },
  }).formData();
  const fields: Record<string, string> = {};
  for (const [name, value] of form) {
    if (typeof value === 'string') fields[name] = value;
    else {
      const file = path.join(directory, value.name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, Buffer.from(await value.arrayBuffer()));
    }
  }
  return fields;
}

const asked = ({ form }: Run) => ({
  workflow_type: form['workflow_type'] ?? '',
  workflow_type_version: form['workflow_type_version'] ?? '',
  workflow_url: form['workflow_url'] ?? '',
  workflow_params: JSON.parse(form['workflow_params'] ?? '{}') as unknown,
  tags: JSON.parse(form['tags'] ?? '{}') as unknown,
});

/** The service, without its server. */
class WesDouble {
  readonly runs = new Map<string, Run>();
  readonly faults: unknown[] = [];
  url = '';
  readonly #root: string;
  readonly #quirks: Quirks;
  #requests = 0;
  #refused = 0;

  constructor(root: string, quirks: Quirks) {
    this.#root = root;
    this.#quirks = quirks;
  }

  async handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { odd = false, failEvery = 0, forges = false, mute = 0 } = this.#quirks;
    const to = (req.url ?? '').replace('/ga4gh/wes/v1', '');
    const send = (status: number, value: unknown): void => {
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    if (failEvery > 0 && ++this.#requests % failEvery === 0)
      return send(503, { msg: 'busy', status_code: 503 });
    if (req.headers.authorization !== `Bearer ${TOKEN}`)
      return send(401, { msg: 'who are you', status_code: 401 });
    if (to === '/service-info') return send(200, odd ? {} : SERVICE_INFO);
    if (to === '/runs' && req.method === 'POST') {
      if (this.#refused++ < (this.#quirks.full ?? 0)) {
        res.setHeader('retry-after', '1');
        return send(429, { msg: 'quota', status_code: 429 });
      }
      const taken = await this.#submit(req);
      return this.runs.size > mute ? send(200, taken) : undefined;
    }
    if (to.split('?')[0] === '/runs')
      return send(200, this.#list(Number(new URL(to, this.url).searchParams.get('page_token') ?? 0)));
    if (to.startsWith('/files/'))
      return forges
        ? void res.end('forged\n')
        : void createReadStream(path.join(this.#root, decodeURIComponent(to.slice('/files/'.length))))
            .on('error', () => {
              res.writeHead(404).end();
            })
            .pipe(res);
    const found = this.#answer(req.method ?? 'GET', to);
    if (found === null) return send(404, { msg: 'no such run', status_code: 404 });
    send(200, found);
  }

  /** Checked against the GA4GH schema, where the service keeps to it. */
  #told(schema: string, value: unknown): unknown {
    if (this.#quirks.odd !== true) this.faults.push(...wesFaults(schema, value));
    return value;
  }

  #published(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#published(item));
    if (typeof value !== 'object' || value === null) return value;
    const { location, path: _, ...rest } = value as { location?: unknown; path?: unknown };
    const all = Object.fromEntries(Object.entries(rest).map(([key, held]) => [key, this.#published(held)]));
    if (typeof location !== 'string' || !location.startsWith('file:'))
      return { ...all, ...(location === undefined ? {} : { location }) };
    const file = path.relative(this.#root, fileURLToPath(location));
    return { ...all, location: this.#quirks.odd === true ? `files/${file}` : `${this.url}/files/${file}` };
  }

  async #submit(req: IncomingMessage): Promise<unknown> {
    const id = randomUUID();
    const directory = path.join(this.#root, id);
    await mkdir(path.join(directory, 'out'), { recursive: true });
    const form = await received(req, directory);
    await writeFile(path.join(directory, 'job.json'), form['workflow_params'] ?? '{}');
    const run: Run = { state: 'RUNNING', outputs: {}, log: '', stdout: '', child: undefined, form };
    this.runs.set(id, run);
    this.#start(run, directory);
    return this.#quirks.odd === true ? { workflow_id: id } : this.#told('RunId', { run_id: id });
  }

  #start(run: Run, directory: string): void {
    const [out, workflow, job] = ['out', run.form['workflow_url'] ?? '', 'job.json'].map((name) =>
      path.join(directory, name),
    ) as [string, string, string];
    const child = spawn('cwltool', ['--no-container', '--outdir', out, workflow, job], {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
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
      run.stdout = output;
      if (status === 0) run.outputs = this.#published(JSON.parse(output)) as Record<string, unknown>;
      const isLost = this.runs.size <= (this.#quirks.loses ?? 0);
      run.state = isLost ? 'SYSTEM_ERROR' : status === 0 ? 'COMPLETE' : 'EXECUTOR_ERROR';
    });
  }

  /** Null for a run that there is not. */
  #answer(method: string, to: string): unknown {
    const isOdd = this.#quirks.odd === true;
    const [, id = '', part = ''] = /^\/runs\/([^/]+)(\/\w+)?$/.exec(to) ?? [];
    const run = this.runs.get(id);
    if (!run) return null;
    if (method === 'POST' && part === '/cancel') {
      run.state = 'CANCELED';
      kill(run);
      return isOdd ? '' : this.#told('RunId', { run_id: id });
    }
    const state = isOdd ? run.state.toLowerCase() : run.state;
    if (part === '/status') return isOdd ? { state } : this.#told('RunStatus', { run_id: id, state });
    if (this.#quirks.listsFiles === true)
      return {
        run_id: id,
        state,
        outputs: this.#filesOf(run),
        run_log: { stdout: run.stdout, stderr: run.log },
      };
    const log = {
      run_id: id,
      state,
      outputs: isOdd ? Object.entries(run.outputs).map(([name, value]) => ({ name, value })) : run.outputs,
      run_log: { name: 'run', stderr: isOdd ? `/runs-logs/${id}` : run.log, exit_code: 0 },
      request: asked(run),
    };
    return isOdd ? log : this.#told('RunLog', log);
  }

  #filesOf({ outputs }: Run): unknown {
    return Object.values(outputs).flatMap((value) => {
      const { location = '' } = value as { location?: string };
      const [, name] = /\/out\/(.*)$/.exec(location) ?? [];
      return name === undefined ? [] : [{ file_name: name, file_url: location }];
    });
  }

  /** One run per page. */
  #list(page: number): unknown {
    return this.#told('RunListResponse', {
      runs: [...this.runs].slice(page, page + 1).map(([id, { state, form }]) => ({
        run_id: id,
        state,
        ...(this.#quirks.untagged === true ? {} : { tags: JSON.parse(form['tags'] ?? '{}') as unknown }),
      })),
      next_page_token: page + 1 < this.runs.size ? String(page + 1) : '',
    });
  }
}

export async function startWes(quirks: Quirks = {}) {
  const root = await mkdtemp(path.join(os.tmpdir(), 'cairn-wes-'));
  const wes = new WesDouble(root, quirks);
  const { runs, faults } = wes;
  const server = createServer((req, res) => {
    wes.handle(req, res).catch((fault: unknown) => {
      faults.push(fault);
      res.writeHead(500).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  wes.url = `http://127.0.0.1:${address.port}/ga4gh/wes/v1`;
  return {
    url: wes.url,
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
