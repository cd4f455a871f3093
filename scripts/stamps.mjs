// Which files a bundle was made from, and whether they are still the same.
import { statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Identifies the content of a file below the project root by its modification time and size. */
export function identityOf(file) {
  const found = statSync(`${root}${path.sep}${file}`, { throwIfNoEntry: false });
  return found === undefined ? 'absent' : `${found.mtimeMs} ${found.size}`;
}

/** Whether files are as they were when their identities were taken. */
export const areSame = (identities) =>
  Object.entries(identities).every(([file, identity]) => identityOf(file) === identity);

/**
 * A plugin of esbuild that takes the identity of each file into `identities` before esbuild reads it: a file that
 * changes meanwhile is bundled again next time.
 */
export const takingIdentities = (identities) => ({
  name: 'identities',
  setup: ({ onLoad }) =>
    onLoad({ filter: /.*/, namespace: 'file' }, ({ path: file }) => {
      const relative = path.relative(root, file);
      identities[relative] = identityOf(relative);
      return undefined; // esbuild loads it
    }),
});
