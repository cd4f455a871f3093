// The environment of tools and of JavaScript in workflows, and the messages of failed ones.
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CwltoolSettings } from '../../subgraphs/artifact/runners/cwltool-command.ts';
import { CwltoolRunner } from '../../subgraphs/artifact/runners/cwltool-runner.ts';
import type { RunOutcome } from '../../subgraphs/artifact/runners/runner.ts';
import { sandboxKind } from '../../subgraphs/artifact/runners/sandbox.ts';
import { toolErrors } from '../../subgraphs/artifact/runners/tool-errors.ts';
import { run as cairn } from '../cli/command-line.ts';
import { base64 } from './registration-testkit.ts';
import {
  addRule,
  addSchema,
  canRun,
  cwltoolSettings,
  GREETING,
  NOWHERE,
  shell,
  startProducer,
} from './production-testkit.ts';

const isGuarded = canRun && (await sandboxKind()) === 'bubblewrap';
if (!isGuarded)
  console.warn(
    'SKIPPED: without cwltool and bubblewrap, what the sandbox shows is not tested (Debian: apt-get install cwltool bubblewrap)',
  );

let root: string;
let home: string;
const OUT =
  "uri: {type: File, outputBinding: {glob: out.txt}}\nsample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}";
const produces = { produces: { entity_type: 'Greeting', match: { sample: '{sample}' } } };
const usual = process.execPath;

beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'cairn-surroundings-'));
  home = path.join(root, 'home', '.nvm', 'versions', 'bin');
  await mkdir(home, { recursive: true });
  await copyFile(usual, path.join(home, 'node'));
  await symlink(path.join(home, 'node'), path.join(root, 'node'));
  process.execPath = path.join(root, 'node'); // before any request
});
afterAll(async () => {
  process.execPath = usual;
  await rm(root, { recursive: true, force: true });
});

async function run(
  cwl: string,
  settings: Partial<CwltoolSettings> = {},
): Promise<RunOutcome & { readonly root: string }> {
  const directory = await mkdtemp(path.join(root, 'run-'));
  const outcome = await new CwltoolRunner(
    cwltoolSettings(settings),
    { cores: 1, ram: 2 ** 31, disk: 2 ** 28, timeSeconds: 120 },
    NOWHERE,
  ).run(
    {
      id: 'x',
      main: 'https://inline.invalid/w.cwl',
      version: 'v1.2',
      documents: [{ url: 'https://inline.invalid/w.cwl', content: cwl }],
      inputs: {},
      network: false,
      images: null,
      onLog: () => undefined,
    },
    directory,
    new AbortController().signal,
  );
  return { ...outcome, root: directory };
}

test.skipIf(!isGuarded)(
  'JavaScript of workflows runs on the Node.js that we run on, wherever it is',
  async () => {
    const which = "${ return globalThis.constructor.constructor('return process')().execPath; }";
    const outcome = await run(
      shell(
        'echo x > out.txt',
        'x: string?',
        `word: {type: string, outputBinding: {outputEval: ${JSON.stringify(which)}}}`,
      ),
    );
    expect(outcome, outcome.log).toMatchObject({ ok: true, outputs: { word: path.join(home, 'node') } });
  },
);

test.skipIf(!isGuarded)(
  'tools see further places where they are listed, to be read, and not elsewhere',
  async () => {
    const place = path.join(root, 'etc', 'fastqc');
    await mkdir(place, { recursive: true });
    await writeFile(path.join(place, 'limits.txt'), 'quality\n');
    const reads = shell(
      `cat ${place}/limits.txt > out.txt; echo y >> ${place}/limits.txt && echo written >> out.txt; true`,
      'x: string?',
      'uri: {type: File, outputBinding: {glob: out.txt}}',
    );
    expect(await readFile(path.join((await run(reads)).root, 'outputs', 'out.txt'), 'utf8')).toBe('');
    expect(
      await readFile(
        path.join((await run(reads, { readablePaths: [place] })).root, 'outputs', 'out.txt'),
        'utf8',
      ),
    ).toBe('quality\n');
  },
);

test.skipIf(!canRun)(
  'a failure tells the last lines that the tool wrote, over REST, GraphQL and the command, and no place of this machine',
  async () => {
    await using server = await startProducer();
    await addSchema(server, GREETING);
    await addRule(
      server,
      'fails',
      shell(
        'echo early >&2; for i in 1 2 3; do echo "line $i of $PWD and $HOME" >&2; done; exit 3',
        'sample: string',
        OUT,
      ),
      produces,
    );
    const command = await cairn(
      ['produce', 'Greeting', 'sample=s', '--wait', '--url', server.url, '--key', server.key],
      { cwd: server.dataDir },
    );
    expect(command.status).toBe(1);
    expect(command.stderr).toContain('line 3 of ');
    const [production] = (await server.rest('GET', '/api/v1/artifact/productions')).body.productions;
    const { error } = (await server.rest('GET', `/api/v1/artifact/productions/${production.production_id}`))
      .body;
    expect(error).toMatchObject({
      code: 'workflow_failed',
      details: { stderr: expect.stringMatching(/early\nline 1 of .*\nline 2 of .*\nline 3 of /) },
    });
    const { body } = await server.graphql('query ($id: ID!) { production(id: $id) { error } }', {
      id: production.production_id,
    });
    expect(body.data.production.error).toEqual(error);
    for (const told of [JSON.stringify(error), command.stderr]) expect(told).not.toContain(server.dataDir);
  },
);

test.skipIf(!canRun)(
  'what a tool writes into a file of errors is told, too, and no file that it makes a link to',
  async () => {
    const failing = (command: string) =>
      run(
        shell(
          command,
          'x: string?',
          'uri: {type: File, outputBinding: {glob: out.txt}}',
          'stderr: said.txt\n',
        ),
      );
    for (const pause of ['sleep 0.3;', 'sleep 2;']) {
      const told = await failing(`sh -c "echo limits are missing >&2; ${pause} exit 4"`);
      expect(told).toMatchObject({ ok: false, said: expect.stringContaining('limits are missing') });
    }
    const secret = path.join(root, 'secret.txt');
    await writeFile(secret, 'the key of the administrator\n');
    const linked = await failing(`rm -f said.txt; ln -s ${secret} said.txt; sleep 1; exit 4; sh -c true`);
    expect(JSON.stringify(linked)).not.toContain('of the administrator');
  },
);

test('a log shows the output of the tool, or the faults of the runner if there is none; both are limited', () => {
  const own = '[2026-01-02 03:04:05] ';
  const log = `${own}INFO [job w] /data/run$ /bin/sh \\\n    -c 'cat'\nSegmentation fault\n${own}WARNING [job w] exited with status: 1\n${own}ERROR [job w] no file /data/run/x\n`;
  expect(
    toolErrors(log, [
      ['/data', '…'],
      ['/data/run', 'work'],
    ]),
  ).toBe('Segmentation fault');
  expect(toolErrors(log.replace('Segmentation fault\n', ''), [['/data/run', 'work']])).toBe(
    '[job w] no file work/x',
  );
  const long = toolErrors('x'.repeat(10_000), []);
  expect([long.length < 5000, long.startsWith('[…]')]).toEqual([true, true]);
  expect(
    toolErrors(Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\n'), []).split('\n'),
  ).toHaveLength(20);
  expect(toolErrors('', [])).toBe('');
  expect(toolErrors(log, [], 'into a file\n')).toBe('into a file\nSegmentation fault');
});

test('required software that cannot be searched for is refused at registration; as a hint it is accepted', async () => {
  await using server = await startProducer();
  await addSchema(server, GREETING);
  const software = 'SoftwareRequirement: {packages: {fastqc: {version: ["0.12"]}, samtools: {}}}';
  const required = shell('echo x > out.txt', 'sample: string', OUT).replace(
    'requirements:\n',
    `requirements:\n  ${software}\n`,
  );
  const register = (cwl: string) =>
    server.rest('POST', '/api/v1/artifact/rules', {
      body: { name: 'software', execute: { cwl_content: base64(cwl) }, ...produces },
    });
  expect(await register(required)).toMatchObject({
    status: 422,
    body: {
      details: {
        violations: [
          { check: 'software', message: expect.stringMatching(/fastqc, samtools.*hints.*tool_paths/) },
        ],
      },
    },
  });
  expect(
    await register(shell('echo x > out.txt', 'sample: string', OUT, `hints: {${software}}\n`)),
  ).toMatchObject({ status: 201 });
});
