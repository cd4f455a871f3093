// What tests import, as JavaScript: each TypeScript module by itself, kept in dist/test-modules for as long as its text is
// the same (test/testkit/take-typescript.mjs).
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { put } from './put.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const kept = path.join(root, 'dist', 'test-modules');
const FOLDERS = [
  'cli',
  'client',
  'platform',
  'portal',
  'prisma',
  'rest-compat',
  'router',
  'standalone',
  'subgraphs',
  'test',
];

const OPTIONS = {
  jsx: 'automatic',
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  sourcesContent: false,
};
/** What makes something else of the same text. esbuild itself is loaded only where something is made. */
const MAKER =
  readFileSync(path.join(root, 'node_modules/esbuild/package.json'), 'utf8') + JSON.stringify(OPTIONS);

export const isTypeScript = (file) => /\.tsx?$/.test(file);

function found(place, ending) {
  try {
    const code = readFileSync(place, 'utf8');
    return code.endsWith(ending) ? code : undefined;
  } catch {
    return undefined; // not made yet
  }
}

/** The JavaScript of a file, which is an absolute path. */
export async function javascriptOf(file) {
  const text = readFileSync(file, 'utf8');
  const place = path.join(kept, `${path.relative(root, file).replaceAll(path.sep, '+')}.mjs`);
  const ending = `\n// ${createHash('sha256').update(MAKER).update(text).digest('hex')}\n`;
  const made = found(place, ending);
  if (made !== undefined) return made;
  const { transform } = await import('esbuild');
  const { code } = await transform(text, {
    ...OPTIONS,
    loader: file.endsWith('x') ? 'tsx' : 'ts',
    sourcefile: path.basename(file),
  });
  await put(place, code + ending);
  return code + ending;
}

/** Those of the whole project, before several workers look for them at once. */
export async function compileAll() {
  const names = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true }).map((name) => path.join(root, folder, name)),
  );
  await Promise.all(names.filter((name) => isTypeScript(name) && !name.endsWith('.d.ts')).map(javascriptOf));
}
