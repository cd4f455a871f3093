// The environment variables that the platform itself reads, in one place. Others are named by the configuration (`…_env` keys).
import path from 'node:path';

/** Variables as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Names another configuration file than `gateway.yaml`, relative to the working directory. */
export const CONFIG_FILE = 'CAIRN_CONFIG';
/** Base address for the command line as a client, where `--url` is not given. */
export const CLIENT_URL = 'CAIRN_URL';
/** API key or access token for the command line as a client, where `--key` is not given. */
export const CLIENT_KEY = 'CAIRN_KEY';
/** Set to anything, it switches colours off (no-color.org). */
export const NO_COLOR = 'NO_COLOR';

export interface Override {
  readonly variable: string;
  /** The key of the configuration that the variable replaces. */
  readonly key: readonly [string, string];
  readonly value: string | number;
}

/** What the environment overrides in the file (contract 5). An empty variable counts as not set. */
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
