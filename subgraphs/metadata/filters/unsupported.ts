// What SQL cannot decide: not a fault of the expression, only work for the evaluator, row by row.

/**
 * Thrown inside the compiler and caught at the term that is then left over; the message is the reason that
 * `explain` gives.
 */
export class Unsupported extends Error {
  override name = 'Unsupported';
}

export function unsupported(reason: string): never {
  throw new Unsupported(reason);
}
