// Query parameters of the gateway's own routes; what does not fit is 400 (contract 0).
import { badRequest } from '../../platform/errors.ts';

export function flag(query: URLSearchParams, name: string): boolean | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  if (value !== 'true' && value !== 'false') throw badRequest(`${name} must be true or false`);
  return value === 'true';
}

export function integer(query: URLSearchParams, name: string, fallback: number): number {
  const value = query.get(name);
  if (value === null) return fallback;
  if (!/^-?\d{1,15}$/.test(value)) throw badRequest(`${name} must be an integer`);
  return Number(value);
}
