// What is known of the archive of the write-ahead log, in a file beside the cluster: the process that archives writes it,
// all others on the machine read it, for the health report and metrics.
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { systemErrorCode } from '../../system-error-code.ts';

const stateShape = z.object({
  /** Of this data directory, in the place of the archive. */
  instance: z.string(),
  place: z.string(),
  /** What seals the pieces of the chain: those of one chain are opened in one way. */
  sealed: z.string(),
  /** The chain that is continued; null where none is whole. */
  chain: z.string().nullable(),
  /** When the chain was begun, in milliseconds. */
  begunAt: z.number(),
  /** The piece that comes next. */
  next: z.number(),
  /** Up to here everything is archived. */
  lsn: z.string(),
  /** The last event that pieces with a mark tell of. */
  position: z.number(),
  /** Transactions of until then are archived; null before the first chain is whole. */
  archivedUntil: z.string().nullable(),
  /** When the process that archives last was at work, in milliseconds. */
  lookedAt: z.number(),
  failing: z.object({ since: z.number(), message: z.string() }).nullable(),
});

export type ArchiveState = z.infer<typeof stateShape>;

const fileOf = (dataDir: string): string => path.resolve(dataDir, 'postgres', 'archive.json');

/** Whether anything was ever archived of the data directory. */
export const hasArchiveState = (dataDir: string): boolean => fs.existsSync(fileOf(dataDir));

/** @returns undefined where nothing was archived yet, or the file is not readable as one: then a chain is begun */
export async function readArchiveState(dataDir: string): Promise<ArchiveState | undefined> {
  let text: string;
  try {
    text = await fs.promises.readFile(fileOf(dataDir), 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return stateShape.parse(JSON.parse(text));
  } catch {
    return undefined; // of another version, or lost with the machine's power
  }
}

/** Whole or not at all, however the process ends. */
export async function writeArchiveState(dataDir: string, state: ArchiveState): Promise<void> {
  const file = fileOf(dataDir);
  const made = `${file}.${process.pid}`;
  await fs.promises.writeFile(made, JSON.stringify(state), { mode: 0o600, flush: true });
  await fs.promises.rename(made, file);
}

export interface ArchiveReport {
  readonly status: 'archiving' | 'beginning' | 'failing';
  /** Any moment until then can be restored. */
  readonly archived_until: string | null;
  /** The last event that is archived; null before the first chain is whole. */
  readonly position: number | null;
  readonly reason?: string;
}

/** Without a look for so long, beyond the interval of pieces, no process archives. */
const SILENT_MS = 60_000;

/** @param everySeconds `database.archive.every_seconds` */
export async function archiveReport(dataDir: string, everySeconds: number): Promise<ArchiveReport> {
  const state = await readArchiveState(dataDir);
  if (state === undefined) return { status: 'beginning', archived_until: null, position: null };
  const seen = {
    archived_until: state.archivedUntil,
    position: state.archivedUntil === null ? null : state.position,
  };
  if (state.failing !== null) return { status: 'failing', ...seen, reason: state.failing.message };
  if (Date.now() - state.lookedAt > everySeconds * 1000 + SILENT_MS)
    return { status: 'failing', ...seen, reason: 'no process archives' };
  return { status: state.chain === null ? 'beginning' : 'archiving', ...seen };
}
