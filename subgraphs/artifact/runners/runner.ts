// What runs workflows: on this machine, or at a service elsewhere. What the rest of the component knows of
// it.
import type { ImageDemands } from './containers.ts';

/** A document of a workflow, by the address it was read from. */
export interface WorkflowDocument {
  readonly url: string;
  readonly content: string;
}

export interface Task {
  /** Unique among tasks that run at the same time. */
  readonly id: string;
  /** Address of the workflow; a fragment names a process of a packed document. */
  readonly main: string;
  readonly version: string;
  /** All documents that it is made of, itself among them. */
  readonly documents: readonly WorkflowDocument[];
  /** CWL's input object; every file in it is one of this machine, by its `path`. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Whether its tools may use the network. */
  readonly network: boolean;
  /** What it says of container images; null where it names none. */
  readonly images: ImageDemands | null;
  /** The end of what it has written to its log so far, whenever there is more. */
  readonly onLog: (tail: string) => void;
  /** For runs that live on without us; a runner of this machine has none. */
  readonly elsewhere?: {
    /** The run of the same task that was noted before; null where there is none. */
    readonly begun: string | null;
    /**
     * What it is submitted with, so that it can be found again where it was not noted: production and work
     * are the task's own, whoever begins it.
     */
    readonly tags: { readonly production: string; readonly work: string };
    /** Whether it may have been begun before without a note of it. */
    readonly isAgain: boolean;
    /**
     * To be told what the run is called as soon as there is one. Rejects where nobody will know of it: then
     * it has to be ended.
     */
    readonly note: (run: string) => Promise<void>;
  };
}

/**
 * What a task is stopped with when nobody wants its result any more. Stopped with anything else, its run
 * elsewhere goes on: somebody takes it up.
 */
export class CancelledError extends Error {
  override name = 'CancelledError';
}

/** Why a run has no result. */
export type RunFault = 'workflow_failed' | 'limit_exceeded' | 'unsupported' | 'runner_failed';

export type RunOutcome =
  | {
      readonly ok: true;
      /** CWL's output object; files stand in `directory`. */
      readonly outputs: Readonly<Record<string, unknown>>;
      /** Everything that the outputs may name is below it. */
      readonly directory: string;
      readonly log: string;
    }
  | {
      readonly ok: false;
      readonly fault: RunFault;
      readonly message: string;
      readonly log: string;
      /** The last lines of what the tool said, without places of this machine; empty where that is not known. */ readonly said: string;
    };

export interface Runner {
  /** `cwltool`, `wes`: with its version, as provenance names it. */
  readonly name: string;
  /** Why nothing can be run now, and what to install or mend; null where all is well. */
  trouble(): Promise<string | null>;
  /** What an operator should know of how tools are run, although they can be; null where there is nothing. */
  warning?(): Promise<string | null>;
  /**
   * Runs a task to its end in a directory that is there and empty. Nothing of it is left running on this
   * machine when this settles.
   * @param stop ends it early
   * @throws what `stop` was aborted with
   */
  run(task: Task, directory: string, stop: AbortSignal): Promise<RunOutcome>;
  /** Its version, where that is known. */
  version(): Promise<string | null>;
  /** Why a workflow that names container images cannot be run here, and what to do; null where it can. */
  imageTrouble(demands: ImageDemands): Promise<string | null>;
  /** What is to be known of container images that are not used; null where there is nothing to say. */
  imageNote(demands: ImageDemands): string | null;
  /** Ends what a run has left in its directory's name: it was worked on by a process that was killed. */
  clear?(directory: string): Promise<void>;
  /** Ends a run elsewhere that nobody wants any more, as far as the service does as it is asked. */
  abandon?(run: string): Promise<void>;
}
