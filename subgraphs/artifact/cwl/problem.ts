// What can be wrong with a workflow: one sentence, and the place in the document it speaks of.

/** A path into a document: keys of maps and indexes of lists. */
export type CwlPath = readonly (string | number)[];

export interface CwlProblem {
  /** The document, as it was named to the validator or found by it. */
  readonly url: string;
  /** From 1; null where the document as a whole is meant. */
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
}

/** Most problems that are told of one workflow: who has more will come again. */
const MAX_PROBLEMS = 100;

/** `workflow.cwl:12:5: message`, with only the document's last segment. */
export function showProblem({ url, line, column, message }: CwlProblem): string {
  const file = url.slice(url.lastIndexOf('/') + 1);
  return line === null ? `${file}: ${message}` : `${file}:${line}:${column ?? 1}: ${message}`;
}

/** Collects problems in the order they are found; the same sentence about the same place counts once. */
export class Problems {
  readonly #found = new Map<string, CwlProblem>();

  add(problem: CwlProblem): void {
    if (!this.full)
      this.#found.set(JSON.stringify([problem.url, problem.line, problem.column, problem.message]), problem);
  }

  get all(): readonly CwlProblem[] {
    return [...this.#found.values()];
  }

  /** Whether nothing more will be told. */
  get full(): boolean {
    return this.#found.size >= MAX_PROBLEMS;
  }

  get any(): boolean {
    return this.#found.size > 0;
  }
}
