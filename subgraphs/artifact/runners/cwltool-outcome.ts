// What the end of a cwltool process means for the run.
import type { UsedImage } from './image-digests.ts';
import type { RunFault, RunOutcome } from './runner.ts';
import { lastLine } from './tool-errors.ts';
import { parseOutputs } from './work-directory.ts';

/** cwltool's exit status for a workflow that needs what it cannot do. */
const UNSUPPORTED = 33;
/**
 * An output object larger than this is no list of files any more, not even of directories with all that is in
 * them.
 */
export const MAX_OUTPUT = 64 * 1024 * 1024;

/** How cwltool ended, and what it wrote. */
export interface Done {
  readonly status: number | null;
  readonly output: string;
  /** The limit that it was stopped for. */
  readonly exceeded: string | undefined;
}

/** @param said the last lines of what the tool said, where it failed */
export function outcomeOf(
  { status, output, exceeded }: Done,
  log: string,
  said: () => string,
  made: { readonly directory: string; readonly images: readonly UsedImage[] },
): RunOutcome {
  const failed = (fault: RunFault, message: string): RunOutcome => ({
    ok: false,
    fault,
    message,
    log,
    said: said(),
  });
  if (exceeded !== undefined) return failed('limit_exceeded', `the workflow was stopped: ${exceeded}`);
  if (status === UNSUPPORTED)
    return failed('unsupported', `cwltool does not support a requirement of the workflow: ${lastLine(log)}`);
  if (status !== 0)
    return failed('workflow_failed', `the workflow failed: cwltool ended with ${status ?? 'a signal'}`);
  const outputs = output.length > MAX_OUTPUT ? null : parseOutputs(output);
  if (outputs === null) return failed('runner_failed', 'the outputs of the workflow cannot be read');
  return { ok: true, outputs, ...made, log };
}
