// What the commands about archives share.
import { createLogger } from '../platform/logger.ts';
import { serverConfig } from './checked-config.ts';
import { Failure, UsageFailure } from './failure.ts';
import { entryFunction } from './server-process.ts';
import type { Session } from './session.ts';

/** What `standalone/archives.ts` tells of an archive. */
export interface ArchiveSummary {
  readonly id: string;
  readonly manifest: {
    readonly version: number;
    readonly position: number | null;
    readonly time: string | null;
    readonly sections: Readonly<Record<string, { readonly rows: number }>>;
    readonly files: { readonly count: number; readonly bytes: number };
  };
}

export const archiveFacts = ({ id, manifest }: ArchiveSummary): Record<string, unknown> => ({
  archive: id,
  position: manifest.position,
  time: manifest.time,
  schemas: manifest.sections['schemas']?.rows ?? 0,
  entities: manifest.sections['entities']?.rows ?? 0,
  events: manifest.sections['log']?.rows ?? 0,
  relationships: manifest.sections['relationships']?.rows ?? 0,
  external_ids: manifest.sections['external-ids']?.rows ?? 0,
  files: manifest.files.count,
  file_bytes: manifest.files.bytes,
});

/** Opens this machine's instance by a function of `standalone/archives.ts`. @throws UsageFailure for the configuration */
export async function openInstance<Opened>(
  session: Session,
  configFile: string | undefined,
  name: 'openExporter' | 'openImporter',
): Promise<Opened> {
  const config = serverConfig(session, configFile);
  const log = createLogger({ mode: config.server.mode, level: 'warn' });
  const open = await entryFunction<Opened>(session, 'standalone/archives.ts', name);
  return open({ config, log });
}

/** Opens, works, and always closes. @throws Failure with what the work says */
export async function archiveWork<Opened extends { close(): Promise<void> }, Result>(
  open: () => Promise<Opened>,
  work: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  try {
    const opened = await open();
    try {
      return await work(opened);
    } finally {
      await opened.close();
    }
  } catch (cause) {
    if (cause instanceof Failure || cause instanceof UsageFailure || !(cause instanceof Error)) throw cause;
    // the bundle has a separate DomainError class, so the error is recognized by name; errors of files have a code
    const isTold = cause.name === 'DomainError' || 'syscall' in cause;
    if (!isTold) throw cause;
    throw new Failure(cause.message, 'code' in cause ? { error: cause.code } : {}, { cause });
  }
}
