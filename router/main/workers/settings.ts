// What a server, or each of several workers, serves with: everything that a reload compares.
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { Config } from '../../../platform/config/load-config.ts';
import { moduleVersion } from '../../../platform/load-module.ts';
import { isSamePair, readTls, type TlsPair } from '../../../platform/tls/read-tls.ts';
import { isSameConfig } from './portable-config.ts';

export interface Settings {
  readonly config: Config;
  readonly tlsPair: TlsPair | undefined;
  /** The versions of the modules of a deployment, which have files of their own. */
  readonly modules: readonly string[];
}

/** @param tlsPair what the primary has read. @throws Error where there is none, and the files cannot be served with */
export async function settingsToServe(config: Config, log: Logger, tlsPair?: TlsPair): Promise<Settings> {
  const { tls } = config.server;
  const files = [...config.metadata.validators, ...config.workflow.adapters].flatMap((one) =>
    'module' in one ? [one.module] : [],
  );
  return {
    config,
    tlsPair: tls && (tlsPair ?? (await readTls(tls, log))),
    // a worker compares nothing: its primary does
    modules: tls === undefined || tlsPair ? [] : await Promise.all(files.map(moduleVersion)),
  };
}

/** Whether processes can take all that is new by themselves, while streams and long requests go on. */
export const isNewCertificateAlone = (before: Settings, next: Settings): boolean =>
  !isSamePair(before.tlsPair, next.tlsPair) &&
  isSameConfig(before.config, next.config) &&
  isDeepStrictEqual(before.modules, next.modules);
