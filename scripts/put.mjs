// Writes files atomically, also while other processes write them.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

export async function put(file, contents) {
  await mkdir(path.dirname(file), { recursive: true });
  const aside = `${file}.${process.pid}-${Date.now()}`;
  await writeFile(aside, contents);
  await rename(aside, file);
}
