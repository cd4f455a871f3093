// Keeps composed supergraphs in files, by what they were composed of: composing takes a quarter of a start.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import { projectRoot } from '../../platform/project-root.ts';
import { systemErrorCode } from '../../platform/system-error-code.ts';

/** Subgraph name → SDL. */
export type Sdls = ReadonlyMap<string, string>;

export interface ComposedMemory {
  /** The supergraph that these SDLs were composed to; undefined where it is not known. */
  recall(sdls: Sdls): string | undefined;
  /** Never throws: what cannot be kept is composed again. */
  keep(sdls: Sdls, supergraphSdl: string): void;
}

/** Files that are kept: SDLs change with the release, and with components of others. */
const KEPT = 16;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Another version may compose something else of the same SDLs. */
const composerVersion = (): string =>
  // every package.json has a version
  (
    JSON.parse(
      readFileSync(path.join(projectRoot, 'node_modules/@apollo/composition/package.json'), 'utf8'),
    ) as { version: string }
  ).version;

/** One file for each supergraph in `directory`, which is created on first use, and need not be writable. */
export function createComposedFiles(directory: string, log: Logger): ComposedMemory {
  const fileOf = (sdls: Sdls): string =>
    path.join(directory, `${hashOf(JSON.stringify([composerVersion(), ...sdls]))}.graphql`);
  return {
    recall(sdls) {
      try {
        const text = readFileSync(fileOf(sdls), 'utf8');
        const end = text.indexOf('\n');
        const supergraphSdl = text.slice(end + 1);
        if (text.slice(0, end) === `# ${hashOf(supergraphSdl)}`) return supergraphSdl;
        log.warn({ file: fileOf(sdls) }, 'a file with a composed supergraph is damaged: composing again');
      } catch (fault) {
        if (systemErrorCode(fault) !== 'ENOENT')
          log.debug({ err: fault }, 'a composed supergraph could not be read: composing again');
      }
      return undefined;
    },
    keep(sdls, supergraphSdl) {
      const file = fileOf(sdls);
      const unfinished = `${file}.${process.pid}`;
      try {
        mkdirSync(directory, { recursive: true });
        writeFileSync(unfinished, `# ${hashOf(supergraphSdl)}\n${supergraphSdl}`);
        renameSync(unfinished, file);
        removeOldest(directory);
      } catch (fault) {
        log.debug({ err: fault }, 'a composed supergraph could not be kept: the next start composes again');
      }
    },
  };
}

function removeOldest(directory: string): void {
  const files = readdirSync(directory).map((name) => path.join(directory, name));
  const ages = files.flatMap((file) => {
    const found = statSync(file, { throwIfNoEntry: false }); // another process may remove it, too
    return found === undefined ? [] : [{ file, mtimeMs: found.mtimeMs }];
  });
  ages.sort((a, b) => b.mtimeMs - a.mtimeMs);
  for (const { file } of ages.slice(KEPT)) rmSync(file, { force: true });
}
