// The Python client (clients/python): its own tests, every Python block of its README and its notebook, against
// servers of this project; and that its generated types are those of the API.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';
import {
  addRule,
  addSchema,
  canRun,
  GREET,
  GREETING,
  startProducer,
} from '../artifact/production-testkit.ts';
import { approveDevice, startOAuth } from '../gateway/oauth-testkit.ts';
import { Visitor } from '../portal/visitor.ts';
import { startServer } from '../testkit/server.ts';
import { canBuild, canPlot, hasPandas, python, run } from './python-on-this-machine.ts';

const client = path.join(projectRoot, 'clients/python');
const page = readFileSync(path.join(client, 'README.md'), 'utf8');

/** The blocks of the page with this word behind `python`, as one program. */
const programOf = (word: string): string =>
  [...page.matchAll(/^```python ?(.*)\n([\s\S]*?)^```$/gm)]
    .filter(([, info]) => info === word)
    .map(([, , block]) => block)
    .join('\n');
const promisedBy = (program: string): (string | undefined)[] =>
  [...program.matchAll(/ {2}# → (.*)$/gm)].map(([, printed]) => printed);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-python-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('its types are those of the OpenAPI description', async () => {
  const file = path.join(folder, 'types.py');
  spawnSync(process.execPath, ['scripts/python-types.mjs', file], { cwd: projectRoot });
  expect(await readFile(file, 'utf8')).toBe(
    await readFile(path.join(client, 'src/cairn_client/types.py'), 'utf8'),
  );
});

test.skipIf(python === undefined)('its own tests pass', async () => {
  await using server = await startServer();
  const { status, errors } = await run([path.join(client, 'tests/test_client.py')], {
    cwd: folder,
    env: { CAIRN_URL: server.url, CAIRN_KEY: server.key },
  });
  expect(status, errors).toBe(0);
});

test.skipIf(!canBuild)('its wheel holds all that its own tests need', async () => {
  const [sources, wheels, installed] = [
    path.join(folder, 'sources'),
    path.join(folder, 'wheels'),
    path.join(folder, 'installed'),
  ];
  await cp(client, sources, { recursive: true }); // setuptools writes beside what it builds
  const pip = async (...args: string[]): Promise<void> => {
    const { status, errors } = await run(['-m', 'pip', ...args, '--no-deps', '--no-index'], { cwd: folder });
    expect(status, errors).toBe(0);
  };
  await pip('wheel', '--no-build-isolation', '--wheel-dir', wheels, sources);
  const [wheel = ''] = await readdir(wheels);
  expect(wheel).toMatch(/^cairn_client-.*-py3-none-any\.whl$/);
  await pip('install', '--target', installed, path.join(wheels, wheel));
  expect(await readdir(path.join(installed, 'cairn_client'))).toEqual(
    expect.arrayContaining(['client.py', 'py.typed', 'types.py']),
  );
  await using server = await startServer();
  const { status, errors } = await run([path.join(client, 'tests/test_client.py')], {
    cwd: folder,
    env: { CAIRN_URL: server.url, CAIRN_KEY: server.key, PYTHONPATH: installed },
  });
  expect(status, errors).toBe(0);
});

test.skipIf(!hasPandas)('the examples of its README print what the page says', async () => {
  await using server = await startServer();
  const program = programOf('');
  await writeFile(path.join(folder, 'page.py'), program.replaceAll('http://127.0.0.1:8080', server.url));
  const { status, printed, errors } = await run(['page.py'], { cwd: folder, env: { CAIRN_KEY: server.key } });
  expect(errors).toBe('');
  expect(printed.trimEnd().split('\n')).toEqual(promisedBy(program));
  expect(status).toBe(0);
});

test.skipIf(python === undefined)(
  'a person signs in through a browser; the tokens are kept privately',
  async () => {
    await using server = await startOAuth();
    const program = `${programOf('sign-in').replaceAll('http://127.0.0.1:8080', server.url)}\nprint(client.me()["actor"])\n`;
    await writeFile(path.join(folder, 'sign-in.py'), program);
    let isApproved = false;
    const { status, printed, errors } = await run(['sign-in.py'], {
      cwd: folder,
      onPrint: (text) => {
        const address = /open (\S+) and/.exec(text)?.[1];
        if (address === undefined || isApproved) return;
        isApproved = true;
        void approveDevice(new Visitor(server.url), address);
      },
    });
    expect(errors).toBe('');
    expect(printed.trimEnd().split('\n').at(-1)).toBe('user:ada');
    expect(status).toBe(0);
    expect((await stat(path.join(folder, 'tokens.json'))).mode & 0o777).toBe(0o600);
  },
);

test.skipIf(python === undefined || !canRun)(
  'an artifact is planned, produced, waited for and read',
  async () => {
    await using server = await startProducer();
    await addSchema(server, GREETING);
    await addRule(server, 'greet', GREET, {
      produces: { entity_type: 'Greeting', match: { sample: '{sample}' } },
    });
    const program = programOf('production');
    await writeFile(
      path.join(folder, 'produce.py'),
      `import os\nfrom cairn_client import Client\nclient = Client(os.environ["CAIRN_URL"], os.environ["CAIRN_KEY"])\n${program}`,
    );
    const { status, printed, errors } = await run(['produce.py'], {
      cwd: folder,
      env: { CAIRN_URL: server.url, CAIRN_KEY: server.key },
    });
    expect(errors).toBe('');
    expect(printed.trimEnd().split('\n')).toEqual(promisedBy(program));
    expect(status).toBe(0);
  },
);

test.skipIf(!canPlot)('the notebook loads, asks, plots and cites', async () => {
  await using server = await startServer();
  const notebook = JSON.parse(await readFile(path.join(client, 'examples/populations.ipynb'), 'utf8')) as {
    cells: { cell_type: string; source: string[]; outputs?: unknown[] }[];
  }; // nbformat 4
  const cells = notebook.cells.filter((cell) => cell.cell_type === 'code');
  expect(cells.flatMap((cell) => cell.outputs ?? [])).toEqual([]); // it is kept without what it printed
  await writeFile(path.join(folder, 'cells.py'), cells.map(({ source }) => source.join('')).join('\n'));
  const { status, printed, errors } = await run(['cells.py'], {
    cwd: folder,
    env: {
      CAIRN_URL: server.url,
      CAIRN_KEY: server.key,
      CAIRN_EXAMPLES: path.join(projectRoot, 'examples'),
    },
  });
  expect(status, errors).toBe(0);
  expect(printed).toMatch(/^\d+ rows, 0 refused$/m);
  expect(printed).toMatch(
    /^\d+ entities of type NotebookPopulation at .*, as of \d{4}-.* written by user:admin/m,
  );
  expect((await stat(path.join(folder, 'populations.png'))).size).toBeGreaterThan(5000);
});
