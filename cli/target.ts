// Which platform a client command speaks to, and with what credential.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CLIENT_KEY, CLIENT_URL } from '../platform/config/environment.ts';
import { ConfigurationError } from '../platform/config/faults.ts';
import { type Config, configFile, loadConfig } from '../platform/config/load-config.ts';
import { isLoopbackHost } from '../platform/config/networks.ts';
import { Failure, UsageFailure } from './failure.ts';
import type { Session } from './session.ts';

export interface TargetOptions { readonly url?: string; readonly key?: string; readonly config?: string }

export interface Target {
  /** Without final slash. */
  readonly url: string;
  readonly key?: string;
}

/** What `--config` names goes before `CAIRN_CONFIG`. */
export const configOptions = (session: Session, config: string | undefined): { env: Session['env']; cwd: string } =>
  ({ env: config === undefined ? session.env : { ...session.env, CAIRN_CONFIG: config }, cwd: session.cwd });

/** The configuration of the platform on this machine; undefined where there is none here. */
function localConfig(session: Session, options: TargetOptions): Config | undefined {
  const where = configOptions(session, options.config);
  if (options.config === undefined && !existsSync(configFile(where))) return undefined;
  try {
    return loadConfig(where);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new Failure(`${error.message}\nMend it, or name the platform with --url and --key.`, { faults: error.faults }, { cause: error });
  }
}

/** Where a server that listens on `host` is reached from this machine. */
export function localUrl(config: Config): string {
  const { host, port } = config.server;
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

function parsed(url: string, from: string): URL {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new UsageFailure(`${from} must be an http or https address, not "${url}"`);
  return new URL(url);
}

/**
 * `--url`, else CAIRN_URL, else the configuration's address; `--key`, else CAIRN_KEY, else the first administrator's key
 * in the data directory, which is only ever sent to this machine.
 */
export function targetOf(session: Session, options: TargetOptions): Target {
  const named = options.url ?? (session.env[CLIENT_URL] || undefined);
  const key = options.key ?? (session.env[CLIENT_KEY] || undefined);
  const config = named !== undefined && key !== undefined ? undefined : localConfig(session, options);
  const address = parsed(named ?? (config === undefined ? 'http://127.0.0.1:8080' : localUrl(config)), options.url === undefined ? CLIENT_URL : '--url');
  const url = address.href.replace(/\/+$/, '');
  if (key !== undefined) return { url, key: key.trim() };
  const keyFile = config === undefined ? undefined : path.join(config.database.dataDir, 'admin-key');
  if (keyFile === undefined || !isLoopbackHost(address.hostname.replace(/^\[|\]$/g, '')) || !existsSync(keyFile)) return { url };
  return { url, key: readFileSync(keyFile, 'utf8').trim() };
}
