// Determines which platform a client command calls, and with which credential.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { httpAddress as serverAddress } from '../platform/address-of.ts';
import { CLIENT_KEY, CLIENT_URL } from '../platform/config/environment.ts';
import { ConfigurationError } from '../platform/config/faults.ts';
import { type Config, configFile, loadConfig, readServerPart } from '../platform/config/load-config.ts';
import { isLoopbackHost } from '../platform/config/networks.ts';
import { systemErrorCode } from '../platform/system-error-code.ts';
import { Failure, UsageFailure } from './failure.ts';
import { loginToken } from './login-token.ts';
import { type Through, throughOwn } from './own-certificate.ts';
import type { Session } from './session.ts';

/** The URL of a server with the default configuration. */
export const DEFAULT_URL = 'http://127.0.0.1:8080';

export interface TargetOptions {
  readonly url?: string;
  readonly key?: string;
  readonly config?: string;
}

export interface Target extends Through {
  /** Without a trailing slash. */
  readonly url: string;
  readonly key?: string;
  /**
   * Returns the access token of `cairn login`, used instead of a key. Called for each request, because the
   * token is refreshed.
   */
  readonly token?: () => Promise<string>;
}

/** `--config` takes precedence over `CAIRN_CONFIG`. */
export const configOptions = (
  session: Session,
  config: string | undefined,
): { env: Session['env']; cwd: string } => ({
  env: config === undefined ? session.env : { ...session.env, CAIRN_CONFIG: config },
  cwd: session.cwd,
});

/** Loads the configuration of the platform on this machine; undefined where there is none. */
function localConfig(session: Session, options: TargetOptions): Config | undefined {
  const where = configOptions(session, options.config);
  if (options.config === undefined && !existsSync(configFile(where))) return undefined;
  try {
    return loadConfig(where);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new Failure(
      `${error.message}\nCorrect it, or give the address and credential with --url and --key.`,
      { faults: error.faults },
      { cause: error },
    );
  }
}

/** What is named suffices: where the configuration cannot be read, the server is one like any other. */
function serverOf(session: Session, options: TargetOptions): Pick<Config, 'server'> | undefined {
  try {
    return readServerPart(configOptions(session, options.config));
  } catch (fault) {
    if (systemErrorCode(fault) !== undefined) return undefined;
    throw fault;
  }
}

/** Returns the URL at which a server that listens on `host` is reached from this machine. */
const localUrl = ({ server: { host, port, tls } }: Pick<Config, 'server'>): string =>
  serverAddress(host, port, tls && 'https');

function parsed(url: string, from: string): URL {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageFailure(`${from} must be an http or https address, not "${url}"`);
  return new URL(url);
}

/** How the address is reached, if it is that of the configuration. A server with port 0 has any. */
function ownAt(address: URL, config: Pick<Config, 'server'> | undefined): Through {
  if (config === undefined || address.protocol !== 'https:') return {};
  const local = new URL(localUrl(config));
  if (config.server.port === 0) local.port = address.port;
  return local.origin === address.origin ? throughOwn(config) : {};
}

interface Address {
  readonly url: string;
  readonly address: URL;
  readonly config: Config | undefined;
  readonly own: Through;
}

/** `--url`, else CAIRN_URL, else the URL from the configuration. */
export function addressOf(session: Session, options: TargetOptions, needsConfig = true): Address {
  const named = options.url ?? (session.env[CLIENT_URL] || undefined);
  const config = named !== undefined && !needsConfig ? undefined : localConfig(session, options);
  const address = parsed(
    named ?? (config === undefined ? DEFAULT_URL : localUrl(config)),
    options.url === undefined ? CLIENT_URL : '--url',
  );
  const reached = config ?? (address.protocol === 'https:' ? serverOf(session, options) : undefined);
  return { url: address.href.replace(/\/+$/, ''), address, config, own: ownAt(address, reached) };
}

/**
 * Returns the URL as above and the credential: `--key`, else CAIRN_KEY, else the token of `cairn login` for
 * this URL, else the first administrator's key in the data directory, which is only sent to this machine.
 */
export function targetOf(session: Session, options: TargetOptions): Target {
  const key = options.key ?? (session.env[CLIENT_KEY] || undefined);
  const { url, address, config, own } = addressOf(session, options, key === undefined);
  if (key !== undefined) return { url, key: key.trim(), ...own };
  const token = loginToken(session, { url, ...own });
  if (token !== undefined) return { url, token, ...own };
  const keyFile = config === undefined ? undefined : path.join(config.database.dataDir, 'admin-key');
  if (
    keyFile === undefined ||
    !isLoopbackHost(address.hostname.replace(/^\[|\]$/g, '')) ||
    !existsSync(keyFile)
  )
    return { url, ...own };
  return { url, key: readFileSync(keyFile, 'utf8').trim(), ...own };
}
