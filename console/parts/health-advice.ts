// What the detail of a component's health means, and what to do about it.

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
  writes_waiting: {
    meaning: "writes have waited for the log's lock for seconds",
    todo: 'Somebody holds it: look in pg_locks for who, and at the disk of the database.',
  },
  writes_outdated: {
    meaning: 'a newer version has changed what is written',
    todo: 'Replace this process by the newer version.',
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
