// The residue of a filter, row by row, within bounds that hold for the whole request
// (docs/reference/metadata.md#residual-filters).
import { entityBindings } from '../../../platform/cel/bindings.ts';
import type { BoundEntity } from '../../../platform/cel/bindings.ts';
import type { CelProgram } from '../../../platform/cel/compile.ts';
import { StepBudget } from '../../../platform/cel/limits.ts';
import { invalid } from '../../../platform/errors.ts';
import type { DomainError } from '../../../platform/errors.ts';
import type { CompiledFilter } from './compile-filter.ts';

export const RESIDUE_LIMITS = {
  /** Rows that one filter may have looked at. */
  candidates: 100_000,
  /** Steps that all filters of one operation together may take. */
  steps: 30_000_000,
  /** Steps for one row, which is checked in one go: at the very worst some 50 ms. */
  rowSteps: 80_000,
  /** Time that all filters of one operation together may spend checking. */
  milliseconds: 10_000,
} as const;

/** What one operation may spend on checking rows, whichever of its filters asks for it. */
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

/** What was asked for too much of, and how much there is. */
export interface Excess {
  readonly limit: 'candidates' | 'steps' | 'time';
  readonly asked?: number;
  readonly allowed: number;
}

const MAX_TERM_LENGTH = 200;
const shortened = (term: string): string =>
  term.length > MAX_TERM_LENGTH ? `${term.slice(0, MAX_TERM_LENGTH)}…` : term;

/** `validation_failed`: names what is checked row by row, and how to have less of it. */
export function tooMuch(filter: CompiledFilter, what: string, excess: Excess): DomainError {
  const { left, reasons, fields } = filter.explain;
  return invalid(
    `filter: ${what} for ${left.slice(0, 3).map(shortened).join(' and ')}; narrow it by terms that the database decides, such as entity_type, equality of a field or a range`,
    { ...excess, checked_row_by_row: left, fields, reasons },
  );
}

/** An estimate from some rows may be wrong: only what is clearly too much is refused for it. */
const CLEARLY = 1.5;

/**
 * Checks the rows that `where` let through. One call is at most some milliseconds: between calls, let others
 * have their turn.
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
   * @throws DomainError `validation_failed`, saying how to narrow, when there are too many rows or they cost
   * too much
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
        isRow ? `one entity alone (${entity.id}) takes too many steps` : 'it takes too many steps',
        { limit: 'steps', allowed: isRow ? steps : RESIDUE_LIMITS.steps },
      );
    }
    if (allowance.milliseconds < 0)
      throw tooMuch(this.filter, 'it takes too long to check entities one by one', {
        limit: 'time',
        allowed: RESIDUE_LIMITS.milliseconds,
      });
    return outcome.ok && outcome.value;
  }

  /** Whether so much is spent that it is worth asking how many candidates there are. */
  get isCostly(): boolean {
    const { allowance, given } = this;
    return allowance.steps < given.steps * 0.95 || allowance.milliseconds < given.milliseconds * 0.95;
  }

  /**
   * Told how many candidates there are in all, of which all will have to be looked at.
   * @throws DomainError `validation_failed` where that is more than may be, or will take more by what the
   * ones so far took
   */
  expect(candidates: number): void {
    if (candidates > RESIDUE_LIMITS.candidates) throw this.tooManyCandidates();
    if (this.candidates === 0) return;
    const { allowance, given } = this;
    const more = Math.max(0, candidates - this.candidates) / this.candidates;
    const steps = (given.steps - allowance.steps) * more;
    const milliseconds = (given.milliseconds - allowance.milliseconds) * more;
    const what = (cost: string): string =>
      `about ${candidates} entities would have to be checked one by one, which takes about ${cost},`;
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
