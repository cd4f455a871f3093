// Finds a local Chromium, for tests that need a real browser (Debian: the packages `chromium-headless-shell` and `chromium`).
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** The first has no windows to look after, and takes a fifth less of a test's time. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
];

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch (fault) {
    if (fault instanceof Error && 'code' in fault) return false;
    throw fault;
  }
}

/** The path in `CHROMIUM`, else the first of the usual names on the PATH. */
export function findChromium(): string | undefined {
  if (process.env['CHROMIUM']) return process.env['CHROMIUM'];
  const directories = (process.env['PATH'] ?? '').split(path.delimiter);
  return NAMES.flatMap((name) => directories.map((directory) => path.join(directory, name))).find(
    isExecutable,
  );
}
