// Query parameters of the gateway's own routes; what does not fit is 400 (contract 0).
import { badRequest } from '../../platform/errors.ts';
import { readFlag } from '../../platform/flag.ts';

/** The parameter's value; null where it was not sent. @throws DomainError `invalid_request` where it was sent twice, as components refuse it */
export function text(query: URLSearchParams, name: string): string | null {
  const [value = null, another] = query.getAll(name);
  if (another !== undefined) throw badRequest(`${name} is given more than once`);
  return value;
}

export function flag(query: URLSearchParams, name: string): boolean | undefined {
  const value = text(query, name);
  if (value === null) return undefined;
  const read = readFlag(value);
  if (read === undefined) throw badRequest(`${name} must be true or false`);
  return read;
}

export function integer(query: URLSearchParams, name: string, fallback: number): number {
  const value = text(query, name);
  if (value === null) return fallback;
  if (!/^-?\d{1,15}$/.test(value)) throw badRequest(`${name} must be an integer`);
  return Number(value);
}
