// Defines the environment variables that the platform itself reads. The configuration may name others
// (`…_env` keys).
import path from 'node:path';

/** Variables in the form of `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Path of the configuration file, instead of `gateway.yaml`, relative to the working directory. */
export const CONFIG_FILE = 'CAIRN_CONFIG';
/** Base URL for client commands, where `--url` is not given. */
export const CLIENT_URL = 'CAIRN_URL';
/** API key or access token for client commands, where `--key` is not given. */
export const CLIENT_KEY = 'CAIRN_KEY';
/** Any value disables colours (no-color.org). */
export const NO_COLOR = 'NO_COLOR';

export interface Override {
  readonly variable: string;
  /** The configuration key that the variable overrides. */
  readonly key: readonly [string, string];
  readonly value: string | number;
}

/**
 * Returns the overrides of the configuration file (docs/reference/gateway.md#file-and-environment). An empty
 * variable counts as not set.
 */
export function overridesFrom(env: Environment, cwd: string): Override[] {
  const overrides: Override[] = [];
  const port = env['CAIRN_PORT'];
  if (port)
    overrides.push({
      variable: 'CAIRN_PORT',
      key: ['server', 'port'],
      value: /^\d+$/.test(port) ? Number(port) : port,
    });
  const dataDirectory = env['CAIRN_DATA_DIR'];
  if (dataDirectory)
    overrides.push({
      variable: 'CAIRN_DATA_DIR',
      key: ['database', 'data_dir'],
      value: path.resolve(cwd, dataDirectory),
    });
  const databaseUrl = env['DATABASE_URL'];
  if (databaseUrl) overrides.push({ variable: 'DATABASE_URL', key: ['database', 'url'], value: databaseUrl });
  return overrides;
}
