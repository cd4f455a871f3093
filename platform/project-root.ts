// Locates the project's own files (migrations, SDL, assets), whether it runs from source or from dist/.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

function find(from: string): string {
  if (existsSync(path.join(from, 'package.json')) && existsSync(path.join(from, 'prisma'))) return from;
  const up = path.dirname(from);
  if (up === from) throw new Error('the project root (package.json beside prisma/) was not found');
  return find(up);
}

export const projectRoot = find(path.dirname(fileURLToPath(import.meta.url)));
