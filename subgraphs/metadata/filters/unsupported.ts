// Signals that SQL cannot express a part: not a fault of the expression, which the evaluator checks row by
// row.

/**
 * Thrown inside the compiler and caught at the term, which becomes residue; the message is the reason that
 * `explain` gives.
 */
export class Unsupported extends Error {
  override name = 'Unsupported';
}

export function unsupported(reason: string): never {
  throw new Unsupported(reason);
}
