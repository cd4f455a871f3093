// Keeps in files what is always made the same of the same texts, by what it was made of: schemas and supergraphs take
// half of a start to make (docs/decisions/0205-a-start-makes-nothing-twice.md).
import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { version as graphqlVersion } from 'graphql';
import type { Logger } from 'pino';
import { once } from './once-per.ts';
import { projectRoot } from './project-root.ts';
import { systemErrorCode } from './system-error-code.ts';

export interface KeptTexts {
  /** What was made of these texts; undefined where it is not known. */
  recall(madeOf: readonly string[]): string | undefined;
  /** Never throws: what cannot be kept is made again. */
  keep(madeOf: readonly string[], made: string): void;
}

/** Files that are kept: SDLs change with the release, and with components of others. */
const KEPT = 32;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Other versions may make something else of the same texts. All packages of the composer have one version. */
const makers = once((): readonly string[] => {
  const file = path.join(projectRoot, 'node_modules/@apollo/composition/package.json');
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }; // every package.json has one
  return [version, graphqlVersion];
});

/** One file for each text in `directory`, which is created on first use, and need not be writable. */
export function createKeptTexts(directory: string, log: Logger): KeptTexts {
  const fileOf = (madeOf: readonly string[]): string =>
    path.join(directory, hashOf(JSON.stringify([makers(), ...madeOf])));
  return {
    recall(madeOf) {
      try {
        const file = fileOf(madeOf);
        const text = readFileSync(file, 'utf8');
        const end = text.indexOf('\n');
        const made = text.slice(end + 1);
        if (text.slice(0, end) === hashOf(made)) return made;
        log.warn({ file }, 'a file that is kept for the next start is damaged: making it again');
      } catch (fault) {
        if (systemErrorCode(fault) !== 'ENOENT')
          log.debug({ err: fault }, 'what was kept for a start could not be read: making it again');
      }
      return undefined;
    },
    keep(madeOf, made) {
      try {
        const file = fileOf(madeOf);
        const unfinished = `${file}.${process.pid}`;
        // schemas are no secret: what one account made, others of the same installation may read
        if (mkdirSync(directory, { recursive: true }) !== undefined) chmodSync(directory, 0o755);
        writeFileSync(unfinished, `${hashOf(made)}\n${made}`);
        chmodSync(unfinished, 0o644);
        renameSync(unfinished, file);
        removeOldest(directory);
      } catch (fault) {
        log.info({ err: fault }, 'what the next start could use could not be kept: it is made again');
      }
    },
  };
}

/** What was made of the texts, which is a JSON value; made now, and kept, where it is not known. */
export function recalled<Made>(
  memory: KeptTexts | undefined,
  madeOf: readonly string[],
  make: () => Made,
): Made {
  const known = memory?.recall(madeOf);
  if (known !== undefined) return JSON.parse(known) as Made; // its hash is right: it is what was kept
  const made = make();
  memory?.keep(madeOf, JSON.stringify(made));
  return made;
}

/** Where every start of this installation finds them. */
export const keptTexts = (log: Logger): KeptTexts =>
  createKeptTexts(path.join(projectRoot, 'dist', 'schemas'), log);

function removeOldest(directory: string): void {
  const files = readdirSync(directory).map((name) => path.join(directory, name));
  const ages = files.flatMap((file) => {
    const found = statSync(file, { throwIfNoEntry: false }); // another process may remove it, too
    return found === undefined ? [] : [{ file, mtimeMs: found.mtimeMs }];
  });
  ages.sort((a, b) => b.mtimeMs - a.mtimeMs);
  for (const { file } of ages.slice(KEPT)) rmSync(file, { force: true });
}
