// The model of processes that the checks of processes and of steps share.
import type { CwlType } from './cwl-type.ts';
import type { Entry, Mapping } from './entries.ts';
import type { CwlPath } from './problem.ts';
import type { NamedTypes } from './read-type.ts';
import type { CwlFile, Reader } from './reader.ts';
import type { Demands } from './requirements.ts';
import type { ProcessClass } from './structure.ts';
import type { CwlVersion } from './versions.ts';

export type Report = (path: CwlPath, message: string) => void;

export interface Parameter extends Entry {
  readonly type: CwlType;
  readonly optional: boolean;
  readonly hasDefault: boolean;
}

/** A sink of values: `sources` are inputs of the workflow, and outputs of steps as `step/output`. */
export interface Linked {
  readonly name: string;
  readonly sources: readonly string[];
}

/** A step with what it runs. */
export interface StepRun {
  readonly name: string;
  readonly runs: Process;
  readonly inputs: readonly Linked[];
  /** Runs once for each element of an input. */
  readonly isScattered: boolean;
  /** Runs only if its condition holds. */
  readonly isConditional: boolean;
}

/** The location of a process, and its name there. */
export interface ProcessPlace {
  readonly url: string;
  /** Its id in the document; empty where it has none. */
  readonly id: string;
  readonly path: CwlPath;
  readonly label: string | null;
}

export interface Process {
  readonly kind: ProcessClass;
  readonly version: CwlVersion;
  readonly inputs: readonly Parameter[];
  readonly outputs: readonly Parameter[];
  readonly place: ProcessPlace;
  /** The steps of a workflow, in the order of the document; filled when they are checked. */
  readonly steps: StepRun[];
  /** What its outputs come from, for a workflow; filled when they are checked. */
  readonly links: Linked[];
}

/** The location of a process: the file, the path in it, and the enclosing workflows. */
export interface ProcessContext {
  readonly file: CwlFile;
  readonly path: CwlPath;
  /** The version of the enclosing process, if it names none itself. */
  readonly version: CwlVersion;
  readonly types: NamedTypes;
  /** The workflows that run it, outermost first. */
  readonly within: readonly Mapping[];
}

export interface ProcessChecker {
  readonly reader: Reader;
  readonly demands: Demands;
  /** The inputs and outputs of a process; null for anything else. Its faults are reported. */
  check(value: unknown, around: ProcessContext): Promise<Process | null>;
}
