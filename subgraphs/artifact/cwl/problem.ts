// Faults of a workflow: one sentence each, with the location in the document.

/** A path into a document: keys of maps and indexes of lists. */
export type CwlPath = readonly (string | number)[];

export interface CwlProblem {
  /** The document's name as given to the validator or found by it. */
  readonly url: string;
  /** From 1; null for the document as a whole. */
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
}

/** Maximum faults that are reported for one workflow. */
const MAX_PROBLEMS = 100;

/** `workflow.cwl:12:5: message`, with only the document's last segment. */
export function showProblem({ url, line, column, message }: CwlProblem): string {
  const file = url.slice(url.lastIndexOf('/') + 1);
  return line === null ? `${file}: ${message}` : `${file}:${line}:${column ?? 1}: ${message}`;
}

/** Collects faults in the order they are found; the same sentence about the same location counts once. */
export class Problems {
  readonly #found = new Map<string, CwlProblem>();

  add(problem: CwlProblem): void {
    if (!this.full)
      this.#found.set(JSON.stringify([problem.url, problem.line, problem.column, problem.message]), problem);
  }

  get all(): readonly CwlProblem[] {
    return [...this.#found.values()];
  }

  /** Whether no more faults are recorded. */
  get full(): boolean {
    return this.#found.size >= MAX_PROBLEMS;
  }

  get any(): boolean {
    return this.#found.size > 0;
  }
}
