// What the commands about backups share.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { InvalidArgumentError } from 'commander';
import { variablesOf } from '../platform/config/variable-files.ts';
import { createLogger } from '../platform/logger.ts';
import { serverConfig } from './checked-config.ts';
import { Failure, UsageFailure } from './failure.ts';
import type { Paint } from './output.ts';
import { facts } from './output.ts';
import type { Session } from './session.ts';

/** What `standalone/backups.ts` tells of a backup. */
export interface BackupSummary {
  readonly address: string;
  readonly servers: number;
  readonly manifest: {
    readonly id: string;
    readonly created: string;
    readonly cairn: string;
    readonly postgres: string;
    readonly position: number | null;
    readonly time: string | null;
    readonly sections: readonly { readonly name: string; readonly rows: number }[];
    readonly files: { readonly count: number; readonly bytes: number };
    readonly lost: readonly { readonly hash: string; readonly is: string }[];
  };
}

export interface BackupOptions {
  readonly json?: boolean;
  readonly config?: string;
  readonly identity?: string;
  readonly allowUnencrypted?: boolean;
  readonly recipient?: readonly string[];
  readonly encrypt?: boolean;
}

const rowsOf = ({ manifest }: BackupSummary, table: string): number =>
  manifest.sections.find(({ name }) => name === table)?.rows ?? 0;

export const backupFacts = (summary: BackupSummary): Record<string, unknown> => ({
  backup: summary.manifest.id,
  place: summary.address,
  made_by: `cairn ${summary.manifest.cairn}, PostgreSQL ${summary.manifest.postgres}`,
  position: summary.manifest.position,
  time: summary.manifest.time,
  tables: summary.manifest.sections.length - 1,
  rows: summary.manifest.sections.reduce((sum, { name, rows }) => (name === 'files' ? sum : sum + rows), 0),
  entities: rowsOf(summary, 'metadata.entity'),
  events: rowsOf(summary, 'metadata.provenance'),
  accounts: rowsOf(summary, 'gateway.gateway_user'),
  api_keys: rowsOf(summary, 'gateway.api_key'),
  runs: rowsOf(summary, 'workflow.run'),
  productions: rowsOf(summary, 'artifact.production'),
  files: summary.manifest.files.count,
  file_bytes: summary.manifest.files.bytes,
  lost_files: summary.manifest.lost.length,
});

export const shownFacts = (paint: Paint, summary: BackupSummary): string =>
  facts(paint, backupFacts(summary));

/** Where a backup is; what has no meaning as one is not taken for a directory below the current one. */
export function placeOfBackup(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It is empty.');
  // one letter before the colon is a drive
  if (/^[a-z][a-z0-9+.-]+:/i.test(text) && !/^s3:\/\/[^/?#]/.test(text))
    throw new InvalidArgumentError('An address must be of the form s3://bucket/prefix.');
  return text;
}

const IDENTITY = /^AGE-SECRET-KEY-\S+$/;

/** Lines of an identity file of age; comments begin with #. */
function identitiesIn(session: Session, file: string): string[] {
  let content: string;
  try {
    content = readFileSync(path.resolve(session.cwd, file), 'utf8');
  } catch (cause) {
    throw new UsageFailure(
      `${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        cause,
      },
    );
  }
  const found = content.split(/\r?\n/).filter((line) => IDENTITY.test(line.trim()));
  if (found.length === 0) throw new UsageFailure(`${file} has no identity of age (AGE-SECRET-KEY-…)`);
  return found.map((line) => line.trim());
}

const PASSPHRASE = 'CAIRN_BACKUP_PASSPHRASE';
/** A passphrase is guessed without asking anybody. */
const SHORTEST = 12;

/** The passphrase is never an argument: others see those. */
function passphraseOf(session: Session): string | undefined {
  const { env, faults } = variablesOf(session.env, session.cwd);
  const passphrase = env[PASSPHRASE];
  const [fault] = faults;
  if (fault !== undefined) throw new UsageFailure(`${fault.path}: ${fault.message}`);
  return passphrase === '' ? undefined : passphrase;
}

/** What opens a backup. */
export const openingSecrets = (session: Session, { identity, allowUnencrypted }: BackupOptions): object => ({
  allowUnencrypted,
  passphrase: passphraseOf(session),
  ...(identity === undefined ? {} : { identities: identitiesIn(session, identity) }),
});

/** What a backup is sealed with; nothing unless it is asked for. */
export function sealingSecrets(session: Session, { encrypt, recipient }: BackupOptions): object {
  if (recipient !== undefined && encrypt === true)
    throw new UsageFailure(
      '--encrypt takes the passphrase, --recipient the keys of those who may open it: name one',
    );
  if (recipient !== undefined) return { recipients: recipient };
  if (encrypt !== true) return {};
  const passphrase = passphraseOf(session);
  if (passphrase === undefined)
    throw new UsageFailure(
      `--encrypt takes the passphrase from ${PASSPHRASE}, or from the file that ${PASSPHRASE}_FILE names`,
    );
  if (passphrase.length < SHORTEST)
    throw new UsageFailure(`the passphrase in ${PASSPHRASE} is shorter than ${SHORTEST} characters`);
  return { passphrase };
}

/** Calls a function of `standalone/backups.ts` with this machine's configuration. @throws Failure with what it says */
export async function backupWork<Result>(
  session: Session,
  options: BackupOptions,
  name: 'createBackup' | 'verifyBackup' | 'listKept' | 'restoreInstance' | 'restoreMoment',
  given: object,
): Promise<Result> {
  const config = serverConfig(session, options.config);
  const log = createLogger({ mode: config.server.mode, level: 'warn' });
  const work = (await session.load('standalone/backups.ts'))[name];
  if (typeof work !== 'function') throw new Failure(`standalone/backups.ts exports no ${name}`);
  try {
    // entry modules are bundles that are loaded by name
    return await (work as (options: object) => Promise<Result>)({ config, log, cwd: session.cwd, ...given });
  } catch (cause) {
    if (cause instanceof Failure || !(cause instanceof Error)) throw cause;
    // the bundle has a separate DomainError class, so the error is recognized by name; errors of the system have a code
    if (cause.name !== 'DomainError' && !('code' in cause) && !('$metadata' in cause)) throw cause;
    throw new Failure(cause.message, 'code' in cause ? { error: cause.code } : {}, { cause });
  }
}

/** Standard output, as a stream that is not ended. */
export const stdoutOf = ({ stdout }: Session): Writable =>
  new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!(stdout instanceof Writable)) {
        stdout.write(chunk.toString('latin1'));
        done();
      } else if (stdout.write(chunk)) done();
      else stdout.once('drain', done);
    },
  });
