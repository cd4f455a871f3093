// Standard CEL, strictly (docs/reference/cel.md): the standard's conformance cases, and a frozen list of
// deviations with reasons.
import { isCelError, parse, plan } from '@bufbuild/cel';
import type { CelInput, CelResult } from '@bufbuild/cel';
import { expect, test } from 'vitest';
import { CelError } from '../../../platform/cel/cel-error.ts';
import { equalValues } from '../../../platform/cel/equality.ts';
import { environment } from '../../../platform/cel/functions.ts';
import { StepBudget, withStepBudget } from '../../../platform/cel/limits.ts';
import { parseCel } from '../../../platform/cel/parse.ts';
import { planCel } from '../../../platform/cel/plan.ts';
import { conformanceCases } from './conformance-cases.ts';
import type { ConformanceCase } from './conformance-cases.ts';
import { DEVIATIONS } from './conformance-deviations.ts';

/** The value, an error, or the message with which the expression is refused. */
function run({ expr, bindings }: ConformanceCase): CelResult | string {
  try {
    const evaluate = planCel(parseCel(expr, null));
    return withStepBudget(new StepBudget(), () =>
      evaluate(Object.assign(Object.create(null) as Record<string, CelInput>, Object.fromEntries(bindings))),
    );
  } catch (error) {
    if (error instanceof CelError) return `refused: ${error.message}`;
    throw error;
  }
}

/** CEL's equality, but NaN is NaN, and int, uint and double are different. */
function same(expected: CelInput, result: Exclude<CelResult, Error>): boolean {
  if (typeof expected === 'number') return Object.is(expected, result) || expected === result;
  if (typeof expected !== typeof result) return false;
  const [value] = [plan(environment, parse('x'))({ x: expected })]; // A CEL value of the input.
  return !isCelError(value) && equalValues(value, result);
}

/** The result of a case, as a word or a sentence. */
function verdict(conformanceCase: ConformanceCase): string {
  const result = run(conformanceCase);
  const failed =
    typeof result === 'string' && result.startsWith('refused: ')
      ? result
      : isCelError(result)
        ? `error: ${result.message}`
        : null;
  if (conformanceCase.expected === null) return failed === null ? 'no error' : 'passes';
  if (failed !== null) return failed;
  return !isCelError(result) && same(conformanceCase.expected.value, result) ? 'passes' : 'another value';
}

const about = conformanceCases.filter((conformanceCase) => conformanceCase.skip === undefined);

test('the conformance cases of the CEL specification pass, except the listed ones', () => {
  const deviating = about.flatMap((conformanceCase) => {
    const outcome = verdict(conformanceCase);
    return outcome === 'passes' ? [] : [{ id: conformanceCase.id, expr: conformanceCase.expr, outcome }];
  });
  const listed = new Set(Object.values(DEVIATIONS).flat());
  expect(deviating.filter(({ id }) => !listed.has(id))).toEqual([]);
  expect(deviating.map(({ id }) => id).sort()).toEqual(Object.values(DEVIATIONS).flat().sort());
});

test("most of the standard's cases are run", () => {
  expect(about.length).toBeGreaterThan(1350);
});
