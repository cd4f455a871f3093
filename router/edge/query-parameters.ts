// Query parameters of the gateway's own routes; what does not fit is 400 (contract 0).
import { badRequest } from '../../platform/errors.ts';

/** The parameter's value; null where it was not sent. @throws DomainError `invalid_request` where it was sent twice, as components refuse it */
export function text(query: URLSearchParams, name: string): string | null {
  const [value = null, another] = query.getAll(name);
  if (another !== undefined) throw badRequest(`${name} is given more than once`);
  return value;
}

export function flag(query: URLSearchParams, name: string): boolean | undefined {
  const value = text(query, name)?.toLowerCase(); // some languages write `True`
  if (value === undefined) return undefined;
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  throw badRequest(`${name} must be true or false`);
}

export function integer(query: URLSearchParams, name: string, fallback: number): number {
  const value = text(query, name);
  if (value === null) return fallback;
  if (!/^-?\d{1,15}$/.test(value)) throw badRequest(`${name} must be an integer`);
  return Number(value);
}
