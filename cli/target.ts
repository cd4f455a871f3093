// Which platform a client command speaks to, and with what credential.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CLIENT_KEY, CLIENT_URL } from '../platform/config/environment.ts';
import { ConfigurationError } from '../platform/config/faults.ts';
import { type Config, configFile, loadConfig } from '../platform/config/load-config.ts';
import { isLoopbackHost } from '../platform/config/networks.ts';
import { Failure, UsageFailure } from './failure.ts';
import { loginToken } from './login-token.ts';
import type { Session } from './session.ts';

/** Where a server of no particular configuration listens. */
export const DEFAULT_URL = 'http://127.0.0.1:8080';

export interface TargetOptions {
  readonly url?: string;
  readonly key?: string;
  readonly config?: string;
}

export interface Target {
  /** Without final slash. */
  readonly url: string;
  readonly key?: string;
  /** In place of a key: what `cairn login` was given here, asked for at each request, since it is renewed. */
  readonly token?: () => Promise<string>;
}

/** What `--config` names goes before `CAIRN_CONFIG`. */
export const configOptions = (
  session: Session,
  config: string | undefined,
): { env: Session['env']; cwd: string } => ({
  env: config === undefined ? session.env : { ...session.env, CAIRN_CONFIG: config },
  cwd: session.cwd,
});

/** The configuration of the platform on this machine; undefined where there is none here. */
function localConfig(session: Session, options: TargetOptions): Config | undefined {
  const where = configOptions(session, options.config);
  if (options.config === undefined && !existsSync(configFile(where))) return undefined;
  try {
    return loadConfig(where);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new Failure(
      `${error.message}\nMend it, or name the platform with --url and --key.`,
      { faults: error.faults },
      { cause: error },
    );
  }
}

/** Where a server that listens on `host` is reached from this machine. */
export function localUrl(config: Config): string {
  const { host, port } = config.server;
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

function parsed(url: string, from: string): URL {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageFailure(`${from} must be an http or https address, not "${url}"`);
  return new URL(url);
}

interface Address {
  readonly url: string;
  readonly address: URL;
  readonly config: Config | undefined;
}

/** `--url`, else CAIRN_URL, else the configuration's address. */
export function addressOf(session: Session, options: TargetOptions, needsConfig = true): Address {
  const named = options.url ?? (session.env[CLIENT_URL] || undefined);
  const config = named !== undefined && !needsConfig ? undefined : localConfig(session, options);
  const address = parsed(
    named ?? (config === undefined ? DEFAULT_URL : localUrl(config)),
    options.url === undefined ? CLIENT_URL : '--url',
  );
  return { url: address.href.replace(/\/+$/, ''), address, config };
}

/**
 * The address as above; `--key`, else CAIRN_KEY, else what `cairn login` was given there, else the first administrator's key
 * in the data directory, which is only ever sent to this machine.
 */
export function targetOf(session: Session, options: TargetOptions): Target {
  const key = options.key ?? (session.env[CLIENT_KEY] || undefined);
  const { url, address, config } = addressOf(session, options, key === undefined);
  if (key !== undefined) return { url, key: key.trim() };
  const token = loginToken(session, url);
  if (token !== undefined) return { url, token };
  const keyFile = config === undefined ? undefined : path.join(config.database.dataDir, 'admin-key');
  if (
    keyFile === undefined ||
    !isLoopbackHost(address.hostname.replace(/^\[|\]$/g, '')) ||
    !existsSync(keyFile)
  )
    return { url };
  return { url, key: readFileSync(keyFile, 'utf8').trim() };
}
