// The error of an operation that exceeds one of its limits (docs/decisions/0041-what-an-operation-may-take.md).
import { badRequest, type DomainError } from '../errors.ts';
import type { LimitName } from './limits.ts';

const ADVICE: Readonly<Record<LimitName, string>> = {
  cost: 'smaller limits, fewer fields below lists',
  objects: 'smaller limits, fewer fields below lists, or pages',
  bytes: 'fewer entities at a time, or fewer fields',
  time: 'less data at a time, or filter by terms that an index supports',
};
const UNITS: Readonly<Record<LimitName, string>> = {
  cost: 'objects according to the sizes of its lists',
  objects: 'objects',
  bytes: 'bytes',
  time: 'milliseconds',
};

/**
 * The refusal that says what was asked and what is allowed: so far as it is known, as counting ends where it
 * is too much.
 */
export const overLimit = (limit: LimitName, asked: number, allowed: number): DomainError =>
  badRequest(
    `the operation exceeds a limit: ${asked} ${UNITS[limit]}, but at most ${allowed} are allowed; request ${ADVICE[limit]}`,
    { limit, asked, allowed },
  );
