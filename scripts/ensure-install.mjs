// Makes a fresh clone ready: installs packages and generates code where that is missing. Node built-ins only, since nothing else may be there yet.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureGenerated } from './generate.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Whether node_modules holds what package-lock.json asks for; what only development needs counts where `development` is true. */
function isInstalled(development) {
  const wantedFile = path.join(root, 'package-lock.json');
  const presentFile = path.join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(presentFile)) return false;
  if (!existsSync(wantedFile)) return true;
  if (!development && statSync(wantedFile).mtimeMs <= statSync(presentFile).mtimeMs) return true;
  // a newer file with the same content (a checkout, a touch) is no reason to install again
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
  const cli = process.env['npm_execpath']; // set where npm started this process: the same npm, whatever is on the PATH
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
 * Installs packages if any are missing or outdated, then generates code if that is missing. Does nothing, fast, where all is there.
 * `development`: what tests need has to be there, too.
 */
export function ensureInstalled({ development = false } = {}) {
  if (!isInstalled(development)) {
    console.error('cairn: installing packages (npm ci), once; this takes a minute');
    // no package needs its scripts here, and some would download things; a server runs with NODE_ENV=production, which leaves out what `npm test` needs
    npm('ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'); // a warning of npm's is about packages nobody here has chosen
  }
  ensureGenerated();
}
