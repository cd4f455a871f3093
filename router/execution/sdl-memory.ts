// Stores the last valid SDL of remote components in files, so that a start without one still has its fields.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { systemErrorCode } from '../../platform/system-error-code.ts';

export interface SdlMemory {
  recall(component: string): Promise<string | undefined>;
  keep(component: string, sdl: string): Promise<void>;
}

/** One file per component in `directory`, which is created on first use. */
export function createSdlFiles(directory: string): SdlMemory {
  const fileOf = (component: string): string =>
    path.join(directory, `${encodeURIComponent(component)}.graphql`);
  return {
    async recall(component) {
      try {
        return await readFile(fileOf(component), 'utf8');
      } catch (fault) {
        // fs rejects with errno errors
        if (systemErrorCode(fault) === 'ENOENT') return undefined;
        throw fault;
      }
    },
    async keep(component, sdl) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const unfinished = `${fileOf(component)}.${process.pid}`;
      await writeFile(unfinished, sdl, { mode: 0o600 });
      await rename(unfinished, fileOf(component));
    },
  };
}
