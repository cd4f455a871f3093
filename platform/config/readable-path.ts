// Checks which files and directories of this machine may be visible to the tools of workflows.
import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';
import { type ConfigFault, faultAt, type Origin } from './faults.ts';
import { filePath, type Scope } from './values.ts';

/** Directories that a sandbox creates itself, and those with secrets. */
const NEVER = [
  '/',
  '/etc',
  '/etc/shadow',
  '/etc/gshadow',
  '/etc/ssh',
  '/etc/ssl/private',
  '/root',
  '/home',
  '/tmp',
  '/var',
];
const NOTHING_IN = ['/proc', '/sys', '/dev', '/run', '/var/run'];

const isWithin = (place: string, root: string): boolean =>
  place === root || place.startsWith(root === '/' ? root : `${root}/`);

/** Resolves symbolic links; a path that does not exist is returned unchanged. */
const real = (place: string): string => {
  try {
    return realpathSync(place);
  } catch (fault) {
    if (fault instanceof Error && 'code' in fault) return place;
    throw fault;
  }
};

/** A file or directory that tools may read, with everything in it. */
export const readablePath = (scope: Scope): z.ZodType<string, unknown> =>
  filePath(scope).refine(
    (value) =>
      [value, real(value)].every(
        (place) => !NEVER.includes(place) && !NOTHING_IN.some((root) => isWithin(place, root)),
      ),
    `must be neither ${NEVER.join(', ')} nor a path in ${NOTHING_IN.join(', ')}`,
  );

/**
 * Returns a fault for each path that would expose the data directory, with its keys and all users' files, or
 * a part of it.
 */
export const shownData = (
  dataDir: string,
  runner: Origin,
  shown: Readonly<Record<string, readonly string[]>>,
): readonly ConfigFault[] =>
  Object.entries(shown).flatMap(([key, places]) =>
    places.flatMap((place, i) =>
      isWithin(real(place), real(path.resolve(dataDir))) || isWithin(real(path.resolve(dataDir)), real(place))
        ? [
            faultAt(
              runner,
              [key, i],
              'must not contain database.data_dir or lie in it: tools could read all keys and files',
            ),
          ]
        : [],
    ),
  );
