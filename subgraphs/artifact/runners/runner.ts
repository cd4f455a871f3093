// The interface of runners, local or at a remote service, for the rest of the component.
import type { ImageDemands } from './image-demands.ts';
import type { UsedImage } from './image-digests.ts';

/** A document of a workflow, by the address it was read from. */
export interface WorkflowDocument {
  readonly url: string;
  readonly content: string;
}

export interface Task {
  /** Unique among concurrent tasks. */
  readonly id: string;
  /** Address of the workflow; a fragment names a process of a packed document. */
  readonly main: string;
  readonly version: string;
  /** All its documents, including itself. */
  readonly documents: readonly WorkflowDocument[];
  /** CWL's input object; every file in it is local, by its `path`. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Whether its tools may use the network. */
  readonly network: boolean;
  /** Its container images; null if it names none. */
  readonly images: ImageDemands | null;
  /** Receives the end of its log whenever it has grown. */
  readonly onLog: (tail: string) => void;
  /** For runs that outlive this process; a local runner ignores it. */
  readonly elsewhere?: {
    /** The recorded run of an earlier attempt; null if there is none. */
    readonly begun: string | null;
    /**
     * Tags with which it is submitted, so that an unrecorded run can be found again: production and work
     * identify the task for any worker.
     */
    readonly tags: { readonly production: string; readonly work: string };
    /** For whom and for what it runs, as a service's accounts may tell it. */
    readonly account: { readonly actor: string; readonly rule: string; readonly entity_type: string };
    /** Whether an earlier attempt may have begun a run without recording it. */
    readonly isAgain: boolean;
    /**
     * Receives the run's id as soon as there is one. If it rejects, nobody knows the run, and it must be
     * ended.
     */
    readonly note: (run: string) => Promise<void>;
  };
}

/**
 * The abort reason of a task whose result is not needed any more. With any other reason its remote run
 * continues, to be resumed.
 */
export class CancelledError extends Error {
  override name = 'CancelledError';
}

/** Why a run has no result. */
export type RunFault = 'workflow_failed' | 'limit_exceeded' | 'unsupported' | 'runner_failed';

export type RunOutcome =
  | {
      readonly ok: true;
      /** CWL's output object; its files are in `directory`. */
      readonly outputs: Readonly<Record<string, unknown>>;
      /** Contains everything that the outputs may refer to. */
      readonly directory: string;
      /** The container images that its tools ran in, or may have run in where only their names are known. */
      readonly images: readonly UsedImage[];
      readonly log: string;
    }
  | {
      readonly ok: false;
      readonly fault: RunFault;
      readonly message: string;
      readonly log: string;
      /** The last lines of the tool's output, without local paths; empty if unknown. */
      readonly said: string;
    };

export interface Runner {
  /** `cwltool`, `wes`: with its version, as in provenance. */
  readonly name: string;
  /** Why nothing can run now, and what to install or fix; null if everything is available. */
  trouble(): Promise<string | null>;
  /** The same, as far as it is known without starting anything; absent where `trouble` starts nothing. */
  missing?(): Promise<string | null>;
  /** A remark for operators on how tools run; null for none. */
  warning?(): Promise<string | null>;
  /**
   * Runs a task to its end in an existing empty directory. No local process is left when this settles.
   * @param stop ends it early
   * @throws the reason of `stop`
   */
  run(task: Task, directory: string, stop: AbortSignal): Promise<RunOutcome>;
  /** Its version, if it is known. */
  version(): Promise<string | null>;
  /** Why a workflow with container images cannot run here, and what to do; null if it can. */
  imageTrouble(demands: ImageDemands): Promise<string | null>;
  /** A remark on container images that are not used; null for none. */
  imageNote(demands: ImageDemands): string | null;
  /**
   * What these images are where it runs tools, now; null where that is not known. Absent where it never is.
   * @throws Error if the engine does not answer
   */
  imagesNow?(images: readonly string[], stop: AbortSignal): Promise<readonly UsedImage[] | null>;
  /** Cleans up after a run in a directory whose process was killed. */
  clear?(directory: string): Promise<void>;
  /**
   * Ends a remote run that is not needed any more, as far as the service complies; false if it did not
   * answer.
   */
  abandon?(run: string): Promise<boolean>;
}
