// Starts a thread of the product, which is bundled by its entry, with a bound of its memory.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { projectRoot } from './project-root.ts';

interface Builder {
  readonly build: (entry: string) => Promise<string>;
}

/** @param entry its file below the project root; one of `ENTRIES` in scripts/product.mjs */
export async function startThread(entry: string, maxMemoryMb: number): Promise<Worker> {
  const { build } = (await import(
    pathToFileURL(path.join(projectRoot, 'scripts', 'run.mjs')).href
  )) as Builder; // scripts are plain JavaScript
  return new Worker(await build(entry), {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
  });
}
