// What the detail of a component's health, or the code of another problem, means, and what to do about it.

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
  circuit_open: {
    meaning: 'it answers its health path, but gave ten requests no answer: none is sent to it for the moment',
    todo: 'Look at its log for what becomes of requests. It is tried again by itself.',
  },
  triggers_degraded: {
    meaning: 'a trigger does not work',
    todo: 'Look at the triggers below: correct what each complains of. They keep trying.',
  },
  writes_read_only: {
    meaning: 'the database takes no writes',
    todo: 'The server is a standby: promote it, or let database.url name the one that takes writes.',
  },
  writes_disk_full: {
    meaning: 'the disk of the database is nearly full: it takes no writes',
    todo: 'Make room on it. Writes are taken again by themselves, without a restart.',
  },
  writes_waiting: {
    meaning: "writes have waited for the log's lock for seconds",
    todo: 'Somebody holds it: look in pg_locks for who, and at the disk of the database.',
  },
  writes_outdated: {
    meaning: 'a newer version has changed what is written',
    todo: 'Replace this process by the newer version.',
  },
  archive_failing: {
    meaning: 'the write-ahead log of the database is not archived',
    todo: "Look at the server's log for why: the place of database.archive may be full or out of reach. It is tried again by itself; until then the log stays on the disk of the database.",
  },
  replicas_left_out: {
    meaning: 'replicas of database.read_urls are not read',
    todo: 'Start those that are lost, make anew or take out of the configuration those that are foreign or promoted, and look at the load and the connection of those that are behind. They are read again by themselves.',
  },
};

export function healthAdvice(detail: string | null): Advice | undefined {
  if (detail === null) return undefined;
  const known = KNOWN[detail];
  if (known !== undefined) return known;
  const status = /^http_(\d+)$/.exec(detail)?.[1];
  return status === undefined
    ? undefined
    : { meaning: `its health path answers ${status}`, todo: 'Look at its log for why.' };
}
