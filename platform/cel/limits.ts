// What an expression may cost, at most: the numbers of contract 2 («CEL») and those that follow from them.

export const CEL_LIMITS = {
  /** Characters (UTF-16 units) of the text. */
  characters: 4096,
  /** Nesting of brackets, and of the tree that is read from them. */
  depth: 40,
  /** Nodes of the tree; a macro counts as one plus its parts. */
  nodes: 600,
  /** List macros inside one another. */
  macroNesting: 2,
  /** Steps of one evaluation, which nothing interrupts: some half a second at the very worst, an eighth of it mostly. One step is about one node evaluated, or 64 characters looked at. */
  steps: 1_000_000,
  /** Characters of a `matches` pattern. */
  pattern: 512,
  /** Instructions that a pattern may compile to (counted repetitions multiply). */
  patternProgram: 10_000,
} as const;

/** A number of steps that one evaluation, or several that belong together, may take. */
export class StepBudget {
  remaining: number;
  /** Set once the budget was overdrawn; stays set, because `||` may have absorbed the error inside. */
  exhausted = false;

  constructor(steps: number = CEL_LIMITS.steps) {
    this.remaining = steps;
  }
}

const NONE = new StepBudget(Number.POSITIVE_INFINITY);
let current = NONE;

/**
 * Runs one synchronous evaluation on a budget; evaluations may nest, each on its own. Errors are values in CEL, made by
 * the thousand and never looked at for their stack, whose recording would cost more than all the rest: it is off meanwhile.
 */
export function withBudget<T>(budget: StepBudget, run: () => T): T {
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

/** Takes steps off the current budget. @throws Error when there are none left; it becomes a CEL error on its way up. */
export function spend(steps: number): void {
  current.remaining -= steps;
  if (current.remaining >= 0) return;
  current.exhausted = true;
  throw new Error('the expression takes too many steps');
}

/** Steps for looking at so many characters. */
export const spendCharacters = (count: number): void => spend(1 + (count >> 6));
