// Loads the packages that bundle-packages.mjs put into one file. A part of the product's bundle: there it exists once
// in each thread. V8 keeps what it compiled in files beside it, so that the next process does not compile it again.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
import { isMainThread } from 'node:worker_threads';
import { underOwnFlags } from '../platform/heap-growth.ts';
import { projectRoot } from '../platform/project-root.ts';

const DIGEST = 32;
/** Milliseconds after which what a process uses is compiled. Later V8 forgets what only a start needs. */
const STARTED = 10_000;
const digestOf = (data) => createHash('sha256').update(data).digest();

const directory = path.join(projectRoot, 'dist', 'cairn');
const { file: name } = JSON.parse(readFileSync(path.join(directory, 'packages.json'), 'utf8'));
const file = path.join(directory, name);

/** Processes that use the same functions share what was compiled. */
function roleOf([, script = '', command = '']) {
  if (!isMainThread) return 'thread';
  const program = path.basename(script).replace(/\W/g, '-');
  return command === 'start' ? `${program}-start` : program;
}

/** V8 takes nothing of another version, and looks at the length of the source only: the file's name has its hash. */
const compiledFile = `${file}.${roleOf(process.argv)}-${process.version}-${process.arch}.compiled`;

/** What an earlier process compiled; undefined where there is nothing, or it is damaged. */
function compiledBefore() {
  let stored;
  try {
    stored = readFileSync(compiledFile);
  } catch {
    return undefined; // the first process of its kind, or another user's: it compiles itself
  }
  const data = stored.subarray(DIGEST);
  return digestOf(data).equals(stored.subarray(0, DIGEST)) ? data : undefined;
}

/** Keeps what this process has compiled when it has started, or at its end. */
function keepOnce(script) {
  let isKept = false;
  const keep = () => {
    if (!isKept) keepCompiled(script);
    isKept = true;
  };
  setTimeout(keep, STARTED).unref();
  process.once('exit', keep);
}

function keepCompiled(script) {
  const aside = `${compiledFile}.${process.pid}`;
  try {
    const data = underOwnFlags(() => script.createCachedData());
    mkdirSync(directory, { recursive: true });
    writeFileSync(aside, Buffer.concat([digestOf(data), data]));
    renameSync(aside, compiledFile);
  } catch {
    // an installation that cannot be written to: every process compiles
  }
}

function load() {
  const cachedData = compiledBefore();
  // it is ASCII, and an expression: a function that makes a module of it
  const script = underOwnFlags(
    () =>
      new vm.Script(readFileSync(file, 'latin1'), {
        filename: file,
        ...(cachedData === undefined ? {} : { cachedData }),
        importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      }),
  );
  if (cachedData === undefined || script.cachedDataRejected) keepOnce(script);
  const module = { exports: {} };
  script.runInThisContext()(module, module.exports, createRequire(file), file, directory);
  return module.exports;
}

const packages = load();

/** The exports of a package, as Node would have imported it. */
export const packageNamed = (wanted) => packages[wanted]();
