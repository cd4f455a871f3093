// The R blocks of docs/r.md, as one program against a server; it must print what the page says.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';
import { startServer } from '../testkit/server.ts';

const hasR = spawnSync('Rscript', ['-e', 'library(jsonlite)'], { stdio: 'ignore' }).status === 0;
if (!hasR)
  console.warn(
    'SKIPPED: R is not installed (Debian: apt-get install r-base-core r-cran-jsonlite), so that docs/r.md is not run',
  );

test.skipIf(!hasR)('the examples for R print what the page says', async () => {
  const page = readFileSync(path.join(projectRoot, 'docs/r.md'), 'utf8');
  const program = [...page.matchAll(/^```r\n([\s\S]*?)^```$/gm)].map(([, block]) => block).join('\n');
  const promised = [...program.matchAll(/ # → (.*)$/gm)].map(([, printed]) => printed);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-r-'));
  try {
    await using server = await startServer();
    await writeFile(path.join(folder, 'page.R'), program.replaceAll('http://127.0.0.1:8080', server.url));
    const child = spawn('Rscript', ['page.R'], {
      cwd: folder,
      env: { ...process.env, CAIRN_KEY: server.key, LC_ALL: 'C.UTF-8' },
    });
    let [printed, errors] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    const [status] = (await once(child, 'close')) as [number | null]; // as Node documents the event
    expect(status, errors).toBe(0);
    expect(
      printed
        .trimEnd()
        .split('\n')
        .map((line) => line.trimEnd()),
    ).toEqual(promised);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
