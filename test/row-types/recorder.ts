// Stands where a store expects a database, and notes what it is sent and from which line. Nothing is answered:
// every statement has no rows.
import type pg from 'pg';

export interface Recorded {
  readonly text: string;
  /** Undefined of a cursor, which has made text of them. */
  readonly values: readonly unknown[] | undefined;
  /** The driver gives each column as text. */
  readonly isText: boolean;
  /** The lines of the source that the call came through, innermost first. */
  readonly through: readonly { readonly file: string; readonly line: number }[];
}

/** What `pg` takes: a text and its values, a configuration, a query or a cursor. */
interface Sent {
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly types?: unknown;
  readonly _types?: unknown;
  readonly _conf?: { readonly types?: unknown };
  readonly callback?: (error: Error | null, result: unknown) => void;
}

const FRAME = /(?:file:\/\/)?(\/[^\s():]+\.ts):(\d+):\d+/;

function linesAround(): Recorded['through'] {
  const at = new Error('here');
  return (at.stack ?? '').split('\n').flatMap((frame) => {
    const [, file, line] = FRAME.exec(frame) ?? [];
    return file === undefined ? [] : [{ file, line: Number(line) }];
  });
}

/** A pool whose statements are noted in `recorded`. */
export function recordingPool(recorded: Recorded[]): pg.Pool {
  const query = (sent: string | Sent, values?: readonly unknown[]): unknown => {
    const config: Sent = typeof sent === 'string' ? { text: sent, ...(values && { values }) } : sent;
    recorded.push({
      text: config.text,
      values: config._conf ? undefined : (config.values ?? []),
      isText: (config.types ?? config._types ?? config._conf?.types) !== undefined,
      through: linesAround(),
    });
    const nothing = { rows: [], rowCount: 0 };
    config.callback?.(null, nothing);
    return Promise.resolve(nothing);
  };
  const client = { query, on: () => client, once: () => client, off: () => client, release: () => undefined };
  // of a pool what stores use
  return { query, connect: () => Promise.resolve(client) } as unknown as pg.Pool;
}
