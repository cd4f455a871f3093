// Evaluates the residue of a filter row by row, within limits for the whole request
// (docs/reference/metadata.md#residual-filters).
import { entityBindings } from '../../../platform/cel/bindings.ts';
import type { BoundEntity } from '../../../platform/cel/bindings.ts';
import type { CelProgram } from '../../../platform/cel/compile.ts';
import { StepBudget } from '../../../platform/cel/limits.ts';
import { invalid } from '../../../platform/errors.ts';
import type { DomainError } from '../../../platform/errors.ts';
import type { CompiledFilter } from './compile-filter.ts';

export const RESIDUE_LIMITS = {
  /** Maximum number of rows that one filter may examine. */
  candidates: 100_000,
  /** Maximum steps of all filters of one operation together. */
  steps: 30_000_000,
  /** Maximum steps for one row, which is not interrupted: about 50 ms in the worst case. */
  rowSteps: 80_000,
  /** Maximum time that all filters of one operation together may spend checking. */
  milliseconds: 10_000,
} as const;

/** The allowance of one operation for checking rows, shared by its filters. */
export class ResidueAllowance {
  steps: number;
  milliseconds: number;

  constructor({
    steps,
    milliseconds,
  }: { readonly steps: number; readonly milliseconds: number } = RESIDUE_LIMITS) {
    this.steps = steps;
    this.milliseconds = milliseconds;
  }
}

/** The exceeded limit, and the allowed amount. */
export interface Excess {
  readonly limit: 'candidates' | 'steps' | 'time';
  readonly asked?: number;
  readonly allowed: number;
}

const MAX_TERM_LENGTH = 200;
const shortened = (term: string): string =>
  term.length > MAX_TERM_LENGTH ? `${term.slice(0, MAX_TERM_LENGTH)}…` : term;

/** `validation_failed` that names the terms of the residue and how to reduce it. */
export function tooMuch(filter: CompiledFilter, what: string, excess: Excess): DomainError {
  const { left, reasons, fields } = filter.explain;
  return invalid(
    `filter: ${what} for ${left.slice(0, 3).map(shortened).join(' and ')}; narrow it with terms that the database can evaluate, such as entity_type, equality of a field or a range`,
    { ...excess, checked_row_by_row: left, fields, reasons },
  );
}

/** An estimate from a sample may be wrong: only a clear excess is refused. */
const CLEARLY = 1.5;

/**
 * Checks the rows that `where` selected. One call takes at most some milliseconds; yield to others between
 * calls.
 */
export class ResidueCheck {
  private readonly filter: CompiledFilter;
  private readonly residue: CelProgram | null;
  private readonly allowance: ResidueAllowance;
  private readonly given: { readonly steps: number; readonly milliseconds: number };
  private candidates = 0;

  constructor(filter: CompiledFilter, allowance: ResidueAllowance = new ResidueAllowance()) {
    this.filter = filter;
    this.residue = filter.residue;
    this.allowance = allowance;
    this.given = { ...allowance };
  }

  /**
   * Whether the row matches the whole filter.
   * @throws DomainError `validation_failed`, with advice on narrowing the filter, if there are too many rows
   * or they are too expensive
   */
  matches(entity: BoundEntity): boolean {
    if (this.residue === null) return true;
    if (++this.candidates > RESIDUE_LIMITS.candidates) throw this.tooManyCandidates();
    const { allowance } = this;
    const steps = Math.min(RESIDUE_LIMITS.rowSteps, allowance.steps);
    const row = new StepBudget(steps);
    const began = performance.now();
    const outcome = this.residue.evaluate(entityBindings(entity), row);
    allowance.milliseconds -= performance.now() - began;
    allowance.steps -= steps - row.remaining;
    if (!outcome.ok && outcome.exhausted) {
      const isRow = steps === RESIDUE_LIMITS.rowSteps;
      throw tooMuch(
        this.filter,
        isRow ? `a single entity (${entity.id}) takes too many steps` : 'the expression takes too many steps',
        { limit: 'steps', allowed: isRow ? steps : RESIDUE_LIMITS.steps },
      );
    }
    if (allowance.milliseconds < 0)
      throw tooMuch(this.filter, 'checking entities one by one takes too long', {
        limit: 'time',
        allowed: RESIDUE_LIMITS.milliseconds,
      });
    return outcome.ok && outcome.value;
  }

  /** Whether enough has been spent that counting the candidates is worthwhile. */
  get isCostly(): boolean {
    const { allowance, given } = this;
    return allowance.steps < given.steps * 0.95 || allowance.milliseconds < given.milliseconds * 0.95;
  }

  /**
   * Receives the total number of candidates, all of which must be checked.
   * @throws DomainError `validation_failed` if the number exceeds the limit, or the cost will, judging by the
   * rows so far
   */
  expect(candidates: number): void {
    if (candidates > RESIDUE_LIMITS.candidates) throw this.tooManyCandidates();
    if (this.candidates === 0) return;
    const { allowance, given } = this;
    const more = Math.max(0, candidates - this.candidates) / this.candidates;
    const steps = (given.steps - allowance.steps) * more;
    const milliseconds = (given.milliseconds - allowance.milliseconds) * more;
    const what = (cost: string): string =>
      `about ${candidates} entities would have to be checked one by one, which would take about ${cost},`;
    if (steps > allowance.steps * CLEARLY)
      throw tooMuch(
        this.filter,
        `${what(`${Math.round(given.steps - allowance.steps + steps)} steps`)} too many steps`,
        { limit: 'steps', asked: Math.round(given.steps - allowance.steps + steps), allowed: given.steps },
      );
    if (milliseconds > allowance.milliseconds * CLEARLY) {
      throw tooMuch(
        this.filter,
        `${what(`${Math.ceil((given.milliseconds - allowance.milliseconds + milliseconds) / 1000)} seconds`)} too long`,
        {
          limit: 'time',
          asked: Math.round(given.milliseconds - allowance.milliseconds + milliseconds),
          allowed: Math.round(given.milliseconds),
        },
      );
    }
  }

  private tooManyCandidates(): DomainError {
    return tooMuch(
      this.filter,
      `more than ${RESIDUE_LIMITS.candidates} entities would have to be checked one by one`,
      { limit: 'candidates', allowed: RESIDUE_LIMITS.candidates },
    );
  }
}
