// Productions at a WES service that is not a double (CONTRIBUTING.md#tests): CAIRN_WES_URL names one, with
// CAIRN_WES_TOKEN and CAIRN_WES_ENGINE where it wants them; CAIRN_WES_FILES is the folder of its outputs, if it tells them as
// files. CAIRN_WES_COMMAND starts it anew after it was killed; then it has to be the leader of the process group
// CAIRN_WES_GROUP, which is killed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';
import { addRule, addSchema, ended, GREETING, produce, shell, storedFile } from './production-testkit.ts';

const {
  CAIRN_WES_URL: url = '',
  CAIRN_WES_TOKEN: token = '',
  CAIRN_WES_ENGINE: engine = '',
  CAIRN_WES_FILES: files = '',
  CAIRN_WES_COMMAND: command = '',
  CAIRN_WES_GROUP: group = '',
} = process.env;
if (url === '') console.warn('SKIPPED: CAIRN_WES_URL names no WES service (CONTRIBUTING.md#tests)');

const MINUTES = 60_000;

const platformAt = (more = '', key = token): Promise<TestServer> =>
  startServer({
    config: `artifact:
  runner: {type: wes, url: "${url}", poll_seconds: 1, tags: {cost_center: "4711", rule: "{rule}"}${token === '' ? '' : ', token_env: WES_TOKEN'}${engine === '' ? '' : `, engine: ${engine}`}${more}}
  allow_networks: [127.0.0.0/8]
  allow_sources: [${files === '' ? '' : JSON.stringify(files)}]
`,
    env: { WES_TOKEN: key },
  });

const MADE = { produces: { entity_type: 'Greeting', match: { sample: '{sample}' } } };
const OUT = `uri: {type: File, outputBinding: {glob: out.txt}}
sample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}`;

/** A workflow of three documents, one of which is imported. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  '/flows/main.cwl': `cwlVersion: v1.2
class: Workflow
requirements: {ResourceRequirement: {coresMin: 1, ramMin: 64}}
inputs: {sample: string, given: 'File?'}
outputs:
  uri: {type: File, outputSource: greet/uri}
  sample: {type: string, outputSource: greet/sample}
steps:
  greet: {run: tools/greet.cwl, in: {sample: sample}, out: [uri, sample]}
`,
  '/flows/tools/greet.cwl': `cwlVersion: v1.2
class: CommandLineTool
requirements:
  - {class: ShellCommandRequirement}
  - {class: InlineJavascriptRequirement, expressionLib: [{$include: ../greeting.js}]}
arguments: [{shellQuote: false, valueFrom: 'printf "%s" "$(greeting(inputs.sample))" > "a-b.txt"'}]
inputs: {sample: string}
outputs:
  uri: {type: File, outputBinding: {glob: "*.txt"}}
  sample: {type: string, outputBinding: {outputEval: $(inputs.sample)}}
`,
  '/flows/greeting.js': `function greeting(name) { return 'hello ' + name; }\n`,
};

async function serveDocuments() {
  const server = createServer((req, res) => {
    const found = DOCUMENTS[req.url ?? ''];
    res.writeHead(found === undefined ? 404 : 200).end(found);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, 'close');
    },
  };
}

const at = async (method: string, to: string): Promise<ReturnType<typeof JSON.parse>> =>
  (
    await fetch(url + to, { method, headers: token === '' ? {} : { authorization: `Bearer ${token}` } })
  ).json();

test.skipIf(url === '')(
  'a workflow of several documents runs there, with tags; what it makes is fetched and has the digest that was told',
  async () => {
    await using documents = await serveDocuments();
    await using server = await platformAt();
    await addSchema(server, GREETING);
    const registered = await server.rest('POST', '/api/v1/artifact/rules', {
      body: { name: 'greet', execute: { cwl_url: `${documents.url}/flows/main.cwl` }, ...MADE },
    });
    expect(registered.status, registered.text).toBe(201);
    const { body } = await produce(server, { entity_type: 'Greeting', criteria: { sample: 's' } });
    expect(body, JSON.stringify(body)).toMatchObject({ status: 'completed' });
    const {
      body: {
        data: {
          items: [{ data }],
        },
      },
    } = await server.rest('GET', '/api/v1/metadata/entities?entity_type=Greeting&sample=s');
    expect(data).toMatchObject({ size: 7, sha256: createHash('sha256').update('hello s').digest('hex') });
    expect(await readFile(storedFile(server, data.uri), 'utf8')).toBe('hello s');
    const { runs = [], workflows = runs } = await at('GET', '/runs');
    const told = await Promise.all(
      workflows.map(async ({ run_id }: { run_id: string }) => (await at('GET', `/runs/${run_id}`)).request),
    );
    expect(told.filter(({ tags }) => tags?.production === body.production_id)).toMatchObject([
      { tags: { cost_center: '4711', rule: 'greet', work: expect.any(String) } },
    ]);
  },
  5 * MINUTES,
);

test.skipIf(url === '')(
  'files with secondary files and a directory go there and come back; a failure is ours with its log; what is cancelled ends',
  async () => {
    await using server = await platformAt();
    for (const name of ['Greeting', 'Echo', 'Broken', 'Slow']) await addSchema(server, { ...GREETING, name });
    await addRule(server, 'greet', shell('echo hello > out.txt', 'sample: string', OUT), MADE);
    const of = (entity_type: string) => ({ produces: { ...MADE.produces, entity_type } });
    await addRule(
      server,
      'echo',
      shell('mkdir d; cp $(inputs.greeting.path) d/x; cp d/x out.txt', 'greeting: File\nsample: string', OUT),
      { ...of('Echo'), requires: [{ ref: 'Greeting' }] },
    );
    await addRule(server, 'broken', shell('echo because >&2; exit 3', 'sample: string', OUT), of('Broken'));
    await addRule(server, 'slow', shell('sleep 600', 'sample: string', OUT), of('Slow'));
    const asked = (entity_type: string) => ({ entity_type, criteria: { sample: 's' } });
    const echoed = await produce(server, asked('Echo'));
    expect(echoed.body, JSON.stringify(echoed.body)).toMatchObject({ status: 'completed' });
    expect((await produce(server, asked('Broken'))).body).toMatchObject({
      status: 'failed',
      error: { code: 'workflow_failed' },
      log: expect.stringContaining('because'),
    });
    const { body } = await server.rest('POST', '/api/v1/artifact/produce', { body: asked('Slow') });
    const ofSlow = async (): Promise<string | undefined> => {
      const { runs = [], workflows = runs } = await at('GET', '/runs');
      for (const { run_id, state } of workflows)
        if ((await at('GET', `/runs/${run_id}`)).request?.tags?.production === body.production_id)
          return state;
      return undefined;
    };
    await expect.poll(ofSlow, { timeout: 2 * MINUTES }).toBe('RUNNING');
    await server.rest('DELETE', `/api/v1/artifact/productions/${body.production_id}`);
    expect(await ended(server, body.production_id)).toMatchObject({ status: 'cancelled' });
    await expect.poll(ofSlow, { timeout: MINUTES }).toMatch(/^CANCEL/);
  },
  10 * MINUTES,
);

test.skipIf(url === '' || token === '')(
  'a token that the service does not know is 503 with the reason',
  async () => {
    await using server = await platformAt('', `${token.slice(0, -4)}AAAA`);
    await addSchema(server, GREETING);
    await addRule(server, 'greet', shell('echo hello > out.txt', 'sample: string', OUT), MADE);
    expect(
      await server.rest('POST', '/api/v1/artifact/produce', {
        body: { entity_type: 'Greeting', criteria: { sample: 's' } },
      }),
    ).toMatchObject({
      status: 503,
      body: { error: 'runner_unavailable', message: expect.stringContaining('status 401') },
    });
  },
);

test.skipIf(url === '' || command === '')(
  'a service that is killed in the middle of a run, and started again later, does not fail the production',
  async () => {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'cairn-wes-killed-'));
    const gate = path.join(directory, 'gate');
    await using server = await platformAt();
    await addSchema(server, GREETING);
    const waiting = `while [ ! -e ${gate} ]; do sleep 0.2; done; echo made > out.txt`;
    await addRule(server, 'slow', shell(waiting, 'sample: string', OUT), MADE);
    const { body } = await server.rest('POST', '/api/v1/artifact/produce', {
      body: { entity_type: 'Greeting', criteria: { sample: 's' } },
    });
    const tagged = async (): Promise<string[]> => {
      const { runs = [], workflows = runs } = await at('GET', '/runs?page_size=50');
      const told = await Promise.all(
        workflows.map(({ run_id }: { run_id: string }) => at('GET', `/runs/${run_id}`)),
      );
      return told
        .filter(({ request }) => request?.tags?.production === body.production_id)
        .map(({ state }) => state);
    };
    await expect.poll(tagged, { timeout: 2 * MINUTES }).toEqual(['RUNNING']);
    process.kill(-Number(group), 'SIGKILL');
    await sleep(15_000);
    const again = spawn('sh', ['-c', command], { detached: true, stdio: 'ignore' });
    try {
      await expect
        .poll(() => tagged().catch((): string[] => []), { timeout: 2 * MINUTES })
        .toContain('RUNNING');
      await writeFile(gate, '');
      const record = await ended(server, body.production_id);
      expect(record, JSON.stringify(record)).toMatchObject({ status: 'completed' });
    } finally {
      again.unref();
      if (again.pid !== undefined) process.kill(-again.pid, 'SIGTERM');
      await rm(directory, { recursive: true, force: true });
    }
  },
  10 * MINUTES,
);
