// `npm run lines` fails where code has become too long to read: of the product the mean line, long lines, median
// and longest file; of tests the longest file. Files of the product, their SDL too, are as long as an editor shows
// them; blank lines of tests do not count.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const FOLDERS = [
  'cli',
  'client',
  'console',
  'platform',
  'portal',
  'rest-compat',
  'router',
  'scripts',
  'standalone',
  'subgraphs',
];
const MAX_MEAN = 46;
const LONG = 110;
const MAX_LONG_PERCENT = 2;
const MAX_MEDIAN_FILE = 80;
const MAX_FILE = 300;
/** A subgraph is its nouns: what assembles it has no logic of its own. */
const MAX_COMPONENT = 80;
const COMPONENT = /^(subgraphs\/[^/]+|router\/gateway-schema)\/component\.ts$/;

/** One test each, over one deployment or a sequence of calls (docs/decisions/0108-readable-tests-and-casts.md). */
const WHOLE = new Set([
  'test/archive/hostile-archives.test.ts',
  'test/built-product.test.ts',
  'test/openapi/every-operation.test.ts',
]);

const isTest = (file) => /^test[/\\]|\.test\.ts$/.test(file);
const isMeasured = (file) =>
  /\.(tsx?|mjs|js|graphql)$/.test(file) &&
  !/\.d\.ts$|^test[/\\].*\.graphql$/.test(file) &&
  !file.split(path.sep).some((part) => ['generated', 'dist', 'build', 'node_modules'].includes(part));

const all = [...FOLDERS, 'test']
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true })
      .map((file) => path.join(folder, file))
      .filter(isMeasured)
      .map((file) => {
        const raw = readFileSync(path.join(root, file), 'utf8').trimEnd().split('\n');
        const lines = raw.filter((line) => line.trim() !== '');
        return { file, lines, length: isTest(file) ? lines.length : raw.length };
      }),
  )
  .sort((a, b) => a.length - b.length);
const files = all.filter(({ file }) => !isTest(file));

const lines = files.filter(({ file }) => !file.endsWith('.graphql')).flatMap((file) => file.lines);
const mean = lines.reduce((sum, line) => sum + line.length, 0) / lines.length;
const long = (100 * lines.filter((line) => line.length > LONG).length) / lines.length;
const median = files[Math.floor(files.length / 2)].length;
const limitOf = (file) => (COMPONENT.test(file.replaceAll(path.sep, '/')) ? MAX_COMPONENT : MAX_FILE);
const tooLong = all.filter(
  ({ file, length }) => length > limitOf(file) && !WHOLE.has(file.replaceAll(path.sep, '/')),
);

console.log(
  `${files.length} files, ${lines.length} lines: mean line ${mean.toFixed(1)} characters, ` +
    `${long.toFixed(1)} % over ${LONG}, median file ${median} lines, longest ${files.at(-1).length}`,
);
const faults = [
  ...(mean < MAX_MEAN ? [] : [`the mean line must be shorter than ${MAX_MEAN} characters`]),
  ...(long < MAX_LONG_PERCENT ? [] : [`less than ${MAX_LONG_PERCENT} % of lines may be over ${LONG}`]),
  ...(median <= MAX_MEDIAN_FILE ? [] : [`the median file must have at most ${MAX_MEDIAN_FILE} lines`]),
  ...tooLong.map(({ file, length }) => `${file} has ${length} lines; the limit is ${limitOf(file)}`),
];
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
