// The residue of a filter, row by row, within bounds that hold for the whole request (contract 2, «CEL»).
import { entityBindings } from '../../../platform/cel/bindings.ts';
import type { BoundEntity } from '../../../platform/cel/bindings.ts';
import type { CelProgram } from '../../../platform/cel/compile.ts';
import { CEL_LIMITS, StepBudget } from '../../../platform/cel/limits.ts';
import { invalid } from '../../../platform/errors.ts';
import type { DomainError } from '../../../platform/errors.ts';
import type { CompiledFilter } from './compile-filter.ts';

export const RESIDUE_LIMITS = {
  /** Rows of one request that may be looked at. */
  candidates: 100_000,
  /** Steps that all of them together may take: some seconds at the very worst. */
  steps: 30 * CEL_LIMITS.steps,
} as const;

function tooMuch(filter: CompiledFilter, what: string): DomainError {
  const { left, reasons } = filter.explain;
  return invalid(`filter: ${what}; narrow it by terms that the database decides, such as entity_type, equality of a field or a range`, { checked_row_by_row: left, reasons });
}

/** Checks rows that `where` let through, one request's worth. It runs in the caller's turn: between batches, let others have theirs. */
export class ResidueCheck {
  private readonly filter: CompiledFilter;
  private readonly residue: CelProgram | null;
  private readonly budget: StepBudget;
  private candidates = 0;

  constructor(filter: CompiledFilter, steps: number = RESIDUE_LIMITS.steps) {
    this.filter = filter;
    this.residue = filter.residue;
    this.budget = new StepBudget(steps);
  }

  /**
   * Whether the row matches the whole filter.
   * @throws DomainError `validation_failed`, saying how to narrow, when there are too many rows or they cost too much
   */
  matches(entity: BoundEntity): boolean {
    if (this.residue === null) return true;
    if (++this.candidates > RESIDUE_LIMITS.candidates) throw tooMuch(this.filter, `more than ${RESIDUE_LIMITS.candidates} entities would have to be checked one by one`);
    const row = new StepBudget(Math.min(CEL_LIMITS.steps, this.budget.remaining));
    const given = row.remaining;
    const outcome = this.residue.evaluate(entityBindings(entity), row);
    this.budget.remaining -= given - row.remaining;
    if (!outcome.ok && outcome.exhausted) throw tooMuch(this.filter, 'it takes too many steps');
    return outcome.ok && outcome.value;
  }
}
