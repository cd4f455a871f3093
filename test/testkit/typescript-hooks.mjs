// Hooks of Node's loader (take-typescript.mjs), in a thread of their own.
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isTypeScript, javascriptOf } from '../../scripts/test-modules.mjs';

/** What Vitest adds to the name of a file that is to be evaluated again. */
const AGAIN = /%3Fvitest=\d+$/;
/** A file by its whole name, as all of ours are named. */
const NAMED = /^(?:\.{0,2}\/|file:).*\.(?:tsx?|[cm]?js|json)$/;

/**
 * What is clear is not handed on: Vitest's own hook would tell the main process of each, which only serves watching,
 * and what is told when a file of tests has just ended fails the run.
 */
export async function resolve(specifier, context, next) {
  if (isBuiltin(specifier))
    return { url: `node:${specifier.replace(/^node:/, '')}`, format: 'builtin', shortCircuit: true };
  const name = specifier.replace(AGAIN, '');
  const { parentURL = '' } = context;
  if (name === '@noble/hashes/scrypt.js' && parentURL.includes('/node_modules/age-encryption/'))
    return { url: new URL('./scrypt-of-backups.mjs', import.meta.url).href, shortCircuit: true };
  if (
    !NAMED.test(name) ||
    !parentURL.startsWith('file:') ||
    (parentURL.includes('/node_modules/') && name === specifier)
  )
    return next(specifier, context);
  const { href } = new URL(name, parentURL);
  return { url: name === specifier ? href : `${href}?vitest=${Date.now()}`, shortCircuit: true };
}

export async function load(url, context, next) {
  const [place] = url.split('?'); // without when it is evaluated
  if (!place.startsWith('file:') || !isTypeScript(place)) return next(url, context);
  return { format: 'module', source: await javascriptOf(fileURLToPath(place)), shortCircuit: true };
}
