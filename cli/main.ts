// Runs one command line and returns its exit status: 0 success, 1 failure, 2 incorrect usage.
import { CommanderError } from 'commander';
import { EXIT, Failure, UsageFailure } from './failure.ts';
import { paintFor } from './output.ts';
import { programFor } from './program.ts';
import { endWithReader, processSession, type Session } from './session.ts';

function report(
  session: Session,
  json: boolean,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): void {
  if (json) session.stderr.write(`${JSON.stringify({ message, ...details })}\n`);
  else session.stderr.write(`${paintFor(session.stderr, session).red('cairn:')} ${message}\n`);
}

/** @param args without the interpreter and the script */
export async function main(args: readonly string[], session: Session = processSession()): Promise<number> {
  const json = args.includes('--json');
  if (session.stdout === process.stdout) endWithReader();
  try {
    await programFor(session).parseAsync(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    // commander has printed its own message, or the requested help
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (error instanceof UsageFailure) {
      report(session, json, error.message);
      return EXIT.usage;
    }
    if (error instanceof Failure) {
      report(session, json, error.message, error.details);
      return EXIT.failed;
    }
    report(
      session,
      json,
      `unexpected error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    return EXIT.failed;
  }
}
