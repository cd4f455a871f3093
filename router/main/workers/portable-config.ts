// A configuration as it travels to a worker: what the primary has checked is what the worker runs, whatever
// the file says by then.
import { isDeepStrictEqual } from 'node:util';
import type { Origin } from '../../../platform/config/faults.ts';
import type { Config } from '../../../platform/config/load-config.ts';
import { Secret } from '../../../platform/config/secret.ts';

/** Keys that no file has. */
const SECRET = '\0secret';
const ORIGIN = '\0origin';

const isOrigin = (value: object): value is Origin =>
  'document' in value && 'path' in value && Object.keys(value).length === 2;

function pack(value: unknown): unknown {
  if (value instanceof Secret) return { [SECRET]: value.reveal() };
  if (Array.isArray(value)) return value.map(pack);
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  // what is neither data nor a secret of this module graph would arrive as an empty object
  if (prototype !== Object.prototype && prototype !== null)
    throw new Error(
      `the configuration contains a ${value.constructor.name}, which cannot be sent to a worker`,
    );
  if (isOrigin(value))
    return {
      [ORIGIN]: { label: value.document.label, path: value.path, at: value.document.locate(value.path) },
    };
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, pack(item)]));
}

interface PackedOrigin {
  readonly label: string;
  readonly path: Origin['path'];
  readonly at: { line: number; column: number } | undefined;
}

function unpack(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unpack);
  if (typeof value !== 'object' || value === null) return value;
  // a plain object, as `pack` makes them
  const { [SECRET]: secret, [ORIGIN]: origin } = value as Record<string, unknown>;
  if (typeof secret === 'string') return new Secret(secret);
  if (origin !== undefined) {
    const { label, path, at } = origin as PackedOrigin; // packed above
    return { document: { label, locate: () => at }, path } satisfies Origin;
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unpack(item)]));
}

/**
 * Plain data with the secrets in it: for a child process, never for a log. Of an origin the place of the
 * definition itself is kept.
 */
export const packConfig = (config: Config): unknown => pack(config);

// packConfig's argument again
export const unpackConfig = (packed: unknown): Config => unpack(packed) as Config;

export const isSameConfig = (one: Config, other: Config): boolean =>
  isDeepStrictEqual(pack(one), pack(other));
