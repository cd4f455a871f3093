// Defines how a command fails: a message, and an exit status for the kind of failure.

/** The command failed: exit status 1. */
export class Failure extends Error {
  override name = 'Failure';
  /** Values that `--json` prints beside the message. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, details: Readonly<Record<string, unknown>> = {}, options?: ErrorOptions) {
    super(message, options);
    this.details = details;
  }
}

/** The command was used incorrectly: exit status 2. */
export class UsageFailure extends Error {
  override name = 'UsageFailure';
}

export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;
