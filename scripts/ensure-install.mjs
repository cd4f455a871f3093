// Prepares a fresh clone: installs packages and generates code where they are missing. It uses Node built-ins
// only, because nothing else may be installed yet.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureGenerated } from './generate.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Whether node_modules contains the packages of package-lock.json. Development dependencies count where
 * `development` is true.
 */
function isInstalled(development) {
  const wantedFile = path.join(root, 'package-lock.json');
  const presentFile = path.join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(presentFile)) return false;
  if (!existsSync(wantedFile)) return true;
  if (!development && statSync(wantedFile).mtimeMs <= statSync(presentFile).mtimeMs) return true;
  // A newer file with the same content (a checkout, a touch) does not require an install.
  const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;
  const present = packagesOf(presentFile);
  return Object.entries(packagesOf(wantedFile)).every(
    ([place, wanted]) =>
      place === '' ||
      (present[place] === undefined
        ? wanted.optional === true || (wanted.dev === true && !development)
        : present[place].version === wanted.version),
  );
}

function npm(...args) {
  // npm sets this when it starts the process: use the same npm, whatever is on the PATH.
  const cli = process.env['npm_execpath'];
  const [command, first] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []];
  const result = spawnSync(command, [...first, ...args], {
    cwd: root,
    stdio: 'inherit',
    shell: command === 'npm' && process.platform === 'win32',
  });
  if (result.error)
    throw new Error(`npm could not be started: ${result.error.message}`, { cause: result.error });
  if (result.status !== 0)
    throw new Error(`npm ${args.join(' ')} failed with status ${result.status ?? result.signal}`);
}

/**
 * Installs packages if any are missing or outdated, then generates code if that is missing. Returns quickly
 * where nothing is missing. With `development`, the dependencies of the tests and generated types are required too.
 */
export function ensureInstalled({ development = false } = {}) {
  if (existsSync(path.join(root, 'build.json'))) return; // a built installation (build.mjs) has everything
  if (!isInstalled(development)) {
    console.error('cairn: installing packages (npm ci), once; this takes a minute');
    // No package needs its install scripts here, and some would download files. With NODE_ENV=production, npm
    // would omit what `npm test` needs. npm's audit, funding and deprecation messages concern indirect
    // dependencies.
    npm('ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
  }
  ensureGenerated({ types: development });
}
