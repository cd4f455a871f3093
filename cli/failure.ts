// How a command ends other than well: one sentence, and the exit status that says whose fault it was.

/** The command did not do what it was asked: exit status 1. */
export class Failure extends Error {
  override name = 'Failure';
  /** What `--json` shows beside the message. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, details: Readonly<Record<string, unknown>> = {}, options?: ErrorOptions) {
    super(message, options);
    this.details = details;
  }
}

/** The command was called wrongly: exit status 2. */
export class UsageFailure extends Error {
  override name = 'UsageFailure';
}

export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;
