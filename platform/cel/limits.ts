// Defines the cost limits of an expression (docs/reference/cel.md#limits) and counts the steps of an
// evaluation.

export const CEL_LIMITS = {
  /** Characters (UTF-16 units) of the source text. */
  characters: 4096,
  /** Nesting depth of brackets and of the syntax tree. */
  depth: 40,
  /** Nodes of the syntax tree; a macro counts as one plus its parts. */
  nodes: 600,
  /** Nesting depth of list macros. */
  macroNesting: 2,
  /**
   * Steps of one evaluation, which is synchronous and cannot be interrupted: about half a second at worst,
   * usually an eighth of it. A step is about one evaluated node, or 64 characters examined.
   */
  steps: 1_000_000,
  /** Characters of a `matches` pattern. */
  pattern: 512,
  /** Instructions that a pattern may compile to (counted repetitions multiply). */
  patternProgram: 10_000,
} as const;

/** The number of steps that one evaluation, or a group of evaluations, may take. */
export class StepBudget {
  remaining: number;
  /** Set once the budget is exceeded. It stays set, because `||` may have absorbed the error. */
  exhausted = false;

  constructor(steps: number = CEL_LIMITS.steps) {
    this.remaining = steps;
  }
}

const NONE = new StepBudget(Number.POSITIVE_INFINITY);
let current = NONE;

/**
 * Runs one synchronous evaluation with a budget; nested evaluations each use their own. Errors are values in
 * CEL: thousands are created and their stacks are never read. Recording the stacks would cost more than the
 * evaluation, so it is turned off meanwhile.
 */
export function withStepBudget<T>(budget: StepBudget, run: () => T): T {
  const outer = current;
  const { stackTraceLimit } = Error;
  current = budget;
  Error.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    current = outer;
  }
}

/**
 * Subtracts steps from the current budget.
 * @throws Error where none are left; it becomes a CEL error.
 */
export function spend(steps: number): void {
  current.remaining -= steps;
  if (current.remaining >= 0) return;
  current.exhausted = true;
  throw new Error('the expression takes too many steps');
}

/** Charges the steps for examining `count` characters. */
export const spendCharacters = (count: number): void => spend(1 + (count >> 6));
