// Names mean one thing, and are the field's own (docs/glossary.md).
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../platform/project-root.ts';

const NOT_OURS = new Set([
  'node_modules',
  'dist',
  'build',
  'generated',
  'data',
  'coverage',
  'contract',
  'migrations',
]);

function filesBelow(folder: string, extensions: RegExp): string[] {
  return readdirSync(path.join(projectRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : filesBelow(file, extensions);
    return extensions.test(entry.name) ? [file] : [];
  });
}

const textOf = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');

/** What a part may be imported by decides where a name of it must mean one thing. */
const SERVER = [
  'cli',
  'platform',
  'portal',
  'rest-compat',
  'router',
  'standalone',
  'subgraphs/artifact',
  'subgraphs/metadata',
  'subgraphs/workflow',
];
const EXPORTED = /^export (?:abstract )?(?:async )?(?:const|function\*?|class|interface|type|enum) (\w+)/gm;

function exportsOf(part: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const file of filesBelow(part, /(?<!\.test)\.ts$/))
    for (const name of new Set([...textOf(file).matchAll(EXPORTED)].map(([, one = '']) => one)))
      found.set(name, [...(found.get(name) ?? []), file]);
  return found;
}

/** The entry points of components that are served alone have one function each, of one name. */
const SAME_EVERYWHERE = ['startComponent'];

test('no name is exported with two meanings where both can be imported', () => {
  const ofPlatform = exportsOf('platform');
  const twice = SERVER.flatMap((part) =>
    [...exportsOf(part)]
      .filter(([name]) => !SAME_EVERYWHERE.includes(name))
      .map(([name, files]) => [
        name,
        part === 'platform' ? files : [...files, ...(ofPlatform.get(name) ?? [])],
      ])
      .filter(([, files = []]) => files.length > 1)
      .map(([name, files]) => `${String(name)}: ${String(files)}`),
  );
  expect(twice).toEqual([]);
});

/** Words that the code had of its own, and the field's for them. */
const REPLACED: Readonly<Record<string, string>> = {
  'Endings|Hearsay': 'CredentialInvalidation',
  '[A-Z_]*PATIENCE[A-Z_]*|INTRODUCTION|doubt': 'ACK_TIMEOUT_MS, join, invalidate',
  'Seats?|Slots': 'WorkerBridge, WorkerPool',
  'Passage|FaceKinds?|Faces?|faces?': 'RequestContext, RestApi',
  'KeptEntities|keptEntities': 'EntityCache',
  '(?:Log|Progress|Production)Bell': 'Notifier',
  '[Pp]resence(?:Service|Slice|Resolvers)': 'existence',
  'NotOurs|Unwanted': 'LeaseLostError, CancelledError',
  'Maker|Surroundings': 'Executor, Deps',
  '(?:MOST|LONGEST|DEEPEST)_[A-Z_]+|SOON': 'MAX_*',
  'patiently|withPatience': 'withLockRetry',
  'validate-apart|lean-exchange|standing-headers': 'validate-in-worker, node-http-fast-path, default-headers',
  widened: 'extendedSchema',
};
const CODE = /\.(?:ts|tsx|mjs|cjs|js|graphql|prisma|yaml)$/;
const FOLDERS = [
  'bench',
  'cli',
  'client',
  'examples',
  'platform',
  'portal',
  'rest-compat',
  'router',
  'scripts',
];

test.each(Object.entries(REPLACED))('nothing is called %s', (words, instead) => {
  const word = new RegExp(`\\b(?:${words})\\b`);
  const files = [...FOLDERS, 'standalone', 'subgraphs', 'test']
    .flatMap((folder) => filesBelow(folder, CODE))
    .filter((file) => file !== 'test/vocabulary.test.ts' && word.test(textOf(file)));
  expect(files, `the name for it: ${instead}`).toEqual([]);
});
