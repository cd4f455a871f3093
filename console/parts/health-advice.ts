// What the detail of a component's health, or the code of a problem, means, and what to do about it.

interface Advice {
  readonly meaning: string;
  readonly todo: string;
}

const KNOWN: Readonly<Record<string, Advice>> = {
  slow_response: {
    meaning: 'it answers more slowly than its objective',
    todo: 'Look at its latency, its memory and the connections to the database.',
  },
  timeout: {
    meaning: 'it does not answer in time',
    todo: 'Look at its log and at its event loop; restart it if it stands still.',
  },
  unreachable: {
    meaning: 'it cannot be reached',
    todo: 'Start it, or correct its address in the configuration.',
  },
  triggers_degraded: {
    meaning: 'a trigger does not work',
    todo: 'Look at the triggers below: correct what each complains of. They keep trying.',
  },
  writes_read_only: {
    meaning: 'the database takes no writes',
    todo: 'The server is a standby: promote it, or let database.url name the one that takes writes.',
  },
  circuit_open: {
    meaning: 'it gave requests no answer ten times in a row, and is asked for one at a time',
    todo: 'Look at its log; it is asked for all again once it answers one.',
  },
  writes_disk_full: {
    meaning: 'the disk of the database is nearly full, and nothing is written',
    todo: 'Make room on it: writes are accepted again without a restart.',
  },
  writes_waiting: {
    meaning: "writes have waited for the log's lock for seconds",
    todo: 'Somebody holds it: look in pg_locks for who, and at the disk of the database.',
  },
  writes_outdated: {
    meaning: 'a newer version has changed what is written',
    todo: 'Replace this process by the newer version.',
  },
};

/** By the code of a problem beside the components. */
const PROBLEMS: Readonly<Record<string, Advice>> = {
  archive_failing: {
    meaning: "the database's log is not archived",
    todo: "The server's log says why: look at the directory or bucket of database.archive, its room and its rights.",
  },
  audit_failing: {
    meaning: 'records of the audit log are being lost',
    todo: "The server's log says why: look at the room and the rights of the file, or at the table of the database, that observability.audit_log names. Requests are answered meanwhile, without a record.",
  },
  replicas_left_out: {
    meaning: 'replicas take no reads',
    todo: 'Start those of database.read_urls that are lost, make anew those that are foreign or promoted, look at the load and the connection of those that are behind. Until then the primary answers.',
  },
};

/** Of a code that this console does not know, the code itself. */
export const problemAdvice = (code: string): Advice =>
  PROBLEMS[code] ?? { meaning: code, todo: "Look at the server's log." };

export function healthAdvice(detail: string | null): Advice | undefined {
  if (detail === null) return undefined;
  const known = KNOWN[detail];
  if (known !== undefined) return known;
  const status = /^http_(\d+)$/.exec(detail)?.[1];
  return status === undefined
    ? undefined
    : { meaning: `its health path answers ${status}`, todo: 'Look at its log for why.' };
}
